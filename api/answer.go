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
	ModelKind  *string     `json:"model_kind" doc:"What the attempt model is made of: logistic regression or LightGBM; null = no model answered"`
	Schema     string      `json:"schema" doc:"Fingerprint of the feature columns"`
	Horizon    float64     `json:"horizon_days" doc:"T of P(recover by T), counted from the first failure of the case; a late decision has at least the days ahead that the policy says"`
	Candidates []Candidate `json:"candidates" nullable:"false" doc:"All that the gate allows, by action, then time"`
	Risk       Risk        `json:"risk"`
	Breaker    *string     `json:"breaker" doc:"Why the circuit breaker keeps the case from a debit; null = it does not"`
	Warnings   []string    `json:"warnings" nullable:"false"`
}

// Risk is how much about a case asks for a person.
type Risk struct {
	Score    int64 `json:"score" minimum:"0" doc:"Sum of the parts, in thousandths"`
	Attempts int64 `json:"attempts" minimum:"0" doc:"From the customer's attempts of 7 days"`
	Amount   int64 `json:"amount" minimum:"0" doc:"From the amount against the 90th percentile of what the customer paid"`
	Mandate  int64 `json:"mandate" minimum:"0" doc:"From the youth of the mandate"`
	Refunds  int64 `json:"refunds" minimum:"0" doc:"From the customer's refunds"`
	Above    bool  `json:"above" doc:"At or above the policy's threshold: every action but escalation is refused"`
}

// Decided is the answer of /v1/decide.
type Decided struct {
	Scored
	DecisionID string    `json:"decision_id" doc:"Hash of what the decision was made of; it keys the draw"`
	DecidedAt  string    `json:"decided_at" format:"date-time"`
	Assigned   armWord   `json:"assigned" doc:"The arm that the case was given; arm is who decided"`
	ArmShare   float64   `json:"arm_share" minimum:"0" maximum:"1" doc:"Probability of the assigned arm for this case"`
	Fallback   *string   `json:"fallback" doc:"Why the rules answer instead of the assigned arm: model, proposal, budget or off; null = they do not"`
	Logger     string    `json:"logger" doc:"Policy, formula, id of the salt and assigned arm, for the log"`
	Monitored  bool      `json:"monitored" doc:"The decision is logged alone: the answer is to wait"`
	Decided    int       `json:"decided" minimum:"0" doc:"Index of what is logged: chosen, but for what is only monitored"`
	RunnerUp   *int      `json:"runner_up" minimum:"0" doc:"Index of the highest value but that of what was decided; null = none has one"`
	Margin     *int64    `json:"margin_paise" doc:"Value of what was decided less that of the runner-up; below 0 where a rule or dice decided"`
	RowHash    *string   `json:"row_hash" doc:"Of the feature row of what was decided; null = no model was asked"`
	Chosen     int       `json:"chosen" minimum:"0" doc:"Index into candidates"`
	Choice     Candidate `json:"choice" doc:"candidates[chosen]"`
	Refusals   []Refused `json:"refusals" nullable:"false" doc:"What the gate refused, and what becomes of it"`
	Standing   *bool     `json:"standing,omitempty" doc:"It was made before, and stands; absent where as_of was a time"`
	Entry      *Place    `json:"entry,omitempty" doc:"Where the ledger has it; absent where as_of was a time"`
	Events     []Taken   `json:"events,omitempty" doc:"Where the events of the request are"`
}

// AsOf is a place in the order of knowing.
type AsOf struct {
	KnownAt string `json:"known_at" format:"date-time"`
	Seq     *int64 `json:"seq,omitempty" doc:"Absent = all that was known at known_at"`
}

// Candidate is an action at a time, with what it is worth.
type Candidate struct {
	Action      actionWord `json:"action"`
	Kind        *routeWord `json:"kind,omitempty" doc:"Of a link, nudge or escalation"`
	At          string     `json:"at" format:"date-time"`
	NoticeBy    *string    `json:"notice_by,omitempty" format:"date-time" doc:"A notice of this debit must be sent until then; absent = one holds, or none is needed"`
	PollFrom    *string    `json:"poll_from,omitempty" format:"date-time" doc:"From then a status check can be made, which must say failed before this retry; absent = none is needed"`
	P           *float64   `json:"p" minimum:"0" maximum:"1" doc:"P(recover by T | this action at this time); null = no model answered, or none speaks of this action"`
	Uplift      *float64   `json:"uplift" doc:"p minus that of waiting"`
	Cost        int64      `json:"cost_paise" doc:"Of the action, from the policy"`
	Fatigue     int64      `json:"fatigue_paise" minimum:"0" doc:"Of a contact: the chance that it loses the customer, times what he is worth"`
	Later       int64      `json:"later_paise" minimum:"0" doc:"What retries after this one would bring if it used up no attempt"`
	Opportunity int64      `json:"opportunity_paise" minimum:"0" doc:"What is missing of that because it uses one up"`
	EV          *int64     `json:"ev_paise" doc:"uplift x amount + later - opportunity - cost - fatigue: beyond waiting; null = nothing is known"`
	Propensity  float64    `json:"propensity" minimum:"0" maximum:"1" doc:"Probability given the arm that decided; 0 = it could not be drawn"`
	Mix         float64    `json:"mix" minimum:"0" maximum:"1" doc:"Probability over all arms"`
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
		PolicyID: d.PolicyID, ModelID: orNull(d.ModelID), ModelKind: orNull(d.ModelKind), Schema: d.Schema, Horizon: float64(d.Horizon) / float64(data.Day), Warnings: d.Warnings,
		Candidates: make([]Candidate, len(d.Allowed)), Risk: Risk(d.Risk), Breaker: orNull(d.Breaker)}
	if s.Warnings == nil {
		s.Warnings = []string{}
	}
	for i := range d.Allowed {
		s.Candidates[i] = candidate(&d.Allowed[i])
	}
	return s
}

func decided(requestID string, d *score.Decision) Decided {
	out := Decided{Scored: scored(requestID, d), Chosen: d.Chosen, Choice: candidate(&d.Allowed[d.Chosen]), Refusals: make([]Refused, len(d.Refusals)),
		DecisionID: d.ID, DecidedAt: d.DecidedAt.String(), Assigned: armWord(d.Assigned.String()), ArmShare: d.ArmShare, Fallback: orNull(d.Fallback),
		Logger: d.Logger, Monitored: d.Monitored, Decided: d.Decided, Margin: (*int64)(d.Margin), RowHash: orNull(d.RowHash)}
	if d.RunnerUp >= 0 {
		out.RunnerUp = &d.RunnerUp
	}
	for i, r := range d.Refusals {
		out.Refusals[i] = Refused{Rule: r.Rule, Action: actionWord(r.Action.String()), Route: named[routeWord](r.Route), Why: r.Why, At: timeOrNull(r.At)}
	}
	return out
}

func candidate(c *score.Choice) Candidate {
	return Candidate{Action: actionWord(c.Action.String()), Kind: named[routeWord](c.Kind), At: c.At.String(), P: c.P, Uplift: c.Uplift,
		NoticeBy: timeOrNull(c.NoticeBy), PollFrom: timeOrNull(c.PollFrom), Cost: int64(c.Cost), Fatigue: int64(c.Fatigue), Later: int64(c.Later),
		Opportunity: int64(c.Opportunity), EV: (*int64)(c.EV), Propensity: c.Propensity, Mix: c.Mix}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(at data.Micros) *string {
	if at == 0 {
		return nil
	}
	s := at.String()
	return &s
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
