package chaos

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A server that is killed at any moment under load loses nothing that it answered
// for and doubles nothing that its callers send again.
func TestKilled(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { killing(t, filepath.Join(t.TempDir(), "ledger.db"), 1) })
	t.Run("postgres", func(t *testing.T) { killing(t, postgresURL(t), 1) })
}

// Two servers on one database, one of them killed: the same, and one chain.
func TestTwoServersKilled(t *testing.T) { killing(t, postgresURL(t), 2) }

const clients = 8

// killing runs rounds of load in each of which a server is killed and started again.
func killing(t *testing.T, ledgerURL string, servers int) {
	s := newSite(t, ledgerURL, servers)
	dice := rand.New(rand.NewPCG(*seed, uint64(servers)))
	var book audit
	var all, before []told
	entries, answered, lost, stood, kills, names := 0, 0, 0, 0, 0, 0
	check := s.client(0)
	for round := range *rounds {
		var enough atomic.Bool
		var wait sync.WaitGroup
		callers := make([]*client, clients)
		for i := range callers {
			c := s.client(i)
			callers[i] = c
			wait.Go(func() {
				for n := 0; n == 0 || !enough.Load(); n++ {
					l := life{client: c, name: fmt.Sprintf("case %d.%d.%d", round, i, n), n: names + i + n}
					l.live()
				}
			})
		}
		names++
		for range 1 + dice.IntN(2) { // the second time maybe while it starts
			time.Sleep(time.Duration(dice.Int64N(int64(time.Second))))
			i := dice.IntN(servers)
			s.kill(i)
			kills++
			if !s.start(i) {
				t.Fatal("it does not start again: ", s.logged())
			}
		}
		enough.Store(true)
		wait.Wait()
		var now []told
		for _, c := range callers {
			now, lost = append(now, c.told...), lost+c.lost
		}
		book.count(s, now)
		n := book.balance(s)
		entries, answered = entries+n, answered+len(now)
		asIs(check, now)
		stood += stands(check, before) // of the round before: a restart is in between
		if round%5 == 0 {
			s.verify()
		}
		all, before = append(all, now...), now
		t.Logf("round %d: %d answers, %d entries, %d requests lost so far", round, len(now), n, lost)
		if t.Failed() {
			t.Fatal(s.logged())
		}
	}
	asIs(check, all)
	if n := book.balance(s); n != 0 {
		t.Errorf("asking again made %d entries", n)
	}
	s.verify()
	t.Logf("%d rounds, %d kills: %d answers, %d entries, %d requests whose server died before it answered, %d decisions that stood", *rounds, kills, answered, entries, lost, stood)
	if lost == 0 {
		t.Error("no kill met a request under way: this showed nothing")
	}
}
