package live

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"recoup/data"
)

// BenchmarkDecide records a failure and decides its case, many at once: two commits
// each, shared. The ledger lies in a temporary folder.
func BenchmarkDecide(b *testing.B) {
	o := begin(b, false)
	o.explore()
	var n atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			id := fmt.Sprintf("c%d", n.Add(1))
			a, err := o.Decide(context.Background(), Question{CaseID: id, Events: []data.AnyRow{o.attempt(id, 0, data.Failed)}})
			if err != nil {
				b.Error(err)
				return
			}
			if len(a.Decision.Allowed) < 10 {
				b.Errorf("%d candidates", len(a.Decision.Allowed))
			}
		}
	})
}
