package bracket

import (
	"math"
	"slices"

	"recoup/data"
)

// trustworthy refuses probabilities that cannot be right: all that follows rests
// on them.
func trustworthy(d *data.Decision) error {
	bad := func(format string, args ...any) error {
		return data.Faultf(data.ErrContract, "ope: decision %s: "+format, append([]any{d.DecisionID}, args...)...)
	}
	if d.Chosen < 0 || int(d.Chosen) >= len(d.Allowed) {
		return bad("chosen is %d of %d candidates", d.Chosen, len(d.Allowed))
	}
	var given, mixed float64
	for i := range d.Allowed {
		o := &d.Allowed[i]
		if !(o.Propensity >= 0 && o.Propensity <= 1+1e-9 && o.Mix >= 0 && o.Mix <= 1+1e-9) {
			return bad("candidate %d has propensity %v and mix %v: expected 0 to 1", i, o.Propensity, o.Mix)
		}
		given, mixed = given+o.Propensity, mixed+o.Mix
	}
	const most = 1e-9
	if math.Abs(given-1) > most || math.Abs(mixed-1) > most {
		return bad("propensities sum to %v, mixes to %v: expected 1; without the probability of each candidate nothing can be estimated", given, mixed)
	}
	if !slices.ContainsFunc(d.Allowed, func(o data.Option) bool { return o.Action == data.Wait }) {
		return bad("waiting is not among its candidates: it is always allowed")
	}
	if o := &d.Allowed[d.Chosen]; o.Propensity <= 0 || o.Mix <= 0 {
		return bad("propensity %v and mix %v of what was chosen: expected more than 0", o.Propensity, o.Mix)
	}
	return nil
}
