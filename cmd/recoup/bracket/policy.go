package bracket

import (
	"fmt"
	"slices"

	"recoup/data"
)

// Policy gives the probability of each option of decision i of a log: a target to
// be judged. Its options are those that were allowed then, so the gate stands
// before every policy here.
type Policy struct {
	Name  string
	Says  string // what it does, in words: a value whose policy is not stated means nothing
	Marks string // what a reader must know: "simulation only"; "" = nothing
	Moves bool   // it names times: About makes a policy of its own of it
	Probs func(dst []float64, i int, d *Decision) []float64
}

// The names of the policies that need nothing but the log.
const (
	Nothing    = "do_nothing"
	Everything = "retry_everything"
	Incumbent  = "incumbent"
	Uniform    = "explorer"
	Rules      = "rules"
	Champion   = "champion"
	Challenger = "challenger"
	Oracle     = "oracle"
)

// FromLog are the policies that a log itself can tell.
func FromLog() []Policy {
	out := []Policy{
		{Name: Incumbent, Says: "what was done: the mixture of the arms that decided", Probs: func(dst []float64, _ int, d *Decision) []float64 {
			dst = dst[:0]
			for i := range d.Options {
				dst = append(dst, d.Options[i].Mix)
			}
			return dst
		}},
		{Name: Nothing, Says: "waits, whatever happens", Probs: choosing(func(d *Decision) int { return d.Find(data.Wait, 0) })},
		{Name: Everything, Says: "retries at the first time that is allowed; waits where none is", Moves: true, Probs: choosing(func(d *Decision) int { return d.retryNear(d.At, 60*data.Day) })},
		{Name: Uniform, Says: "each option alike, but for those that need a person", Probs: uniform},
	}
	for _, days := range []int{1, 3, 7, 14} {
		out = append(out, Ladder(days))
	}
	return out
}

// Ladder retries some days after each failure was first decided on.
func Ladder(days int) Policy {
	return Policy{Name: fmt.Sprintf("ladder_%dd", days), Says: fmt.Sprintf("retries %s after each failure, or at what is nearest to that and allowed within a day of it; waits where nothing is", inDays(days)), Moves: true,
		Probs: choosing(func(d *Decision) int { return d.retryNear(d.Anchor+data.Micros(days)*data.Day, data.Day) })}
}

func inDays(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

// retryNear is the retry nearest to a time, at most some time away, the earlier of
// two; waiting where there is none.
func (d *Decision) retryNear(at, most data.Micros) int {
	best := d.Find(data.Wait, 0)
	for i := range d.Options {
		if o := &d.Options[i]; o.Action == data.Retry {
			if away := max(o.At-at, at-o.At); away <= most {
				best, most = i, away-1
			}
		}
	}
	return best
}

// Choosing is a policy that takes one option of each decision of a log; where the
// gate left no choice, that of the log.
func Choosing(name, says string, choice []int32) Policy {
	return Policy{Name: name, Says: says, Moves: true, Probs: func(dst []float64, i int, d *Decision) []float64 {
		at := int(choice[i])
		if d.Forced() {
			at = d.Chosen
		}
		return one(dst, len(d.Options), at)
	}}
}

// Mixed is a policy that explores: with probability share it draws as the explorer
// does. The deployed policy, where a value of the greedy one is not that of what
// would run.
func Mixed(p Policy, share float64) Policy {
	greedy := p.Probs
	p.Name, p.Says = p.Name+"_explored", fmt.Sprintf("%s; in %g %% of the decisions it draws as the explorer", p.Says, 100*share)
	p.Probs = func(dst []float64, i int, d *Decision) []float64 {
		dst = greedy(dst, i, d)
		for j, q := range uniform(nil, i, d) {
			dst[j] = float64((1-share)*dst[j]) + float64(share*q)
		}
		return dst
	}
	return p
}

func choosing(choose func(d *Decision) int) func([]float64, int, *Decision) []float64 {
	return func(dst []float64, _ int, d *Decision) []float64 {
		at := d.Chosen
		if !d.Forced() {
			at = choose(d)
		}
		return one(dst, len(d.Options), at)
	}
}

// one puts all probability on an option.
func one(dst []float64, n, at int) []float64 {
	dst = slices.Grow(dst[:0], n)[:n]
	clear(dst)
	dst[at] = 1
	return dst
}

// uniform is the explorer's draw without a model: people are not spent by dice.
func uniform(dst []float64, _ int, d *Decision) []float64 {
	if d.Forced() {
		return one(dst, len(d.Options), d.Chosen)
	}
	dst = slices.Grow(dst[:0], len(d.Options))[:len(d.Options)]
	n := 0
	for j := range d.Options {
		if d.Options[j].Action != data.Escalate {
			n++
		}
	}
	for j := range d.Options {
		dst[j] = 0
		if d.Options[j].Action != data.Escalate {
			dst[j] = 1 / float64(n)
		}
	}
	return dst
}
