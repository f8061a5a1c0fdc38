package score

import (
	"math"

	"recoup/data"
)

// noticeRules are about the notice that a debit needs: it exists, for this very
// amount, is old enough and not too old; or a new one can still be sent in time.
var noticeRules = map[string]gateRule{
	"notice_missing": noticeRule(noticeAbsent, "the latest notice is neither sent nor delivered, or there is none"),
	"notice_amount":  noticeRule(noticeOther, "notice_amount is not the amount"),
	"notice_young":   noticeRule(noticeEarly, "at < notice_sent + notice_floor"),
	"notice_old":     noticeRule(noticePast, "at > notice_sent + notice_age, or at > the debit it announced (none: notice_sent + notice_floor) + notice_lapse"),
}

// noticeFault is what is wrong with the notice for a debit at a time.
type noticeFault uint8

const (
	noticeHolds noticeFault = iota
	noticeAbsent
	noticeOther // amount
	noticeEarly
	noticePast
)

// moves is the bit of the rule about a fault.
func (f noticeFault) moves() moves { return movesNotice << (f - noticeAbsent) }

func noticeRule(fault noticeFault, test string) gateRule {
	return gateRule{hard: true, moves: fault.moves(), at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && s.notice(l, c.At) == fault && c.At-l.floor() < s.t+s.lead(l)
	}, test: "retry: the first fault of the notice is: " + test + "; and at - notice_floor < t + notice_lead. No notice is needed where notice_exempt holds"}
}

// floor is from the notice to the debit at least.
func (l *limits) floor() data.Micros { return l.span(noticeFloor, data.Minute) }

// lead is from the decision to when a notice that it asks for is out at the latest;
// nothing more is added once the decision stands.
func (s *situation) lead(l *limits) data.Micros {
	if s.standing || l[noticeLead] == silent {
		return 0
	}
	return l.span(noticeLead, data.Minute)
}

// notice says what is wrong with the latest notice for a debit at a time.
func (s *situation) notice(l *limits, at data.Micros) noticeFault {
	switch {
	case l[noticeExempt] != silent:
		return noticeHolds
	case s.Notice != data.NoticeSent && s.Notice != data.NoticeDelivered:
		return noticeAbsent
	case s.NoticeAmount != s.Amount:
		return noticeOther
	case at < s.NoticeSent+l.floor():
		return noticeEarly
	case at > s.noticeUntil(l):
		return noticePast
	}
	return noticeHolds
}

// noticeUntil is the last time at which the notice holds.
func (s *situation) noticeUntil(l *limits) data.Micros {
	until := data.Micros(math.MaxInt64)
	if l[noticeAge] != silent {
		until = s.NoticeSent + l.span(noticeAge, data.Hour)
	}
	debit := s.NoticeDebit
	if debit == 0 {
		debit = s.NoticeSent + l.floor()
	}
	if l[noticeLapse] != silent {
		until = min(until, debit+l.span(noticeLapse, data.Hour))
	}
	return until
}

// noticeBy is by when a new notice must be sent for a debit; 0 = none is needed.
func (s *situation) noticeBy(l *limits, at data.Micros) data.Micros {
	if s.notice(l, at) == noticeHolds {
		return 0
	}
	return at - l.floor()
}

// firstNoticed is the first time not before from at which the notice holds, or
// one sent after t and the lead would.
func (s *situation) firstNoticed(l *limits, from data.Micros) data.Micros {
	from = max(from, s.t)
	if f := s.notice(l, from); f == noticeHolds || s.moves&f.moves() == 0 {
		return from
	}
	fresh := max(from, s.t+s.lead(l)+l.floor())
	if old := s.NoticeSent + l.floor(); old > from && old < fresh && s.notice(l, old) == noticeHolds {
		return old
	}
	return fresh
}
