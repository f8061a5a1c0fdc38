package sim

import "recoup/data"

// Batch is what a block of customers did: rows of the log by table, in no
// order, and the truth that only the oracle may hold.
type Batch struct {
	Attempts      []data.Attempt
	CaseEvents    []data.CaseEvent
	Subscriptions []data.Subscription
	Mandates      []data.Mandate
	Notices       []data.Notice
	Polls         []data.Poll
	Promises      []data.Promise
	Downtimes     []data.Downtime
	Decisions     []data.Decision
	Outcomes      []data.Outcome
	Candidates    []CandidateTruth
	Cures         []CureTruth
	Tally         Tally

	first uint64 // number of the first customer
	err   error  // a policy that gave no distribution
}

// CandidateTruth is the truth about one candidate of a decision.
//
// For a retry, PTrue is the chance that it captures within the rail's horizon
// given that the case is still owed at its time. For waiting and for contacts it
// is the chance that the customer pays within 21 days of the decision when
// nothing else is done. Outcome is what happens in that branch of the world.
type CandidateTruth struct {
	DecisionID string
	CaseID     string
	AttemptNo  int
	Action     data.Action
	At         data.Micros
	PTrue      float64
	Outcome    bool
	AttemptID  string // "" unless this candidate was executed
}

// CureTruth is the truth about one day after a failure, in the world where
// nothing is done; the days after the cure are left out.
type CureTruth struct {
	CaseID    string
	AttemptNo int // of the failure
	Day       int
	At        data.Micros // start of the day
	Hazard    float64     // chance to pay within the day, given unpaid at its start
	F0        float64     // chance to pay within 21 days of the failure
	Cured     bool
}

// told stamps a row that we hear of at a time; rows known after the end of the
// log are not part of it.
func (w *world) told(id string, occurred, known data.Micros) (data.Event, bool) {
	return data.Event{EventID: id, OccurredAt: occurred, KnownAt: known}, known <= w.end
}

// lag is how long after an event we hear of it: seconds as a rule, now and then hours.
func (w *world) lag(k key) data.Micros {
	if w.off&Lateness != 0 {
		return 0
	}
	d := k.sub(uint64(tagDelay))
	if d.happens(tagDelayTail, tellLate) {
		return min(tellMax, data.Hour+d.span(tagMain, tellMean))
	}
	return min(tellMax, data.Second+lognormal(d, tellMedian, tellSpread))
}
