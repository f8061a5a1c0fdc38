package selftest

import (
	"context"
	"fmt"
	"slices"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/data/sim"
	"recoup/ope"
)

// Estimated is one target on one log, as a reader of it would be told.
type Estimated struct {
	Target string        `json:"target"`
	Unit   string        `json:"unit"`
	DR     *float64      `json:"dr"`
	SE     *float64      `json:"se"` // by customer, and by what the customers of a bank share in a week
	CI     *ope.Interval `json:"ci"`
	Drawn  *ope.Interval `json:"ci_bootstrap,omitempty"` // on some logs
	DM     *float64      `json:"dm"`
	IPW    *float64      `json:"ipw"`
	SNIPW  *float64      `json:"snipw"`
	ESS    float64       `json:"ess_fraction"`
	Light  ope.Level     `json:"light"`
	Red    []ope.Signal  `json:"red,omitempty"`
	Amber  []ope.Signal  `json:"amber,omitempty"`
}

// The units of a reward.
const (
	netRupees = "net rupees"
	recovered = "recovered"
)

var units = []struct {
	name string
	unit bracket.Unit
}{{netRupees, bracket.NetRupees}, {recovered, bracket.RecoveredRate}}

// Judged is what a log's file holds.
type Judged struct {
	Input     string      `json:"input"` // hash of all that decides this file
	Seed      uint64      `json:"seed"`
	Cases     int         `json:"cases"` // judged: decided, and their window closed
	Customers int         `json:"customers"`
	Decisions int         `json:"decisions"`
	Logged    Earned      `json:"logged"`      // by all judged cases
	Skill     []float64   `json:"model_skill"` // of the reward model against the base rate, by unit
	Estimates []Estimated `json:"estimates"`
	Arms      []ArmOf     `json:"arms"`
}

// played is a world in which the logger decided.
type played struct {
	stage  *sim.Stage
	log    *bracket.Log
	firsts []int
}

// play makes a world and its log.
func (l *lab) play(ctx context.Context, cases int) (*played, error) {
	stage, err := sim.NewStage(ctx, world(l.seed, cases))
	if err != nil {
		return nil, err
	}
	return l.playWith(ctx, stage, l.decider("pooled", by(l.pooled)))
}

// playWith is the log of a world in which somebody decides.
func (l *lab) playWith(ctx context.Context, stage *sim.Stage, d sim.Decider) (*played, error) {
	var decisions []data.Decision
	var outcomes []data.Outcome
	var attempts []data.Attempt
	_, _, err := stage.Play(ctx, d, func(b *sim.Batch) error {
		decisions, outcomes, attempts = append(decisions, b.Decisions...), append(outcomes, b.Outcomes...), append(attempts, b.Attempts...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	log, err := bracket.Of(bracket.Span{AsOf: end, Horizon: l.policy.Horizon()}, decisions, outcomes, attempts)
	if err != nil {
		return nil, err
	}
	p := &played{stage: stage, log: log, firsts: log.Firsts()}
	if len(p.firsts) == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "ope selftest: seed %d: no case whose window has closed", l.seed)
	}
	return p, nil
}

// draws of a bootstrap, on one log in every bootstrapped.
const (
	draws        = 400
	bootstrapped = 5
)

// judge makes a log and estimates everything from it.
func judge(ctx context.Context, k kind, l *lab, n int) (*Judged, error) {
	p, err := l.play(ctx, k.cases)
	if err != nil {
		return nil, err
	}
	out := &Judged{Input: k.input(l.policy.ID(), n), Seed: l.seed, Cases: len(p.firsts), Decisions: len(p.log.Decisions), Logged: p.logged().Earned}
	t, err := p.log.Table(bracket.Select{Keep: p.firsts})
	if err != nil {
		return nil, err
	}
	out.Customers = t.Customers
	t.Rows.Target = t.Rows.Behaviour[0] // until a target comes
	model := modelOf(t)
	rows := make([]*ope.Rows, len(units))
	for u := range units {
		r := t.Rows
		if units[u].unit == bracket.NetRupees {
			r.Reward = net(t)
		} else {
			r.Reward = model.paid
		}
		if r.Q, err = model.of(units[u].unit).crossFitted(customersOf(t), l.seed); err != nil {
			return nil, err
		}
		skill, err := skillOf(t, &r, l.seed)
		if err != nil {
			return nil, err
		}
		out.Skill, rows[u] = append(out.Skill, skill), &r
	}
	for _, target := range targets() {
		probs := t.Target(target)
		for u := range units {
			e, err := estimate(rows[u].WithTarget(probs, rows[u].Q), n%bootstrapped == 1, l.seed)
			if err != nil {
				return nil, fmt.Errorf("target %s: %w", target.Name, err)
			}
			e.Target, e.Unit = target.Name, units[u].name
			if out.Skill[u] < 0 {
				l := ope.Light{Level: e.Light, Red: e.Red, Amber: e.Amber}
				l.Raise(ope.Amber, ope.PoorModel)
				e.Light, e.Amber = l.Level, l.Amber
			}
			out.Estimates = append(out.Estimates, *e)
		}
	}
	out.Arms, err = crossArms(p, l.seed)
	return out, err
}

// estimate is what the estimators say of rows.
func estimate(r *ope.Rows, bootstrap bool, seed uint64) (*Estimated, error) {
	var methods []ope.Method
	for _, m := range ope.Standard() {
		switch m.Name {
		case "dm", "ipw", "snipw", "dr":
			methods = append(methods, m)
		}
	}
	res, err := ope.Estimate(r, ope.Options{Methods: methods})
	if err != nil {
		return nil, err
	}
	if bootstrap {
		if _, err := res.Bootstrap(ope.Bootstrap{Draws: draws, Seed: seed}); err != nil {
			return nil, err
		}
	}
	find := res.Estimators.Find
	dr, light := find("dr"), lightOf(res)
	return &Estimated{DR: dr.Value, SE: dr.StandardError(), CI: dr.CI, Drawn: dr.DrawnCI(), DM: find("dm").Value, IPW: find("ipw").Value, SNIPW: find("snipw").Value,
		ESS: res.Weights.ESSFraction, Light: light.Level, Red: light.Red, Amber: light.Amber}, nil
}

// lightOf is the light with what a bracket knows beside the weights: support row by row,
// and whether estimators contradict each other.
func lightOf(res *ope.Result) ope.Light {
	l := res.Light
	if m := res.Weights.UnsupportedByRow; m != nil && *m > 1e-9 && !slices.Contains(l.Red, ope.UnsupportedMass) {
		l.Raise(ope.Red, ope.UnsupportedMass)
	}
	if find := res.Estimators.Find; ope.Disagree(find("ipw"), find("dr")) || ope.Disagree(find("snipw"), find("dr")) {
		l.Raise(ope.Amber, ope.Disagreement)
	}
	return l
}

// model is the reward model's view of a table.
type model struct{ cells }

func modelOf(t *bracket.Table) *model {
	m := &model{cells{rows: &t.Rows}}
	for _, i := range t.Keep {
		d := &t.Log.Decisions[i]
		m.class = append(m.class, d.Class)
		m.amount = append(m.amount, float64(d.Amount)/100)
		m.paid = append(m.paid, one(d.Recovered))
		m.cost = append(m.cost, float64(d.Cost)/100)
	}
	return m
}

// of is the model for a unit.
func (m *model) of(u bracket.Unit) *cells {
	c := m.cells
	if u != bracket.NetRupees {
		c.amount, c.cost = nil, nil
	}
	return &c
}

func net(t *bracket.Table) []float64 {
	out := make([]float64, len(t.Keep))
	for k, i := range t.Keep {
		out[k] = t.Log.Decisions[i].Net()
	}
	return out
}

func customersOf(t *bracket.Table) []string {
	out := make([]string, len(t.Keep))
	for k, i := range t.Keep {
		out[k] = t.Log.Decisions[i].CustomerID
	}
	return out
}

// skillOf grades the reward model against the mean reward of each kind of option.
func skillOf(t *bracket.Table, r *ope.Rows, seed uint64) (float64, error) {
	f, err := ope.MakeFolds(customersOf(t), bracket.Folds, fmt.Sprintf("selftest %d", seed))
	if err != nil {
		return 0, err
	}
	baseline, err := ope.CrossFit(r, f, ope.BaseRate(r, prior))
	if err != nil {
		return 0, err
	}
	g, err := ope.GradeModel(r, r.Q, baseline)
	if err != nil || g.Skill == nil {
		return 0, err
	}
	return *g.Skill, nil
}
