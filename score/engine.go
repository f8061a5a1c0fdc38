package score

import (
	"fmt"
	"time"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// Engine decides. It is not changed after New and safe for concurrent use.
type Engine struct {
	policy  *Policy
	bundle  *models.Bundle
	attempt *swift      // of the bundle
	cure    *swift      // of the bundle; nil = not assessed
	taught  data.Micros // as_of of the model
	schema  string      // fingerprint of the attempt schema
	unasked string      // why no model can be asked; "" = it can
	dealer  *dealer     // of arms; nil = the model decides, or the rules where there is none
}

// New makes an engine of a policy and a model; with a nil bundle the rules arm
// answers. A bundle of another feature schema, or of a shorter horizon, is refused.
func New(p *Policy, b *models.Bundle) (*Engine, error) {
	if p == nil {
		return nil, data.Faultf(data.ErrUsage, "score: no policy: Default gives the embedded one")
	}
	e := &Engine{policy: p, bundle: b, schema: features.AttemptSchema().Fingerprint()}
	if b == nil {
		e.unasked = "no model: the rules arm answers, and nothing is said about probabilities; recoup nightly registers one"
		return e, nil
	}
	cure := features.CureSchema().Fingerprint()
	switch m := &b.Manifest; {
	case m.AttemptSchema != e.schema:
		return nil, data.Faultf(data.ErrContract, "score: model %s: attempt schema %.12s, this recoup builds %.12s: train again with recoup nightly", b.ID, m.AttemptSchema, e.schema)
	case b.Cure != nil && m.CureSchema != cure:
		return nil, data.Faultf(data.ErrContract, "score: model %s: cure schema %.12s, this recoup builds %.12s: train again with recoup nightly", b.ID, m.CureSchema, cure)
	case m.HorizonDays < float64(p.horizon/data.Day):
		return nil, data.Faultf(data.ErrUsage, "score: model %s: horizon of %v days, the policy's is %d: shorten it, or train for it", b.ID, m.HorizonDays, p.horizon/data.Day)
	}
	e.attempt = newSwift(b.Attempt)
	if b.Cure != nil {
		e.cure = newSwift(b.Cure)
	}
	if asOf, err := time.Parse(time.RFC3339, b.Manifest.AsOf); err == nil { // the registry checks it
		e.taught = data.MicrosOf(asOf)
	}
	return e, nil
}

// Policy is the policy the engine decides by.
func (e *Engine) Policy() *Policy { return e.policy }

// Model is the model the engine asks; nil = the rules arm answers.
func (e *Engine) Model() *models.Bundle { return e.bundle }

// Ask is what a decision may be told beside the case.
type Ask struct {
	DecisionID string // "" = the hash of what the decision was made of
	Spent      Spent  // of the explorer's budget, on the day of the decision
	Record     bool   // the decision will be recorded: what its Evidence needs is kept meanwhile, which takes some memory
}

// Decide chooses for a case of the state. t is the decision time, not before
// the state's as_of.
func (e *Engine) Decide(s *features.State, caseID string, t data.Micros) (Decision, error) {
	return e.decide(s, caseID, t, nil)
}

// DecideAs is Decide with a decision's id and the explorer's spending so far.
func (e *Engine) DecideAs(a Ask, s *features.State, caseID string, t data.Micros) (Decision, error) {
	return e.decideAs(a, s, caseID, t, nil)
}

// decide is Decide among some candidates and waiting; nil = all slots of the policy.
func (e *Engine) decide(st *features.State, caseID string, t data.Micros, only []data.Candidate) (Decision, error) {
	return e.decideAs(Ask{}, st, caseID, t, only)
}

// decideAs is the one road to a decision: gate, candidates, probabilities, values,
// arm, draw.
func (e *Engine) decideAs(a Ask, st *features.State, caseID string, t data.Micros, only []data.Candidate) (Decision, error) {
	if asOf := st.AsOf(); t < asOf.KnownAt {
		return Decision{}, data.Faultf(data.ErrUsage, "score: case %s: decision time %s is before the state's as_of, %s", caseID, t, asOf.KnownAt)
	}
	f, err := st.Facts(caseID, t)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{ID: a.DecisionID, CaseID: f.CaseID, CustomerID: f.CustomerID, AsOf: f.AsOf, DecidedAt: t, Amount: f.Amount, Rail: f.Rail,
		Reason: f.Reason, Class: f.Class, Gate: GateName, PolicyID: e.policy.id, Schema: e.schema, Horizon: e.policy.horizon,
		Refusals: []Refusal{}, Warnings: []string{}}
	if only == nil { // one allocation for what a grid can hold
		d.Allowed = make([]Choice, 0, 16+(len(e.policy.retryHours)+2*len(e.policy.contacts))*(e.policy.gridDays+1))
	}
	s := situationOf(e.policy, &f, t)
	d.Warnings = append(d.Warnings, s.unchecked()...)
	s.candidates(&d, only)
	s.watch(&d)
	if why := e.ask(st, &d, &s, a.Record); why != "" {
		d.unanswered = true
		d.Warnings = append(d.Warnings, why)
	} else if s.demanded(&d) >= 0 {
		d.Warnings = append(d.Warnings, "the class leaves no choice: its rule decides, not the model")
	}
	if d.ID == "" {
		d.ID = e.idOf(&d)
	}
	d.situation = &s
	return d, e.settle(&d, &s, a.Spent)
}

// ask fills in what the model says, keeping what it was asked with where the decision
// will be recorded; else it tells why the rules arm must answer.
func (e *Engine) ask(st *features.State, d *Decision, s *situation, record bool) (why string) {
	if !s.Owed {
		return "the case is not owed: there is nothing to decide"
	}
	if e.bundle == nil {
		return e.unasked
	}
	d.ModelID, d.ModelKind = string(e.bundle.ID), string(e.bundle.Kind())
	if s.t < e.taught {
		d.Warnings = append(d.Warnings, "the model was taught by what became known until "+e.taught.String()+", after this decision: in a look back its answer is too good")
	}
	past, err := st.Past(d.CaseID, s.t)
	if err != nil {
		return fmt.Sprintf("the model cannot be asked, so the rules arm answers: %v", err)
	}
	d.past = past
	v := valuer{attempt: e.attempt, cure: e.cure, policy: e.policy, past: past.Rows(), left: s.attemptsLeft(), t: s.t, from: s.LastFailure, until: s.until()}
	v.days = max(1, int((v.until-v.from+data.Day-1)/data.Day))
	if record {
		d.kept = keep(d.Allowed)
		v.kept = d.kept
	}
	if err := v.value(d); err != nil {
		return fmt.Sprintf("the model failed, so the rules arm answers: %v", err)
	}
	d.Warnings = append(d.Warnings, e.unfamiliar(d, s)...)
	if e.bundle.Cure == nil {
		d.Warnings = append(d.Warnings, "the cure model is not assessed ("+e.bundle.Manifest.CureNotAssessed+"): waiting is taken to recover nothing, and links and nudges have no probability")
		if s.row.retry == no {
			return "the model speaks of retries only, and the class allows none: the rules arm answers"
		}
	}
	return ""
}
