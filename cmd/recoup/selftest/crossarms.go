package selftest

import (
	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/ope"
)

// ArmOf is one logged arm, measured on its own cases and estimated from those of the
// others. The reward is whether the case was paid before it was decided again: it
// depends on the first decision alone, so that both tell of the same thing though the
// arms would go on differently.
type ArmOf struct {
	Arm      string       `json:"arm"`
	Cases    int          `json:"cases"`
	Own      float64      `json:"own_mean"`
	Others   *float64     `json:"others_dr"` // nil = cannot tell
	SE       *float64     `json:"others_se"`
	Light    ope.Level    `json:"light"`
	Red      []ope.Signal `json:"red,omitempty"`
	ByWeek   []Week       `json:"by_week,omitempty"`
	Unlikely string       `json:"reason,omitempty"`
}

// Week holds sums over the cases first decided in one week of the log.
type Week struct {
	Cases int     `json:"cases"` // of the arm
	Paid  int     `json:"paid"`
	Rows  int     `json:"rows"` // of the others
	DR    float64 `json:"dr"`   // sums of terms
	DM    float64 `json:"dm"`
	IPW   float64 `json:"ipw"`
	W     float64 `json:"weights"`
}

// weeks is how many a log has.
const weeks = int((183*data.Day + 7*data.Day) / (7 * data.Day))

func weekOf(d *bracket.Decision) int {
	return min(weeks-1, max(0, int((d.At-start)/(7*data.Day))))
}

// paidFirst is whether each first decision's case was paid before its next decision.
func (p *played) paidFirst() []float64 {
	out := make([]float64, len(p.firsts))
	for k, i := range p.firsts {
		d := &p.log.Decisions[i]
		paid := d.Recovered
		if i+1 < len(p.log.Decisions) {
			if next := &p.log.Decisions[i+1]; next.CaseID == d.CaseID {
				paid = paid && d.Settled <= next.At
			}
		}
		out[k] = one(paid)
	}
	return out
}

// crossArms does all arms.
func crossArms(p *played, seed uint64) ([]ArmOf, error) {
	paid := p.paidFirst()
	cut := make([]divided, len(p.firsts))
	for k, i := range p.firsts {
		var err error
		if cut[k], err = divide(&p.log.Decisions[i]); err != nil {
			return nil, err
		}
	}
	var out []ArmOf
	for _, s := range shares {
		a, err := crossArm(p, s.arm, s.share, cut, paid, seed)
		if err != nil {
			return nil, err
		}
		out = append(out, *a)
	}
	return out, nil
}

func crossArm(p *played, arm data.Arm, share float64, cut []divided, paid []float64, seed uint64) (*ArmOf, error) {
	a := &ArmOf{Arm: arm.String(), Light: ope.Red}
	if arm != data.ArmExplorer {
		a.ByWeek = make([]Week, weeks)
	}
	var keep, place []int
	for k, i := range p.firsts {
		d := &p.log.Decisions[i]
		if d.Assigned != arm {
			keep, place = append(keep, i), append(place, k)
			continue
		}
		a.Cases++
		a.Own += paid[k]
		if a.ByWeek != nil {
			w := &a.ByWeek[weekOf(d)]
			w.Cases++
			w.Paid += int(paid[k])
		}
	}
	if a.Cases == 0 || len(keep) == 0 {
		a.Unlikely = "no case"
		return a, nil
	}
	a.Own /= float64(a.Cases)
	t, err := p.log.Table(bracket.Select{Keep: keep})
	if err != nil {
		return nil, err
	}
	r, at := &t.Rows, 0
	r.Target = make([]float64, r.Start[len(keep)])
	for n, i := range keep {
		d, v := &p.log.Decisions[i], cut[place[n]]
		for j := range d.Options { // what the others would have done, all together
			own := v.prob(arm, d, j)
			r.Target[at] = own
			r.Behaviour[0][at] = max(0, (d.Options[j].Mix-share*own)/(1-share))
			if r.Behaviour[0][at] < 1e-12 {
				r.Behaviour[0][at] = 0
			}
			at++
		}
		r.Propensity[n] = min(1, r.Behaviour[0][int(r.Start[n])+d.Chosen])
		r.Reward[n] = paid[place[n]]
	}
	c := modelOf(t)
	c.paid, c.amount, c.cost = r.Reward, nil, nil
	if r.Q, err = c.crossFitted(customersOf(t), seed); err != nil {
		return nil, err
	}
	return a, a.estimate(t, r)
}

// estimate fills in what the rows of the others say.
func (a *ArmOf) estimate(t *bracket.Table, r *ope.Rows) error {
	res, err := ope.Estimate(r, ope.Options{})
	if err != nil {
		return err
	}
	dr, dm, ipw := res.Estimators.Find("dr"), res.Estimators.Find("dm"), res.Estimators.Find("ipw")
	light := lightOf(res)
	a.Light, a.Red = light.Level, light.Red
	if dr.Value == nil || ipw.Value == nil {
		a.Unlikely = string(dr.Reason)
		return nil
	}
	a.Others, a.SE = dr.Value, dr.StandardError()
	if a.ByWeek == nil {
		return nil
	}
	zdr, zdm, zipw := dr.Influence(), dm.Influence(), ipw.Influence()
	for n, i := range t.Keep {
		w := &a.ByWeek[weekOf(&t.Log.Decisions[i])]
		w.Rows++
		w.DR += *dr.Value + zdr[n]
		w.DM += *dm.Value + zdm[n]
		w.IPW += *ipw.Value + zipw[n]
		w.W += r.Target[r.At(n)] / r.Propensity[n]
	}
	return nil
}
