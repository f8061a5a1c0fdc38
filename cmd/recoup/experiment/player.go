package experiment

import (
	"cmp"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

// Chooser picks one of the candidates that the gate allows, in place of the
// engine: its index. st knows what the engine knew. The oracle is one: no engine may
// see the truth.
type Chooser func(st *features.State, t *sim.Turn, d *score.Decision) (int, error)

// Player is an arm at the real gate: an engine over a State that is told exactly
// the rows of the log, in their order.
type Player struct {
	Name   string // of the arm
	Engine *score.Engine
	Choose Chooser // nil = as the engine chooses

	alive func() (alive, error) // makes the one that chooses in a world and learns there; nil = there is none
}

// alive chooses in one world and learns there.
type alive struct {
	choose Chooser
	seen   func(row any) // told of every row as it becomes known
}

// salt keys assignment and draws in simulated worlds. It is no secret: nobody in
// them could gain by guessing.
var salt = []byte("everybody may know the salt of a simulated world")

// PlayerOf is an arm by its name: control, rules, payday, model, bandit (which knows
// nothing yet), corrected, explorer or oracle. The model's and the corrected one need a
// bundle, the others none.
func PlayerOf(name string, p *score.Policy, b *models.Bundle) (Player, error) {
	out := Player{Name: name}
	if name != Model && name != Corrected {
		b = nil
	} else if b == nil {
		return out, data.Faultf(data.ErrUsage, "experiment: the %s arm needs a model", name)
	}
	e, err := score.New(p, b)
	if err != nil {
		return out, err
	}
	switch out.Engine = e; name {
	case Rules, Model: // what an engine does whose cases are not divided
	case Control:
		out.Engine, err = e.Explore(score.Explorer{Salt: salt, Only: data.ArmControl})
	case Explorer:
		out.Engine, err = e.Explore(score.Explorer{Salt: salt, Only: data.ArmExplorer})
	case PayDay:
		out.Choose, err = ownPayDay()
	case Bandit:
		out.alive = lived(nil, p.Horizon())
	case Corrected:
		out.alive = func() (alive, error) { return correctedModel(p.Horizon()) }
	case Oracle:
		out.Choose = oracle
	default:
		return out, data.Faultf(data.ErrUsage, "experiment: arm %q: expected control, rules, payday, model, bandit, corrected, explorer or oracle", name)
	}
	return out, err
}

// Decider makes a player ready for one world: the State begins empty. observe,
// when not nil, is shown every decision as it was made.
func (p Player) Decider(observe func(*sim.Turn, *score.Decision)) sim.Decider {
	state, budget, choose := features.NewState(), dayBudget{}, p.Choose
	var learns alive
	var failed error
	if p.alive != nil {
		if learns, failed = p.alive(); failed == nil {
			choose = learns.choose
		}
	}
	return sim.Decider{ID: p.Name, Attentive: true,
		Fold: func(row data.AnyRow) error {
			if learns.seen != nil {
				learns.seen(row.Row)
			}
			return cmp.Or(failed, features.FoldAny(state, row))
		},
		Recheck: func(caseID string, c data.Candidate, t data.Micros) (bool, error) {
			if err := state.Until(data.AsOf(t)); err != nil {
				return false, err
			}
			needs, refused, err := p.Engine.Recheck(state, caseID, c, t)
			return refused == nil && needs.NoticeBy == 0 && needs.PollFrom == 0, err
		},
		Decide: func(t *sim.Turn) (*data.Decision, error) {
			if err := state.Until(t.AsOf()); err != nil {
				return nil, err
			}
			d, err := p.Engine.DecideAs(score.Ask{DecisionID: t.DecisionID, Spent: budget.on(t.Now)}, state, t.CaseID, t.Now)
			if err != nil {
				return nil, err
			}
			if observe != nil {
				observe(t, &d)
			}
			budget.take(&d)
			row := d.Row()
			if choose != nil && !demanded(&d) {
				chosen, err := choose(state, t, &d)
				if err != nil {
					return nil, err
				}
				p.override(&row, chosen)
			}
			t.PollFrom = d.Allowed[row.Chosen].PollFrom
			return &row, nil
		}}
}

// dayBudget is what the explorer has used on one day in India.
type dayBudget struct {
	day   data.Micros // its midnight
	spent score.Spent
}

// on is what was used before, on the day of t; days come in order.
func (b *dayBudget) on(t data.Micros) score.Spent {
	if day := t - t.ISTTimeOfDay(); day != b.day {
		*b = dayBudget{day: day}
	}
	return b.spent
}

// take counts a decision, as a batch does.
func (b *dayBudget) take(d *score.Decision) {
	if d.Arm == data.ArmExplorer && d.Allowed[d.Chosen].Action == data.Retry {
		b.spent.Attempts++
		b.spent.Paise += d.Amount
	}
}

// demanded says that the class of the failure leaves no choice: a person must
// look, or the merchant must be told. Every arm does so.
func demanded(d *score.Decision) bool { return d.Allowed[d.Chosen].Action == data.Escalate }

// override logs another choice than the engine's.
func (p Player) override(row *data.Decision, chosen int) {
	for i := range row.Allowed {
		row.Allowed[i].Propensity, row.Allowed[i].Mix = 0, 0
	}
	row.Allowed[chosen].Propensity, row.Allowed[chosen].Mix = 1, 1
	row.Chosen, row.Arm, row.Logger = int32(chosen), data.ArmControl, row.PolicyID+"/"+p.Name
}
