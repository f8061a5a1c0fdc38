package razorpay

// node is a key that is looked at: its value goes to a slot, its members to
// children.
type node struct {
	name     string
	slot     slot
	children []*node
	any      *node // for keys that no child has
}

func (n *node) child(key []byte) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if len(c.name) == len(key) && c.name == string(key) {
			return c
		}
	}
	return n.any
}

// slot is the place of a wanted value.
type slot uint8

// The wanted values of a delivery and of every entity in an event's payload.
const (
	unwanted slot = iota

	lineEventID
	lineReceivedAt

	eventEntity
	eventType
	eventAccount
	eventCreatedAt
	payloadCreatedAt // where some samples have it
	payload
	anyID

	payID
	payAmount
	payCurrency
	payStatus
	payOrder
	payInvoice
	paySubscription
	payMethod
	payRefunded
	payRefundStatus
	payDescription
	payCardID
	payCardNetwork
	payCardIssuer
	payBank
	payVPA
	payEmail
	payContact
	payCustomer
	payToken
	payErrorCode
	payErrorSource
	payErrorStep
	payErrorReason
	payCreatedAt
	payEntity

	subID
	subCustomer
	subStatus
	subStart
	subEnd
	subEntity

	invoiceID
	invoiceSubscription

	tokenID
	tokenCustomer
	tokenOwner
	tokenOwnerEmail
	tokenOwnerContact
	tokenMethod
	tokenStatus
	tokenRecurringStatus
	tokenMax
	tokenExpiredAt
	tokenCreatedAt
	tokenVPAUser
	tokenVPAHandle
	tokenEntity

	linkID
	linkReference
	linkUpdatedAt
	linkEntity

	disputeID
	disputeEntity

	refundID
	refundEntity

	noteOrder
	noteToken
	noteStatus
	noteDeliveredAt
	notePaymentAfter
	noteEntity

	downID
	downMethod
	downBegin
	downEnd
	downStatus
	downSeverity
	downBank
	downIssuer
	downNetwork
	downPSP
	downHandle
	downFlow
	downEntity

	slots
)

func leaf(name string, s slot) *node { return &node{name: name, slot: s} }

func inner(name string, children ...*node) *node { return &node{name: name, children: children} }

// part is an entity in a payload; s tells that it is there.
func part(name string, s slot, fields ...*node) *node {
	return inner(name, &node{name: "entity", slot: s, children: fields})
}

// anyPart is any entity that is looked at for its id alone.
var anyPart = inner("*", inner("entity", leaf("id", anyID)))

// eventTree is what is looked at of an event.
var eventTree = func() *node {
	return &node{children: []*node{
		leaf("event", eventType), leaf("entity", eventEntity), leaf("account_id", eventAccount), leaf("created_at", eventCreatedAt),
		{name: "payload", slot: payload, any: anyPart, children: []*node{
			leaf("created_at", payloadCreatedAt),
			part("payment", payEntity, leaf("id", payID), leaf("amount", payAmount), leaf("currency", payCurrency),
				leaf("status", payStatus), leaf("order_id", payOrder), leaf("invoice_id", payInvoice),
				leaf("subscription_id", paySubscription), leaf("method", payMethod), leaf("amount_refunded", payRefunded),
				leaf("refund_status", payRefundStatus), leaf("description", payDescription), leaf("card_id", payCardID),
				inner("card", leaf("network", payCardNetwork), leaf("issuer", payCardIssuer)),
				leaf("bank", payBank), leaf("vpa", payVPA), leaf("email", payEmail),
				leaf("contact", payContact), leaf("customer_id", payCustomer), leaf("token_id", payToken),
				leaf("error_code", payErrorCode), leaf("error_source", payErrorSource), leaf("error_step", payErrorStep),
				leaf("error_reason", payErrorReason), leaf("created_at", payCreatedAt)),
			part("subscription", subEntity, leaf("id", subID), leaf("customer_id", subCustomer), leaf("status", subStatus),
				leaf("current_start", subStart), leaf("current_end", subEnd)),
			part("invoice", unwanted, leaf("id", invoiceID), leaf("subscription_id", invoiceSubscription)),
			part("token", tokenEntity, leaf("id", tokenID), leaf("customer_id", tokenCustomer),
				inner("customer", leaf("id", tokenOwner), leaf("email", tokenOwnerEmail), leaf("contact", tokenOwnerContact)),
				leaf("method", tokenMethod), leaf("status", tokenStatus),
				inner("recurring_details", leaf("status", tokenRecurringStatus)), leaf("max_amount", tokenMax),
				leaf("expired_at", tokenExpiredAt), leaf("created_at", tokenCreatedAt),
				inner("vpa", leaf("username", tokenVPAUser), leaf("handle", tokenVPAHandle))),
			part("payment_link", linkEntity, leaf("id", linkID), leaf("reference_id", linkReference),
				leaf("updated_at", linkUpdatedAt)),
			part("dispute", disputeEntity, leaf("id", disputeID)),
			part("refund", refundEntity, leaf("id", refundID)),
			part("notification", noteEntity, leaf("order_id", noteOrder), leaf("token_id", noteToken),
				leaf("status", noteStatus), leaf("delivered_at", noteDeliveredAt), leaf("payment_after", notePaymentAfter)),
			part("payment.downtime", downEntity, leaf("id", downID), leaf("method", downMethod), leaf("begin", downBegin),
				leaf("end", downEnd), leaf("status", downStatus), leaf("severity", downSeverity),
				inner("instrument", leaf("bank", downBank), leaf("issuer", downIssuer), leaf("network", downNetwork),
					leaf("psp", downPSP), leaf("vpa_handle", downHandle), leaf("flow", downFlow))),
		}},
	}}
}()

// paths names the slots of an event for faults, e.g. payload.payment.entity.amount.
var paths = func() (out [slots]string) {
	var walk func(n *node, path string)
	walk = func(n *node, path string) {
		if path = join(path, n.name); n.slot != unwanted {
			out[n.slot] = path
		}
		for _, c := range n.children {
			walk(c, path)
		}
	}
	for _, c := range eventTree.children {
		walk(c, "")
	}
	return out
}()
