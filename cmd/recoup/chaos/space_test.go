package chaos

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A full disk: nothing is answered for that is not kept, callers are told to come again,
// /readyz says no, and when there is room it goes on by itself.
func TestDiskFull(t *testing.T) {
	disk := t.TempDir()
	resize := func(flags uintptr, size string) error {
		return syscall.Mount("tmpfs", disk, "tmpfs", flags, "size="+size)
	}
	if err := resize(0, "3m"); err != nil {
		t.Skip("a small disk cannot be mounted here (that takes root): ", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) })
	starved(t, newSite(t, filepath.Join(disk, "ledger.db"), 1),
		nil, // it fills up by itself
		func() error { return resize(syscall.MS_REMOUNT, "256m") })

}

// The database goes away under load and comes back.
func TestPostgresAway(t *testing.T) {
	c, err := newCluster()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(c.remove)
	starved(t, newSite(t, c.url(), 1), c.stop, c.start)
}

// starved loads a site, takes what it needs away, waits until callers are told to come again, and
// gives it back: they get every answer then, and the book has what they got, once.
func starved(t *testing.T, s *site, take, give func() error) {
	t.Helper()
	var enough atomic.Bool
	var wait sync.WaitGroup
	callers := make([]*client, clients)
	for i := range callers {
		callers[i] = s.client(i)
		wait.Go(func() {
			for n := 0; n == 0 || !enough.Load(); n++ {
				l := life{client: callers[i], name: fmt.Sprintf("case %d.%d", i, n), n: i + n}
				l.live()
			}
		})
	}
	knock := s.client(0)
	if take != nil {
		time.Sleep(300 * time.Millisecond)
		if err := take(); err != nil {
			t.Error(err)
		}
	}
	event := func(n int) request {
		return request{path: "/v1/events", body: events((&life{name: fmt.Sprint("knock ", n)}).attempt(0, "pay", "failed"))}
	}
	var no answer
	n := 0
	if !within(30*time.Second, func() bool {
		r := event(n)
		a, err := knock.once(&r)
		if err == nil && a.status == 200 {
			knock.told = append(knock.told, told{r, a})
			n++
		}
		no = a
		return err == nil && a.status == 503
	}) {
		t.Errorf("it is never told to come again: %d %s", no.status, no.body)
	} else {
		comeAgain(t, &no)
		if !strings.Contains(string(no.body), `"code":"ledger-unavailable"`) {
			t.Errorf("%s", no.body)
		}
	}
	ready := request{path: "/readyz"}
	if !within(10*time.Second, func() bool { a, err := knock.once(&ready); no = a; return err == nil && a.status == 503 }) {
		t.Errorf("it says that it is ready: %s", no.body)
	}
	enough.Store(true)
	if err := give(); err != nil {
		t.Error(err)
	}
	knock.tell(event(n)) // without a restart
	wait.Wait()
	if !within(10*time.Second, func() bool { a, err := knock.once(&ready); no = a; return err == nil && a.status == 200 }) {
		t.Errorf("it says that it is not ready: %s", no.body)
	}
	all, away := knock.told, knock.away
	for _, c := range callers {
		all, away = append(all, c.told...), away+c.away
	}
	var book audit
	book.count(s, all)
	entries := book.balance(s)
	asIs(knock, all)
	s.kill(0)
	if !s.start(0) {
		t.Fatal(s.logged())
	}
	stood := stands(knock, all)
	if n := book.balance(s); n != 0 {
		t.Errorf("asking again made %d entries", n)
	}
	s.verify()
	t.Logf("%d answers, %d entries, %d times told to come again, %d decisions that stood", len(all), entries, away, stood)
	if t.Failed() {
		t.Log(s.logged())
	}
}
