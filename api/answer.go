package api

import (
	"math"

	"recoup/data"
	"recoup/score"
)

// Scored is the answer of /v1/score.
type Scored struct {
	RequestID  string      `json:"request_id" doc:"As in the header X-Request-Id"`
	CaseID     string      `json:"case_id"`
	CustomerID string      `json:"customer_id"`
	AsOf       AsOf        `json:"as_of" doc:"Nothing known later was looked at"`
	Amount     int64       `json:"amount_paise"`
	Rail       railWord    `json:"rail"`
	Reason     string      `json:"reason" doc:"Of the latest failure; see /v1/reasons"`
	Class      *classWord  `json:"class" nullable:"true" doc:"What the reason calls for; null where no reason was reported"`
	Gate       string      `json:"gate" doc:"The gate that decided what is allowed"`
	Arm        armWord     `json:"arm" doc:"model; or rules, where no model can answer"`
	PolicyID   string      `json:"policy_id"`
	ModelID    *string     `json:"model_id" doc:"null = no model answered"`
	Schema     string      `json:"schema" doc:"Fingerprint of the feature columns"`
	Horizon    float64     `json:"horizon_days" doc:"T of P(recover by T)"`
	Candidates []Candidate `json:"candidates" nullable:"false" doc:"All that the gate allows, by action, then time"`
	Warnings   []string    `json:"warnings" nullable:"false"`
}

// Decided is the answer of /v1/decide.
type Decided struct {
	Scored
	Chosen   int       `json:"chosen" minimum:"0" doc:"Index into candidates"`
	Choice   Candidate `json:"choice" doc:"candidates[chosen]"`
	Refusals []Refused `json:"refusals" nullable:"false" doc:"What the gate refused, and what becomes of it"`
}

// AsOf is a place in the order of knowing.
type AsOf struct {
	KnownAt string `json:"known_at" format:"date-time"`
	Seq     *int64 `json:"seq,omitempty" doc:"Absent = all that was known at known_at"`
}

// Candidate is an action at a time, with what it is worth.
type Candidate struct {
	Action actionWord `json:"action"`
	Kind   *routeWord `json:"kind,omitempty" doc:"Of a link, nudge or escalation"`
	At     string     `json:"at" format:"date-time"`
	P      *float64   `json:"p" minimum:"0" maximum:"1" doc:"P(recover by T | this action at this time); null = no model answered, or none speaks of this action"`
	Uplift *float64   `json:"uplift" doc:"p minus that of waiting"`
	Cost   int64      `json:"cost_paise" doc:"Of the action, from the policy"`
	EV     *int64     `json:"ev_paise" doc:"uplift x amount - cost"`
}

// Refused is what the gate refused.
type Refused struct {
	Rule   string     `json:"rule"`
	Action actionWord `json:"action"`
	At     *string    `json:"at,omitempty" format:"date-time" doc:"Absent = at any time"`
	Route  *routeWord `json:"route,omitempty" doc:"What is to be done instead"`
	Why    string     `json:"why"`
}

func scored(requestID string, d *score.Decision) Scored {
	s := Scored{RequestID: requestID, CaseID: d.CaseID, CustomerID: d.CustomerID, AsOf: asOf(d.AsOf), Amount: int64(d.Amount),
		Rail: railWord(d.Rail.String()), Reason: d.Reason.String(), Class: named[classWord](d.Class), Gate: d.Gate, Arm: armWord(d.Arm.String()),
		PolicyID: d.PolicyID, Schema: d.Schema, Horizon: float64(d.Horizon) / float64(data.Day), Warnings: d.Warnings,
		Candidates: make([]Candidate, len(d.Allowed))}
	if d.ModelID != "" {
		s.ModelID = &d.ModelID
	}
	if s.Warnings == nil {
		s.Warnings = []string{}
	}
	for i := range d.Allowed {
		s.Candidates[i] = candidate(&d.Allowed[i])
	}
	return s
}

func decided(requestID string, d *score.Decision) Decided {
	out := Decided{Scored: scored(requestID, d), Chosen: d.Chosen, Choice: candidate(&d.Allowed[d.Chosen]), Refusals: make([]Refused, len(d.Refusals))}
	for i, r := range d.Refusals {
		out.Refusals[i] = Refused{Rule: r.Rule, Action: actionWord(r.Action.String()), Route: named[routeWord](r.Route), Why: r.Why}
		if r.At != 0 {
			at := r.At.String()
			out.Refusals[i].At = &at
		}
	}
	return out
}

func candidate(c *score.Choice) Candidate {
	return Candidate{Action: actionWord(c.Action.String()), Kind: named[routeWord](c.Kind), At: c.At.String(), P: c.P, Uplift: c.Uplift,
		Cost: int64(c.Cost), EV: (*int64)(c.EV)}
}

// named is a word, nil where there is none.
func named[S ~string, E word](e E) *S {
	if e == 0 {
		return nil
	}
	s := S(e.String())
	return &s
}

func asOf(c data.Cursor) AsOf {
	out := AsOf{KnownAt: c.KnownAt.String()}
	if c.Seq != math.MaxInt64 {
		out.Seq = &c.Seq
	}
	return out
}
