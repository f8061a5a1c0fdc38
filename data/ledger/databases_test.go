package ledger

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"sync/atomic"
	"testing"

	"recoup/data"
)

// both runs a test on SQLite and on PostgreSQL, each time with the URL of an
// empty database.
func both(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "ledger.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresURL(t)) })
}

// clock is a tests' clock. It stands still until it is set.
type clock struct{ atomic.Int64 }

func (c *clock) now() data.Micros { return data.Micros(c.Load()) }

// testConfig is a ledger's with a clock that stands at 1 s.
func testConfig(url string) (Config, *clock) {
	c := &clock{}
	c.Store(int64(data.Second))
	return Config{URL: url, Random: rand.Reader, Now: c.now}, c
}

func mustOpen(t testing.TB, c Config) *Ledger {
	t.Helper()
	l, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func mustBook(t testing.TB, l *Ledger, tenant string) *Book {
	t.Helper()
	b, err := l.Book(context.Background(), tenant, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newBook is an empty ledger's book.
func newBook(t testing.TB, url string) (*Book, *clock) {
	t.Helper()
	c, clock := testConfig(url)
	return mustBook(t, mustOpen(t, c), "main"), clock
}

// put appends drafts and returns their receipts.
func put(t testing.TB, b *Book, drafts ...Draft) []Receipt {
	t.Helper()
	d, err := b.Append(context.Background(), Job{Drafts: drafts})
	if err != nil {
		t.Fatal(err)
	}
	return d.Receipts
}

// all reads a book.
func all(t testing.TB, b *Book) (out []Entry) {
	t.Helper()
	for e, err := range b.Scan(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func event(key, body string) Draft { return Draft{Kind: Event, Key: key, Body: []byte(body)} }
