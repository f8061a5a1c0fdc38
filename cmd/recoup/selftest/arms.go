package selftest

import (
	"math"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
)

// divided is what each arm would have done at a decision.
type divided struct {
	rules, control int // options
	spread         int // how many options the explorer draws alike from
	forced         int // the option that the gate left; -1 = there was a choice
}

// forced says that the log left no choice: every target does the same there.
func forced(d *bracket.Decision) bool { return d.Mix() > 1-1e-9 }

// divide takes the mixed probabilities apart.
func divide(d *bracket.Decision) (out divided, err error) {
	out = divided{rules: -1, control: -1, forced: -1}
	if forced(d) {
		out.forced = d.Chosen
		return out, nil
	}
	for j := range d.Options {
		if d.Options[j].Action != data.Escalate {
			out.spread++
		}
	}
	for j := range d.Options {
		rest := d.Options[j].Mix
		if d.Options[j].Action != data.Escalate {
			rest -= explorerShare / float64(out.spread)
		}
		is := func(share float64) bool { return math.Abs(rest-share) < 1e-9 }
		switch {
		case is(rulesShare):
			out.rules = j
		case is(controlShare):
			out.control = j
		case is(rulesShare + controlShare):
			out.rules, out.control = j, j
		case !is(0):
			return out, data.Faultf(data.ErrContract, "ope selftest: decision %s: option %d has a mixed probability of %v, which no arms make", d.ID, j, d.Options[j].Mix)
		}
	}
	if out.rules < 0 || out.control < 0 {
		return out, data.Faultf(data.ErrContract, "ope selftest: decision %s: an arm without a choice", d.ID)
	}
	return out, nil
}

// prob is an arm's probability of option j.
func (v divided) prob(a data.Arm, d *bracket.Decision, j int) float64 {
	at := v.forced
	switch {
	case at >= 0:
	case a == data.ArmRules:
		at = v.rules
	case a == data.ArmControl:
		at = v.control
	case d.Options[j].Action == data.Escalate:
		return 0
	default:
		return 1 / float64(v.spread)
	}
	if j == at {
		return 1
	}
	return 0
}

// shares are the arms in a fixed order.
var shares = []struct {
	arm   data.Arm
	share float64
}{{data.ArmRules, rulesShare}, {data.ArmExplorer, explorerShare}, {data.ArmControl, controlShare}}

// goesOn draws the arm that goes on after option j was chosen: as probable as it would
// have been the one to choose it. Where no arm could, as its share.
func (v divided) goesOn(d *bracket.Decision, j int, u float64) data.Arm {
	p, sum := make([]float64, len(shares)), 0.0
	for i, s := range shares {
		p[i] = s.share * v.prob(s.arm, d, j)
		sum += p[i]
	}
	for i, s := range shares {
		if sum == 0 {
			p[i] = s.share
		} else {
			p[i] /= sum
		}
	}
	return shares[draw(p, u)].arm
}
