package razorpay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

var testKey = []byte("0123456789abcdef")

const receivedAt = 1_767_300_000 * data.Second

// event makes a body around a payload.
func eventOf(name, payload string) string {
	return fmt.Sprintf(`{"entity":"event","account_id":"acc_00000000000001","event":%q,"contains":[],"payload":{%s},"created_at":1767225610}`, name, payload)
}

// pay makes a payment; more replaces its fields or adds some.
func pay(status string, more ...string) string {
	fields := []string{`"id":"pay_00000000000001"`, `"entity":"payment"`, `"amount":49900`, `"currency":"INR"`, fmt.Sprintf(`"status":%q`, status),
		`"order_id":"order_00000000000001"`, `"invoice_id":null`, `"method":"card"`, `"card_id":"card_00000000000001"`,
		`"card":{"id":"card_00000000000001","network":"MasterCard","issuer":"HDFC","last4":"0153","name":"Meera Nair"}`,
		`"bank":null`, `"wallet":null`, `"vpa":null`, `"email":"meera@invented.example"`, `"contact":"+919820012345"`,
		`"customer_id":"cust_00000000000001"`, `"token_id":"token_00000000000001"`, `"error_code":null`, `"error_source":null`, `"error_step":null`,
		`"error_reason":null`, `"created_at":1767225600`}
	return `"payment":{"entity":{` + strings.Join(replace(fields, more), ",") + `}}`
}

func replace(fields, more []string) []string {
	for _, m := range more {
		key, value, _ := strings.Cut(m, ":")
		found := false
		for i := 0; i < len(fields); i++ {
			if strings.HasPrefix(fields[i], key+":") {
				found = true
				if value == "" { // taken out
					fields = append(fields[:i:i], fields[i+1:]...)
				} else {
					fields[i] = m
				}
				break
			}
		}
		if !found && value != "" {
			fields = append(fields, m)
		}
	}
	return fields
}

func sub(status string) string {
	return fmt.Sprintf(`"subscription":{"entity":{"id":"sub_00000000000001","customer_id":"cust_00000000000001","status":%q,"current_start":1767225600,"current_end":1769904000}}`, status)
}

func token(more ...string) string {
	fields := []string{`"id":"token_00000000000001"`, `"method":"upi"`, `"vpa":{"username":"meera","handle":"okinvented","name":"Meera Nair"}`,
		`"recurring_details":{"status":"confirmed","failure_reason":null}`, `"max_amount":500000`, `"expired_at":1913956837`, `"created_at":1767225000`}
	return `"token":{"entity":{` + strings.Join(replace(fields, more), ",") + `}}`
}

func down(method, instrument, status string) string {
	return fmt.Sprintf(`"payment.downtime":{"entity":{"id":"down_00000000000001","method":%q,"begin":1767225600,"end":null,"status":%q,"scheduled":false,"severity":"high","instrument":%s}}`, method, status, instrument)
}

func notice(status string) string {
	return fmt.Sprintf(`"notification":{"entity":{"id":"notification_00000000000001","order_id":"order_00000000000001","token_id":"token_00000000000001","delivered_at":null,"status":%q,"payment_after":1767312000}}`, status)
}

const dispute = `"dispute":{"entity":{"id":"disp_00000000000001","payment_id":"pay_00000000000001"}}`

func link(ref string) string {
	return fmt.Sprintf(`"payment_link":{"entity":{"id":"plink_00000000000001","reference_id":%q,"updated_at":1767225700}}`, ref)
}

// failed are the fields of a failed payment.
func failed(reason string) []string {
	return []string{`"error_code":"BAD_REQUEST_ERROR"`, `"error_source":"issuer_bank"`, `"error_step":"payment_authorization"`, `"error_reason":` + reason}
}

// bodies are one event of every kind, by a name; the golden file says what
// becomes of it.
func bodies() [][2]string {
	f := func(reason string, more ...string) string { return pay("failed", append(failed(reason), more...)...) }
	upi := []string{`"method":"upi"`, `"card":`, `"card_id":`, `"vpa":"meera@okinvented"`}
	once := append([]string{`"token_id":null`}, upi...)
	return [][2]string{
		{"a failure", eventOf("payment.failed", f(`"insufficient_funds"`))},
		{"a failure without a reason", eventOf("payment.failed", pay("failed", `"error_code":""`, `"captured":true`))},
		{"a reason with a stray space", eventOf("payment.failed", f(`"psp_app_ not_available"`))},
		{"a registration that looks like a failure", eventOf("payment.failed", f(`"upi_dummy_payment"`))},
		{"that reason under another code is a failure", eventOf("payment.failed", f(`"upi_dummy_payment"`, `"error_code":"GATEWAY_ERROR"`))},
		{"an authorisation", eventOf("payment.authorized", pay("authorized"))},
		{"a registration of nothing", eventOf("payment.authorized", pay("authorized", `"amount":0`, `"method":"nach"`, `"bank":"HDFC"`))},
		{"a capture", eventOf("payment.captured", pay("captured"))},
		{"presented in the second of the event", eventOf("payment.captured", pay("captured", `"created_at":1767225610`))},
		{"presented after the event's time", eventOf("payment.captured", pay("captured", `"created_at":1767225620`))},
		{"a capture by UPI with a token", eventOf("payment.captured", pay("captured", upi...))},
		{"a capture by UPI of a customer", eventOf("payment.captured", pay("captured", once...))},
		{"a failure by UPI of a customer", eventOf("payment.failed", pay("failed", append(failed(`"payment_failed"`), once...)...))},
		{"a capture by eNACH", eventOf("payment.captured", pay("captured", `"method":"emandate"`, `"bank":"PUNB_R"`, `"token_id":null`))},
		{"a capture by netbanking", eventOf("payment.captured", pay("captured", `"method":"netbanking"`, `"bank":"HDFC"`, `"token_id":null`))},
		{"a capture by wallet, of nobody", eventOf("payment.captured", pay("captured", `"method":"wallet"`, `"token_id":null`, `"customer_id":null`, `"contact":null`, `"email":null`))},
		{"a subscription's own words", eventOf("payment.failed", f(`"insufficient_funds"`, `"token_id":null`, `"description":"Recurring Payment via Subscription"`))},
		{"a contact stands for the customer", eventOf("payment.captured", pay("captured", `"customer_id":null`))},
		{"the same contact, written otherwise", eventOf("payment.captured", pay("captured", `"customer_id":null`, `"contact":"098200 12345"`))},
		{"an e-mail where the contact is masked", eventOf("payment.captured", pay("captured", `"customer_id":null`, `"contact":"CONTACT_MASKED"`))},
		{"neither", eventOf("payment.captured", pay("captured", `"customer_id":null`, `"contact":"98***12345"`, `"email":"void@razorpay.com"`))},
		{"an order", eventOf("order.paid", pay("captured")+`,"order":{"entity":{"id":"order_00000000000001"}}`)},
		{"an invoice", eventOf("invoice.paid", pay("captured", `"invoice_id":"inv_00000000000001"`)+`,"invoice":{"entity":{"id":"inv_00000000000001","subscription_id":"sub_00000000000001"}}`)},
		{"a link", eventOf("payment_link.paid", pay("captured")+","+link("anything"))},
		{"a link sent for a case", eventOf("payment_link.paid", pay("captured")+","+link("inv_00000000000009"))},
		{"a link sent for a cycle, paid by UPI", eventOf("payment_link.paid", pay("captured", once...)+","+link("sub_00000000000001@1767225600"))},
		{"a link of its own order", eventOf("payment_link.paid", pay("captured")+","+link("order_00000000000001"))},
		{"a refund", eventOf("refund.processed", pay("refunded", `"refund_status":"full"`, `"amount_refunded":49900`))},
		{"a refund of a part", eventOf("refund.processed", pay("captured", `"refund_status":"partial"`, `"amount_refunded":100`))},
		{"a refund that has not moved", eventOf("refund.created", pay("captured"))},
		{"a charge", eventOf("subscription.charged", sub("active")+","+pay("captured", `"captured":"1"`, `"token_id":null`))},
		{"a charge of no order", eventOf("subscription.charged", sub("active")+","+pay("captured", `"order_id":null`, `"customer_id":null`))},
		{"a first charge by the customer", eventOf("subscription.authenticated", sub("authenticated")+","+pay("captured"))},
		{"a charge that failed", eventOf("subscription.pending", sub("pending"))},
		{"a subscription halted", eventOf("subscription.halted", sub("halted"))},
		{"a dispute", eventOf("payment.dispute.created", pay("captured")+","+dispute)},
		{"a dispute of no order", eventOf("payment.dispute.lost", pay("captured", `"order_id":null`)+","+dispute)},
		{"a dispute won", eventOf("payment.dispute.won", pay("captured")+","+dispute)},
		{"a token confirmed", eventOf("token.confirmed", token())},
		{"a token rejected", eventOf("token.rejected", token(`"method":"nach"`, `"vpa":`, `"customer":{"id":"cust_00000000000001","contact":"CONTACT_MASKED"}`))},
		{"a token paused", eventOf("token.paused", token(`"max_amount":null`, `"expired_at":0`))},
		{"a token resumed", eventOf("token.resumed", token())},
		{"a token suspended", eventOf("token.suspended", token(`"method":"card"`, `"vpa":`))},
		{"a token's new end", eventOf("token.expiry_updated", token(`"recurring_details":`, `"status":"suspended"`, `"customer_id":"cust_00000000000001"`))},
		{"a token expired", eventOf("token.expired", token())},
		{"a token only begun", eventOf("token.initiated", token())},
		{"a notice", eventOf("order.notification.delivered", notice("delivered"))},
		{"a notice that failed, its time inside", strings.Replace(eventOf("order.notification.failed", notice("failed")+`,"created_at":1767225610`), `},"created_at":1767225610}`, `}}`, 1)},
		{"a bank is down", eventOf("payment.downtime.started", down("netbanking", `{"bank":"VIJB"}`, "started"))},
		{"an issuer is down", eventOf("payment.downtime.updated", down("card", `{"issuer":"SBIN","type":"credit"}`, "updated"))},
		{"a network is down", eventOf("payment.downtime.resolved", down("card", `{"network":"MC","issuer":"ALL"}`, "resolved"))},
		{"an app is down", eventOf("payment.downtime.started", down("upi", `{"psp":"bhim","flow":"collect"}`, "started"))},
		{"a handle is down", eventOf("payment.downtime.started", down("upi", `{"vpa_handle":"oksbi","flow":"collect"}`, "started"))},
		{"a flow is down", eventOf("payment.downtime.scheduled", down("upi", `{"flow":"in_app"}`, "scheduled"))},
		{"another family", eventOf("payout.pending", `"payout":{"entity":{"id":"pout_00000000000001","fund_account":{"contact":{"name":"Meera Nair"}}}}`)},
		{"an unheard-of type", eventOf("moon.risen", `"moon":{"entity":{"id":"moon_00000000000001"}}`)},
	}
}

// TestEveryEvent holds what becomes of every kind of event against the golden
// file; UPDATE_GOLDEN=1 writes it.
func TestEveryEvent(t *testing.T) {
	var out strings.Builder
	for _, b := range bodies() {
		p, faults, err := Parse([]byte(b[1]), "evt00000000000001", receivedAt, testKey)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "# %s: %s\n", b[0], p.Type)
		for _, f := range faults {
			fmt.Fprintf(&out, "fault %s\n", f)
		}
		p.Rows.print(&out)
		checkValid(t, b[0], &p.Rows)
	}
	path := filepath.Join("testdata", "events.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s line %d differs:\ngot  %q\nwant %q", path, i+1, at(gotLines, i), at(wantLines, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// print writes the columns that are set, a line a row.
func (r *Rows) print(w *strings.Builder) {
	for _, a := range r.Attempts {
		fmt.Fprintf(w, "attempts %s case=%s id=%s by=%s customer=%s sub=%s mandate=%s card=%s %s bank=%s network=%s %d %s %s %s %s %s\n", clock(a.Event),
			a.CaseID, a.AttemptID, a.Initiator, a.CustomerID, a.SubscriptionID, a.MandateID, a.InstrumentID, a.Rail, a.Bank, a.Network,
			a.Amount, a.Status, a.ErrorCode, a.Source, a.Step, a.Reason)
	}
	for _, c := range r.CaseEvents {
		fmt.Fprintf(w, "case_events %s case=%s %s\n", clock(c.Event), c.CaseID, c.Kind)
	}
	for _, s := range r.Subscriptions {
		fmt.Fprintf(w, "subscriptions %s %s customer=%s %s %d-%d\n", clock(s.Event), s.SubscriptionID, s.CustomerID, s.Status, s.CycleStart/data.Second, s.CycleEnd/data.Second)
	}
	for _, m := range r.Mandates {
		fmt.Fprintf(w, "mandates %s %s customer=%s %s %s created=%d max=%d until=%d\n", clock(m.Event), m.MandateID, m.CustomerID, m.Rail, m.Status,
			m.CreatedAt/data.Second, m.MaxAmount, m.ValidUntil/data.Second)
	}
	for _, n := range r.Notices {
		fmt.Fprintf(w, "notices %s case=%s mandate=%s %s %s debit=%d\n", clock(n.Event), n.CaseID, n.MandateID, n.Kind, n.Status, n.DebitAt/data.Second)
	}
	for _, d := range r.Downtimes {
		fmt.Fprintf(w, "downtimes %s %s %s bank=%s network=%s psp=%s %s %s begin=%d end=%d\n", clock(d.Event), d.DowntimeID, d.Rail, d.Bank, d.Network, d.PSP,
			d.Severity, d.Status, d.Begin/data.Second, d.End/data.Second)
	}
}

func clock(e data.Event) string {
	return fmt.Sprintf("%s at=%d known=%d", e.EventID[:12], e.OccurredAt/data.Second, e.KnownAt/data.Second)
}
