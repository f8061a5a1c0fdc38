package live

import (
	"cmp"
	"slices"

	"recoup/data"
	"recoup/data/ledger"
)

// openAttempt is a presentation of which nobody knows yet what came of it.
type openAttempt struct {
	id, caseID, customerID string
	no                     int32
	amount                 data.Paise
	rail                   data.Rail
	unknown                bool        // somebody said so: a status check alone says more
	asked                  data.Micros // when a status check makes sense next
}

// How long after an attempt was posted as pending it is asked about, and how long
// after a status check that did not tell.
const (
	pollFirst = 15 * data.Minute
	pollEvery = data.Hour
)

// presented takes in a status of an attempt.
func (d *Desk) presented(a *data.Attempt, at data.Micros) {
	open := d.attempts[a.AttemptID]
	switch {
	case stateOf(a.Status) != ledger.Intended:
		if open == nil || !open.unknown {
			delete(d.attempts, a.AttemptID)
		}
	case open == nil:
		d.attempts[a.AttemptID] = &openAttempt{id: a.AttemptID, caseID: a.CaseID, customerID: a.CustomerID, no: a.AttemptNo, amount: a.Amount, rail: a.Rail, asked: at + pollFirst}
	}
}

// polled takes in a status check. One that does not tell of an attempt that was
// reported as failed is heard of here for the first time.
func (d *Desk) polled(p *data.Poll, n *news) {
	if p.Status == data.PollCaptured || p.Status == data.PollFailed {
		delete(d.attempts, p.AttemptID)
		return
	}
	open := d.attempts[p.AttemptID]
	if open == nil && p.Status == data.PollUnknown {
		open = &openAttempt{id: p.AttemptID, caseID: n.CaseID, customerID: n.CustomerID, no: -1}
		d.attempts[p.AttemptID] = open
	}
	if open != nil {
		open.asked, open.unknown = n.KnownAt+pollEvery, open.unknown || p.Status == data.PollUnknown
	}
}

// unknownOf says whether nobody knows what came of an attempt of a case.
func (d *Desk) unknownOf(caseID string) bool {
	for _, a := range d.attempts {
		if a.unknown && a.caseID == caseID {
			return true
		}
	}
	return false
}

// polls adds the status checks of open attempts.
func (d *Desk) polls(l *List) {
	for _, a := range d.attempts {
		if a.asked > l.At {
			continue
		}
		s := Step{Kind: StepPoll, CaseID: a.caseID, CustomerID: a.customerID, AttemptID: a.id, Amount: a.amount, Rail: a.rail, At: a.asked}
		no := max(a.no, 0)
		if f, err := d.state.Facts(a.caseID, l.At); err == nil {
			s.Amount, s.Rail = f.Amount, f.Rail
			if a.no < 0 { // its own report is not known, so the latest is meant
				no = int32(f.LastNo)
			}
		}
		s.number(no)
		if !slices.ContainsFunc(l.Steps, func(o Step) bool { return o.Kind == StepPoll && o.AttemptKey == s.AttemptKey }) {
			l.Steps = append(l.Steps, s)
		}
	}
}

// byTime is the order of a list.
func byTime(a, b *Step) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.CaseID, b.CaseID), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.AttemptID, b.AttemptID))
}
