package razorpay

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

var benchKey = []byte("sixteen bytes of a key")

// BenchmarkWebhooks ingests an archive; WEBHOOKS_LINES (default 20000) sets its
// lines and WEBHOOKS_OUT keeps it.
func BenchmarkWebhooks(b *testing.B) {
	n, _ := strconv.Atoi(os.Getenv("WEBHOOKS_LINES"))
	if n == 0 {
		n = 20_000
	}
	path := os.Getenv("WEBHOOKS_OUT")
	if path == "" {
		path = filepath.Join(b.TempDir(), "archive.jsonl")
	}
	size := writeArchive(b, path, n)
	b.SetBytes(size)
	for b.Loop() {
		if _, err := Run(context.Background(), Options{Files: []string{path}, Dir: b.TempDir(), Key: benchKey}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func writeArchive(b *testing.B, path string, n int) (size int64) {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for g := newGenerated(1); n > 0; n-- {
		l := g.line()
		w.Write(l)
		w.WriteByte('\n')
		size += int64(len(l)) + 1
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return size
}
