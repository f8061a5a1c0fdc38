package ledger

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// benchJob is a decide request: an event and the decision with the trail of why.
func benchJob(i int64, body []byte) Job {
	id := hex.EncodeToString([]byte(fmt.Sprintf("%016x", uint64(i)*0x9e3779b97f4a7c15)))
	return Job{Drafts: []Draft{{Kind: Decision, Key: id, CaseID: "case-" + id, CustomerID: "customer-" + id[:12], Body: body}}}
}

// BenchmarkAppend is what the ledger takes from 64 callers at once, bodies of 10 kB.
func BenchmarkAppend(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchAppend(b, filepath.Join(b.TempDir(), "ledger.db")) })
	b.Run("postgres", func(b *testing.B) { benchAppend(b, postgresURL(b)) })
}

func benchAppend(b *testing.B, url string) {
	book, _ := newBook(b, url)
	body := make([]byte, 10_000)
	rand.Read(body)
	var n atomic.Int64
	b.SetParallelism(32)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := book.Append(context.Background(), benchJob(n.Add(1), body)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkFdatasync is the disk's own: 10 kB written behind the last and synced.
func BenchmarkFdatasync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	body := make([]byte, 10_000)
	for b.Loop() {
		if _, err := f.Write(body); err != nil {
			b.Fatal(err)
		}
		if err := fdatasync(f); err != nil {
			b.Fatal(err)
		}
	}
}
