package score

import (
	"recoup/data"
	"recoup/features"
)

// ruleNotOwed is told where there is nothing to recover any more.
const ruleNotOwed = "not_owed"

// RuleReported is told where an outcome says that the case recovered, and no event of
// it does: nothing is debited and nobody is written to until one or the other is put right.
const RuleReported = "reported_recovered"

// Needs is what is still needed before a candidate can be done.
type Needs struct {
	NoticeFrom data.Micros // a notice of the debit sent before would be too old by then
	NoticeBy   data.Micros // and one sent after would be too young; 0 = none is needed, or one holds
	PollFrom   data.Micros // from then on a status check can be made, which must say failed; 0 = none is needed
}

// Recheck asks the gate, risk and the breaker's limits of one debit again about a
// candidate that was chosen before: t is now, c.At when it will be done, not before
// t. A refusal says that it may not be done.
func (e *Engine) Recheck(st *features.State, caseID string, c data.Candidate, t data.Micros) (Needs, *Refusal, error) {
	if c.At < t {
		return Needs{}, nil, data.Faultf(data.ErrUsage, "score: recheck: case %s: %s lies before %s", caseID, c, t)
	}
	f, err := st.Facts(caseID, t)
	if err != nil {
		return Needs{}, nil, err
	}
	if !f.Owed && c.Action != data.Wait {
		return Needs{}, &Refusal{Rule: ruleNotOwed, Action: c.Action, Why: "The case is paid or has ended"}, nil
	}
	s := situationOf(e.policy, &f, t)
	s.standing = true
	if r := s.refusesAction(c.Action); r != nil {
		return Needs{}, r, nil
	}
	if r, refused := s.refusesAt(c); refused {
		return Needs{}, &r, nil
	}
	d := Decision{Allowed: []Choice{s.choice(c.Action, c.At)}}
	if s.watch(&d); len(d.Allowed) == 0 {
		return Needs{}, &d.Refusals[0], nil
	}
	needs := Needs{NoticeBy: d.Allowed[0].NoticeBy, PollFrom: d.Allowed[0].PollFrom}
	if l := s.limits(c.At); needs.NoticeBy != 0 && l[noticeAge] != silent {
		needs.NoticeFrom = c.At - l.span(noticeAge, data.Hour)
	}
	return needs, nil, nil
}
