package razorpay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// generated is a world of invented subscriptions, whose charges fail and are
// presented again, with all the details that no log may have.
type generated struct {
	r     *rand.Rand
	n     int // events so far
	clock int64
	queue [][]byte
}

func newGenerated(seed uint64) *generated {
	return &generated{r: rand.New(rand.NewPCG(seed, 1)), clock: 1_767_225_600}
}

// Personal details as the generated events have them.
var personal = []string{"meera.nair", "invented.example", "98200", "Meera Nair", "Lake View Road", "4711-secret", "okinvented.vpa"}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func (g *generated) id(prefix string) string {
	b := append([]byte(prefix), '_')
	for range 14 {
		b = append(b, letters[g.r.IntN(len(letters))])
	}
	return string(b)
}

// line is the next delivery.
func (g *generated) line() []byte {
	for len(g.queue) == 0 {
		g.charge()
	}
	l := g.queue[0]
	g.queue = g.queue[1:]
	return l
}

// lines are the next n.
func (g *generated) lines(n int) [][]byte {
	var out [][]byte
	for range n {
		out = append(out, g.line())
	}
	return out
}

// charged is one charge of a subscription.
type charged struct {
	sub, customer, order, invoice, token string
	amount                               int
	upi                                  bool
	start                                int64
}

var failures = []string{"insufficient_funds", "payment_timed_out", "gateway_technical_error", "payment_failed", "debit_declined"}

// charge is a charge and what comes of it.
func (g *generated) charge() {
	g.clock += int64(g.r.IntN(40))
	c := charged{g.id("sub"), g.id("cust"), g.id("order"), g.id("inv"), g.id("token"), 9900 + 100*g.r.IntN(5000), g.r.IntN(2) == 0, g.clock}
	at := g.clock
	g.deliver(at, "order.notification.delivered", fmt.Sprintf(`"notification":{"entity":{"id":%q,"entity":"notification","order_id":%q,"token_id":%q,"delivered_at":%d,"status":"delivered","payment_after":%d}}`,
		g.id("notification"), c.order, c.token, at, at+86400))
	at += 86400
	for try := 0; try < 4; try++ {
		pay := g.id("pay")
		if g.r.IntN(3) > 0 {
			g.deliver(at+5, "payment.authorized", g.payment(c, pay, "authorized", at, ""))
			g.deliver(at+9, "payment.captured", g.payment(c, pay, "captured", at, ""))
			g.deliver(at+10, "subscription.charged", g.subscription(c, "active")+","+g.payment(c, pay, "captured", at, ""))
			return
		}
		g.deliver(at+30, "payment.failed", g.payment(c, pay, "failed", at, failures[g.r.IntN(len(failures))]))
		g.deliver(at+31, "subscription.pending", g.subscription(c, "pending"))
		if g.r.IntN(50) == 0 {
			g.deliver(at+90000, "payment.captured", g.payment(c, pay, "captured", at, ""))
			return
		}
		at += 86400
	}
	g.deliver(at, "subscription.halted", g.subscription(c, "halted"))
}

func (g *generated) deliver(at int64, name, payload string) {
	g.n++
	b := fmt.Appendf(nil, `{"event_id":"evt%011d","received_at":%d.%06d,"body":{"entity":"event","account_id":"acc_00000000000001","event":%q,"contains":["payment"],"payload":{%s},"created_at":%d}}`,
		g.n, at+2, g.n%1_000_000, name, payload, at)
	g.queue = append(g.queue, b)
}

func (g *generated) subscription(c charged, status string) string {
	return fmt.Sprintf(`"subscription":{"entity":{"id":%q,"entity":"subscription","plan_id":"plan_00000000000001","customer_id":%q,"status":%q,"type":2,"current_start":%d,"current_end":%d,"ended_at":null,"quantity":1,"notes":{"for":"Meera Nair"},"charge_at":%d,"start_at":%d,"end_at":%d,"auth_attempts":1,"total_count":12,"paid_count":1,"customer_notify":true,"created_at":%d,"expire_by":null,"short_url":null,"has_scheduled_changes":false,"change_scheduled_at":null,"source":"api","offer_id":null,"remaining_count":10}}`,
		c.sub, c.customer, status, c.start, c.start+2592000, c.start+86400, c.start, c.start+31104000, c.start)
}

func (g *generated) payment(c charged, id, status string, at int64, reason string) string {
	var b bytes.Buffer
	code, source, step := "null", "null", "null"
	if reason != "" {
		reason, code, source, step = strconv.Quote(reason), `"BAD_REQUEST_ERROR"`, `"bank"`, `"payment_authorization"`
	} else {
		reason = "null"
	}
	fmt.Fprintf(&b, `"payment":{"entity":{"id":%q,"entity":"payment","amount":%d,"currency":"INR","base_amount":%d,"status":%q,"order_id":%q,"invoice_id":%q,"international":false,`,
		id, c.amount, c.amount, status, c.order, c.invoice)
	if c.upi {
		fmt.Fprint(&b, `"method":"upi","card_id":null,"bank":null,"wallet":null,"vpa":"meera.nair@okinvented.vpa","upi":{"payer_account_type":"bank_account","vpa":"meera.nair@okinvented.vpa","flow":"collect"},`)
	} else {
		fmt.Fprint(&b, `"method":"card","card_id":"card_00000000000001","card":{"id":"card_00000000000001","entity":"card","name":"Meera Nair","last4":"4711-secret","network":"Visa","type":"debit","issuer":"HDFC","international":false,"emi":false,"sub_type":"consumer"},"bank":null,"wallet":null,"vpa":null,`)
	}
	fmt.Fprintf(&b, `"amount_refunded":0,"amount_transferred":0,"refund_status":null,"captured":%t,"description":"Recurring Payment via Subscription","email":"meera.nair@invented.example","contact":"+919820012345","customer_id":%q,"token_id":%q,"notes":{"name":"Meera Nair","address":"12, Lake View Road, \u201cNear the lake\u201d, Pune","policy":"The customer asked to be reminded at home in the evening; see the file of the branch for the letters that were sent in the first quarter of the year and the answers to them, and call again where nobody is there."},"fee":236,"tax":36,"error_code":%s,"error_description":"The payment of Meera Nair did not go through","error_source":%s,"error_step":%s,"error_reason":%s,"acquirer_data":{"rrn":"012583617712","auth_code":"828553","bank_transaction_id":"0125836177"},"created_at":%d}}`,
		status == "captured", c.customer, c.token, code, source, step, reason, at)
	return b.String()
}
