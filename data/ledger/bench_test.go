package ledger

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// benchJob is a decide request: an event and the decision with the trail of why.
func benchJob(i int64, body []byte) Job {
	id := hex.EncodeToString([]byte(fmt.Sprintf("%016x", uint64(i)*0x9e3779b97f4a7c15)))
	return Job{Drafts: []Draft{{Kind: Decision, Key: id, CaseID: "case-" + id, CustomerID: "customer-" + id[:12], Body: body}}}
}

// BenchmarkAppend is what the ledger takes from 64 callers at once, bodies of 10 kB.
func BenchmarkAppend(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchAppend(b, filepath.Join(b.TempDir(), "ledger.db")) })
	b.Run("postgres", func(b *testing.B) { benchAppend(b, syncedURL(b)) })
}

func benchAppend(b *testing.B, url string) {
	book, _ := newBook(b, url)
	body := benchBody()
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

// BenchmarkSync asks for what others wrote where nobody did, as each decision does.
func BenchmarkSync(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchSync(b, filepath.Join(b.TempDir(), "ledger.db")) })
	b.Run("postgres", func(b *testing.B) { benchSync(b, syncedURL(b)) })
}

func benchSync(b *testing.B, url string) {
	book, _ := newBook(b, url)
	ctx, cancel := context.WithCancel(context.Background()) // as a request's
	defer cancel()
	if _, err := book.Append(ctx, benchJob(1, benchBody())); err != nil {
		b.Fatal(err)
	}
	if err := book.Follow(ctx, 0, func([]Entry) {}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := book.Sync(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPaced is how long a caller waits where 1,500 jobs a second come at their own
// times, whether or not the ones before are done.
func BenchmarkPaced(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchPaced(b, filepath.Join(b.TempDir(), "ledger.db")) })
	b.Run("postgres", func(b *testing.B) { benchPaced(b, syncedURL(b)) })
}

func benchPaced(b *testing.B, url string) {
	const rate = 1500
	book, _ := newBook(b, url)
	body := benchBody()
	waits := make([]time.Duration, b.N)
	dice := mathrand.New(mathrand.NewPCG(1, 2))
	var wait sync.WaitGroup
	b.ResetTimer()
	due := time.Now()
	for i := range b.N {
		due = due.Add(time.Duration(dice.ExpFloat64() / rate * 1e9))
		time.Sleep(time.Until(due))
		due := due
		wait.Go(func() {
			if _, err := book.Append(context.Background(), benchJob(int64(i), body)); err != nil {
				b.Error(err)
			}
			waits[i] = time.Since(due)
		})
	}
	wait.Wait()
	slices.Sort(waits)
	for _, q := range []int{50, 99} {
		b.ReportMetric(waits[len(waits)*q/100].Seconds()*1000, fmt.Sprintf("p%d-ms", q))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// syncedURL is an empty database's in the tests' server, which otherwise does not sync.
func syncedURL(b *testing.B) string {
	url := postgresURL(b)
	if server == nil {
		return url
	}
	db, err := sql.Open("pgx", server.url())
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{`ALTER SYSTEM SET fsync = on`, `SELECT pg_reload_conf()`} {
		if _, err := db.Exec(q); err != nil {
			b.Fatal(err)
		}
	}
	return url
}

// benchBody is 10 kB that compress as the trail of a decision does: JSON with numbers in base64.
func benchBody() []byte {
	raw := make([]byte, 3000)
	rand.Read(raw)
	body := fmt.Appendf(nil, `{"row":%q,"allowed":[`, base64.StdEncoding.EncodeToString(raw))
	for i := 0; len(body) < 10_000; i++ {
		body = fmt.Appendf(body, `{"action":"retry","at":"2026-07-%02dT%02d:00:00Z","p":0.%d,"ev_paise":%d,"propensity":0.0175,"mix":0.0175},`, i/4+1, i%4*6, 51234567+i*7919, 12345+i*31)
	}
	return body
}

// BenchmarkFdatasync is the disk's own: 10 kB written behind the last and synced.
func BenchmarkFdatasync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	body := make([]byte, 10_000)
	var waits []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := f.Write(body); err != nil {
			b.Fatal(err)
		}
		if err := fdatasync(f); err != nil {
			b.Fatal(err)
		}
		waits = append(waits, time.Since(start))
	}
	slices.Sort(waits)
	for _, q := range []int{50, 99} {
		b.ReportMetric(waits[len(waits)*q/100].Seconds()*1000, fmt.Sprintf("p%d-ms", q))
	}
}
