package razorpay

import (
	"strings"

	"recoup/data"
)

// payment reads the payment of an event that saw this of it.
func (f *fields) payment(e *event, saw seen, who *identity) {
	if !f.need(payEntity) {
		return
	}
	f.paymentIDs(e)
	f.needID(payID, e.Payment)
	f.paymentStatus(&saw)
	e.Amount = data.Paise(f.paise(payAmount))
	e.Currency = f.currency(payCurrency)
	e.PresentedAt = f.needTime(payCreatedAt)
	e.happenedBy(e.PresentedAt)
	e.Customer = who.ofPayment(f)
	recurring := e.Token != "" || f.ofSubscription(e)
	f.rail(e, payMethod)
	if saw == seenFailed {
		f.failure(e)
	}
	f.initiator(e)
	switch {
	case len(f.faults) > 0:
	case e.Amount == 0 || e.Reason == dummyPayment && e.ErrorCode == "BAD_REQUEST_ERROR":
		e.Aside = asideRegistration
	case e.Rail == data.UPIAutopay && !recurring:
		e.Aside, e.PaidOnce = asidePaidOnce, saw == seenCaptured
	case saw == seenRefunded && !f.wholeRefund(e):
		e.Aside = asidePartRefund
	default:
		e.Seen = saw
	}
}

// dummyPayment is no failure: it marks the registration of a mandate.
var dummyPayment = data.MustReason("upi_dummy_payment")

func (f *fields) needID(at slot, id string) {
	if id == "" && !f.faulty(at) {
		f.fault(at, "", "missing")
	}
}

func (f *fields) faulty(at slot) bool {
	for i := range f.faults {
		if f.faults[i].Path == paths[at] {
			return true
		}
	}
	return false
}

// paymentIDs reads what a payment belongs to.
func (f *fields) paymentIDs(e *event) {
	e.Payment, e.Order, e.Invoice = f.id(payID, "pay"), f.id(payOrder, "order"), f.id(payInvoice, "inv")
	e.Token, e.Card = f.id(payToken, "token"), f.id(payCardID, "card")
	for _, at := range []slot{paySubscription, invoiceSubscription} {
		if e.Subscription == "" {
			e.Subscription = f.id(at, "sub")
		}
	}
}

// paymentStatus holds the status against what the type says happened; the
// status is a snapshot and may have gone on. Events of a subscription take it
// from there.
func (f *fields) paymentStatus(saw *seen) {
	if !f.need(payStatus) {
		return
	}
	var is seen
	w := f.word(payStatus)
	switch w {
	case "":
		return
	case "created", "authorized":
		is = seenPending
	case "failed":
		is = seenFailed
	case "captured":
		is = seenCaptured
	case "refunded":
		is = seenRefunded
	default:
		f.oneOf(payStatus, w, "unknown status: expected created, authorized, captured, refunded or failed")
		return
	}
	switch {
	case *saw == 0:
		if *saw = is; is == seenRefunded {
			*saw = seenCaptured // it was, before
		}
	case *saw == seenFailed && is != seenFailed, *saw != seenFailed && is == seenFailed,
		*saw == seenCaptured && is == seenPending:
		f.oneOf(payStatus, w, "the type of the event says otherwise")
	}
}

// wholeRefund reports whether the whole amount went back.
func (f *fields) wholeRefund(e *event) bool {
	if string(f.bytes(payRefundStatus)) == "full" {
		return true
	}
	n, ok := f.whole(payRefunded)
	return ok && data.Paise(n) >= e.Amount
}

// ofSubscription reports whether the payment says to be a subscription's.
func (f *fields) ofSubscription(e *event) bool {
	return e.Subscription != "" || string(f.bytes(payDescription)) == "Recurring Payment via Subscription"
}

// initiator says who presented the payment, where that is plain.
func (f *fields) initiator(e *event) {
	switch {
	case e.Type == "payment_link.paid", e.Type == "subscription.authenticated":
		e.Initiator = data.ByCustomer
	case f.ofSubscription(e):
		e.Initiator = data.ByProvider
	case e.Token == "" && e.Rail != data.EMandate:
		e.Initiator = data.ByCustomer
	}
}

// rail reads the method, and for payments what is behind it.
func (f *fields) rail(e *event, at slot) {
	if !f.need(at) {
		return
	}
	w := f.word(at)
	switch w {
	case "":
	case "upi":
		e.Rail = data.UPIAutopay
	case "card":
		e.Rail, e.Network = data.Card, network(f.bytes(payCardNetwork))
		e.Bank = f.bank(payCardIssuer)
	case "emandate", "nach":
		e.Rail = data.EMandate
	case "netbanking":
		e.Rail = data.Netbanking
	case "wallet":
		e.Rail = data.Wallet
	default:
		f.oneOf(at, w, "a method that is none of the log's rails: expected upi, card, emandate, nach, netbanking or wallet")
	}
	if e.Bank == "" {
		e.Bank = f.bank(payBank)
	}
}

// failure reads why a payment failed. A failure without a reason has the reason
// not_reported; an unknown one is a fault.
func (f *fields) failure(e *event) {
	e.ErrorCode = f.word(payErrorCode)
	e.Source, e.Step = f.word(payErrorSource), f.word(payErrorStep)
	w := f.word(payErrorReason)
	if w == "" {
		e.Reason = data.NotReported
		return
	}
	reason, err := data.ParseReason(w)
	if err != nil {
		f.oneOf(payErrorReason, w, "unknown reason: not among those of the reasons table")
	}
	e.Reason = reason
}

// bank reads the provider's code of a bank, e.g. HDFC or PUNB_R.
func (f *fields) bank(at slot) string {
	b := f.bytes(at)
	if len(b) == 0 {
		return ""
	}
	if w := string(b); isWord(w) && len(w) <= 16 {
		return w
	}
	f.fault(at, "", "expected the code of a bank, such as HDFC")
	return ""
}

// network is the log's word for a card network; "" for one that is not told.
func network(b []byte) string {
	switch w := strings.ToLower(string(b)); w {
	case "", "unknown", "all":
		return ""
	case "mc", "mastercard":
		return "mastercard"
	case "american express":
		return "amex"
	case "dicl", "diners club":
		return "diners"
	default:
		if w = strings.ReplaceAll(w, " ", "_"); isWord(w) && len(w) <= 20 {
			return w
		}
		return "other"
	}
}
