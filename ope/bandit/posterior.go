package bandit

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"recoup/data"
)

// Config says how a posterior learns.
type Config struct {
	Arms     []string `json:"arms"`     // names, in the order of all probabilities
	Prior    Arm      `json:"prior"`    // of every arm where nothing is known
	Keep     float64  `json:"keep"`     // share of what was counted that still counts a day later, in (0, 1]
	Strength float64  `json:"strength"` // observations that a cell borrows from its parent at most; 0 = it borrows none, and begins at Prior
}

func (c *Config) check() error {
	if len(c.Arms) == 0 {
		return refuse(NoArms, "expected the names of the arms")
	}
	seen := map[string]bool{}
	for _, name := range c.Arms {
		if name == "" || seen[name] {
			return refuse(MalformedArm, "arm %q: expected names, each once", name)
		}
		seen[name] = true
	}
	if !(c.Keep > 0 && c.Keep <= 1) {
		return refuse(OutOfRange, "keep %v: expected a share above 0, at most 1", c.Keep)
	}
	if !(c.Strength >= 0 && c.Strength <= 1e6) {
		return refuse(OutOfRange, "strength %v: expected 0 to 1e6 observations", c.Strength)
	}
	return c.Prior.check(0)
}

// Cell names a context: parts from the widest to the narrowest with slashes between
// them, such as RETRY_SCHEDULED/late/2. Its parents are what is left when parts
// are taken off the end; the widest is "".
type Cell string

// parent is the next wider cell; false = there is none.
func (c Cell) parent() (Cell, bool) {
	if c == "" {
		return "", false
	}
	return c[:max(0, strings.LastIndexByte(string(c), '/'))], true
}

// count is what was seen of one arm in one cell, its narrower cells included.
type count struct {
	Successes float64 `json:"s"`
	Failures  float64 `json:"f"`
}

// counts of a cell by arm, as they weigh at one time.
type counts struct {
	at data.Micros
	by []count
}

// Outcome is a trial whose window has closed.
type Outcome struct {
	Cell    Cell
	Arm     int // index into Config.Arms
	At      data.Micros
	Success bool
	Weight  float64 // 1 = one trial
}

// Posterior counts outcomes by context and arm. Counts age by elapsed time: of what
// was counted, Keep to the power of the days gone by is left, while the prior stays.
// Ageing twice by half a day is ageing once by a day. It is for one goroutine.
//
// Cells share strength: a cell's prior is Beta with the mean of its parent and at
// most Strength observations, where the parent's mean leaves out what the cell itself
// has seen (each trial counts once). So a cell that nobody has been in is as good as
// its parent, and one with many trials stands alone. The strength is a setting and not
// estimated from the spread between the cells: with few cells that estimate is noise,
// and a replay could not be checked by hand.
type Posterior struct {
	Config
	cells map[Cell]*counts
	last  data.Micros // no outcome is older than the last one of its cell
}

// New makes a posterior that has seen nothing.
func New(c Config) (*Posterior, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.Arms = slices.Clone(c.Arms)
	return &Posterior{Config: c, cells: map[Cell]*counts{}}, nil
}

// Learn counts outcomes, in the cell of each and in all its parents. They may come in
// any order: they are sorted by time first, and one that is older than what its cell
// has seen counts by its age.
func (p *Posterior) Learn(outcomes []Outcome) error {
	sorted := slices.Clone(outcomes)
	slices.SortStableFunc(sorted, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Arm, b.Arm))
	})
	for _, o := range sorted {
		if o.Arm < 0 || o.Arm >= len(p.Arms) {
			return refuse(IllegalIndex, "outcome of arm %d in cell %q: expected 0 to %d", o.Arm, o.Cell, len(p.Arms)-1)
		}
		if !(o.Weight > 0 && o.Weight <= maxCount) {
			return refuse(OutOfRange, "outcome in cell %q: weight %v: expected above 0", o.Cell, o.Weight)
		}
	}
	for _, o := range sorted {
		p.last = max(p.last, o.At)
		for cell, more := o.Cell, true; more; cell, more = cell.parent() {
			c := p.cells[cell]
			if c == nil {
				c = &counts{at: o.At, by: make([]count, len(p.Arms))}
				p.cells[cell] = c
			}
			c.age(p.Keep, o.At)
			w := o.Weight * p.left(c.at-o.At)
			if o.Success {
				c.by[o.Arm].Successes += w
			} else {
				c.by[o.Arm].Failures += w
			}
		}
	}
	return nil
}

// left is the share of a count that is left after some time.
func (p *Posterior) left(d data.Micros) float64 { return left(p.Keep, d) }

func left(keep float64, d data.Micros) float64 {
	if d <= 0 || keep == 1 {
		return 1
	}
	return math.Pow(keep, float64(d)/float64(data.Day))
}

// age brings counts to a later time.
func (c *counts) age(keep float64, to data.Micros) {
	if to <= c.at {
		return
	}
	k := left(keep, to-c.at)
	for i := range c.by {
		c.by[i].Successes *= k
		c.by[i].Failures *= k
	}
	c.at = to
}

// seen is what a cell has seen of an arm, as it weighs at t.
func (p *Posterior) seen(cell Cell, arm int, t data.Micros) count {
	c := p.cells[cell]
	if c == nil {
		return count{}
	}
	k := p.left(t - c.at)
	return count{float64(k * c.by[arm].Successes), float64(k * c.by[arm].Failures)}
}

// At is each arm's posterior in a cell at time t.
func (p *Posterior) At(cell Cell, t data.Micros) []Arm {
	path := []Cell{cell} // narrow to wide
	for c, more := cell.parent(); more; c, more = c.parent() {
		path = append(path, c)
	}
	if p.Strength == 0 {
		path = path[:1]
	}
	out := make([]Arm, len(p.Arms))
	for arm := range out {
		a := p.Prior
		for i, c := range slices.Backward(path) {
			n := p.seen(c, arm, t)
			if i > 0 { // without the narrower cell's own
				own := p.seen(path[i-1], arm, t)
				n = count{max(0, n.Successes-own.Successes), max(0, n.Failures-own.Failures)}
			}
			a = Arm{a.Alpha + n.Successes, a.Beta + n.Failures}
			if whole := a.Alpha + a.Beta; i > 0 && whole > p.Strength {
				a = Arm{float64(a.Alpha * (p.Strength / whole)), float64(a.Beta * (p.Strength / whole))}
			}
		}
		out[arm] = Arm{min(max(a.Alpha, minCount), maxCount), min(max(a.Beta, minCount), maxCount)}
	}
	return out
}

// Select is Thompson sampling in a cell among the legal arms; see the func of that name.
func (p *Posterior) Select(cell Cell, t data.Micros, legal []bool, floor float64) (Selection, error) {
	return Select(p.At(cell, t), legal, floor)
}

// Fade scales all counts so that the widest cell holds at most n trials at t: what was
// learned in another shop, or before a change, is worth no more than that.
func (p *Posterior) Fade(n float64, t data.Micros) {
	whole := 0.0
	for arm := range p.Arms {
		c := p.seen("", arm, t)
		whole += c.Successes + c.Failures
	}
	if !(whole > n) {
		return
	}
	for _, cell := range slices.Sorted(maps.Keys(p.cells)) {
		c := p.cells[cell]
		c.age(p.Keep, t)
		for i := range c.by {
			c.by[i].Successes *= n / whole
			c.by[i].Failures *= n / whole
		}
	}
}
