package nightly

import (
	"context"
	"fmt"
	"path/filepath"

	"recoup/api/report"
	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

// replays is what the replay of the gate leaves behind: what each model would have
// done at the failures of the test slice, and whether the gate, asked again, lets it.
type replays struct {
	From     string   `json:"from"`
	Failures int64    `json:"failures"` // decisions asked for, of each model
	Of       []replay `json:"of"`
}

// replay is one model's.
type replay struct {
	Policy     string      `json:"policy"`
	Model      string      `json:"model"`
	Actions    [6]int64    `json:"actions"` // by data.Action
	Violations int64       `json:"violations"`
	Examples   []violation `json:"examples"` // the first ones
}

// violation is a choice that the gate refuses.
type violation struct {
	CaseID string `json:"case_id"`
	At     string `json:"at"` // of the decision
	Choice string `json:"choice"`
	Rule   string `json:"rule"`
}

const violationExamples = 5

func (j *job) replaysPath() string { return filepath.Join(j.run, "gate_replay.json") }

// replayStage asks each model what it would have done at every failure of the test
// slice, and the gate whether that may be. One choice that may not be ends the night:
// the gate stands before every model, so something is broken.
//
// The rules asked are the gate's own, a second time and at the debit's own time: what this
// finds is a choice that went around the gate, not a rule that the gate has wrong. The
// second, naive reading of the printed table lives in the tests of score/matrix, which
// hold the gate to it; a night has no other one to ask.
func (j *job) replayStage() (stage, error) {
	p, err := j.policy()
	if err != nil {
		return stage{}, err
	}
	return stage{
		name:    "gate_replay",
		version: 1,
		setting: map[string]any{"as_of": j.AsOf, "policy": p.ID(), "gate": score.GateName},
		inputs: map[string]string{
			"events/manifest.json": j.path("events", "manifest.json"),
			"contenders":           j.path(j.contendersPath()),
			"attempt":              j.path(j.fittedPath("attempt")),
		},
		outputs: []string{j.replaysPath()},
		run:     func(ctx context.Context) error { return j.replayGate(ctx, p) },
	}, nil
}

// chooser decides about a case of a State.
type chooser func(s *features.State, caseID string, t data.Micros) (score.Decision, error)

func (j *job) replayGate(ctx context.Context, p *score.Policy) error {
	var c contenders
	var attempt fitted
	if err := readJSON(j.path(j.contendersPath()), &c); err != nil {
		return err
	}
	if err := readJSON(j.path(j.fittedPath("attempt")), &attempt); err != nil {
		return err
	}
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return err
	}
	out := replays{}
	var choosers []chooser
	for _, m := range c.taking() {
		if m.Name == bracket.Champion {
			continue
		}
		b, err := registry.Load(string(m.ID))
		if err != nil {
			return err
		}
		e, err := score.New(p, b)
		if err != nil { // of another schema: it can never become champion, and so says the decision
			continue
		}
		out.Of = append(out.Of, replay{Policy: m.Name, Model: string(m.ID), Examples: []violation{}})
		choosers = append(choosers, e.Decide)
	}
	from := testFrom(&attempt)
	if err := out.run(ctx, j.log, data.AsOf(j.AsOf), from, p, choosers); err != nil {
		return err
	}
	if err := writeJSON(j.path(j.replaysPath()), out); err != nil {
		return err
	}
	for i := range out.Of {
		if r := &out.Of[i]; r.Violations > 0 {
			x := r.Examples[0]
			return data.Faultf(data.ErrUnsafe, "nightly: model %s: %d choices on replay that the gate refuses, such as %s for case %s at %s (%s): see %s",
				r.Model, r.Violations, x.Choice, x.CaseID, x.At, x.Rule, j.path(j.replaysPath()))
		}
	}
	return nil
}

// run replays the failures known from a time on.
func (r *replays) run(ctx context.Context, l *data.Log, asOf data.Cursor, from data.Micros, p *score.Policy, choosers []chooser) error {
	r.From = from.String()
	gate, err := score.New(p, nil)
	if err != nil {
		return err
	}
	return features.Replay(ctx, l, asOf, nil, func(s *features.State, caseID string, t data.Micros) error {
		if t < from {
			return nil
		}
		f, err := s.Facts(caseID, t)
		if err != nil {
			return err
		}
		x := p.Explain(&f, t)
		r.Failures++
		for i, choose := range choosers {
			d, err := choose(s, caseID, t)
			if err != nil {
				return err
			}
			c := d.Allowed[d.Chosen]
			r.Of[i].Actions[c.Action]++
			rule, err := refusedBy(gate, s, &x, &d, t)
			if err != nil {
				return err
			}
			if rule == "" {
				continue
			}
			if r.Of[i].Violations++; len(r.Of[i].Examples) < violationExamples {
				r.Of[i].Examples = append(r.Of[i].Examples, violation{caseID, t.String(), data.Candidate{Action: c.Action, At: c.At}.String(), rule})
			}
		}
		return nil
	})
}

// refusedBy asks every rule about what was chosen, and the gate once more about a debit
// at its own time; "" = nothing refuses it.
func refusedBy(gate *score.Engine, s *features.State, x *score.Explanation, d *score.Decision, t data.Micros) (string, error) {
	c := d.Allowed[d.Chosen]
	if c.Propensity <= 0 && d.Chosen == d.Decided {
		return "its probability is 0", nil
	}
	if c.Action == data.Wait {
		return "", nil
	}
	for _, v := range x.Rules {
		for _, a := range v.Actions {
			if a == c.Action {
				return v.Rule, nil
			}
		}
	}
	allowed := false
	for _, o := range x.Allowed {
		allowed = allowed || o.Action == c.Action && o.At == c.At
	}
	if !allowed {
		return "not among what the gate allows", nil
	}
	if c.Action != data.Retry {
		return "", nil
	}
	_, refusal, err := gate.Recheck(s, d.CaseID, data.Candidate{Action: c.Action, At: c.At}, t)
	if err != nil || refusal == nil {
		return "", err
	}
	return refusal.Rule, nil
}

// testFrom is where the test slice begins.
func testFrom(f *fitted) data.Micros {
	for _, s := range f.Fitted.Slices.Slices {
		if s.Part.String() == "test" {
			return s.From
		}
	}
	return 0
}

// check is the condition of promotion. A model with a choice that the gate refuses does
// not come this far.
func (r *replays) check(model string) report.Check {
	out := report.Check{Name: "gate violations on replay", Why: "it could not be asked"}
	for i := range r.Of {
		if x := &r.Of[i]; x.Model == model {
			passed := x.Violations == 0
			out.Passed = &passed
			out.Why = fmt.Sprintf("%s choices at the failures of the test slice, %s debits among them: the gate, asked again, refuses %s of them",
				report.Count(r.Failures), report.Count(x.Actions[data.Retry]), report.Count(x.Violations))
		}
	}
	return out
}
