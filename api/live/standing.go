package live

import (
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
	choice                 score.Choice // of the answer
}

func madeOf(n *news) *made {
	x := n.decided
	c := x.Allowed[x.Chosen]
	c.P, c.Uplift, c.EV = nil, nil, nil // they lie in one block with those of the others
	return &made{id: x.ID, caseID: x.CaseID, customerID: x.CustomerID, model: x.ModelID, policy: x.PolicyID, seq: n.Seq,
		asOf: x.AsOf.KnownAt, decidedAt: x.DecidedAt, amount: x.Amount, rail: x.Rail, choice: c}
}

// isStep says whether an event of the case belongs to doing what was decided: word of
// the notice before a debit, and a status check that does not say paid.
func (m *made) isStep(row any) bool {
	if m.choice.Action != data.Retry {
		return false
	}
	switch r := row.(type) {
	case *data.Notice:
		return r.Kind == data.PreDebit && r.Status != data.NoticeOptedOut
	case *data.Poll:
		return r.Status != data.PollCaptured
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
	if a := m.choice.Action; a == data.Wait || a == data.Escalate {
		return "", nil, nil
	}
	_, refusal, err = e.Recheck(d.state, m.caseID, data.Candidate{Action: m.choice.Action, At: max(t, m.choice.At)}, t)
	if err == nil && refusal != nil {
		why = "the gate refuses it now: " + refusal.Why
	}
	return why, refusal, err
}
