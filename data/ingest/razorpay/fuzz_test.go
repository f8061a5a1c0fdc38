package razorpay

import (
	"testing"

	"recoup/data"
)

// FuzzWebhookLine: any line is a reject with a reason, or an event whose rows
// the log takes; it is the same twice, and comes back from the spill as it went.
func FuzzWebhookLine(f *testing.F) {
	for i, b := range bodies() {
		quoted, _ := jsonText(b[1])
		f.Add([]byte([]string{b[1], delivered("e1", 1767300001, b[1]), delivered("e2", 1767300002, quoted)}[i%3]))
	}
	f.Add([]byte(`{"event_id":"e1","body":{"event":"payment.failed","payload":{"payment":{"entity":{"id":"pay_1"}}},"created_at":1}}`))
	w, err := data.NewWriter(f.TempDir(), data.WriteOptions{Currency: "INR"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { w.Abort() })
	who, err := newIdentity(testKey)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		p := &parser{who: who}
		r := record{}
		e, faults := p.line(line)
		if len(faults) > 0 {
			if faults[0].Message == "" || e != (event{}) {
				t.Fatalf("%q: a fault without a reason, or with an event: %+v", line, faults)
			}
			return
		}
		if again, _ := p.line(line); again != e {
			t.Fatalf("%q: %+v, and then %+v", line, e, again)
		}
		r.event = e
		var back record
		if err := back.read(string(r.append(nil)[4:])); err != nil || back != r {
			t.Fatalf("%q: %+v, back from the spill %+v %v", line, r, back, err)
		}
		for _, v := range []verdict{e.alone(), {status: data.AuthorizedLate, present: e.Seen > 0 && e.PresentedAt < e.OccurredAt, number: 7}} {
			if e.Seen == 0 {
				v = verdict{}
			}
			var rows Rows
			e.rows(&rows, place{verdict: v})
			if err := addRows(w, &rows); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
	})
}
