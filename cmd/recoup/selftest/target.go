package selftest

import (
	"math"
	"slices"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
)

// mustBeRed are the targets that the logs cannot tell.
var mustBeRed = []string{"last_slot", "person"}

// targets are the policies whose values are asked for. All do as the log where it was
// left no choice.
func targets() []bracket.Policy {
	return []bracket.Policy{
		preferring("early", "draws among all options, retries e times rarer with every five days of delay, waiting seldom", func(d *bracket.Decision, o *data.Option) float64 {
			switch o.Action {
			case data.Retry:
				return math.Exp(-daysUntil(d, o) / 5)
			case data.Escalate:
				return 0
			}
			return .2
		}),
		preferring("payday", "draws among all options, retries on the first three days of a month and from its 5th to its 7th six times as often as anything else", func(d *bracket.Decision, o *data.Option) float64 {
			_, _, day := o.At.ISTDate()
			switch {
			case o.Action == data.Escalate:
				return 0
			case o.Action == data.Retry && (day <= 3 || day >= 5 && day <= 7):
				return 1
			}
			return 1. / 6
		}),
		{Name: "rules", Says: "the arm of the rules, which took a part of the log", Probs: func(dst []float64, _ int, d *bracket.Decision) []float64 {
			dst = blank(dst, d)
			if v, err := divide(d); err == nil {
				for j := range dst {
					dst[j] = v.prob(data.ArmRules, d, j)
				}
			}
			return dst
		}},
		preferring("soon", "draws alike among the first eight retries that are allowed; waits where there is none", func(d *bracket.Decision, o *data.Option) float64 {
			return one(o.Action == data.Retry && retries(d, 0, o.At) < 8)
		}),
		preferring("first_slot", "retries at the first time that is allowed; waits where there is none", func(d *bracket.Decision, o *data.Option) float64 {
			return one(o.Action == data.Retry && retries(d, 0, o.At) == 0)
		}),
		preferring("last_slot", "retries at the last time that is allowed; waits where there is none", func(d *bracket.Decision, o *data.Option) float64 {
			return one(o.Action == data.Retry && retries(d, o.At+1, math.MaxInt64) == 0)
		}),
		preferring("person", "gives every case to a person, which no arm does", func(_ *bracket.Decision, o *data.Option) float64 {
			return one(o.Action == data.Escalate)
		}),
	}
}

func names(policies []bracket.Policy) (out []string) {
	for _, p := range policies {
		out = append(out, p.Name)
	}
	return out
}

// retries counts those in [from, to).
func retries(d *bracket.Decision, from, to data.Micros) (n int) {
	for j := range d.Options {
		if o := &d.Options[j]; o.Action == data.Retry && o.At >= from && o.At < to {
			n++
		}
	}
	return n
}

func daysUntil(d *bracket.Decision, o *data.Option) float64 {
	return float64(o.At-d.At) / float64(data.Day)
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func blank(dst []float64, d *bracket.Decision) []float64 {
	dst = slices.Grow(dst[:0], len(d.Options))[:len(d.Options)]
	clear(dst)
	return dst
}

// preferring draws each option as probably as its weight says; where all are 0 it waits.
func preferring(name, says string, weight func(d *bracket.Decision, o *data.Option) float64) bracket.Policy {
	return bracket.Policy{Name: name, Says: says, Probs: func(dst []float64, _ int, d *bracket.Decision) []float64 {
		dst = blank(dst, d)
		if forced(d) {
			dst[d.Chosen] = 1
			return dst
		}
		sum := 0.0
		for j := range d.Options {
			dst[j] = weight(d, &d.Options[j])
			sum += dst[j]
		}
		if sum == 0 {
			dst[max(0, d.Find(data.Wait, 0))] = 1
			return dst
		}
		for j := range dst {
			dst[j] /= sum
		}
		return dst
	}}
}
