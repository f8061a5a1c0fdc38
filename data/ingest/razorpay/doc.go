// Package razorpay turns webhooks of Razorpay into events of the log: archives
// of them by Run, one body by Parse.
//
// An archive is JSONL, one delivery a line: {"event_id", "received_at", "body"},
// where body is the event as an object or as a text of JSON, event_id the
// provider's (header x-razorpay-event-id) and received_at RFC 3339 or seconds
// since 1970; other keys beside them are not looked at. A line may also be the
// bare event: its id is then the SHA-256 of its bytes, and known_at its
// created_at, which the manifest tells as an assumption. A file named *.json may
// be one delivery or a list of them over several lines.
//
// # What becomes of an event
//
//	payment.failed, .authorized, .captured;      attempts. A payment is an attempt; its case is the
//	order.paid, invoice.paid,                     invoice, else the order, else subscription@cycle start,
//	payment_link.paid,                            else the payment itself
//	subscription.* with a payment
//	refund.processed                              attempts, refunded: once the whole amount went back
//	subscription.*                                subscriptions
//	payment_link.paid with a case as reference_id case_events, paid_elsewhere: of the case that the link was sent for
//	payment.dispute.created, .under_review,       case_events, disputed: once a dispute; .won and .closed end
//	  .action_required, .lost                     nothing and are kept apart
//	token.confirmed, .activated, .resumed         mandates, active
//	token.paused, .suspended                      mandates, paused
//	token.rejected, .cancelled, .deactivated      mandates, revoked: no debit will go through
//	token.expired                                 mandates, expired
//	token.expiry_updated                          mandates, with the token's own status and its new end
//	order.notification.delivered, .failed         notices, pre_debit
//	payment.downtime.*                            downtimes
//	all other types                               none: counted, and named in D/webhooks-kept.jsonl
//
// Three kinds of payment are no attempts and are counted apart. Amount 0, or the
// reason upi_dummy_payment under BAD_REQUEST_ERROR, registers a mandate. UPI
// without a token or a subscription is a payment that the customer made once,
// not an AutoPay debit; when it is captured it is a case_event paid_elsewhere of
// its invoice or order, so that a case paid this way is not debited again. A
// refund of a part leaves its attempt captured.
//
// The initiator is the provider where the payload has a subscription, or the
// payment says to be one's; the customer where the payment came by a payment
// link, or has neither a token nor a subscription; else unknown.
//
// # Order, lateness and repetition
//
// The provider delivers at least once and in any order. An event counts once by
// its id (the earliest delivery); what is written does not depend on the order
// of the lines or their files. The status of an attempt follows the order of the
// log, by known_at: a success after a known failure is authorized_late; an
// authorisation is pending, no money yet, and stays away after any other row of
// its attempt. Where a payment was presented before its event, a pending row
// with the time of presentation goes first. attempt_no counts the attempts of a
// case by presentation; what the log has keeps its case and number, and later
// runs count on from there.
//
// An order whose invoice an event of the run names is in the invoice's case; what
// only a later run learns moves nothing. A row's fields are from its own event
// alone, so that no row tells what was known later.
//
// The currency is the log's, else that of most payments; another one is a reject.
// All amounts are in the hundredth of it.
//
// # Kept events
//
// Bodies of events without a table are not kept, as they may hold anything. The
// file has a line for each, by time: its id, type, time, the SHA-256 of its body
// and the ids of its entities, so that a later version finds it in the archive.
//
// # Personal details
//
// Nothing personal is read but contact, e-mail and VPA, and those only where an
// event names no customer: then a keyed hash of the first that is usable stands
// for him. Ids and words are held to their alphabet, so that a text of another
// kind in their place is a reject. Rejects show a value only where a word of a
// vocabulary is expected.
package razorpay
