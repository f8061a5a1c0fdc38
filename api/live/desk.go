package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/score"
)

// Desk is a tenant's present. It is safe for concurrent use.
type Desk struct {
	cfg  Config
	book *ledger.Book

	mu       sync.RWMutex // of all below
	state    *features.State
	since    data.Micros // decisions known before are not remembered: 0 = all of them are
	folded   int64       // seq: events up to it are in state, or in the log that it was made of
	inLog    logged      // entries after it that the log has, too
	waiting  []fold      // what came while the state is being made again; nil = it is not
	head     data.Micros // the latest known_at
	cases    map[string]*caseNote
	attempts map[string]*openAttempt // by id
	days     tallies
	counts   counts
	broken   error // why nothing is decided any more
	stale    bool  // an event came before what the state knows: it is to be made again

	own        own
	passing    sync.Mutex // one pass at a time
	refreshing sync.Mutex // one at a time
	manifest   stamp      // of the log that state was made of
}

// caseNote is what the desk remembers of a case.
type caseNote struct {
	touched data.Micros // known_at of the latest event that no decision's step is
	last    string      // id of the latest decision; "" = none is remembered
	made    *made       // the latest decision, while nothing superseded it; nil = none
	asked   *Escalation // the latest escalation; nil = none
	// recovered are the decisions whose latest outcome says that the case recovered, in
	// the order in which it was said.
	recovered []string
}

// Open rebuilds the present from the tenant's log and book, and follows the book.
func Open(ctx context.Context, c Config) (*Desk, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	end, err := logEnd(c.Dir)
	if err != nil {
		return nil, err
	}
	book, err := c.Ledger.Book(ctx, c.Tenant, end)
	if err != nil {
		return nil, err
	}
	d := &Desk{cfg: c, book: book, cases: map[string]*caseNote{}, attempts: map[string]*openAttempt{}}
	made, err := d.fromLog(ctx)
	if err != nil {
		return nil, err
	}
	d.take(made)
	d.head = made.end
	from, since, err := d.remembered(ctx)
	if err != nil {
		return nil, err
	}
	d.since = since
	if err := book.Follow(ctx, from, d.apply); err != nil {
		return nil, err
	}
	return d, d.Fault()
}

// Book is the tenant's chain.
func (d *Desk) Book() *ledger.Book { return d.book }

// Now is the clock: that of the config, or in a replay the latest known_at seen. It is
// never before what is recorded.
func (d *Desk) Now() data.Micros {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.now()
}

func (d *Desk) now() data.Micros {
	if d.cfg.Replay {
		return d.head
	}
	return max(d.cfg.Now(), d.head)
}

// stated is what a draft that is not an event says of its known_at: in a replay
// nothing looks at the ledger's clock.
func (d *Desk) stated(t data.Micros) data.Micros {
	if d.cfg.Replay {
		return t
	}
	return 0
}

// Facts are what is known of a case at a time, not before now. The error Is ErrUnknown
// where no failure of it is known.
func (d *Desk) Facts(caseID string, t data.Micros) (features.Facts, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	f, err := d.state.Facts(caseID, t)
	if err != nil {
		return f, fmt.Errorf("live: case %s: %w: no failure of it is known", caseID, ErrUnknown)
	}
	return f, nil
}

// Fault says why nothing is decided any more: the book has an entry that cannot be read,
// or the state could not take one in. nil = all is well.
func (d *Desk) Fault() error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.broken
}

// writable says whether something may be recorded.
func (d *Desk) writable() error {
	if d.cfg.ReadOnly {
		return data.Faultf(data.ErrUsage, "live: the desk is for reading only")
	}
	return d.Fault()
}

// engine is what decides now.
func (d *Desk) engine() *score.Engine { return d.cfg.Engine() }

// stamp tells whether a file has changed.
type stamp struct {
	at   time.Time
	size int64
}

// ErrUnknown: no such case, decision or escalation.
var ErrUnknown = errors.New("unknown")

// ErrUndecidable: nothing can be decided about the case; the text says why.
var ErrUndecidable = errors.New("undecidable")
