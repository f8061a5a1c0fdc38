package razorpay

import (
	"bytes"

	"recoup/data"
)

// subscription reads a subscription and the payment that may come with it.
func (f *fields) subscription(e *event, who *identity) {
	if !f.need(subEntity) {
		return
	}
	id := f.id(subID, "sub")
	f.needID(subID, id)
	e.CycleStart, e.CycleEnd = f.time(subStart), f.time(subEnd)
	if f.need(subStatus) {
		w := f.word(subStatus)
		status, err := data.ParseSubscriptionStatus(w)
		if err != nil && w != "" {
			f.oneOf(subStatus, w, "unknown status of a subscription")
		}
		e.SubscriptionStatus = status
	}
	e.Subscription = id
	if f.is(payEntity) {
		f.payment(e, 0, who)
		e.Subscription = id
		return
	}
	e.Customer = f.customer(subCustomer)
}

// link reads a payment that came by a payment link. The link's reference names
// the case that it was sent for where it is the id of one: what the customer
// paid there ends that case.
func (f *fields) link(e *event, who *identity) {
	f.payment(e, seenCaptured, who)
	e.happenedBy(f.time(linkUpdatedAt))
	if ref := f.bytes(linkReference); isCase(ref) && string(ref) != e.ownCase() && string(ref) != e.Order && e.Amount > 0 {
		e.Reference = string(ref)
	}
}

// isCase reports whether a text is the id of a case: an invoice, an order, a
// payment, or a cycle of a subscription.
func isCase(b []byte) bool {
	if sub, start, ok := bytes.Cut(b, []byte("@")); ok {
		return isID(sub, "sub") && len(start) > 0 && len(start) <= 12 && len(bytes.Trim(start, "0123456789")) == 0
	}
	return isID(b, "inv") || isID(b, "order") || isID(b, "pay")
}

// dispute reads whose payment is disputed.
func (f *fields) dispute(e *event) {
	if !f.need(disputeEntity) || !f.need(payEntity) {
		return
	}
	f.paymentIDs(e)
	f.needID(payID, e.Payment)
	e.Dispute = f.id(disputeID, "disp")
	f.needID(disputeID, e.Dispute)
}

// token reads a mandate.
func (f *fields) token(e *event, h handling, who *identity) {
	if !f.need(tokenEntity) {
		return
	}
	e.Token = f.id(tokenID, "token")
	f.needID(tokenID, e.Token)
	f.rail(e, tokenMethod)
	e.CreatedAt, e.ValidUntil = f.time(tokenCreatedAt), f.time(tokenExpiredAt)
	if f.is(tokenMax) {
		e.MaxAmount = data.Paise(f.paise(tokenMax))
	}
	e.Customer = who.ofToken(f)
	switch h {
	case mandateActive:
		e.MandateStatus = data.MandateActive
	case mandatePaused:
		e.MandateStatus = data.MandatePaused
	case mandateRevoked:
		e.MandateStatus = data.MandateRevoked
	case mandateExpired:
		e.MandateStatus = data.MandateExpired
	default:
		e.MandateStatus = f.ownStatus()
	}
}

// ownStatus is the state that the token itself tells.
func (f *fields) ownStatus() data.MandateStatus {
	at := tokenRecurringStatus
	if !f.is(at) {
		at = tokenStatus
	}
	if !f.need(at) {
		return 0
	}
	w := f.word(at)
	switch w {
	case "active", "activated", "confirmed", "resumed":
		return data.MandateActive
	case "paused", "suspended":
		return data.MandatePaused
	case "cancelled", "rejected", "deactivated":
		return data.MandateRevoked
	case "expired":
		return data.MandateExpired
	}
	if w != "" {
		f.oneOf(at, w, "unknown status of a token")
	}
	return 0
}

// notification reads what became of a pre-debit notice.
func (f *fields) notification(e *event) {
	if !f.need(noteEntity) {
		return
	}
	e.Order, e.Token = f.id(noteOrder, "order"), f.id(noteToken, "token")
	f.needID(noteOrder, e.Order)
	e.DebitAt = f.time(notePaymentAfter)
	if f.need(noteStatus) {
		w := f.word(noteStatus)
		status, err := data.ParseNoticeStatus(w)
		if w != "" && (err != nil || "order.notification."+w != e.Type) {
			f.oneOf(noteStatus, w, "the type of the event says otherwise")
		}
		e.NoticeStatus = status
	}
	if at := f.time(noteDeliveredAt); at > 0 {
		e.OccurredAt = at
		e.happenedBy(at)
	}
}

// downtime reads a version of an outage. One of a flow alone (collect, intent,
// in_app) has the flow in the place of the PSP: it is not the whole rail.
func (f *fields) downtime(e *event) {
	if !f.need(downEntity) {
		return
	}
	e.Downtime = f.id(downID, "down")
	f.needID(downID, e.Downtime)
	f.rail(e, downMethod)
	e.Begin = f.needTime(downBegin)
	if e.End = f.time(downEnd); e.End != 0 && e.End < e.Begin {
		f.fault(downEnd, "", "before begin: an outage ends after it began")
	}
	e.Bank = f.all(downBank, f.bank)
	if e.Bank == "" {
		e.Bank = f.all(downIssuer, f.bank)
	}
	e.Network = network(f.bytes(downNetwork))
	e.PSP = f.all(downPSP, f.word)
	if w := f.all(downHandle, f.word); e.PSP == "" && w != "" {
		e.PSP = "@" + w
	}
	if w := f.all(downFlow, f.word); e.PSP == "" && w != "" {
		e.PSP = "flow:" + w
	}
	if f.need(downSeverity) {
		w := f.word(downSeverity)
		severity, err := data.ParseSeverity(w)
		if err != nil && w != "" {
			f.oneOf(downSeverity, w, "unknown severity: expected high, medium or low")
		}
		e.Severity = severity
	}
	if f.need(downStatus) {
		w := f.word(downStatus)
		status, err := data.ParseDowntimeStatus(w)
		if w != "" && (err != nil || "payment.downtime."+w != e.Type) {
			f.oneOf(downStatus, w, "the type of the event says otherwise")
		}
		e.DowntimeStatus = status
	}
}

// all reads a word where ALL means no restriction.
func (f *fields) all(at slot, read func(slot) string) string {
	if w := read(at); w != "ALL" {
		return w
	}
	return ""
}
