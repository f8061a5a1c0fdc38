package ingest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkRun ingests 100,000 attempts.
func BenchmarkRun(b *testing.B) {
	const rows = 100_000
	r := rand.New(rand.NewPCG(7, 8))
	var s strings.Builder
	s.WriteString(header)
	for i := range rows {
		fmt.Fprintf(&s, "pay_%015x,2026-01-%02dT%02d:00:00Z,%d.%02d,c%d,%s,card,B%d,i%d,INR\n", r.Int64()>>4, 1+i*28/rows, i*24*28/rows%24,
			r.IntN(100000), r.IntN(100), r.IntN(20000), []string{"failed", "captured"}[r.IntN(2)], r.IntN(30), r.IntN(40000))
	}
	path, m := write(b, "x.csv", s.String()), mustParse(b, plain)
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(b.Context(), Options{Files: []string{path}, Mapping: m, Dir: b.TempDir()}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
