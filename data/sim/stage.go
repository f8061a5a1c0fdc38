package sim

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"recoup/data"
)

// Stage is a world up to where somebody must decide: everything that depends on
// no policy, and the charges that failed at first. Any number of deciders can
// play on one Stage, one after another or at once; each faces the same cases
// with the same dice.
type Stage struct {
	config Config
	w      *world
	base   *Batch  // rows that no policy moves
	rows   []known // of base, in the order of knowing
	cases  []*caseRun
}

// known is a row with its place in the order of knowing.
type known struct {
	at  data.Micros
	id  string
	row any // a pointer to it
}

// NewStage makes a world and stops at its cases. It holds the whole world in
// memory: some 100 kB for ten cases.
func NewStage(ctx context.Context, c Config) (*Stage, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &Stage{config: c, w: newWorld(c), base: &Batch{}}
	for _, bank := range s.w.banks {
		s.base.Downtimes = append(s.base.Downtimes, s.w.downtimes[bank.code]...)
	}
	for n := uint64(0); len(s.cases) < c.Cases; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.w.live(s.base, s.w.newCustomer(n), nil, c.Cases-len(s.cases), s.add)
		if c.Progress != nil {
			c.Progress(int64(len(s.cases)), int64(c.Cases))
		}
	}
	s.rows = s.base.appendKnown(nil, &marks{})
	slices.SortFunc(s.rows, func(a, b known) int { return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.id, b.id)) })
	return s, nil
}

// add keeps a case as it begins.
func (s *Stage) add(r *caseRun, first failure) {
	c := *r
	c.extra = slices.Clone(r.extra)
	c.situation, c.probs, c.decisions = Situation{}, nil, nil
	c.failure = first
	c.urge = c.newUrge(first.known, first.cause)
	if c.cure = c.urge.first(c.key); c.cure != never {
		c.pay(c.cure, c.cure, byCure)
	}
	// The mandate goes on living; its hazard as of now is what p_true is made of.
	q, m := *r.charge, *r.charge.m
	q.m, c.charge, c.mandate = &m, &q, r.charge.m
	s.cases = append(s.cases, &c)
}

// marks say how many rows of each table were taken already.
type marks [8]int

// appendKnown appends the rows of a batch after the marks, and moves these.
// Decisions and outcomes tell nobody anything: they are left out.
func (b *Batch) appendKnown(dst []known, m *marks) []known {
	dst = appendRows(dst, b.Attempts, &m[0])
	dst = appendRows(dst, b.CaseEvents, &m[1])
	dst = appendRows(dst, b.Subscriptions, &m[2])
	dst = appendRows(dst, b.Mandates, &m[3])
	dst = appendRows(dst, b.Notices, &m[4])
	dst = appendRows(dst, b.Polls, &m[5])
	dst = appendRows(dst, b.Promises, &m[6])
	return appendRows(dst, b.Downtimes, &m[7])
}

func appendRows[T data.Row](dst []known, rows []T, from *int) []known {
	for i := *from; i < len(rows); i++ {
		e := data.EventOf(&rows[i])
		dst = append(dst, known{e.KnownAt, e.EventID, &rows[i]})
	}
	*from = len(rows)
	return dst
}

// numbered is a copy of a row with a seq: rows of the Stage are shared.
func numbered(row any, seq int64) data.AnyRow {
	switch r := row.(type) {
	case *data.Attempt:
		row = copied(*r)
	case *data.CaseEvent:
		row = copied(*r)
	case *data.Subscription:
		row = copied(*r)
	case *data.Mandate:
		row = copied(*r)
	case *data.Notice:
		row = copied(*r)
	case *data.Poll:
		row = copied(*r)
	case *data.Promise:
		row = copied(*r)
	case *data.Downtime:
		row = copied(*r)
	}
	e := data.EventOf(row)
	e.Seq = seq
	return data.AnyRow{Row: row, Event: e}
}

func copied[T any](row T) *T { return &row }
