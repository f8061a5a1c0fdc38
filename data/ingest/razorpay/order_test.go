package razorpay

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

// drawWorld draws deliveries of events about a few payments of a few orders, in
// any order, some more than once.
func drawWorld(t *rapid.T) []string {
	var lines []string
	n := rapid.IntRange(1, 12).Draw(t, "events")
	for i := range n {
		p := rapid.IntRange(1, 4).Draw(t, "payment")
		order := 1 + p%2
		more := []string{fmt.Sprintf(`"order_id":"order_0000000000000%d"`, order)}
		switch rapid.IntRange(0, 3).Draw(t, "names") {
		case 0:
			more = append(more, fmt.Sprintf(`"invoice_id":"inv_0000000000000%d"`, order))
		case 1:
			more = []string{`"order_id":null`}
		}
		name := rapid.SampledFrom([]string{"payment.failed", "payment.authorized", "payment.captured", "order.paid", "subscription.charged",
			"refund.processed", "payment.dispute.created", "order.notification.delivered"}).Draw(t, "type")
		var body string
		created := fmt.Sprint(1767225500 + 20*(p%3))
		switch name {
		case "payment.failed":
			body = paymentOf(p, name, "failed", created, append(failed(`"insufficient_funds"`), more...)...)
		case "payment.authorized":
			body = paymentOf(p, name, "authorized", created, more...)
		case "subscription.charged":
			body = strings.Replace(paymentOf(p, name, "captured", created, more...), `"payload":{`, `"payload":{`+sub("active")+",", 1)
		case "refund.processed":
			body = paymentOf(p, name, "refunded", created, append(more, `"refund_status":"full"`)...)
		case "payment.dispute.created":
			body = strings.Replace(paymentOf(p, name, "captured", created, more...), `"payload":{`, `"payload":{`+dispute+",", 1)
		case "order.notification.delivered":
			body = eventOf(name, notice("delivered"))
		default:
			body = paymentOf(p, name, "captured", created, more...)
		}
		for range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "deliveries") {
			lines = append(lines, delivered(fmt.Sprintf("evt%014d", i), 1767300000+int64(rapid.IntRange(0, 9).Draw(t, "received")), body))
		}
	}
	return lines
}

// TestOrderOfLines: neither the order of the lines, nor their files, nor the
// number of processors shows in any byte; and what is written is what a plain
// reading of the rules gives.
func TestOrderOfLines(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		lines := drawWorld(r)
		want := t.TempDir()
		ingest(t, want, archive(t, t.TempDir(), "a.jsonl", lines...))
		if got, plain := attemptsOf(t, want), plainly(t, lines); !slices.Equal(got, plain) {
			r.Fatalf("log:\n%s\nplain reading:\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(plain, "\n"), strings.Join(lines, "\n"))
		}
		mixed := rapid.Permutation(lines).Draw(r, "order")
		cut := rapid.IntRange(0, len(mixed)).Draw(r, "cut")
		got, files := t.TempDir(), t.TempDir()
		procs := runtime.GOMAXPROCS(rapid.IntRange(1, 3).Draw(r, "processors"))
		ingest(t, got, archive(t, files, "a.jsonl", mixed[:cut]...), archive(t, files, "b.jsonl", mixed[cut:]...))
		runtime.GOMAXPROCS(procs)
		if a, b := contents(t, want), contents(t, got); a != b {
			r.Fatalf("the order shows:\n%s\n%s", a, b)
		}
		ingest(t, got, archive(t, files, "c.jsonl", lines...))
		if a, b := contents(t, want), contents(t, got); a != b {
			r.Fatalf("a second run shows:\n%s\n%s", a, b)
		}
	})
}

func attemptsOf(t testing.TB, dir string) (out []string) {
	for _, a := range rowsOf[data.Attempt](t, dir) {
		out = append(out, fmt.Sprintf("%s %s #%d %s known %d at %d", a.AttemptID, a.CaseID, a.AttemptNo, a.Status, a.KnownAt/data.Second, a.OccurredAt/data.Second))
	}
	return out
}

// plainly reads the rules of the package's documentation with maps and loops.
func plainly(t testing.TB, lines []string) (out []string) {
	who, err := newIdentity(testKey)
	if err != nil {
		t.Fatal(err)
	}
	p := &parser{who: who}
	byID := map[string]event{}
	for _, l := range lines {
		e, faults := p.line([]byte(l))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		if old, ok := byID[e.Hash]; !ok || e.KnownAt < old.KnownAt {
			byID[e.Hash] = e
		}
	}
	events := slices.SortedFunc(maps.Values(byID), func(a, b event) int {
		return cmp.Or(cmp.Compare(a.KnownAt, b.KnownAt), strings.Compare(a.row('a').EventID, b.row('a').EventID))
	})
	invoices, cases, first := map[string]string{}, map[string]string{}, map[string]event{}
	for _, e := range events { // the first that names an invoice tells its order's
		if e.Order != "" && e.Invoice != "" && invoices[e.Order] == "" {
			invoices[e.Order] = e.Invoice
		}
	}
	rank := func(id string) int {
		return slices.Index([]string{"", "pay", "sub", "order", "inv"}, id[:max(0, strings.IndexByte(id, '_'))])
	}
	for _, e := range events {
		own := e.ownCase()
		if e.Invoice == "" && invoices[e.Order] != "" {
			own = invoices[e.Order]
		}
		if rank(own) > rank(cases[e.Payment]) {
			cases[e.Payment] = own
		}
		if _, ok := first[e.Payment]; !ok && e.Seen > 0 {
			first[e.Payment] = e
		}
	}
	numbers, counts := map[string]int32{}, map[string]int32{}
	for _, e := range slices.SortedFunc(maps.Values(first), func(a, b event) int {
		return cmp.Or(cmp.Compare(a.PresentedAt, b.PresentedAt), cmp.Compare(a.KnownAt, b.KnownAt), strings.Compare(a.row('a').EventID, b.row('a').EventID))
	}) {
		numbers[e.Payment] = counts[cases[e.Payment]]
		counts[cases[e.Payment]]++
	}
	type row struct {
		known data.Micros
		id    string
		text  string
	}
	var rows []row
	had := map[string]string{}
	for _, e := range events {
		write := func(status data.AttemptStatus, at data.Micros, id string) {
			had[e.Payment] += "," + status.String()
			rows = append(rows, row{e.KnownAt, id, fmt.Sprintf("%s %s #%d %s known %d at %d", e.Payment, cases[e.Payment], numbers[e.Payment], status, e.KnownAt/data.Second, at/data.Second)})
		}
		has := func(s ...string) bool {
			return slices.ContainsFunc(s, func(s string) bool { return strings.Contains(had[e.Payment], s) })
		}
		if e.Seen > 0 && had[e.Payment] == "" {
			write(data.Pending, e.PresentedAt, e.rowID(e.PresentedAt, '0', 'p'))
		}
		id := e.row('a').EventID
		switch paid := has("captured", "authorized_late"); {
		case e.Seen == seenFailed && !has("failed"):
			write(data.Failed, e.OccurredAt, id)
		case (e.Seen == seenCaptured || e.Seen == seenPending) && !paid && has("failed"):
			write(data.AuthorizedLate, e.OccurredAt, id)
		case e.Seen == seenCaptured && !paid:
			write(data.Captured, e.OccurredAt, id)
		case e.Seen == seenRefunded && !has("refunded"):
			write(data.Refunded, e.OccurredAt, id)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.known, b.known), cmp.Compare(a.id, b.id)) })
	for _, r := range rows {
		out = append(out, r.text)
	}
	return out
}
