package score

import (
	"fmt"
	"strings"

	"recoup/data"
	"recoup/features"
)

// words of a rule about a case; silent = it has nothing to go by.
type ruleWord func(s *situation, l *limits) (says string, silent bool)

// ruleWords is what each rule sees in a case, as one would tell a colleague.
var ruleWords = map[string]ruleWord{
	"paid": told(func(s *situation) string {
		return either(s.Paid, "it is paid: nothing is owed", "nothing says that it was paid")
	}),
	"refunded": told(func(s *situation) string {
		return either(s.CaseRefunds > 0, "a payment of it was refunded", "no payment of it was refunded")
	}),
	"disputed": told(func(s *situation) string { return either(s.Disputed, "the customer disputes it", "nobody disputes it") }),
	"ended": told(func(s *situation) string {
		return either(s.Ended || !s.Owed, "it is over: cancelled, written off or paid", "it is still owed")
	}),
	"pending": told(func(s *situation) string {
		return either(s.Pending > 0, counted(s.Pending, "attempt")+" without a final status: the money may be on its way", "every attempt has its final status")
	}),
	"poll_captured": told(func(s *situation) string {
		switch {
		case s.LastPoll == data.PollCaptured:
			return "the status check of " + ist(s.LastPollAt) + " says captured: look for the money"
		case s.LastPolls == 0:
			return "no status check was made"
		}
		return "the latest of " + counted(s.LastPolls, "status check") + " says " + s.LastPoll.String()
	}),
	"opted_out": told(func(s *situation) string {
		return either(s.OptedOut, "the customer opted out of this debit", "the customer did not opt out")
	}),
	"mandate_state": func(s *situation, _ *limits) (string, bool) {
		switch m := s.mandateState(); {
		case m == 0:
			return "no mandate of this charge is known", true
		case m != s.Mandate: // its last day is over
			return "the mandate's last day is over: it ended " + ist(s.MandateUntil), false
		case m == data.MandateActive:
			return "the mandate is active", false
		default:
			return fmt.Sprintf("the mandate is %s, since %s: that outranks %s", m, ist(s.MandateSince), s.Reason), false
		}
	},
	"rail_change": func(s *situation, _ *limits) (string, bool) {
		if s.MandateRail == 0 {
			return "the mandate's rail is not known", true
		}
		return either(s.MandateRail == s.Rail, "charge and mandate are on "+s.Rail.String(), fmt.Sprintf("the mandate is for %s, the charge on %s", s.MandateRail, s.Rail)), false
	},
	"mandate_amount": func(s *situation, _ *limits) (string, bool) {
		if s.MandateMax == 0 {
			return "the mandate's own cap is not known", true
		}
		return fmt.Sprintf("%s rupees, the mandate allows %s", s.Amount, s.MandateMax), false
	},
	"afa_cap": func(s *situation, l *limits) (string, bool) {
		kind := "a mandate of category " + s.MandateCategory.String()
		if s.MandateCategory == 0 {
			kind = "a mandate of unknown category"
		}
		return fmt.Sprintf("%s rupees; without a second factor %s are allowed for %s", s.Amount, data.Paise(l[afaCap]), kind), l[afaCap] == silent
	},
	"mandate_outlives": func(s *situation, l *limits) (string, bool) {
		if s.MandateUntil == 0 {
			return "the mandate's end is not known, or it has none", true
		}
		return "the mandate ends " + ist(s.MandateUntil) + "; with a notice sent now or before, a debit can come from " + ist(s.firstNoticed(l, s.t)), false
	},
	"mandate_ends": func(s *situation, _ *limits) (string, bool) {
		if s.MandateUntil == 0 {
			return "the mandate's end is not known, or it has none", true
		}
		return "the mandate ends " + ist(s.MandateUntil), false
	},
	"not_reported": told(func(s *situation) string {
		return either(s.Class == 0, "the failure came without a reason", "the failure was told: "+s.Reason.String())
	}),
	"await_status": told(func(s *situation) string {
		switch {
		case s.row.retry != afterFailedPoll:
			return "the class needs no status check of its own"
		case s.uncertain:
			return "nobody knows yet whether the attempt failed: only a status check that says so allows a retry"
		}
		return "a status check says failed"
	}),
	ruleClassTable: told(func(s *situation) string {
		switch t := s.treatedAs(); {
		case t == 0:
			return "without a reason there is no class"
		case t != s.Class:
			return fmt.Sprintf("%s is %s, but the mandate's state makes it %s", s.Reason, s.Class, t)
		}
		return fmt.Sprintf("%s is %s: %s", s.Reason, s.Class, s.reason.Rationale)
	}),
	"limit_spent": told(func(s *situation) string {
		return either(s.reason.Cause == data.CauseLimitExceeded, s.Reason.String()+": a limit of the account is spent", "no limit of the account is in the way")
	}),
	"network_stop": func(s *situation, _ *limits) (string, bool) {
		switch {
		case s.Rail != data.Card:
			return "no card", true
		case s.Network == 0:
			return "the card's network is not known", true
		case !s.knowsCodes():
			return "no codes of " + s.Network.String() + " are in the policy", true
		case s.Response == features.Code{} && s.Advice == features.Code{}:
			return "the failure carries neither response nor advice code", true
		}
		return either(s.networkStops(), s.codes()+": never again with this card", s.codes()+" forbid nothing"), false
	},
	"attempts_spent": func(s *situation, l *limits) (string, bool) {
		return fmt.Sprintf("%d of %d presentations are used (recoup %d, provider %d, unknown %d; the customer's own %d do not count)",
			s.presented, l[budget], s.ByRecoup, s.ByProvider, s.ByUnknown, s.ByCustomer), false
	},
	"cycle_paid": cycleWord(cycleDebits, func(s *situation) string {
		return either(s.MandatePaid != 0 && s.MandatePaid >= s.CycleStart && s.MandatePaid < s.CycleEnd,
			"the mandate was debited "+ist(s.MandatePaid)+", in the cycle that ends "+ist(s.CycleEnd), "no other debit of this cycle succeeded")
	}),
	"cycle_last_day": cycleWord(cycleEndDays, func(s *situation) string { return "the cycle ends " + ist(s.CycleEnd) }),
	"advice_absent": func(s *situation, l *limits) (string, bool) {
		switch {
		case l[adviceNeeded] == silent:
			return either(s.Network == 0, "no network is known", "no advice code is asked of "+s.Network.String()), true
		case s.Response == features.Code{} && s.Advice == features.Code{}:
			return "the failure carries neither response nor advice code", true
		}
		return either(s.Advice == features.Code{}, "response "+s.Response.String()+" came without an advice code", "there is an advice code: "+s.Advice.String()), false
	},
	"network_month": func(s *situation, l *limits) (string, bool) {
		if l[declines30d] == silent {
			return either(s.Network == 0, "no network is known", "no such number of "+s.Network.String()), true
		}
		return fmt.Sprintf("%d of %d declines of this amount in 30 days", s.Declines30d, l[declines30d]), false
	},
	"network_day": func(s *situation, l *limits) (string, bool) {
		if l[declinesDay] == silent {
			return either(s.Network == 0, "no network is known", "no such number of "+s.Network.String()), true
		}
		return fmt.Sprintf("%d of %d declines of this amount today", s.DeclinesToday, l[declinesDay]), false
	},
	"network_wait": func(s *situation, l *limits) (string, bool) {
		if l[adviceWait] == silent {
			return "no advice to wait", true
		}
		return fmt.Sprintf("advice %s: not before %s", s.Advice, ist(s.LastFinal+l.span(adviceWait, data.Hour))), false
	},
	"attempts_left": func(s *situation, l *limits) (string, bool) {
		if s.row.link != afterAttempts {
			return "links need not wait for the retries", false
		}
		return either(int64(s.presented) < l[budget], "retries are left: they cost the customer nothing", "no retry is left: links may go"), false
	},
	"nudge_once": told(func(s *situation) string {
		return either(s.row.nudge != once, "the class sets no number of nudges", counted(s.Nudges, "nudge")+" went out for this case, one is allowed")
	}),
	"polls_left": func(s *situation, l *limits) (string, bool) {
		return either(s.row.escalate != afterPolls, "the class needs no status checks before a person looks", fmt.Sprintf("%d of %d status checks were made", s.LastPolls, l[polls])), false
	},
	"outage": told(func(s *situation) string {
		const noOutage = "no outage of the rail or bank is known"
		down := noOutage
		for _, o := range s.Outages {
			if o.Severity > 0 && (o.End == 0 || o.End > s.t) {
				down = "down from " + ist(o.Begin) + " until " + either(o.End == 0, "nobody knows when", ist(o.End))
			} else if o.Severity > 0 && o.End > s.LastFailure && down == noOutage {
				down = "an outage ended after the failure, " + ist(o.End)
			}
		}
		return down + either(s.row.retry == afterOutage, "", "; it matters to SWITCH_RAIL alone")
	}),
	"baseline": func(s *situation, l *limits) (string, bool) {
		if s.BankOutcomes30d == 0 {
			return "the bank's own baseline is not known", true
		}
		return fmt.Sprintf("the bank failed %d of %d in 6 h, %d of %d in 30 days", s.BankFailed6h, s.BankOutcomes6h, s.BankFailed30d, s.BankOutcomes30d) +
			either(s.row.retry == afterOutage, "", "; it matters to SWITCH_RAIL alone"), false
	},
	"min_wait": func(s *situation, l *limits) (string, bool) {
		return either(s.earliest(l) <= s.LastFailure, "no wait is asked for "+s.Reason.String(), fmt.Sprintf("not before %s, %s after the failure", ist(s.earliest(l)), spell(s.earliest(l)-s.LastFailure))), false
	},
	"final_rest": func(s *situation, l *limits) (string, bool) {
		if l[finalRest] == silent {
			return "no such rest on " + s.Rail.String(), true
		}
		return "not before " + ist(s.LastFinal+l.span(finalRest, data.Hour)) + ", " + spell(l.span(finalRest, data.Hour)) + " after the final status", false
	},
	"mandate_fresh": func(s *situation, l *limits) (string, bool) {
		switch {
		case l[freshMandate] == silent:
			return "no such rest on " + s.Rail.String(), true
		case s.MandateCreated == 0:
			return "when the mandate was created is not known", true
		}
		return "the mandate was created " + ist(s.MandateCreated) + ": no debit before " + ist(s.settled(l)), false
	},
	"promise": func(s *situation, l *limits) (string, bool) {
		switch until := s.promisedUntil(l); {
		case s.Promise != data.PromiseMade:
			return "no promise is open", false
		case until == 0:
			return counted(s.BrokenPromises, "promise") + " broken: this one holds nothing", false
		default:
			return "promised for " + ist(s.PromiseDue) + ": no retry before " + ist(until), false
		}
	},
	"late_capture": func(s *situation, l *limits) (string, bool) {
		if !s.mayBeCaptured(l, s.t) {
			return either(s.Unresolved == 0, "a status check says that each failed attempt failed", "the days in which the failed payment could still be captured are over"), false
		}
		until := "the failed payment may still be captured until " + ist(s.Unresolved+l.span(lateCapture, data.Hour))
		if !s.pollsLeft(l, s.UnresolvedPolls) {
			return until + ", and the status checks are spent", false
		}
		return until + ": before a retry by then a status check must say failed, from " + ist(s.pollFrom(l)), false
	},
	"queued": told(func(s *situation) string {
		until := s.queuedUntil()
		return either(until == 0, "the attempt was not in the rail's peak hours", "the attempt was in peak hours: it may be queued until "+ist(until))
	}),
	"notice_missing": noticeWord(noticeAbsent), "notice_amount": noticeWord(noticeOther), "notice_young": noticeWord(noticeEarly), "notice_old": noticeWord(noticePast),
	"peak_window": func(s *situation, _ *limits) (string, bool) {
		var hours []string
		for i := range s.policy.windows {
			if w := &s.policy.windows[i]; !w.contact && w.holds(s.t) && (w.rail == 0 || w.rail == s.Rail) {
				hours = append(hours, clock(w.at)+" to "+clock(w.until))
			}
		}
		if hours == nil {
			return s.Rail.String() + " has no peak hours", true
		}
		return "no debit " + strings.Join(hours, " or ") + "; the times are moved to their end", false
	},
	"bank_day": func(s *situation, l *limits) (string, bool) {
		if l[cutOff] == silent {
			return s.Rail.String() + " clears at any time", true
		}
		return "debits go in before " + clock(l.span(cutOff, data.Minute)) + " of a working day; the times are moved to the next", false
	},
	"contact_hours": func(s *situation, _ *limits) (string, bool) {
		end := s.policy.windowEnd(true, s.Rail, s.t)
		return either(end == 0, "it is day: messages may go", "it is night: messages go from "+ist(end)), false
	},
	"contact_gap": func(s *situation, l *limits) (string, bool) {
		if s.Contacts[0] == 0 {
			return "the customer had no message yet", false
		}
		return "the latest message went " + ist(s.Contacts[0]) + ": the next not before " + ist(s.Contacts[0]+l.span(contactGap, data.Hour)), false
	},
	"contact_cap": func(s *situation, l *limits) (string, bool) {
		return fmt.Sprintf("%d of %d messages to the customer in 7 days", s.Contacts7d, l[contacts7d]), l[contacts7d] == silent
	},
	"horizon": told(func(s *situation) string { return "a payment counts until " + ist(s.horizon()) }),
}

func told(says func(*situation) string) ruleWord {
	return func(s *situation, _ *limits) (string, bool) { return says(s), false }
}

func cycleWord(n number, says func(*situation) string) ruleWord {
	return func(s *situation, l *limits) (string, bool) {
		switch {
		case l[n] == silent:
			return "no such rule on " + s.Rail.String(), true
		case !s.cycleKnown():
			return "no cycle of this charge is known", true
		}
		return says(s), false
	}
}

// noticeWord says what the rule about a fault sees of the notice.
func noticeWord(fault noticeFault) ruleWord {
	return func(s *situation, l *limits) (string, bool) {
		fresh := "a new one takes " + spell(s.lead(l)+l.floor())
		switch {
		case l[noticeExempt] != silent:
			return s.MandateCategory.String() + " needs no notice", false
		case s.Notice != data.NoticeSent && s.Notice != data.NoticeDelivered:
			if fault != noticeAbsent {
				return "there is no notice to look at", true
			}
			return either(s.Notice == data.NoticeFailed, "the latest notice failed; ", "no notice was sent; ") + fresh, false
		}
		switch fault {
		case noticeAbsent:
			return "a notice was sent " + ist(s.NoticeSent), false
		case noticeOther:
			return fmt.Sprintf("the notice is about %s rupees, the debit %s", s.NoticeAmount, s.Amount) + either(s.NoticeAmount == s.Amount, "", "; "+fresh), false
		case noticeEarly:
			return "the notice is " + spell(l.floor()) + " old from " + ist(s.NoticeSent+l.floor()), false
		}
		return "the notice holds to " + ist(s.noticeUntil(l)) + "; after that " + fresh, false
	}
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (s *situation) codes() string {
	var out []string
	if s.Response != (features.Code{}) {
		out = append(out, "response "+s.Response.String())
	}
	if s.Advice != (features.Code{}) {
		out = append(out, "advice "+s.Advice.String())
	}
	return s.Network.String() + " " + strings.Join(out, " and ")
}

// ist is a time in India, for people.
func ist(m data.Micros) string {
	if m == 0 {
		return "an unknown time"
	}
	return (m + data.ISTOffset).Time().Format("Mon 2 Jan 2006 15:04")
}

// spell is a span of time for people.
func spell(d data.Micros) string {
	switch {
	case d%data.Day == 0:
		return counted(int(d/data.Day), "day")
	case d%data.Hour == 0:
		return counted(int(d/data.Hour), "hour")
	}
	return fmt.Sprintf("%d h %02d min", d/data.Hour, d%data.Hour/data.Minute)
}
