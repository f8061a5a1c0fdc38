package score

import (
	"fmt"
	"testing"

	"recoup/data"
)

// BenchmarkDecide decides on the 57-slot grid: with the events of a case folded
// before, as in a batch or at a server's own state, and with 20 events to fold
// first, as for a request that brings them.
func BenchmarkDecide(b *testing.B) {
	for _, name := range []string{"duplicate_rrn_found", "insufficient_funds", "card_expired"} {
		l := failure(data.MustReason(name))
		for i := range 18 {
			a := &data.Attempt{CaseID: fmt.Sprintf("old%d", i), AttemptID: fmt.Sprintf("old%d", i), CustomerID: "cust", Rail: data.UPIAutopay, Bank: "HDFC",
				MandateID: "m", Amount: 499_00, Status: data.AttemptStatus(1 + i%2), Reason: data.Reason(i % 2 * int(data.MustReason("insufficient_funds"))), Initiator: data.ByProvider}
			a.Event = data.Event{OccurredAt: failedAt - data.Micros(20-i)*15*data.Day, KnownAt: failedAt - data.Micros(20-i)*15*data.Day, Seq: int64(i + 1)}
			l.rows = append(l.rows, data.AnyRow{Row: a, Event: &a.Event})
		}
		first := l.rows[0]
		first.Seq = 100
		l.rows = append(l.rows[1:], first)
		e := engine(b, testBundle(b, nil))
		b.Run(name+"/folded", func(b *testing.B) {
			st := l.state(b)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Decide(st, "case", failedAt); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/20_events", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Decide(l.state(b), "case", failedAt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
