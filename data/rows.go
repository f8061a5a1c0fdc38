package data

// Event is what every row of the log carries. A row is a value: it is written
// once and never changed; a correction is another row.
type Event struct {
	EventID    string // unique in a log; a hash of the mapped fields, or the provider's id
	OccurredAt Micros // when it happened, by the source's clock
	KnownAt    Micros // when we could have used it
	Seq        int64  // unique in a log, given once at ingest, by (known_at, event_id)
}

// Cursor is the event's place in the order of knowing.
func (e *Event) Cursor() Cursor { return Cursor{e.KnownAt, e.Seq} }

// Stamp is min(occurred_at, known_at): the time that windows count by, so that
// a provider's fast clock cannot put an event in the future.
func (e *Event) Stamp() Micros { return min(e.OccurredAt, e.KnownAt) }

// event lets generic code reach the common part of a row.
func (e *Event) event() *Event { return e }

// EventOf is the common part of a row, a pointer to one of the types below. It panics
// where row is none.
func EventOf(row any) *Event { return row.(interface{ event() *Event }).event() }

// In the rows below "", 0 and a zero enum are null where the comment says
// optional; no optional column has a meaningful zero.

// Attempt is one presentation of a charge, or a later status of it. The first
// row of an attempt_id presents it: its occurred_at is the presentation time
// (a source that knows both times writes a pending row first).
type Attempt struct {
	Event
	CaseID         string
	AttemptNo      int32 // 0 = the original charge
	AttemptID      string
	Initiator      Initiator // optional
	DecisionID     string    // optional
	CustomerID     string
	SubscriptionID string // optional
	MandateID      string // optional
	InstrumentID   string // optional
	MerchantID     string // optional
	Rail           Rail
	Bank           string // optional
	Network        string // optional
	Amount         Paise
	Status         AttemptStatus
	ErrorCode      string // optional, coarse: decide on Reason
	Source         string // optional
	Step           string // optional
	Reason         Reason // optional
	ResponseCode   string // optional, the network's
	AdviceCode     string // optional, the network's
}

// CaseEvent ends a case.
type CaseEvent struct {
	Event
	CaseID string
	Kind   CaseEventKind
}

// Subscription is one version of a subscription.
type Subscription struct {
	Event
	SubscriptionID string
	CustomerID     string
	Status         SubscriptionStatus
	CycleStart     Micros // optional
	CycleEnd       Micros // optional
}

// Mandate is one version of a mandate.
type Mandate struct {
	Event
	MandateID  string
	CustomerID string
	Rail       Rail
	Status     MandateStatus
	CreatedAt  Micros // optional
	MaxAmount  Paise  // optional
	ValidUntil Micros // optional
	Category   string // optional: which RBI cap
}

// Notice is a message to the customer.
type Notice struct {
	Event
	CaseID    string
	MandateID string // optional
	Kind      NoticeKind
	Status    NoticeStatus
	Amount    Paise  // optional
	DebitAt   Micros // optional: the debit that was announced
}

// Poll is the answer to a status check of an attempt.
type Poll struct {
	Event
	AttemptID string
	Status    PollStatus
}

// Promise is a promise to pay.
type Promise struct {
	Event
	CaseID      string
	PromisedFor Micros
	Status      PromiseStatus
}

// Downtime is one version of an outage, never its final interval.
type Downtime struct {
	Event
	DowntimeID string
	Rail       Rail
	Bank       string // optional
	Network    string // optional
	PSP        string // optional
	Severity   Severity
	Status     DowntimeStatus
	Begin      Micros
	End        Micros // optional: unknown while it lasts
}

// Option is one allowed candidate of a decision.
type Option struct {
	Action     Action
	Kind       Route // optional
	At         Micros
	NoticeBy   Micros   // optional: send the notice until then
	P          *float64 // P(recover), nil where no model spoke
	EV         *Paise   // expected value, nil where none was computed
	Propensity float64  // probability given the arm; 0 where it cannot be drawn
	Mix        float64  // probability over all arms
}

// Refusal is what the gate refused, why, and what becomes of it.
type Refusal struct {
	Rule   string
	Action Action
	At     Micros // optional: 0 = at any time
	Route  Route  // optional
}

// Decision is what was decided, with all that was allowed and refused.
type Decision struct {
	Event
	DecisionID string
	CaseID     string
	CustomerID string
	DecidedAt  Micros
	AsOf       Cursor // columns as_of_known_at, as_of_seq
	Arm        Arm
	ArmShare   float64 // the arm's probability for this case
	Logger     string  // policy id + explorer version
	PolicyID   string
	ModelID    string // optional
	Schema     string // feature schema fingerprint; "" where no features were built
	RowHash    string
	Allowed    []Option
	Chosen     int32 // index into Allowed
	Class      Class // optional
	Refusals   []Refusal
}

// Outcome is what a decision led to; a correction is a new row.
type Outcome struct {
	Event
	DecisionID     string
	AttemptID      string // optional
	Recovered      bool
	RecoveredPaise Paise
	CostPaise      Paise
	SettledAt      Micros
	WindowClosed   bool
}

// Row is any row of the log.
type Row interface {
	Attempt | CaseEvent | Subscription | Mandate | Notice | Poll | Promise | Downtime | Decision | Outcome
}
