package ledger

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkVerify walks a chain of 20,000 entries of 1 KB.
func BenchmarkVerify(b *testing.B) {
	s := secret(b)
	book := bigBook(b, s)
	for b.Loop() {
		mustVerify(b, book, Verification{Keys: Keys{s}})
	}
	b.ReportMetric(float64(b.N)*bigEntries/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkBackup copies and verifies the same chain.
func BenchmarkBackup(b *testing.B) {
	s := secret(b)
	book := bigBook(b, s)
	dir, n := b.TempDir(), 0
	for b.Loop() {
		n++
		if _, err := book.ledger.Backup(context.Background(), filepath.Join(dir, fmt.Sprint(n)), Verification{Keys: Keys{s}}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*bigEntries/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkRestore puts a backup of the same chain into PostgreSQL, and verifies it before and after.
func BenchmarkRestore(b *testing.B) {
	s := secret(b)
	book := bigBook(b, s)
	path, v := filepath.Join(b.TempDir(), "copy.db"), Verification{Keys: Keys{s}}
	if _, err := book.ledger.Backup(context.Background(), path, v, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		c, _ := testConfig(postgresURL(b))
		b.StartTimer()
		if _, err := Restore(context.Background(), path, c, v, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*bigEntries/b.Elapsed().Seconds(), "entries/s")
}

const bigEntries = 20_000

func bigBook(b *testing.B, s Secret) *Book {
	c, _ := testConfig(filepath.Join(b.TempDir(), "ledger.db"))
	c.Secret = s
	book := mustBook(b, mustOpen(b, c), "main")
	body := make([]byte, 1024)
	for i := range bigEntries / 500 {
		var d []Draft
		for j := range 500 {
			d = append(d, Draft{Kind: Event, Key: fmt.Sprint(i, " ", j), CaseID: fmt.Sprint(j), Body: append([]byte(nil), body...)})
		}
		put(b, book, d...)
	}
	return book
}
