package sim

import "recoup/data"

// Situation is what a policy may know when it decides: public facts alone. The
// world behind it, the arm and the other policies are out of reach.
type Situation struct {
	DecisionID     string
	CaseID         string
	CustomerID     string
	SubscriptionID string
	Rail           data.Rail
	Bank           string
	Amount         data.Paise
	AttemptNo      int // the number that a retry would get: 1, 2 or 3
	Now            data.Micros
	FirstFailedAt  data.Micros // first attempt's failure, as it occurred
	FailedAt       data.Micros // latest failure, as it occurred
	KnownAt        data.Micros // latest failure, as it became known
	Reason         data.Reason // latest failure, as reported
	Class          data.Class
	NextCharge     data.Micros    // retries end a day before it
	Downtime       *data.Downtime // latest known downtime row of rail and bank within three days; nil for none

	// Candidates: wait first, then retries by time, then, where the merchant
	// has those channels, payment_link, nudge and escalate at Now.
	Candidates []data.Option
	Ladder     int // index of the ladder's slot; 0 (wait) when it has none
	Rules      int // index of what the rules would do; 0 = wait
}

// Policy gives the probability of each of s.Candidates, in their order, in dst
// (reused when large enough). They are >= 0 and sum to 1. A Policy is a pure
// function and is called from several goroutines.
type Policy func(dst []float64, s *Situation) []float64

// Behaviour is a policy as it is deployed and logged.
type Behaviour struct {
	ID       string   // logged as policy_id
	Arm      data.Arm // logged
	Contacts bool     // the merchant can send links and nudges and escalate
	Policy   Policy
}
