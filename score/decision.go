package score

import "recoup/data"

// GateName says which gate decided. This form knows the class table and the
// least waits alone: notices, NPCI windows, budgets, caps and network rules are
// not checked yet, and every decision says so.
const GateName = "class-table"

// Choice is one candidate that the gate allows, with what it is worth.
// P, Uplift and EV are nil where no model spoke.
type Choice struct {
	Action data.Action `json:"action"`
	Kind   data.Route  `json:"kind,omitempty"` // of a link, nudge or escalation
	At     data.Micros `json:"at"`
	P      *float64    `json:"p"`          // P(recover by T | action at that time)
	Uplift *float64    `json:"uplift"`     // P minus that of waiting
	Cost   data.Paise  `json:"cost_paise"` // of the action, from the policy
	EV     *data.Paise `json:"ev_paise"`   // Uplift x amount - Cost, rounded half to even
}

// Refusal is what the gate refused and what becomes of it.
type Refusal struct {
	Rule   string      `json:"rule"`
	Action data.Action `json:"action"`
	At     data.Micros `json:"at,omitempty"` // 0 = at any time
	Route  data.Route  `json:"route,omitempty"`
	Why    string      `json:"why"`
}

// Decision is what was decided about one case, with all that was allowed and
// refused. Allowed is in the order action, then time; Chosen indexes it.
type Decision struct {
	CaseID     string      `json:"case_id"`
	CustomerID string      `json:"customer_id"`
	AsOf       data.Cursor `json:"as_of"`
	Amount     data.Paise  `json:"amount_paise"`
	Rail       data.Rail   `json:"rail"`
	Reason     data.Reason `json:"reason"`
	Class      data.Class  `json:"class"`
	Gate       string      `json:"gate"` // GateName
	Arm        data.Arm    `json:"arm"`  // model, or rules where no model can answer
	PolicyID   string      `json:"policy_id"`
	ModelID    string      `json:"model_id"` // "" = no model
	Schema     string      `json:"schema"`   // fingerprint of the attempt schema
	Horizon    data.Micros `json:"horizon_us"`
	Chosen     int         `json:"chosen"`
	Allowed    []Choice    `json:"allowed"`
	Refusals   []Refusal   `json:"refusals"`
	Warnings   []string    `json:"warnings"` // e.g. no model; cure model not assessed; rules this gate does not check
}
