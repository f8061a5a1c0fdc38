package score

import (
	"recoup/data"
	"recoup/features"
)

// GateName says which gate decided: that of the policy's rules. What the facts of a
// case do not let it check, the decision's warnings say.
const GateName = "policy"

// Choice is one candidate that the gate allows, with what it is worth.
// P, Uplift and EV are nil where no model spoke.
type Choice struct {
	Action data.Action
	Kind   data.Route // of a link, nudge or escalation
	At     data.Micros
	// NoticeBy is by when a notice of this debit must be sent; 0 = one holds, or none is needed.
	NoticeBy data.Micros
	// PollFrom is from when a status check of the failed attempt can be made, which
	// must say failed before this retry; 0 = none is needed.
	PollFrom data.Micros
	P        *float64   // P(recover by T | action at that time)
	Uplift   *float64   // P minus that of waiting
	Cost     data.Paise // of the action, from the policy
	Fatigue  data.Paise // of a contact: the chance that it loses the customer, times his worth
	// What retries after this one are worth: Later as if it used up no attempt,
	// Opportunity what it takes away by using one. Both 0 where no model spoke.
	Later, Opportunity data.Paise
	// EV is what the candidate and the retries that can follow it bring beyond
	// waiting: Uplift x amount + Later - Opportunity - Cost - Fatigue.
	EV *data.Paise

	Propensity float64 // probability given the arm that decided; 0 = cannot be drawn
	Mix        float64 // probability over all arms
}

// Refusal is what the gate refused and what becomes of it.
type Refusal struct {
	Rule   string
	Action data.Action
	At     data.Micros // 0 = at any time
	Route  data.Route
	Why    string
}

// Decision is what was decided about one case, with all that was allowed and
// refused. Allowed is in the order action, then time; Chosen indexes it.
type Decision struct {
	ID         string // names the decision and keys its draw
	CaseID     string
	CustomerID string
	AsOf       data.Cursor
	DecidedAt  data.Micros
	Amount     data.Paise
	Rail       data.Rail
	Reason     data.Reason
	Class      data.Class
	Gate       string   // GateName
	Arm        data.Arm // who decided
	Assigned   data.Arm // who was to: another than Arm where Fallback says why, or where the class leaves no choice
	ArmShare   float64  // of the assigned arm: its probability for this case
	Fallback   string   // why not the assigned arm: model, proposal, budget or off; "" = none. Such decisions teach and judge nothing
	Logger     string   // policy, formula, salt's id, assigned arm, and fallback or monitored
	Monitored  bool     // Decided is logged, and the answer is to wait
	PolicyID   string
	ModelID    string      // "" = no model
	ModelKind  string      // what its attempt model is made of, in models.Kind's words; "" = no model
	Schema     string      // fingerprint of the attempt schema
	RowHash    string      // of the chosen candidate's feature row; "" = no model was asked
	Horizon    data.Micros // T, from the first failure; a late decision has at least the days ahead that the policy says
	Chosen     int
	Decided    int         // as Chosen, but for what is only monitored
	RunnerUp   int         // the highest value but the chosen one's; -1 = none has a value
	Margin     *data.Paise // value of the chosen less that of the runner-up, below 0 where dice or rules chose; nil = one has none
	Risk       Risk
	Breaker    string // why a circuit breaker keeps the case from a debit; "" = it does not
	Allowed    []Choice
	Refusals   []Refusal
	Warnings   []string // e.g. no model; cure model not assessed; rules this gate does not check

	unanswered bool           // no model answered
	past       *features.Past // what its rows are made of; nil = no model was asked
	kept       *kept          // those rows that were kept for the evidence; nil = none
	situation  *situation     // for settling it again
}
