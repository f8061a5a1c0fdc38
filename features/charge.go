package features

import (
	"recoup/data"
	"recoup/features/key"
)

// charge is a charge that was presented and not paid at once: a case as soon
// as a failure of it is known.
type charge struct {
	key                key.ID
	id, customerID     string
	customer           key.ID
	mandate, sub       key.ID
	amount             data.Paise
	bank               uint64
	rail               data.Rail
	bankLevel, network uint8

	attempts []presented
	failed   failure // the latest
	first    data.Micros
	failures int32
	same     int32 // failures with the latest one's reason
	refunded int32

	notice        notice // the latest pre-debit notice
	links, nudges int32
	lastLink      data.Micros
	lastNudge     data.Micros
	contacts      []contact // in cursor order
	optedOut      bool
	promise       promise
	broken        int32 // promises
	disputed      bool

	paid, ended bool
	told        bool        // of that by a case event; the customer's history does not show it
	touched     data.Micros // known_at of the latest event

	past *Past // for the table builder: what was known at the latest failure
}

// presented is one attempt of a charge.
type presented struct {
	id        key.ID
	at        data.Micros // occurred_at of its first row
	initiator data.Initiator
	status    data.AttemptStatus // of the latest row
	no        int32
	polls     int32
	pollSays  data.PollStatus
	polled    data.Micros // the stamp of the latest status check
	failedAt  data.Micros // occurred_at of its failure
}

// failure is a failed row.
type failure struct {
	cursor                         data.Cursor
	occurred, presented            data.Micros
	no                             int32
	reason                         data.Reason
	initiator                      data.Initiator
	source, step, advice, response uint8
	responseCode, adviceCode       Code
}

// notice is a pre-debit notice.
type notice struct {
	occurred, at, debit data.Micros // at: its stamp
	sent                data.Micros // the stamp of the first word about the notice for this debit
	amount              data.Paise
	status              data.NoticeStatus
}

type contact struct {
	at     data.Cursor
	action data.Action
}

type promise struct {
	occurred, due data.Micros
	status        data.PromiseStatus
}

const (
	chargeKept   = 60 * data.Day // after its latest event, while it is owed or when a case event closed it
	closedKept   = 5 * data.Day  // after an attempt of it was paid
	attemptsKept = 16
)

// alive says whether the charge is still remembered at a time.
func (c *charge) alive(now data.Micros) bool {
	if (c.paid || c.ended) && !c.told {
		return now <= c.touched+closedKept
	}
	return now <= c.touched+chargeKept
}

// owed says whether it is a case: failed, and not yet paid or ended.
func (c *charge) owed() bool { return c.failures > 0 && !c.paid && !c.ended }

// attempt finds or adds an attempt of the charge.
func (c *charge) attempt(e *event) *presented {
	for i := range c.attempts {
		if c.attempts[i].id == e.subject {
			return &c.attempts[i]
		}
	}
	if len(c.attempts) == attemptsKept {
		copy(c.attempts, c.attempts[1:])
		c.attempts = c.attempts[:attemptsKept-1]
	}
	c.attempts = append(c.attempts, presented{id: e.subject, at: e.occurred, initiator: e.initiator, no: e.no})
	return &c.attempts[len(c.attempts)-1]
}

// by counts the retries presented by one initiator; 0 counts those whose
// initiator is unknown. The original charge is not a retry.
func (c *charge) by(who data.Initiator) (n int32) {
	for i := range c.attempts {
		if c.attempts[i].no > 0 && c.attempts[i].initiator == who {
			n++
		}
	}
	return n
}

// pending counts attempts without a final status.
func (c *charge) pending() (n int32) {
	for i := range c.attempts {
		if s := c.attempts[i].status; s == data.Pending {
			n++
		}
	}
	return n
}

func (c *charge) fail(e *event, at data.Micros) {
	if c.failures == 0 {
		c.first = e.cursor.KnownAt
	}
	if c.failures > 0 && e.reason == c.failed.reason {
		c.same++
	} else {
		c.same = 1
	}
	c.failures++
	c.failed = failure{e.cursor, e.occurred, at, e.no, e.reason, e.initiator,
		e.sourceLevel, e.stepLevel, e.adviceLevel, e.responseLevel, e.response, e.advice}
}

// tell folds what is no attempt: a notice, a promise or a case event.
func (c *charge) tell(who *customer, e *event) {
	switch e.kind {
	case kindNotice:
		if c.foldNotice(e) {
			who.contact(e.stamp())
		}
	case kindPromise:
		c.foldPromise(e)
		if data.PromiseStatus(e.status) == data.PromiseBroken {
			who.broken++
		}
	case kindCaseEvent:
		what := data.CaseEventKind(e.what)
		if what == data.Disputed {
			c.disputed = true
			who.disputes++
		}
		c.close(who, what)
	}
}

// close ends the charge by a case event, whether or not it has failed yet.
func (c *charge) close(who *customer, what data.CaseEventKind) {
	owed := c.owed()
	switch {
	case c.paid || c.ended:
		return
	case what == data.PaidElsewhere:
		c.paid = true
		if owed {
			who.cured++
		}
	default:
		c.ended = true
		if owed {
			who.ended++
		}
	}
	c.told = true
}

func (n *notice) fold(e *event) {
	sent := e.stamp()
	if n.status != 0 && e.from == n.debit && e.amount == n.amount && data.NoticeStatus(e.status) != data.NoticeSent {
		sent = min(sent, n.sent)
	}
	if e.occurred >= n.occurred {
		*n = notice{e.occurred, e.stamp(), e.from, sent, e.amount, data.NoticeStatus(e.status)}
	} else if e.from == n.debit && e.amount == n.amount {
		n.sent = min(n.sent, sent)
	}
}

func (c *charge) foldPromise(e *event) {
	if e.occurred >= c.promise.occurred {
		c.promise = promise{e.occurred, e.from, data.PromiseStatus(e.status)}
	}
	if data.PromiseStatus(e.status) == data.PromiseBroken {
		c.broken++
	}
}

func (c *charge) foldPoll(e *event) {
	for i := range c.attempts {
		if a := &c.attempts[i]; a.id == e.subject {
			a.poll(data.PollStatus(e.status), e.stamp())
		}
	}
}

// poll notes what a status check said.
func (a *presented) poll(says data.PollStatus, at data.Micros) {
	a.polls++
	a.pollSays, a.polled = says, at
}

// foldNotice reports whether the notice was a contact: a link or a nudge.
func (c *charge) foldNotice(e *event) bool {
	status := data.NoticeStatus(e.status)
	if status == data.NoticeOptedOut {
		c.optedOut = true
	}
	action := data.NoticeKind(e.what).Action()
	switch {
	case action == 0:
		c.notice.fold(e)
		return false
	case !c.goesOut(status, action, e.stamp()):
		return false
	case action == data.PaymentLink:
		c.links++
		c.lastLink = max(c.lastLink, e.stamp())
	default:
		c.nudges++
		c.lastNudge = max(c.lastNudge, e.stamp())
	}
	c.contacts = append(c.contacts, contact{e.cursor, action})
	return true
}

// goesOut counts a contact once: when it is sent, or when it is delivered and
// none was sent in the day before.
func (c *charge) goesOut(status data.NoticeStatus, action data.Action, at data.Micros) bool {
	last := c.lastNudge
	if action == data.PaymentLink {
		last = c.lastLink
	}
	return status == data.NoticeSent || status == data.NoticeDelivered && (last == 0 || at > last+data.Day)
}
