package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
)

func TestAppend(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, clock := newBook(t, url)
		clock.Store(500)
		got := put(t, b,
			Draft{Kind: Event, Key: "e1", CaseID: "c1", CustomerID: "u1", Body: []byte(`{"a":1}`)},
			Draft{Kind: Decision, Key: "e1", CaseID: "c1", CustomerID: "u1", Body: []byte(`{"b":2}`)}, // keys are unique in their kind
			Draft{Kind: Event, Key: "e2", KnownAt: 9000, Body: []byte(`{}`)},
			Draft{Kind: Event, Key: "e3", KnownAt: 100, Body: []byte(`{}`)}, // a replay's clock does not go back
		)
		want := []Receipt{{Seq: 1, KnownAt: 500}, {Seq: 2, KnownAt: 501}, {Seq: 3, KnownAt: 9000}, {Seq: 4, KnownAt: 9001}}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		entries := []Entry{
			{Seq: 1, KnownAt: 500, Kind: Event, Key: "e1", CaseID: "c1", CustomerID: "u1", Body: []byte(`{"a":1}`)},
			{Seq: 2, KnownAt: 501, Kind: Decision, Key: "e1", CaseID: "c1", CustomerID: "u1", Body: []byte(`{"b":2}`)},
			{Seq: 3, KnownAt: 9000, Kind: Event, Key: "e2", Body: []byte(`{}`)},
			{Seq: 4, KnownAt: 9001, Kind: Event, Key: "e3", Body: []byte(`{}`)},
		}
		if d := cmp.Diff(entries, all(t, b)); d != "" {
			t.Error(d)
		}
		ctx := context.Background()
		if e, ok, err := b.Find(ctx, Decision, "e1"); err != nil || !ok || e.Seq != 2 {
			t.Error(e, ok, err)
		}
		if _, ok, err := b.Find(ctx, Decision, "e2"); err != nil || ok {
			t.Error(ok, err)
		}
		if c, err := b.Case(ctx, "c1"); err != nil || len(c) != 2 || c[1].Seq != 2 {
			t.Error(c, err)
		}
		if c, err := b.Case(ctx, ""); err != nil || len(c) != 0 {
			t.Error(c, err)
		}
	})
}

// The same again is a duplicate and tells where the first one went; the same key
// with another body is a conflict, and takes the whole job back.
func TestDuplicates(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		put(t, b, event("e1", `1`), event("e2", `2`))
		got := put(t, b, event("e2", `2`), event("e3", `3`), event("e3", `3`))
		want := []Receipt{{Seq: 2, KnownAt: 1_000_001, Duplicate: true}, {Seq: 3, KnownAt: 1_000_002}, {Seq: 3, KnownAt: 1_000_002, Duplicate: true}}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		_, err := b.Append(context.Background(), Job{Drafts: []Draft{event("e4", `4`), event("e1", `other`)}})
		if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), `event "e1" is entry 1`) {
			t.Error(err)
		}
		if got := put(t, b, event("e4", `5`)); got[0].Duplicate || got[0].Seq != 4 {
			t.Error("a refused job left something behind:", got)
		}
		if n := len(all(t, b)); n != 4 {
			t.Error(n)
		}
	})
}

func TestClaims(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		claimed := func(key string, claims ...Claim) Draft {
			return Draft{Kind: Event, Key: key, Body: []byte(key), Claims: claims}
		}
		put(t, b, claimed("e1", Claim{Name: "c:1"}, Claim{Name: "a:pending", Same: true}))
		if got := put(t, b, claimed("e1", Claim{Name: "c:1"})); !got[0].Duplicate || got[0].Seq != 1 {
			t.Error("its own claim is in the way of a repeated entry:", got)
		}
		// a repetition in other words: passed over, and its own new claim is not kept
		got := put(t, b, claimed("e2", Claim{Name: "c:2"}, Claim{Name: "a:pending", Same: true}), claimed("e3", Claim{Name: "c:2"}))
		if !got[0].Duplicate || got[0].Seq != 1 || got[1].Duplicate || got[1].Seq != 2 {
			t.Error(got)
		}
		_, err := b.Append(context.Background(), Job{Drafts: []Draft{claimed("e4"), claimed("e5", Claim{Name: "c:5"}, Claim{Name: "c:1"})}})
		if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), `c:1 belongs to event "e1", entry 1`) {
			t.Error(err)
		}
		if got := put(t, b, claimed("e6", Claim{Name: "c:5"})); got[0].Duplicate || got[0].Seq != 3 {
			t.Error("a refused job left a claim behind:", got)
		}
	})
}

// Books share nothing.
func TestTenants(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		c, _ := testConfig(url)
		l := mustOpen(t, c)
		a, b := mustBook(t, l, "a"), mustBook(t, l, "b")
		d := Draft{Kind: Event, Key: "e", CaseID: "c", Body: []byte(`a`), Claims: []Claim{{Name: "n"}}, Move: &Move{CaseID: "c", AttemptID: "x", To: Failed}}
		put(t, a, d, event("f", `f`))
		d.Body = []byte(`b`)
		if got := put(t, b, d); got[0].Seq != 1 || got[0].Duplicate {
			t.Error(got)
		}
		if e := all(t, b); len(e) != 1 || string(e[0].Body) != "b" {
			t.Error(e)
		}
		again := mustBook(t, l, "a")
		if e := all(t, again); len(e) != 2 {
			t.Error(e)
		}
	})
}

// What a book's event log already knows comes before its entries.
func TestAfter(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		c, _ := testConfig(url)
		b, err := mustOpen(t, c).Book(context.Background(), "main", 5*data.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got := put(t, b, event("e", `1`), Draft{Kind: Event, Key: "f", KnownAt: 3, Body: []byte(`2`)}); got[0].KnownAt != 5_000_001 || got[1].KnownAt != 5_000_002 {
			t.Error(got)
		}
	})
}

// Many at once share commits, and each is delivered before it is answered.
func TestFollow(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		ctx := context.Background()
		put(t, b, event("before", `0`))
		var lock sync.Mutex
		var got []Entry
		has := func(seq int64) bool {
			lock.Lock()
			defer lock.Unlock()
			return slices.ContainsFunc(got, func(e Entry) bool { return e.Seq == seq })
		}
		err := b.Follow(ctx, 0, func(e []Entry) {
			lock.Lock()
			got = append(got, e...)
			lock.Unlock()
		})
		if err != nil || !has(1) {
			t.Fatal(err, got)
		}
		if err := b.Follow(ctx, 0, func([]Entry) {}); err == nil {
			t.Error("a second follower")
		}
		var wait sync.WaitGroup
		for i := range 200 {
			wait.Go(func() {
				d, err := b.Append(ctx, Job{Drafts: []Draft{event(fmt.Sprint("e", i), `1`), event(fmt.Sprint("f", i%7), `1`)}})
				if err != nil {
					t.Error(err)
				} else if !has(d.Receipts[0].Seq) || !has(d.Receipts[1].Seq) {
					t.Error("answered before it was delivered:", d)
				}
			})
		}
		wait.Wait()
		if len(got) != 208 {
			t.Errorf("%d entries, not 208", len(got))
		}
		if d := cmp.Diff(all(t, b), got); d != "" {
			t.Error("the follower got other entries than are there:", d)
		}
	})
}

func TestRefusedDrafts(t *testing.T) {
	b, _ := newBook(t, t.TempDir()+"/ledger.db")
	good := event("k", `1`)
	for _, c := range []struct {
		name string
		is   func(*Draft)
		want string
	}{
		{"kind", func(d *Draft) { d.Kind = KeyChange + 1 }, `no such kind`},
		{"no key", func(d *Draft) { d.Key = "" }, `event key: empty`},
		{"long key", func(d *Draft) { d.Key = strings.Repeat("x", maxText+1) }, `has 1025 bytes`},
		{"NUL", func(d *Draft) { d.CaseID = "a\x00" }, `case id "a\x00": not UTF-8`},
		{"not UTF-8", func(d *Draft) { d.CustomerID = "\xff" }, `not UTF-8`},
		{"claim", func(d *Draft) { d.Claims = []Claim{{}} }, `claim: empty`},
		{"no body", func(d *Draft) { d.Body = nil }, `the body has 0 bytes`},
		{"attempt", func(d *Draft) { d.Move = &Move{To: Failed} }, `attempt id: empty`},
		{"state", func(d *Draft) { d.Move = &Move{AttemptID: "x"} }, `no such state: 0`},
	} {
		d := good
		c.is(&d)
		if _, err := b.Append(context.Background(), Job{Drafts: []Draft{good, d}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if e := all(t, b); len(e) != 0 {
		t.Error(e)
	}
	d := event(strings.Repeat("x", maxText), `1`)
	put(t, b, d)
}

// Twenty at once with one event: one entry, and nineteen are told that it was there.
func TestSameAtOnce(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		c, _ := testConfig(url)
		books := []*Book{mustBook(t, mustOpen(t, c), "main"), mustBook(t, mustOpen(t, c), "main")}
		var first atomic.Int64
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				d, err := books[i%2].Append(context.Background(), Job{Drafts: []Draft{event("e", `1`)}})
				if err != nil || d.Receipts[0].Seq != 1 {
					t.Error(d, err)
				} else if !d.Receipts[0].Duplicate {
					first.Add(1)
				}
			})
		}
		wait.Wait()
		if n := len(all(t, books[0])); n != 1 || first.Load() != 1 {
			t.Error(n, first.Load())
		}
	})
}
