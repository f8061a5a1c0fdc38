package sim

import (
	"math"

	"recoup/data"
)

// charge is one invoice: what is owed and by which road it is collected.
type charge struct {
	w      *world
	c      *customer
	s      *subscription
	m      *mandate
	key    key
	id     string // of the case
	cycle  int
	amount data.Paise
	due    data.Micros // presentation of the first attempt
	next   data.Micros // the next charge of the subscription: retries end before it
}

// verdict is what the world says to a presentation.
type verdict struct {
	paid   bool
	cause  Mechanism   // what failed; 0 when paid
	reason data.Reason // the true reason; 0 when paid
	late   data.Micros // with a lost answer that was a yes: how much later it is authorised; else 0
}

// counts reports whether the verdict is a success within the rail's horizon.
func (v verdict) counts(r data.Rail) bool { return v.paid || v.late > 0 && v.late <= r.Horizon() }

// dice of a presentation: they depend on case, attempt number and time alone.
func (q *charge) dice(no int, at data.Micros) key {
	return q.key.sub(uint64(tagAttempt)).sub(uint64(no)).sub(uint64(at))
}

// present debits at a time. The hurdles come in the order in which a real
// request meets them; the first that is not cleared names the reason. chance
// holds the same hurdles as probabilities: change them together.
func (q *charge) present(no int, at data.Micros) verdict {
	k, r, off := q.dice(no, at), q.s.rail, q.w.off
	fail := func(m Mechanism, reason data.Reason) verdict { return verdict{cause: m, reason: reason} }
	if q.m.death <= at {
		return fail(Mandates, deadReason(r, q.m.expired))
	}
	if q.s.pause.at(at) >= 0 {
		return fail(Mandates, words().paymentDeclined)
	}
	if q.amount > q.m.maxAmount {
		return fail(Limits, words().overLimit)
	}
	if off&Notices == 0 {
		if r == data.Card && k.happens(tagNotice, noticeFails) {
			return fail(Notices, words().actionRequired)
		}
		if k.happens(tagOptOut, q.optOut()) {
			return fail(Notices, words().optedOut)
		}
	}
	if off&Gateway == 0 {
		if u := k.unit(tagGateway); u < gatewayErrors {
			return fail(Gateway, words().gateway)
		} else if u < gatewayErrors+serverErrors {
			return fail(Gateway, words().server)
		}
	}
	if p, o := q.c.bank.decline(r, at); k.happens(tagBankAnswer, p) {
		return fail(Banks, bankReason(r, o != nil, k))
	}
	if q.s.expiry.has(at) {
		return fail(Instruments, words().cardExpired)
	}
	if i := q.s.block.at(at); i >= 0 {
		return fail(Instruments, blockReason(r, q.s.key.sub(uint64(tagBlock)).sub(uint64(i))))
	}
	if k.happens(tagIssuer, q.mood()) {
		return fail(Instruments, moodReason(r))
	}
	if q.c.limitUsed(r, at) {
		return fail(Limits, dayLimitReason(r))
	}
	if off&Funds == 0 && !k.happens(tagFunds, q.c.covers(at, q.amount, q.c.squeeze.at(at) >= 0)) {
		return fail(Funds, words().funds)
	}
	if off&Timeouts == 0 && k.happens(tagTimeout, timeouts) {
		v := fail(Timeouts, timeoutReason(r))
		if late := 10*data.Minute + k.span(tagLate, lateMean); k.sub(uint64(tagLate)).happens(tagMain, lateShare) && late <= lateMax {
			v.late = late
		}
		return v
	}
	return verdict{paid: true}
}

// chance is p_true: the probability that present says yes at a time, and says
// it within the rail's horizon, as seen from now by someone who knows the slow
// traits, the state of mandate, instrument and purse at now, and the bank's
// state at that time. Exact: every hurdle is independent of the others and has
// a closed form.
func (q *charge) chance(now, at data.Micros) float64 {
	r, off := q.s.rail, q.w.off
	p := q.m.survives(now, at)
	if p == 0 || q.amount > q.m.maxAmount {
		return 0
	}
	p *= 1 - q.s.pause.chance(now, at)
	if off&Notices == 0 {
		if r == data.Card {
			p *= 1 - noticeFails
		}
		p *= 1 - q.optOut()
	}
	if off&Gateway == 0 {
		p *= 1 - gatewayErrors - serverErrors
	}
	decline, _ := q.c.bank.decline(r, at)
	p *= 1 - decline
	p *= 1 - q.s.expiredChance(now, at)
	p *= 1 - q.s.block.chance(now, at)
	p *= 1 - q.mood()
	p *= 1 - q.c.limitChance(r, now, at)
	if off&Funds == 0 {
		p *= q.c.coversAhead(now, at, q.amount)
	}
	if off&Timeouts == 0 {
		span := min(r.Horizon(), lateMax) - 10*data.Minute
		p *= 1 - timeouts + timeouts*lateShare*-math.Expm1(-float64(span)/float64(lateMean))
	}
	return p
}

// optOut is the chance that the customer stops an announced debit.
func (q *charge) optOut() float64 { return optOutRate * 2 * (1 - q.c.intent) }

// mood is the chance that the issuer declines for no reason it would name.
func (q *charge) mood() float64 {
	switch {
	case q.w.off&Instruments != 0:
		return 0
	case q.s.rail == data.Card:
		return q.w.nature.Issuer
	}
	return accountDecline
}

// expiredChance is the probability that the card is expired and not renewed at
// t, given its state at now. The date on the card is known.
func (s *subscription) expiredChance(now, t data.Micros) float64 {
	e := s.expiry
	if e.to == e.from || t < e.from || e.to <= now {
		return 0
	}
	return math.Exp(-float64(t-max(now, e.from)) / float64(renewMean))
}
