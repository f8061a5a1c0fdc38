package pages

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"recoup/data"
)

// Chain is what a walk over the whole chain found.
type Chain struct {
	Strength string // keyed or tamper-evident
	Entries  int64  // that were found good
	Erased   int64
	// KeyedFrom is the first entry hashed with a secret that was at hand, 0 = none.
	// Unchecked counts the entries whose hash was not checked, for want of their secret.
	KeyedFrom, Unchecked int64
	Secrets              []string // ids, in the order of their use
	Checkpoints          int      // that fit
	Signed               int64    // entries covered by the largest signed one
	Root, Hash           string
	Warnings             []string
	Broken               *Break // the first row that is not what was written; nil = intact
}

// Break is the first row of a chain that is not what was written.
type Break struct {
	Seq  int64  // 0 = no one row
	Kind string // "" = the row is missing
	Key  string
	What string // e.g. its body is not what was written
	// Around are the rows beside it as they stand in the database, in order.
	Around []ChainRow
}

// ChainRow is a row of the chain as it stands in the database.
type ChainRow struct {
	Seq       int64
	Kind, Key string
	CaseID    string
	KnownAt   data.Micros
	Body      string // its beginning; "" = erased
}

const (
	checkPatience = 3 * time.Second  // how long a visitor waits for a walk
	checkLimit    = 10 * time.Minute // after which a walk is broken off
)

// checks lets one walk over the chain go on at a time: it reads the whole ledger. A
// walk that its visitors did not wait for is kept until somebody has seen it.
type checks struct {
	mu   sync.Mutex
	last *walk // under way, or over and not seen; nil = none
}

type walk struct {
	since data.Micros
	over  chan struct{} // closed at its end; found and err are not looked at before
	found Chain
	err   error
}

// walked begins a walk or joins the one under way; done is false where it goes on
// longer than a visitor waits.
func (s *site) walked(ctx context.Context) (w *walk, done bool) {
	s.checks.mu.Lock()
	w = s.checks.last
	if w == nil {
		w = &walk{since: s.src.Now(), over: make(chan struct{})}
		s.checks.last = w
		go w.walk(context.WithoutCancel(ctx), s.src.Present.Verify)
	}
	s.checks.mu.Unlock()
	timer := time.NewTimer(checkPatience)
	defer timer.Stop()
	select {
	case <-w.over:
	case <-timer.C:
		return w, false
	case <-ctx.Done():
		return w, false
	}
	s.checks.mu.Lock()
	if s.checks.last == w {
		s.checks.last = nil
	}
	s.checks.mu.Unlock()
	return w, true
}

func (w *walk) walk(ctx context.Context, verify func(context.Context) (Chain, error)) {
	defer close(w.over)
	defer func() { // outside a request nobody else catches it
		if v := recover(); v != nil {
			w.err = fmt.Errorf("pages: chain: panic: %v", v)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	w.found, w.err = verify(ctx)
}

// checkedChain is the body of the chain's page.
type checkedChain struct {
	Since string
	Going bool // the walk is not over yet
	Facts []fact
	Chain
}

// chain is GET /chain: the ledger is walked from its first row.
func (s *site) chain(r *http.Request) view {
	w, done := s.walked(r.Context())
	b := checkedChain{Since: ist(w.since), Going: !done}
	if done {
		if w.err != nil {
			return s.trouble(r, "/chain", w.err)
		}
		b.Chain, b.Facts = w.found, chainFacts(&w.found)
	}
	v := view{page: "chain", Title: "The chain", Nav: "/chain", Body: b}
	if b.Broken != nil {
		v.Title = "Broken: the chain"
	}
	return v
}

func chainFacts(c *Chain) []fact {
	good := fmt.Sprint(c.Entries)
	if c.Erased > 0 {
		good += fmt.Sprintf(", of them %d erased", c.Erased)
	}
	strength := "tamper-evident: whoever can write to the database can have made all of it anew"
	if c.KeyedFrom > 0 {
		strength = fmt.Sprintf("keyed from row %d on: nobody without the secret can have made it", c.KeyedFrom)
	}
	out := []fact{{"Good rows", good}, {"Strength", strength}}
	if c.Unchecked > 0 {
		out = append(out, fact{"Not checked", fmt.Sprintf("%d rows, for want of their secret", c.Unchecked)})
	}
	return append(out, fact{"Checkpoints that fit", fmt.Sprint(c.Checkpoints)}, fact{"Covered by a signed one", fmt.Sprintf("%d rows", c.Signed)}, fact{"Root", c.Root}, fact{"Last hash", c.Hash})
}
