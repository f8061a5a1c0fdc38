package score

import (
	"fmt"
	"math"

	"recoup/data"
)

// drawable says whether the explorer may draw a candidate: people are not to be
// spent by dice.
func drawable(c *Choice) bool { return c.Action != data.Escalate }

// distribution is the probability of each allowed candidate, given the explorer's
// arm: the floor for each that may be drawn, and the rest of the whole as the
// proposal says. A floor that the candidates are too many for is an even share.
func (x *dealer) distribution(d *Decision) ([]float64, error) {
	out := make([]float64, len(d.Allowed))
	candidates, index := make([]Choice, 0, len(out)), make([]int, 0, len(out))
	for i := range d.Allowed {
		if drawable(&d.Allowed[i]) {
			candidates, index = append(candidates, d.Allowed[i]), append(index, i)
		}
	}
	weights, err := x.proposal(candidates, d)
	if err == nil && len(weights) != len(candidates) {
		err = fmt.Errorf("%d weights of %d candidates", len(weights), len(candidates))
	}
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) && err == nil {
			err = fmt.Errorf("weight %v: expected a finite number, not negative", w)
		}
		sum += w
	}
	if err == nil && !(sum > 0 && sum <= math.MaxFloat64) {
		err = fmt.Errorf("the weights sum to %v", sum)
	}
	if err != nil {
		return nil, fmt.Errorf("proposal %s: %w", x.formula, err)
	}
	floor := min(x.floor, 1/float64(len(index)))
	rest := max(0, 1-floor*float64(len(index)))
	for k, i := range index {
		out[i] = floor + rest*(weights[k]/sum)
	}
	return out, nil
}

// draw takes the candidate in whose part of [0, 1) the decision's 53 bits lie.
func (x *dealer) draw(decisionID string, p []float64) int {
	u := float64(x.bits53("draw", decisionID)) / (1 << 53)
	last := -1
	for i, q := range p {
		if q == 0 {
			continue
		}
		if last = i; u < q {
			return i
		}
		u -= q
	}
	return last // what rounding left over
}

// uniform is the formula of that name.
func uniform(drawable []Choice, _ *Decision) ([]float64, error) {
	out := make([]float64, len(drawable))
	for i := range out {
		out[i] = 1
	}
	return out, nil
}

// softened is the formula of that name: a candidate that is worth less than the
// best by softness x amount is e times rarer. One that no model speaks of counts
// as waiting.
func softened(softness float64) Proposal {
	return func(drawable []Choice, d *Decision) ([]float64, error) {
		best := data.Paise(math.MinInt64)
		for i := range drawable {
			if ev := drawable[i].EV; ev != nil {
				best = max(best, *ev)
			}
		}
		if best == math.MinInt64 {
			return nil, fmt.Errorf("no candidate has a value")
		}
		out := make([]float64, len(drawable))
		unit := softness * max(1, float64(d.Amount)) // paise, of the weights alone
		for i := range drawable {
			var ev data.Paise
			if drawable[i].EV != nil {
				ev = *drawable[i].EV
			}
			out[i] = math.Exp(min(0, (float64(ev)-float64(best))/unit))
		}
		return out, nil
	}
}
