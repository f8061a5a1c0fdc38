package score

import "recoup/data"

// Allows is what a policy's class table says of a class, in the words of its file.
type Allows struct {
	Retry    string // yes, no, after_outage or after_failed_poll
	Link     string // yes, no or after_attempts
	Nudge    string // yes, no or once
	Escalate string // no, capacity, merchant_alert, human_review or after_polls

	LinkKind, NudgeKind data.Route

	// The rules arm: what it does, and when: now, after, pay_day or outage_end.
	Arm   data.Action
	When  string
	After []data.Micros // of after: from the latest failure, by the number of the retry
}

// Class is the row of a class; 0 is that of failures without a reason. A class that
// is none of data.Classes has the zero row.
func (p *Policy) Class(c data.Class) Allows {
	if int(c) >= len(p.classes) {
		return Allows{}
	}
	r := &p.classes[c]
	return Allows{Retry: nameOf(retryVerdicts, r.retry), Link: nameOf(linkVerdicts, r.link), Nudge: nameOf(nudgeVerdicts, r.nudge), Escalate: nameOf(escalateVerdicts, r.escalate),
		LinkKind: r.linkKind, NudgeKind: r.nudgeKind, Arm: r.arm, When: nameOf(whens, r.when), After: append([]data.Micros(nil), r.after...)}
}
