package bracket

import (
	"context"
	"fmt"
	"slices"

	"recoup/api/report"
	"recoup/data"
	"recoup/ope"
)

// Settings of a judgement.
type Settings struct {
	Seed    uint64 // of folds and draws
	Draws   int    // bootstrap draws of whole customers; 0 = normal intervals
	Workers int
	Focus   string // the policy whose segments and overlap are shown; "" = none
}

// Judged is a log with everything that a judgement of policies needs.
type Judged struct {
	Log      *Log
	Table    *Table // first decisions
	Reward   Reward // the one in use
	Grades   []Grade
	Settings Settings

	lines     map[string]*line
	order     []*line   // as they were judged
	base      *line     // the incumbent: every difference is to its own doubly robust estimate
	net, paid []float64 // the reward model on the table, in both units
}

// line is one policy's results.
type line struct {
	policy    Policy
	net, paid *ope.Result
	draws     *ope.Draws
	rows      *ope.Rows
	alike     bool       // every weight is 1: it is the incumbent
	twin      string     // the policy judged before it that chooses as it does at every row; "" = none
	minus     ope.Figure // dr less the incumbent's dr, rows, reward model and draws being the same
	recMinus  ope.Figure // the same of being paid
}

// Prepare makes rows and reward model. registered are engines whose own word may
// serve as reward model; their models must be of earlier data.
func Prepare(ctx context.Context, l *Log, s Settings, registered ...*Replayed) (*Judged, error) {
	if why := l.Randomised(); why != "" {
		return nil, fmt.Errorf("ope: %s", why)
	}
	j := &Judged{Log: l, Settings: s, lines: map[string]*line{}}
	var err error
	if j.Table, err = l.Table(Select{Keep: l.Firsts()}); err != nil {
		return nil, err
	}
	base := BaseRate(l.Decisions, s.Seed)
	if base.Why != "" {
		return nil, &tooFewCustomers{j.Table.Customers, base.Why}
	}
	all := []Reward{base, Logistic(ctx, l.Decisions, s.Seed, s.Workers)}
	other := all[len(all)-1]
	if other.Why != "" {
		other = base
	}
	for _, r := range registered {
		all = append(all, Registered(l.Decisions, r, other))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best, grades, err := Choose(l, l.Firsts(), all...)
	if err != nil {
		return nil, err
	}
	j.Reward, j.Grades = all[best], grades
	j.net, j.paid = j.Table.Q(&j.Reward, NetRupees), j.Table.Q(&j.Reward, RecoveredRate)
	if j.base, err = j.value(FromLog()[0]); err != nil {
		return nil, err
	}
	return j, nil
}

// Judge values a policy. A policy is judged once.
func (j *Judged) Judge(p Policy) error {
	if j.lines[p.Name] != nil {
		return fmt.Errorf("ope: policy %s: judged already", p.Name)
	}
	x, err := j.value(p)
	if err != nil {
		return err
	}
	if err := j.against(x); err != nil {
		return fmt.Errorf("ope: policy %s: %w", p.Name, err)
	}
	x.raise(p.Name == Incumbent, j)
	j.twinOf(x)
	j.lines[p.Name], j.order = x, append(j.order, x)
	return nil
}

// value estimates a policy on the table, in both units.
func (j *Judged) value(p Policy) (x *line, err error) {
	fail := func(err error) (*line, error) { return nil, fmt.Errorf("ope: policy %s: %w", p.Name, err) }
	x = &line{policy: p}
	target := j.Table.Target(p)
	x.rows = j.Table.Rows.WithTarget(target, j.net)
	if x.net, err = ope.Estimate(x.rows, ope.Options{}); err != nil {
		return fail(err)
	}
	if j.Settings.Draws > 0 {
		if x.draws, err = x.net.Bootstrap(ope.Bootstrap{Draws: j.Settings.Draws, Seed: j.Settings.Seed}); err != nil {
			return fail(err)
		}
	}
	paid := j.Table.Rows.WithTarget(target, j.paid)
	paid.Reward = make([]float64, len(j.Table.Keep))
	for k, i := range j.Table.Keep {
		paid.Reward[k] = bit(j.Log.Decisions[i].Recovered)
	}
	if x.paid, err = ope.Estimate(paid, ope.Options{Methods: []ope.Method{{Name: "dr", Family: ope.DoublyRobust}, {Name: "ipw", Family: ope.Weighted}}}); err != nil {
		return fail(err)
	}
	return x, nil
}

// raise adds to the light what the weights alone do not tell.
func (x *line) raise(measured bool, j *Judged) {
	l := &x.net.Light
	if m := x.net.Weights.UnsupportedByRow; m != nil && *m > 1e-9 && !slices.Contains(l.Red, ope.UnsupportedMass) {
		l.Raise(ope.Red, ope.UnsupportedMass)
	}
	if measured {
		return
	}
	if j.Reward.Name == j.Grades[0].Name && len(j.Grades) > 1 {
		l.Raise(ope.Amber, ope.PoorModel)
	}
	if x.alike {
		return
	}
	if carriers(x.rows) < fewCustomers {
		l.Raise(ope.Amber, ope.FewClusters)
	}
	dr, minus := x.net.Estimators.Find("dr"), &x.minus
	if minus.CI != nil && minus.CI[0] < 0 && minus.CI[1] > 0 {
		l.Raise(ope.Amber, ope.WideInterval)
	}
	if ope.Disagree(dr, x.net.Estimators.Find("snipw")) || ope.Disagree(dr, x.net.Estimators.Find("ipw")) {
		l.Raise(ope.Amber, ope.Disagreement)
	}
}

// reasons are why a light is what it is: of a red one the red ones alone.
func reasons(l *ope.Light) []string {
	why := l.Red
	if l.Level != ope.Red {
		why = l.Amber
	}
	out := []string{}
	for _, s := range why {
		out = append(out, string(s))
	}
	return out
}

// within judges a policy again, payments counting within another horizon.
func (j *Judged) within(x *line, horizon data.Micros) (net, minus report.Estimate, err error) {
	rows := *x.rows
	rows.Reward = make([]float64, rows.Len())
	for k, i := range j.Table.Keep {
		d := &j.Log.Decisions[i]
		rows.Reward[k] = -float64(d.Cost) / 100
		if d.Recovered && d.Settled <= d.At+horizon {
			rows.Reward[k] += float64(d.Paid) / 100
		}
	}
	res, err := ope.Estimate(&rows, ope.Options{Methods: []ope.Method{dr, {Name: "ipw", Family: ope.Weighted}}})
	if err != nil {
		return net, minus, err
	}
	n := int64(res.N)
	switch {
	case x.policy.Name == Incumbent:
		return estimateOf(res.Estimators.Find("ipw"), n), report.Unknown("it is the incumbent"), nil
	case x.alike:
		return estimateOf(res.Estimators.Find("ipw"), n), report.Ranged(0, 0, 0, n), nil
	}
	own := *j.base.rows
	own.Reward = rows.Reward
	base, err := ope.Estimate(&own, ope.Options{Methods: []ope.Method{dr}})
	if err != nil {
		return net, minus, err
	}
	f, err := ope.Compare(res.Estimators.Find("dr"), base.Estimators.Find("dr"), level)
	return estimateOf(res.Estimators.Find("dr"), n), estimateOf(&f, n), err
}
