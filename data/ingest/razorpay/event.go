package razorpay

import (
	"crypto/sha256"

	"recoup/data"
)

// event is what an event says about debits, in the words of the log; "" and 0
// where it says nothing. What other events decide (case, number and lateness of
// an attempt) is not in it.
type event struct {
	Type       string
	Hash       string // of the event's id, 16 bytes: what its rows are named by
	OccurredAt data.Micros
	KnownAt    data.Micros
	Assumed    bool   // KnownAt is not from the archive
	Undated    bool   // OccurredAt is KnownAt
	Body       uint32 // a checksum: tells two events of one id apart

	Merchant, Customer                           string
	Payment, Order, Invoice, Subscription, Token string

	Seen                          seen // the payment, where it is an attempt
	PresentedAt                   data.Micros
	Rail                          data.Rail // of the payment or the token
	Initiator                     data.Initiator
	Amount                        data.Paise
	Currency, Card, Bank, Network string
	ErrorCode, Source, Step       string
	Reason                        data.Reason
	PaidOnce                      bool   // a captured payment that is no attempt
	Reference                     string // the case that a paid link was sent for
	Dispute                       string
	SubscriptionStatus            data.SubscriptionStatus
	CycleStart, CycleEnd          data.Micros
	MandateStatus                 data.MandateStatus
	MaxAmount                     data.Paise
	CreatedAt, ValidUntil         data.Micros
	NoticeStatus                  data.NoticeStatus
	DebitAt                       data.Micros
	Downtime, PSP                 string
	Severity                      data.Severity
	DowntimeStatus                data.DowntimeStatus
	Begin, End                    data.Micros
	Aside                         aside
	Kept                          string // an event without rows: its line in the file of kept events
}

// seen is what an event saw of a payment.
type seen uint8

const (
	seenPending seen = iota + 1
	seenFailed
	seenCaptured
	seenRefunded
)

// aside is why a payment is no attempt.
type aside uint8

const (
	asideRegistration aside = iota + 1
	asidePaidOnce
	asidePartRefund
	asides
)

func (a aside) String() string {
	return [...]string{"", "mandate registrations", "one-time UPI payments", "refunds of a part"}[a]
}

// ownCase is the case of the payment as far as this event tells: the invoice,
// else the order, else the cycle of the subscription, else the payment.
func (e *event) ownCase() string {
	if e.Invoice != "" {
		return e.Invoice
	}
	return e.orderCase()
}

// orderCase is ownCase without a look at the invoice.
func (e *event) orderCase() string {
	switch {
	case e.Order != "":
		return e.Order
	case e.Subscription != "" && e.CycleStart > 0:
		return cycleCase(e.Subscription, e.CycleStart)
	}
	return e.Payment
}

// hashOf names an event by its id.
func hashOf(id []byte) string {
	sum := sha256.Sum256(id)
	return string(sum[:16])
}
