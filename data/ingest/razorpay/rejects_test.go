package razorpay

import (
	"strings"
	"testing"

	"recoup/data/table"
)

// TestRejects: a line that breaks the contract is put aside with its place and
// reason, and without what may be personal; the lines around it go on.
func TestRejects(t *testing.T) {
	good := delivered("e0", 1767300001, paymentOf(9, "payment.captured", "captured", "1767225500"))
	payment := func(more ...string) string { return eventOf("payment.captured", pay("captured", more...)) }
	fail := func(more ...string) string {
		return eventOf("payment.failed", pay("failed", append(failed(`"insufficient_funds"`), more...)...))
	}
	const entity = "payload.payment.entity."
	cases := []struct{ line, path, value, reason string }{
		{`{"a":1,}`, "", "", "not JSON"},
		{`{"event_id":"e1"`, "", "", "ends too early"},
		{`[]`, "", "", "an object is expected"},
		{`{}`, "", "", "a key is expected"},
		{`{"event_id":"e1","received_at":1767300001}`, "event", "", "missing"},
		{`{"event_id":"e1","body":5}`, "body", "", "expected the event"},
		{`{"event_id":"e1","body":"{\"event\":"}`, "event", "", "ends too early"},
		{`{"event_id":"e1","body":` + payment() + `} {}`, "", "", "something stands behind"},
		{`{"event_id":7,"body":` + payment() + `}`, "event_id", "", "expected a text"},
		{`{"event_id":"","body":` + payment() + `}`, "event_id", "", "1 to 256"},
		{`{"event_id":"e1","event_id":"e1","body":` + payment() + `}`, "", "", "twice"},
		{`{"event_id":"e1","received_at":"yesterday","body":` + payment() + `}`, "received_at", "", "RFC 3339"},
		{`{"event_id":"e1","received_at":"2026-01-02T05:30:00","body":` + payment() + `}`, "received_at", "", "offset"},
		{`{"event_id":"e1","received_at":1767300001000,"body":` + payment() + `}`, "received_at", "", "seconds"},
		{`{"event_id":"e1","payload":{},"body":` + payment() + `}`, "", "", "which is the event"},
		{`{"event_id":"e1","body":` + payment() + `,"payload":{}}`, "", "", "which is the event"},
		{"{\"event\":\"payment.captured\xff\"}", "", "", "not UTF-8"},
		{strings.Replace(payment(), `"event":"payment.captured"`, `"event":"Meera Nair"`, 1), "event", "", "expected a type"},
		{strings.Replace(payment(), `"event":"payment.captured"`, `"event":"payment.9820012345"`, 1), "event", "", "small letters, dots and underscores"},
		{strings.Replace(eventOf("payment.downtime.resolved", down("card", `{}`, "resolved")), `"end":null`, `"end":1767225599`, 1), "payload.payment.downtime.entity.end", "", "before begin"},
		{strings.Replace(payment(), `"entity":"event"`, `"entity":"order"`, 1), "entity", "", "expected event"},
		{strings.Replace(payment(), `,"created_at":1767225610`, ``, 1), "created_at", "", "nobody knows when"},
		{strings.Replace(payment(), `"created_at":1767225610`, `"created_at":"1767225610"`, 1), "created_at", "", "expected seconds"},
		{strings.Replace(payment(), `"account_id":"acc_`, `"account_id":"+91`, 1), "account_id", "", "expected an id"},
		{`{"event":"payment.captured","created_at":1767225610}`, "payload", "", "missing"},
		{eventOf("payment.captured", ""), entity[:len(entity)-1], "", "missing"},
		{payment(`"id":`), entity + "id", "", "missing"},
		{payment(`"id":"meera@invented.example"`), entity + "id", "", "expected an id such as pay_"},
		{payment(`"amount":`), entity + "amount", "", "missing"},
		{payment(`"amount":null`), entity + "amount", "", "missing"},
		{payment(`"amount":-1`), entity + "amount", "", "at least 0"},
		{payment(`"amount":100.0`), entity + "amount", "", "whole number"},
		{payment(`"amount":1e3`), entity + "amount", "", "whole number"},
		{payment(`"amount":"100"`), entity + "amount", "", "whole number"},
		{payment(`"amount":9223372036854775808`), entity + "amount", "", "whole number"},
		{payment(`"currency":"QQQ"`), entity + "currency", "", "unknown currency"},
		{payment(`"currency":"JPY"`), entity + "currency", "", "two decimals"},
		{payment(`"currency":"inr"`), entity + "currency", "", "unknown currency"},
		{payment(`"currency":"USD"`), entity + "currency", "USD", "another currency than INR"},
		{payment(`"method":"paylater"`), entity + "method", "paylater", "none of the log's rails"},
		{payment(`"method":"9820012345"`), entity + "method", "", "expected a word"},
		{payment(`"method":null`), entity + "method", "", "missing"},
		{payment(`"method":""`), entity + "method", "", "missing"},
		{payment(`"status":""`), entity + "status", "", "missing"},
		{payment(`"currency":""`), entity + "currency", "", "missing"},
		{eventOf("subscription.pending", sub("")), "payload.subscription.entity.status", "", "missing"},
		{eventOf("order.notification.failed", notice("")), "payload.notification.entity.status", "", "missing"},
		{payment(`"status":"flying"`), entity + "status", "flying", "unknown status"},
		{payment(`"status":"failed"`), entity + "status", "failed", "says otherwise"},
		{eventOf("payment.failed", pay("captured")), entity + "status", "captured", "says otherwise"},
		{eventOf("order.paid", pay("authorized")), entity + "status", "authorized", "says otherwise"},
		{fail(`"error_reason":"bank_had_a_headache"`), entity + "error_reason", "bank_had_a_headache", "unknown reason"},
		{fail(`"error_reason":"Meera"`), entity + "error_reason", "", "unknown reason"},
		{fail(`"error_reason":5`), entity + "error_reason", "", "expected a text"},
		{fail(`"error_source":"meera@invented.example"`), entity + "error_source", "", "expected a word"},
		{payment(`"created_at":`), entity + "created_at", "", "missing"},
		{payment(`"created_at":4102444800`), entity + "created_at", "", "from 2000 to 2099"},
		{payment(`"order_id":"12, Lake View Road"`), entity + "order_id", "", "expected an id such as order_"},
		{strings.Replace(payment(), `"amount":49900`, `"amount":49900,"amount":49901`, 1), "payload.payment.entity", "", "twice"},
		{eventOf("subscription.pending", sub("sleeping")), "payload.subscription.entity.status", "sleeping", "unknown status of a subscription"},
		{eventOf("token.paused", token(`"id":`)), "payload.token.entity.id", "", "missing"},
		{eventOf("token.paused", token(`"max_amount":1.5`)), "payload.token.entity.max_amount", "", "whole number"},
		{eventOf("token.expiry_updated", token(`"recurring_details":`)), "payload.token.entity.status", "", "missing"},
		{eventOf("token.expiry_updated", token(`"recurring_details":{"status":"odd"}`)), "payload.token.entity.recurring_details.status", "odd", "unknown status of a token"},
		{eventOf("order.notification.failed", notice("delivered")), "payload.notification.entity.status", "delivered", "says otherwise"},
		{eventOf("payment.downtime.started", down("upi", `{}`, "resolved")), "payload.payment.downtime.entity.status", "resolved", "says otherwise"},
		{eventOf("payment.downtime.started", strings.Replace(down("upi", `{}`, "started"), "high", "odd", 1)), "payload.payment.downtime.entity.severity", "odd", "unknown severity"},
		{eventOf("payment.downtime.started", strings.Replace(down("upi", `{}`, "started"), "1767225600", "null", 1)), "payload.payment.downtime.entity.begin", "", "missing"},
		{eventOf("payment.dispute.created", pay("captured")), "payload.dispute.entity", "", "missing"},
	}
	lines := []string{good}
	for _, c := range cases {
		lines = append(lines, c.line, good)
	}
	s, bad := ingest(t, t.TempDir(), archive(t, t.TempDir(), "a.jsonl", lines...))
	if len(bad) != len(cases) || s.Duplicates != int64(len(cases)) || s.Events != 2 {
		t.Errorf("%d rejects, %d duplicates, %d events: expected %d, %d and 2", len(bad), s.Duplicates, s.Events, len(cases), len(cases))
	}
	told := map[int]table.Reject{}
	for _, b := range bad {
		told[b.Line] = b
	}
	for i, c := range cases {
		if b, ok := told[2*i+2]; !ok || b.Column != c.path || b.Value != c.value || !strings.Contains(b.Reason, c.reason) {
			t.Errorf("%s\nrejected: %t, %q, %q: %s\nwant %q, %q: %s", c.line, ok, b.Column, b.Value, b.Reason, c.path, c.value, c.reason)
		}
	}
}

// TestAllFaultsAtOnce: Parse does not stop at the first.
func TestAllFaultsAtOnce(t *testing.T) {
	_, faults, err := Parse([]byte(eventOf("payment.failed", pay("failed", `"amount":-1`, `"currency":"QQQ"`, `"error_reason":"odd_one"`))), "e1", receivedAt, testKey)
	if err != nil || len(faults) != 3 {
		t.Errorf("%v %v: expected 3 faults", faults, err)
	}
}
