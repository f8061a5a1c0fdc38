package live

import (
	"slices"

	"recoup/data"
)

// Stats count the present and the last StatsDays days of the book, by known_at.
type Stats struct {
	AsOf      data.Micros // the latest known_at
	Open      int         // cases owed
	Standing  int         // decisions that no event superseded
	Queue     int         // escalations without a result
	Unknown   int         // attempts whose outcome nobody knows
	Events    int64       // of the book, since the desk remembers
	Decisions int64       // of the last StatsDays
	ByArm     [data.ArmControl + 1]int64
	Fallback  int64       // decided by another arm than the one assigned
	Lag       data.Micros // median of known_at of an outcome less that of its decision, the latest outcomes'; 0 = no outcome
	Matured   int64       // decisions with a P and an outcome whose window is closed
	Bins      [10]Bin     // of the matured ones: what was predicted against what came
	// Recent are the rows of the attempt model of the latest decisions that decided on a
	// retry, with their P, at most RecentRows, oldest first.
	Recent []Scored
}

// Bin is a tenth of the probabilities: k/10 to before (k+1)/10, the last one with 1.
type Bin struct {
	N, Recovered int64
	P            float64 // sum
}

// Scored is a row that a model was asked and what it said.
type Scored struct {
	ModelID string
	Row     []float64
	P       float64
}

// The bounds of Stats.
const (
	StatsDays  = 30
	RecentRows = 2000
	recentLags = 4096
)

// counts are what Stats are made of.
type counts struct {
	events    int64
	window    []*counted // the decisions of the last days, oldest first
	byID      map[string]*counted
	recent    []Scored // a ring
	oldest    int
	lags      []data.Micros // a ring
	oldestLag int
}

// counted is a decision of the window.
type counted struct {
	id        string
	at        data.Micros
	arm       data.Arm
	fallback  bool
	p         *float64 // of what was decided
	matured   bool
	recovered bool
	settled   bool // an outcome came
}

func (c *counts) decided(n *news) {
	x := n.decided
	what := &x.Allowed[x.Decided]
	k := &counted{id: x.ID, at: n.KnownAt, arm: x.Arm, fallback: x.Fallback != ""}
	if what.P != nil {
		p := *what.P
		k.p = &p
		if row := numbers(x.row); row != nil && what.Action == data.Retry {
			c.recent, c.oldest = ring(c.recent, c.oldest, RecentRows, Scored{x.ModelID, row, p})
		}
	}
	if c.byID == nil {
		c.byID = map[string]*counted{}
	}
	c.window, c.byID[x.ID] = append(c.window, k), k
	i := 0
	for i < len(c.window) && c.window[i].at <= n.KnownAt-StatsDays*data.Day {
		delete(c.byID, c.window[i].id)
		c.window[i] = nil
		i++
	}
	c.window = c.window[i:]
}

// settled notes an outcome; a later one of the same decision corrects it.
func (c *counts) settled(at data.Micros, o *data.Outcome) {
	k := c.byID[o.DecisionID]
	if k == nil {
		return
	}
	if !k.settled {
		c.lags, c.oldestLag = ring(c.lags, c.oldestLag, recentLags, at-k.at)
	}
	k.settled, k.matured, k.recovered = true, o.WindowClosed, o.Recovered
}

// ring appends to a list of at most size; the oldest gives way.
func ring[T any](list []T, oldest, size int, what T) ([]T, int) {
	if len(list) < size {
		return append(list, what), 0
	}
	list[oldest] = what
	return list, (oldest + 1) % size
}

// Stats are the numbers of now.
func (d *Desk) Stats() Stats {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := Stats{AsOf: d.head, Open: len(d.state.OpenCases()), Events: d.counts.events}
	for _, n := range d.cases {
		if n.made != nil {
			out.Standing++
		}
		if n.asked != nil && n.asked.Result == 0 {
			if f, err := d.state.Facts(n.asked.CaseID, d.state.AsOf().KnownAt); err == nil && f.Owed {
				out.Queue++
			}
		}
	}
	for _, a := range d.attempts {
		if a.unknown {
			out.Unknown++
		}
	}
	d.counts.fill(&out)
	return out
}

func (c *counts) fill(s *Stats) {
	for _, k := range c.window {
		s.Decisions++
		s.ByArm[k.arm]++
		if k.fallback {
			s.Fallback++
		}
		if k.p == nil || !k.matured {
			continue
		}
		s.Matured++
		b := &s.Bins[min(int(*k.p*10), len(s.Bins)-1)]
		b.N++
		b.P += *k.p
		if k.recovered {
			b.Recovered++
		}
	}
	if lags := slices.Sorted(slices.Values(c.lags)); len(lags) > 0 {
		s.Lag = lags[(len(lags)-1)/2]
	}
	s.Recent = append(append([]Scored(nil), c.recent[c.oldest:]...), c.recent[:c.oldest]...)
}
