package selftest

import (
	"context"
	"fmt"

	"recoup/cmd/recoup/bracket"
	"recoup/cmd/recoup/thompson"
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/ope"
	"recoup/score"
)

// Learned is what the file of a log holds whose explorer, a Beta bandit, learned as it
// went: its posterior of each night is made of the windows that had closed by then.
type Learned struct {
	Input     string      `json:"input"`
	Seed      uint64      `json:"seed"`
	Cases     int         `json:"cases"`
	Nights    int         `json:"nights"` // posteriors that it drew by
	Estimates []LearnedOf `json:"estimates"`
}

// LearnedOf is one target on one such log. The reward is whether the case was paid before
// it was decided again: it depends on the first decision alone, and not on what a bandit
// that goes on learning does next.
type LearnedOf struct {
	Target   string        `json:"target"`
	DR       *float64      `json:"dr"`
	SE       *float64      `json:"se"`
	CI       *ope.Interval `json:"ci"`
	Weighted *float64      `json:"dr_adaptive"`
	WeightSE *float64      `json:"dr_adaptive_se"`
	WeightCI *ope.Interval `json:"dr_adaptive_ci"`
	ESS      float64       `json:"ess_fraction"`
	Light    ope.Level     `json:"light"`
}

// learnedTargets are those that do not ask what other arms would have done.
func learnedTargets() (out []bracket.Policy) {
	for _, t := range targets() {
		switch t.Name {
		case "early", "payday", "soon", "first_slot":
			out = append(out, t)
		}
	}
	return out
}

// learner decides a world by a bandit that learns from it.
type learner struct {
	*lab
	bandit *thompson.Learner
	engine *score.Engine // of the night
	night  data.Micros
	nights int
}

// decide answers with the posterior of the last midnight.
func (x *learner) decide(t *sim.Turn, s *features.State) (*data.Decision, error) {
	if midnight := t.Now - t.Now%data.Day; x.engine == nil || midnight > x.night {
		if err := x.dawn(midnight); err != nil {
			return nil, err
		}
	}
	d, err := by(x.engine)(t, s)
	if err != nil {
		return nil, err
	}
	return d, x.bandit.Decided(d, t.Now+x.policy.Horizon())
}

// dawn learns, and draws by what was learned from then on.
func (x *learner) dawn(midnight data.Micros) error {
	if err := x.bandit.Dawn(midnight); err != nil {
		return err
	}
	proposal, formula, err := x.bandit.Propose()
	if err != nil {
		return err
	}
	e, err := score.New(x.policy, nil)
	if err != nil {
		return err
	}
	x.engine, err = e.Explore(score.Explorer{Salt: fmt.Appendf(nil, "no secret in simulated world %d", x.seed), Proposal: proposal, Formula: formula, Only: data.ArmExplorer})
	x.night, x.nights = midnight, x.nights+1
	return err
}

// seen tells the bandit who paid.
func (x *learner) seen(row any) {
	switch r := row.(type) {
	case *data.Attempt:
		if r.Status == data.Captured || r.Status == data.AuthorizedLate {
			x.bandit.Paid(r.CaseID, r.OccurredAt)
		}
	case *data.CaseEvent:
		if r.Kind == data.PaidElsewhere {
			x.bandit.Paid(r.CaseID, r.OccurredAt)
		}
	}
}

// learn makes a log whose explorer learns, and estimates from it.
func learn(ctx context.Context, k kind, l *lab, n int) (*Learned, error) {
	b, err := thompson.NewLearner()
	if err != nil {
		return nil, err
	}
	x := &learner{lab: l, bandit: b}
	stage, err := sim.NewStage(ctx, world(l.seed, k.cases))
	if err != nil {
		return nil, err
	}
	d := l.decider("learner", x.decide)
	fold := d.Fold
	d.Fold = func(row data.AnyRow) error {
		x.seen(row.Row)
		return fold(row)
	}
	p, err := l.playWith(ctx, stage, d)
	if err != nil {
		return nil, err
	}
	out := &Learned{Input: k.input(l.policy.ID(), n), Seed: l.seed, Cases: len(p.firsts), Nights: x.nights}
	t, err := p.log.Table(bracket.Select{Keep: p.firsts, Unit: bracket.RecoveredRate})
	if err != nil {
		return nil, err
	}
	t.Rows.Reward, t.Rows.Target = p.paidFirst(), t.Rows.Behaviour[0]
	m := modelOf(t)
	m.paid, m.amount, m.cost = t.Rows.Reward, nil, nil
	if t.Rows.Q, err = m.crossFitted(customersOf(t), l.seed); err != nil {
		return nil, err
	}
	for _, target := range learnedTargets() {
		res, err := ope.Estimate(t.Rows.WithTarget(t.Target(target), t.Rows.Q), ope.Options{})
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", target.Name, err)
		}
		e := LearnedOf{Target: target.Name, ESS: res.Weights.ESSFraction, Light: lightOf(res).Level}
		dr := res.Estimators.Find("dr")
		e.DR, e.SE, e.CI = dr.Value, dr.StandardError(), dr.CI
		if a := res.Adaptive; a != nil {
			e.Weighted, e.WeightSE, e.WeightCI = a.DR.Value, a.DR.StandardError(), a.DR.CI
		}
		out.Estimates = append(out.Estimates, e)
	}
	return out, nil
}

// learnedRolls plays a world for every target of such logs: the target takes the first
// decision of every case, the rules go on.
func learnedRolls(ctx context.Context, k kind, l *lab, n int) (*Worth, error) {
	stage, err := sim.NewStage(ctx, world(l.seed, k.cases))
	if err != nil {
		return nil, err
	}
	out := &Worth{Input: k.input(l.policy.ID(), n), Seed: l.seed}
	for _, target := range learnedTargets() {
		begun, rules := map[string]bool{}, by(l.only[data.ArmRules])
		p, err := l.playWith(ctx, stage, l.decider(target.Name, func(t *sim.Turn, s *features.State) (*data.Decision, error) {
			if begun[t.CaseID] {
				return rules(t, s)
			}
			begun[t.CaseID] = true
			return l.decideFirst(t, s, target)
		}))
		if err != nil {
			return nil, err
		}
		v := Value{Target: target.Name, Cases: len(p.firsts)}
		for _, paid := range p.paidFirst() {
			v.Earned.add(Earned{Recovered: paid}, 1)
		}
		out.Cases = v.Cases
		out.Targets = append(out.Targets, v)
	}
	return out, nil
}

// decideFirst is a first decision by the target among what the gate allows.
func (l *lab) decideFirst(t *sim.Turn, s *features.State, target bracket.Policy) (*data.Decision, error) {
	d, polls, err := l.asked(t, s)
	if err != nil {
		return nil, err
	}
	seen := bracket.Decision{ID: d.DecisionID, CaseID: d.CaseID, At: d.DecidedAt, Anchor: d.DecidedAt, Class: d.Class, Rail: t.Rail, Amount: t.Amount, Options: d.Allowed, Chosen: int(d.Chosen)}
	j := draw(target.Probs(nil, 0, &seen), unit("target", l.seed, target.Name, d.DecisionID))
	for i := range d.Allowed {
		d.Allowed[i].Propensity, d.Allowed[i].Mix = one(i == j), one(i == j)
	}
	d.Chosen, t.PollFrom = int32(j), polls[j]
	return d, nil
}
