package ledger

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
)

// rounds is how often a process is killed: RECOUP_TEST_ROUNDS, 2 where it says nothing.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("RECOUP_TEST_ROUNDS")); err == nil {
		return n
	}
	return 2
}

// A process that is killed at any moment loses nothing it has answered for, leaves
// no half of a job, and what it did not answer for can be sent again: once more is
// not twice.
func TestKilled(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		dice := rand.New(rand.NewPCG(1, 2))
		for round := range rounds() {
			// one process, or two at once on one database
			names := []string{fmt.Sprint("r", round, "a"), fmt.Sprint("r", round, "b")}[:1+round%2]
			told := make([][childWorkers]int, len(names))
			var wait sync.WaitGroup
			for i, name := range names {
				after := 1 + dice.IntN(800)
				wait.Go(func() { told[i] = killed(t, url, name, after) })
			}
			wait.Wait()
			b, _ := newBook(t, url)
			// a server may still be at the commit that its client did not live to see
			if _, err := b.ledger.write.Exec(`UPDATE books SET seq = seq`); err != nil {
				t.Fatal(err)
			}
			checkChain(t, b, Secret{})
			there := map[string]int{} // entries of a job
			for _, e := range all(t, b) {
				there[e.Key]++
			}
			for i, name := range names {
				complete(t, b, name, told[i], there)
			}
			checkChain(t, b, Secret{})
		}
	})
}

// complete checks that what was answered for is there, and sends the next again: it may be there.
func complete(t *testing.T, b *Book, round string, told [childWorkers]int, there map[string]int) {
	t.Helper()
	for worker := range childWorkers {
		for i := range told[worker] {
			if key := childTask(round, worker, i).Drafts[0].Key; there[key] != 2 {
				t.Errorf("%s: answered for, and %d entries are there", key, there[key])
			}
		}
		for i := max(told[worker]-1, 0); i < told[worker]+2; i++ {
			again(t, b, childTask(round, worker, i), there)
		}
	}
}

// again sends a job that may have been written, as its caller would.
func again(t *testing.T, b *Book, j Job, there map[string]int) {
	t.Helper()
	key := j.Drafts[0].Key
	_, attempt, err := b.Attempt(context.Background(), key)
	if n := there[key]; err != nil || n != 0 && n != 2 || attempt != (n == 2) {
		t.Fatalf("%s: %d of 2 entries, attempt: %t, %v", key, n, attempt, err)
	}
	d, err := b.Append(context.Background(), j)
	if err != nil || d.Replayed != (there[key] == 2) || d.Status != 202 {
		t.Fatalf("%s: sent again: %+v, %v", key, d, err)
	}
}

// killed runs a process that appends, kills it when it has answered for some jobs, and
// tells how many each worker was answered for.
func killed(t *testing.T, url, round string, after int) (told [childWorkers]int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+url, "RECOUP_TEST_ROUND="+round)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return told
	}
	lines := 0
	for scan := bufio.NewScanner(out); scan.Scan(); {
		var worker, i int
		if n, _ := fmt.Sscanf(scan.Text(), "%d %d", &worker, &i); n == 2 {
			told[worker] = i + 1
			lines++
		}
		if lines == after {
			cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); err == nil || lines < after {
		t.Error("the process ended by itself:", err, lines)
	}
	return told
}
