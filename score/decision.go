package score

import "recoup/data"

// GateName says which gate decided. This form knows the class table and the
// least waits alone: notices, NPCI windows, budgets, caps and network rules are
// not checked yet, and every decision says so.
const GateName = "class-table"

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
	P        *float64    // P(recover by T | action at that time)
	Uplift   *float64    // P minus that of waiting
	Cost     data.Paise  // of the action, from the policy
	EV       *data.Paise // Uplift x amount - Cost, rounded half to even
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
	CaseID     string
	CustomerID string
	AsOf       data.Cursor
	Amount     data.Paise
	Rail       data.Rail
	Reason     data.Reason
	Class      data.Class
	Gate       string   // GateName
	Arm        data.Arm // model, or rules where no model can answer
	PolicyID   string
	ModelID    string // "" = no model
	Schema     string // fingerprint of the attempt schema
	Horizon    data.Micros
	Chosen     int
	Allowed    []Choice
	Refusals   []Refusal
	Warnings   []string // e.g. no model; cure model not assessed; rules this gate does not check
}
