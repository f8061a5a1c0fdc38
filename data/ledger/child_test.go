package ledger

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"sync"
	"time"

	"recoup/data"
)

// childWorkers append at once in a child process.
const childWorkers = 16

// childEnv asks the test binary to be a process that appends to the ledger of this URL until it is killed.
const childEnv = "RECOUP_TEST_APPEND"

// childTask is the i-th job of a worker in a round: two entries, a claim, a move and a key.
func childTask(round string, worker, i int) Job {
	name := fmt.Sprintf("%s-%d-%d", round, worker, i)
	body := fmt.Appendf(make([]byte, 0, 3000), `{"name":%q,"pad":"%02500d"}`, name, i)
	return Job{
		Drafts: []Draft{
			{Kind: Event, Key: name, CaseID: name, Body: body, Claims: []Claim{{Name: name + ":1"}}, Move: &Move{CaseID: name, No: 1, AttemptID: name, To: Intended}},
			{Kind: Decision, Key: name, CaseID: name, Body: body},
		},
		Once: once("key-"+name, 1),
	}
}

// childJob runs what a test asked of a child process, and reports whether it did:
// it says the name of every job that it was told is durable.
func childJob() bool {
	url := os.Getenv(childEnv)
	if url == "" {
		return false
	}
	l, err := Open(context.Background(), Config{URL: url, Random: rand.Reader, Now: func() data.Micros { return data.MicrosOf(time.Now()) }})
	if err != nil {
		panic(err)
	}
	b, err := l.Book(context.Background(), "main", 0)
	if err != nil {
		panic(err)
	}
	var wait sync.WaitGroup
	for worker := range childWorkers {
		wait.Go(func() {
			for i := 0; ; i++ {
				d, err := b.Append(context.Background(), childTask(os.Getenv("RECOUP_TEST_ROUND"), worker, i))
				if err != nil || d.Replayed {
					panic(fmt.Sprint(d, err))
				}
				fmt.Printf("%d %d\n", worker, i) // one write, not buffered
			}
		})
	}
	wait.Wait()
	return true
}
