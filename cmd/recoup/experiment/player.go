package experiment

import (
	"fmt"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

// Chooser picks one of the candidates that the gate allows: the probability of
// each, and the index of the one drawn. The engine's own choice is d.Chosen.
type Chooser func(t *sim.Turn, d *score.Decision) (propensities []float64, chosen int, err error)

// Player is an arm at the real gate: an engine over a State that is told exactly
// the rows of the log, in their order.
type Player struct {
	Name   string // of the arm; logged
	Arm    data.Arm
	Engine *score.Engine
	Choose Chooser // nil = as the engine chooses
}

// PlayerOf is an arm by its name: control, rules, model, explorer or oracle. Only
// the model's needs a bundle.
func PlayerOf(name string, p *score.Policy, b *models.Bundle) (Player, error) {
	arms := map[string]Player{
		Control:  {Arm: data.ArmControl, Choose: ladderInside},
		Rules:    {Arm: data.ArmRules},
		Model:    {Arm: data.ArmModel},
		Explorer: {Arm: data.ArmExplorer, Choose: uniformly("explorer")},
		Oracle:   {Arm: data.ArmControl, Choose: oracle},
	}
	out, ok := arms[name]
	if !ok {
		return out, data.Faultf(data.ErrUsage, "experiment: arm %q: expected control, rules, model, explorer or oracle", name)
	}
	if name != Model {
		b = nil
	} else if b == nil {
		return out, data.Faultf(data.ErrUsage, "experiment: the model arm needs a model")
	}
	var err error
	out.Name = name
	out.Engine, err = score.New(p, b)
	return out, err
}

// players are the arms at the gate.
func players(p *score.Policy, b *models.Bundle) (out []Player, err error) {
	for _, name := range []string{Control, Rules, Model, Explorer, Oracle} {
		player, err := PlayerOf(name, p, b)
		if err != nil {
			return nil, err
		}
		out = append(out, player)
	}
	return out, nil
}

// Decider makes a player ready for one world: the State begins empty. observe,
// when not nil, is shown every decision as it was made.
func (p Player) Decider(observe func(*sim.Turn, *score.Decision)) sim.Decider {
	state := features.NewState()
	return sim.Decider{ID: p.Name, Attentive: true,
		Fold: func(row data.AnyRow) error { return features.FoldAny(state, row) },
		Decide: func(t *sim.Turn) (*data.Decision, error) {
			if err := state.Until(t.AsOf()); err != nil {
				return nil, err
			}
			d, err := p.Engine.Decide(state, t.CaseID, t.Now)
			if err != nil {
				return nil, err
			}
			if observe != nil {
				observe(t, &d)
			}
			propensities, chosen := only(len(d.Allowed), d.Chosen), d.Chosen
			if p.Choose != nil && !demanded(&d) {
				if propensities, chosen, err = p.Choose(t, &d); err != nil {
					return nil, err
				}
			}
			t.PollFrom = d.Allowed[chosen].PollFrom
			return p.row(t, &d, propensities, chosen), nil
		}}
}

// demanded says that the class of the failure leaves no choice: a person must
// look, or the merchant must be told. Every arm does so.
func demanded(d *score.Decision) bool { return d.Allowed[d.Chosen].Action == data.Escalate }

// only puts all probability on one candidate.
func only(n, i int) []float64 {
	out := make([]float64, n)
	out[i] = 1
	return out
}

// row is the decision as it is logged.
func (p Player) row(t *sim.Turn, d *score.Decision, propensities []float64, chosen int) *data.Decision {
	arm := p.Arm
	if arm == data.ArmModel {
		arm = d.Arm // the rules answer where the model cannot
	}
	row := &data.Decision{DecisionID: t.DecisionID, CaseID: t.CaseID, CustomerID: d.CustomerID, DecidedAt: t.Now, AsOf: t.AsOf(), Arm: arm,
		ArmShare: 1, Logger: fmt.Sprintf("%s/%s", d.PolicyID, p.Name), PolicyID: d.PolicyID, ModelID: d.ModelID, Schema: d.Schema, Class: d.Class,
		Allowed: make([]data.Option, len(d.Allowed)), Chosen: int32(chosen), Refusals: make([]data.Refusal, len(d.Refusals))}
	for i, c := range d.Allowed {
		row.Allowed[i] = data.Option{Action: c.Action, Kind: c.Kind, At: c.At, NoticeBy: c.NoticeBy, P: c.P, EV: c.EV, Propensity: propensities[i], Mix: propensities[i]}
	}
	for i, r := range d.Refusals {
		row.Refusals[i] = data.Refusal{Rule: r.Rule, Action: r.Action, At: r.At, Route: r.Route}
	}
	return row
}
