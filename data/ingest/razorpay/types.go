package razorpay

import "strings"

// handling is what becomes of an event of a type.
type handling uint8

const (
	unknown handling = iota // a type that is not in the documentation we know
	apart                   // known to say nothing that the log has a table for
	paymentFailed
	paymentAuthorized
	paymentCaptured // of payment.captured and the events that carry the captured payment
	linkPaid
	refunded
	disputed
	subscription
	mandateActive
	mandatePaused
	mandateRevoked
	mandateExpired
	mandateUpdated
	notification
	downtime
)

var handlings = map[string]handling{
	"payment.failed": paymentFailed, "payment.authorized": paymentAuthorized, "payment.captured": paymentCaptured,
	"order.paid": paymentCaptured, "invoice.paid": paymentCaptured, "payment_link.paid": linkPaid,
	"refund.processed": refunded,

	"payment.dispute.created": disputed, "payment.dispute.under_review": disputed,
	"payment.dispute.action_required": disputed, "payment.dispute.lost": disputed,

	"subscription.authenticated": subscription, "subscription.activated": subscription, "subscription.charged": subscription,
	"subscription.completed": subscription, "subscription.updated": subscription, "subscription.pending": subscription,
	"subscription.halted": subscription, "subscription.cancelled": subscription, "subscription.paused": subscription,
	"subscription.resumed": subscription,

	"token.confirmed": mandateActive, "token.activated": mandateActive, "token.resumed": mandateActive,
	"token.paused": mandatePaused, "token.suspended": mandatePaused,
	"token.rejected": mandateRevoked, "token.cancelled": mandateRevoked, "token.deactivated": mandateRevoked,
	"token.expired": mandateExpired, "token.expiry_updated": mandateUpdated,

	"order.notification.delivered": notification, "order.notification.failed": notification,

	"payment.downtime.started": downtime, "payment.downtime.updated": downtime, "payment.downtime.resolved": downtime,
	"payment.downtime.scheduled": downtime, "payment.downtime.cancelled": downtime,

	// A part of an invoice or link is paid by a payment that has its own events.
	"invoice.partially_paid": apart, "payment_link.partially_paid": apart,
	"invoice.expired": apart, "payment_link.cancelled": apart, "payment_link.expired": apart,
	"refund.created": apart, "refund.failed": apart, "refund.speed_changed": apart, // no money has moved yet, or it did not
	"payment.dispute.won": apart, "payment.dispute.closed": apart, // the log has no word for a dispute's end
	"token.initiated": apart, "token.cancellation_initiated": apart, // its end has an event of its own
	"token.service_provider.activated": apart, "token.service_provider.cancelled": apart,
	"token.service_provider.deactivated": apart, "token.service_provider_token.activated": apart,
}

// otherFamilies are documented types that are not about debits.
var otherFamilies = []string{"account.", "product.", "payout.", "payout_link.", "fund_account.", "virtual_account.", "qr_code.",
	"settlement.", "transaction.", "transfer."}

// handlingOf is what becomes of events of a type.
func handlingOf(name string) handling {
	if h, ok := handlings[name]; ok {
		return h
	}
	for _, family := range otherFamilies {
		if strings.HasPrefix(name, family) {
			return apart
		}
	}
	return unknown
}
