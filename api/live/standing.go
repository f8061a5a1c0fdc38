package live

import (
	"errors"

	"recoup/data"
	"recoup/features"
	"recoup/score"
)

// made is a decision that nothing superseded yet.
type made struct {
	id, caseID, customerID string
	model, policy          string
	seq                    int64
	asOf, decidedAt        data.Micros
	amount                 data.Paise
	rail                   data.Rail
	class                  data.Class
	choice                 score.Choice // of the answer
}

func madeOf(n *news) *made {
	x := n.decided
	c := x.Allowed[x.Chosen]
	c.P, c.Uplift, c.EV = nil, nil, nil // they lie in one block with those of the others
	return &made{id: x.ID, caseID: x.CaseID, customerID: x.CustomerID, model: x.ModelID, policy: x.PolicyID, seq: n.Seq,
		asOf: x.AsOf.KnownAt, decidedAt: x.DecidedAt, amount: x.Amount, rail: x.Rail, class: x.Class, choice: c}
}

// isStep says whether an event of the case belongs to doing what was decided: word of
// the notice before a debit, and a status check that does not say paid; to one who
// waits for it, that does not tell.
func (m *made) isStep(row any) bool {
	retry := m.choice.Action == data.Retry
	switch r := row.(type) {
	case *data.Notice:
		return retry && r.Kind == data.PreDebit && r.Status != data.NoticeOptedOut
	case *data.Poll:
		tells := r.Status == data.PollCaptured || r.Status == data.PollFailed
		return retry && r.Status != data.PollCaptured || m.choice.Kind == data.StatusPoll && !tells
	}
	return false
}

// lapses is when it makes no sense any more to do what was decided.
func (m *made) lapses() data.Micros {
	switch m.choice.Action {
	case data.Retry:
		return m.choice.At + RetryLapse
	case data.Wait:
		return m.decidedAt + WaitLasts
	case data.Escalate: // until somebody answers, or the case is too old to decide about
		return m.decidedAt + features.CureDays*data.Day
	}
	return m.choice.At + ContactLapse
}

// stands says why a decision does not stand at t; "" = it does. again is the day's pass.
// It is asked under the read lock.
func (d *Desk) stands(m *made, e *score.Engine, t data.Micros, again bool) (why string, refusal *score.Refusal, err error) {
	f, err := d.state.Facts(m.caseID, t)
	if errors.Is(err, data.ErrContract) {
		return "the case is long over, and forgotten", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	model := ""
	if b := e.Model(); b != nil {
		model = string(b.ID)
	}
	switch {
	case !f.Owed:
		return "the case is paid or has ended", nil, nil
	case f.LastFailure > m.asOf:
		return "a later failure of the case is known", nil, nil
	case t >= m.lapses():
		return "its time has gone by", nil, nil
	case m.policy != e.Policy().ID():
		return "the policy is another", nil, nil
	case m.model != model:
		return "the model is another", nil, nil
	case again && m.choice.Action != data.Escalate && m.decidedAt.ISTDay() != t.ISTDay():
		return "the day's pass makes another", nil, nil
	}
	if why = d.reported(m.caseID); why != "" {
		return why, &score.Refusal{Rule: score.RuleReported, Action: m.choice.Action, Why: why}, nil
	}
	switch {
	case m.choice.Action == data.Wait && m.class == data.AwaitStatus:
		_, refusal, err = e.Recheck(d.state, m.caseID, data.Candidate{Action: data.Escalate, At: t}, t)
		if err == nil && refusal == nil {
			return "the status checks are spent: a person can be asked", nil, nil
		}
		return "", nil, err
	case m.choice.Action == data.Wait || m.choice.Action == data.Escalate:
		return "", nil, nil
	}
	_, refusal, err = e.Recheck(d.state, m.caseID, data.Candidate{Action: m.choice.Action, At: max(t, m.choice.At)}, t)
	if err == nil && refusal != nil {
		why = "the gate refuses it now: " + refusal.Why
	}
	return why, refusal, err
}
