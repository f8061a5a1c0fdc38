package selftest

import (
	"cmp"
	"context"
	"slices"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
)

// Worth is what a world's file of roll-outs holds: sums over the cases of each target.
type Worth struct {
	Input   string  `json:"input"`
	Seed    uint64  `json:"seed"`
	Cases   int     `json:"cases"`
	Targets []Value `json:"targets"`
}

// Value is what a target's cases brought where it decided all of them. Where it decided
// one case of each customer alone, Moved is by how much more these brought then, each
// counted as often as its customer has cases: what the target did in another case of the
// customer is not what is asked for.
type Value struct {
	Target     string `json:"target"` // "" = the logger
	Cases      int    `json:"cases"`
	Earned     Earned `json:"earned"`
	MovedCases int    `json:"moved_cases"` // 0 = not played
	Moved      Earned `json:"moved"`
}

// Earned is a sum of rewards.
type Earned struct {
	Net       float64 `json:"net_rupees"`
	Recovered float64 `json:"recovered"`
}

func (e *Earned) add(o Earned, times float64) {
	e.Net += float64(times * o.Net)
	e.Recovered += float64(times * o.Recovered)
}

// of is the sum in a unit.
func (e *Earned) of(unit string) float64 {
	if unit == netRupees {
		return e.Net
	}
	return e.Recovered
}

// Targets that must be red need no exact truth: one world in every roughly. What moves
// values from one case of a customer to another is played in one in every apart.
const (
	roughly = 8
	apart   = 4
)

// rolls plays a world for every target.
func rolls(ctx context.Context, k kind, l *lab, n int) (*Worth, error) {
	p, err := l.play(ctx, k.cases)
	if err != nil {
		return nil, err
	}
	out := &Worth{Input: k.input(l.policy.ID(), n), Seed: l.seed, Cases: len(p.firsts), Targets: []Value{p.logged()}}
	for _, target := range targets() {
		v := &Value{Target: target.Name}
		if !slices.Contains(mustBeRed, target.Name) || n%roughly == 1 {
			if v, err = l.worth(ctx, p, target, n%apart == 1, false); err != nil {
				return nil, err
			}
		}
		out.Targets = append(out.Targets, *v)
	}
	return out, nil
}

// worth plays a target: all cases, and one of each customer alone where asked to.
func (l *lab) worth(ctx context.Context, p *played, target bracket.Policy, alone, whole bool) (*Value, error) {
	all := map[string]bool{}
	for _, i := range p.firsts {
		all[p.log.Decisions[i].CaseID] = true
	}
	together, err := l.roll(ctx, p.stage, target, all, whole)
	if err != nil {
		return nil, err
	}
	v := &Value{Target: target.Name, Cases: len(all)}
	for _, i := range p.firsts {
		v.Earned.add(together[p.log.Decisions[i].CaseID], 1)
	}
	if !alone {
		return v, nil
	}
	focus := p.focus(l.seed)
	few := map[string]bool{}
	for id := range focus {
		few[id] = true
	}
	apart, err := l.roll(ctx, p.stage, target, few, whole)
	if err != nil {
		return nil, err
	}
	v.MovedCases, v.Moved = len(all), p.moved(focus, together, apart)
	return v, nil
}

// moved is by how much more the cases in focus brought when the target decided no others.
func (p *played) moved(focus map[string]int, together, apart map[string]Earned) (out Earned) {
	for _, i := range p.firsts {
		id := p.log.Decisions[i].CaseID
		out.add(apart[id], float64(focus[id]))
		out.add(together[id], -float64(focus[id]))
	}
	return out
}

// logged is what the logger itself earned.
func (p *played) logged() Value {
	v := Value{Cases: len(p.firsts)}
	for _, i := range p.firsts {
		d := &p.log.Decisions[i]
		v.Earned.add(Earned{d.Net(), one(d.Recovered)}, 1)
	}
	return v
}

// focus draws one case of each customer, and counts his cases.
func (p *played) focus(seed uint64) map[string]int {
	var cases [][2]string // customer, case
	for _, i := range p.firsts {
		d := &p.log.Decisions[i]
		cases = append(cases, [2]string{d.CustomerID, d.CaseID})
	}
	slices.SortFunc(cases, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := map[string]int{}
	for from := 0; from < len(cases); {
		to := from + 1
		for to < len(cases) && cases[to][0] == cases[from][0] {
			to++
		}
		at := from + min(to-from-1, int(unit("focus", seed, cases[from][0])*float64(to-from)))
		out[cases[at][1]] = to - from
		from = to
	}
	return out
}

// roll plays a stage in which the target decides some cases: their first decision, or
// all of them. The logger decides the rest. It returns what those cases brought.
func (l *lab) roll(ctx context.Context, stage *sim.Stage, target bracket.Policy, its map[string]bool, whole bool) (map[string]Earned, error) {
	goesOn := map[string]data.Arm{} // cases that the target began
	first := map[string]string{}    // case of each decision that counts
	pooled := by(l.pooled)
	decide := func(t *sim.Turn, s *features.State) (*data.Decision, error) {
		if !its[t.CaseID] {
			return pooled(t, s)
		}
		arm, begun := goesOn[t.CaseID]
		if begun && !whole {
			return by(l.only[arm])(t, s)
		}
		row, arm, err := l.decideAs(t, s, target, whole)
		if err == nil && !begun {
			goesOn[t.CaseID], first[t.DecisionID] = arm, t.CaseID
		}
		return row, err
	}
	out := map[string]Earned{}
	_, _, err := stage.Play(ctx, l.decider(target.Name, decide), func(b *sim.Batch) error {
		for i := range b.Outcomes {
			o := &b.Outcomes[i]
			if id, ok := first[o.DecisionID]; ok {
				out[id] = Earned{float64(o.RecoveredPaise-o.CostPaise) / 100, one(o.Recovered)}
			}
		}
		return nil
	})
	if err == nil && len(out) != len(its) {
		err = data.Faultf(data.ErrContract, "ope selftest: seed %d: %d cases were decided by %s, %d by the log", l.seed, len(out), target.Name, len(its))
	}
	return out, err
}

// decideAs is a decision by the target among what the gate allows, and the arm that
// goes on after it.
func (l *lab) decideAs(t *sim.Turn, s *features.State, target bracket.Policy, whole bool) (*data.Decision, data.Arm, error) {
	d, polls, err := l.asked(t, s)
	if err != nil {
		return nil, 0, err
	}
	seen := bracket.Decision{ID: d.DecisionID, CaseID: d.CaseID, At: d.DecidedAt, Anchor: d.DecidedAt, Class: d.Class, Rail: t.Rail, Amount: t.Amount, Options: d.Allowed, Chosen: int(d.Chosen)}
	j, arm, err := l.takes(target, &seen, whole)
	if err != nil {
		return nil, 0, err
	}
	for i := range d.Allowed {
		d.Allowed[i].Propensity, d.Allowed[i].Mix = one(i == j), one(i == j)
	}
	d.Chosen, t.PollFrom = int32(j), polls[j]
	return d, arm, nil
}

// takes draws the target's option, and the arm that goes on: the explorer where the
// target decides the whole case.
func (l *lab) takes(target bracket.Policy, d *bracket.Decision, whole bool) (int, data.Arm, error) {
	j := draw(target.Probs(nil, 0, d), unit("target", l.seed, target.Name, d.ID))
	if whole {
		return j, data.ArmExplorer, nil
	}
	v, err := divide(d)
	if err != nil {
		return 0, 0, err
	}
	return j, v.goesOn(d, j, unit("goes on", l.seed, target.Name, d.ID)), nil
}
