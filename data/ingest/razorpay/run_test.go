package razorpay

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/table"
)

// archive writes lines to a file.
func archive(t testing.TB, dir, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func delivered(id string, at int64, body string) string {
	return fmt.Sprintf(`{"event_id":%q,"received_at":%d,"body":%s}`, id, at, body)
}

// ingest runs over files and fails the test on an error.
func ingest(t testing.TB, dir string, files ...string) (Summary, []table.Reject) {
	t.Helper()
	var bad []table.Reject
	s, err := Run(context.Background(), Options{Files: files, Dir: dir, Key: testKey,
		Reject: func(_ string, r table.Reject) { bad = append(bad, r) }})
	if err != nil {
		t.Fatal(err)
	}
	if sum := s.Rejected + s.Duplicates + total(s.Types); sum != s.Lines || int64(len(bad)) != s.Rejected {
		t.Fatalf("%d lines, but %d rejected + %d duplicates + %d events", s.Lines, s.Rejected, s.Duplicates, total(s.Types))
	}
	return s, bad
}

func total(m map[string]int64) (n int64) {
	for _, k := range m {
		n += k
	}
	return n
}

// contents is every file of a folder and its hash, without the lock.
func contents(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" {
			return err
		}
		all, err := os.ReadFile(path)
		sum := sha256.Sum256(all)
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintln(&b, rel, hex.EncodeToString(sum[:8]))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rowsOf reads a table of a log.
func rowsOf[T data.Row](t testing.TB, dir string) (out []T) {
	t.Helper()
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range data.Scan[T](l, data.AsOf(lastTime)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, batch...)
	}
	return out
}

// told is what a log says of attempts, a word each.
func told(t testing.TB, dir string) string {
	var out []string
	for _, a := range rowsOf[data.Attempt](t, dir) {
		out = append(out, fmt.Sprintf("%s#%d:%s:%s", a.CaseID[:strings.IndexByte(a.CaseID, '_')], a.AttemptNo, a.AttemptID[len(a.AttemptID)-1:], a.Status))
	}
	return strings.Join(out, " ")
}

func paymentOf(n int, name, status, created string, more ...string) string {
	return eventOf(name, pay(status, append([]string{fmt.Sprintf(`"id":"pay_0000000000000%d"`, n), `"created_at":` + created}, more...)...))
}

func TestAttemptsFollowTheOrderOfKnowing(t *testing.T) {
	reason := failed(`"insufficient_funds"`)
	fail := func(n int, created string) string {
		return paymentOf(n, "payment.failed", "failed", created, reason...)
	}
	capture := func(n int, created string) string { return paymentOf(n, "payment.captured", "captured", created) }
	authorize := func(n int, created string) string { return paymentOf(n, "payment.authorized", "authorized", created) }
	const early, late = "1767225500", "1767225600"
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"authorised, then captured", []string{delivered("e1", 1767300001, authorize(1, early)), delivered("e2", 1767300002, capture(1, early))},
			"order#0:1:pending order#0:1:captured"},
		{"a late authorisation is money on its way, its capture adds nothing", []string{delivered("e1", 1767300001, fail(1, early)), delivered("e2", 1767300002, authorize(1, early)), delivered("e3", 1767300003, capture(1, early))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late"},
		{"captured after a failure", []string{delivered("e1", 1767300001, fail(1, early)), delivered("e2", 1767300002, capture(1, early))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late"},
		{"a failure that comes in after the capture", []string{delivered("e1", 1767300009, fail(1, early)), delivered("e2", 1767300002, capture(1, early))},
			"order#0:1:pending order#0:1:captured order#0:1:failed"},
		{"an authorisation that comes in after the capture", []string{delivered("e1", 1767300009, authorize(1, early)), delivered("e2", 1767300002, capture(1, early))},
			"order#0:1:pending order#0:1:captured"},
		{"captured, and then all that came late", []string{delivered("e1", 1767300001, capture(1, early)), delivered("e2", 1767300002, fail(1, early)), delivered("e3", 1767300003, authorize(1, early))},
			"order#0:1:pending order#0:1:captured order#0:1:failed"},
		{"captured in the second of its presentation, authorised late", []string{delivered("e1", 1767300001, capture(1, "1767225610")), delivered("e2", 1767300002, authorize(1, "1767225610"))},
			"order#0:1:captured"},
		{"known at once: failure before capture", []string{delivered("e9", 1767300001, capture(1, early)), delivered("e1", 1767300001, fail(1, early))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late"},
		{"three say that it was captured", []string{delivered("e1", 1767300003, capture(1, early)), delivered("e2", 1767300002, paymentOf(1, "order.paid", "captured", early)), delivered("e3", 1767300001, paymentOf(1, "invoice.paid", "captured", early, `"invoice_id":"inv_00000000000001"`))},
			"inv#0:1:pending inv#0:1:captured"},
		{"numbered by presentation", []string{delivered("e1", 1767300001, fail(2, late)), delivered("e2", 1767300002, fail(1, early))},
			"order#1:2:pending order#1:2:failed order#0:1:pending order#0:1:failed"},
		{"an event that names the invoice moves the others of its order", []string{delivered("e1", 1767300001, fail(1, early)), delivered("e2", 1767300002, paymentOf(2, "invoice.paid", "captured", late, `"invoice_id":"inv_00000000000001"`))},
			"inv#0:1:pending inv#0:1:failed inv#1:2:pending inv#1:2:captured"},
		{"and those of its payment", []string{delivered("e1", 1767300001, paymentOf(1, "payment.failed", "failed", early, append(reason, `"order_id":null`)...)), delivered("e2", 1767300002, paymentOf(1, "payment.captured", "captured", early))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late"},
		{"refunded", []string{delivered("e1", 1767300001, capture(1, early)), delivered("e2", 1767300002, paymentOf(1, "refund.processed", "refunded", early, `"refund_status":"full"`))},
			"order#0:1:pending order#0:1:captured order#0:1:refunded"},
	} {
		dir := t.TempDir()
		ingest(t, dir, archive(t, t.TempDir(), "a.jsonl", c.lines...))
		if got := told(t, dir); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestLaterRuns: a second run goes on where the first ended.
func TestLaterRuns(t *testing.T) {
	reason := failed(`"insufficient_funds"`)
	fail := func(n int, created string, more ...string) string {
		return paymentOf(n, "payment.failed", "failed", created, append(append([]string{}, reason...), more...)...)
	}
	inv := `"invoice_id":"inv_00000000000001"`
	for _, c := range []struct {
		name          string
		first, second []string
		want          string
		events        int64 // of the second run
	}{
		{"a new attempt", []string{delivered("e1", 1767300001, fail(1, "1767225500"))}, []string{delivered("e2", 1767300002, fail(2, "1767225600"))},
			"order#0:1:pending order#0:1:failed order#1:2:pending order#1:2:failed", 2},
		{"one that was presented earlier keeps no number free", []string{delivered("e1", 1767300001, fail(2, "1767225600"))}, []string{delivered("e2", 1767300002, fail(1, "1767225500"))},
			"order#0:2:pending order#0:2:failed order#1:1:pending order#1:1:failed", 2},
		{"a late capture", []string{delivered("e1", 1767300001, fail(1, "1767225500"))}, []string{delivered("e2", 1767300002, paymentOf(1, "payment.captured", "captured", "1767225500"))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late", 1},
		{"a late authorisation", []string{delivered("e1", 1767300001, fail(1, "1767225500"))}, []string{delivered("e2", 1767300002, paymentOf(1, "payment.authorized", "authorized", "1767225500"))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late", 1},
		{"a capture again", []string{delivered("e1", 1767300001, paymentOf(1, "payment.captured", "captured", "1767225500"))}, []string{delivered("e2", 1767300002, paymentOf(1, "order.paid", "captured", "1767225500")), delivered("e1", 1767300001, paymentOf(1, "payment.captured", "captured", "1767225500"))},
			"order#0:1:pending order#0:1:captured", 0},
		{"an authorisation known after", []string{delivered("e1", 1767300001, paymentOf(1, "payment.captured", "captured", "1767225500"))}, []string{delivered("e2", 1767300002, paymentOf(1, "payment.authorized", "authorized", "1767225500"))},
			"order#0:1:pending order#0:1:captured", 0},
		{"the case keeps the id that it has, whatever is learned later", []string{delivered("e1", 1767300001, fail(1, "1767225500"))}, []string{delivered("e2", 1767300002, fail(2, "1767225600", inv)), delivered("e3", 1767300003, paymentOf(1, "payment.captured", "captured", "1767225500", inv))},
			"order#0:1:pending order#0:1:failed order#1:2:pending order#1:2:failed order#0:1:authorized_late", 3},
		{"known at once, authorised before it failed", []string{delivered("e1", 1767300001, paymentOf(1, "payment.authorized", "authorized", "1767225500")), delivered("e2", 1767300001, fail(1, "1767225500"))},
			[]string{delivered("e1", 1767300001, paymentOf(1, "payment.authorized", "authorized", "1767225500"))}, "order#0:1:pending order#0:1:failed", 0},
		{"an attempt keeps its case, whatever another event says", []string{delivered("e1", 1767300001, fail(1, "1767225500"))}, []string{delivered("e2", 1767300002, paymentOf(1, "payment.captured", "captured", "1767225500", inv, `"order_id":null`))},
			"order#0:1:pending order#0:1:failed order#0:1:authorized_late", 1},
		{"an invoice's case goes on under the invoice", []string{delivered("e1", 1767300001, fail(1, "1767225500", inv))}, []string{delivered("e2", 1767300002, fail(2, "1767225600", inv))},
			"inv#0:1:pending inv#0:1:failed inv#1:2:pending inv#1:2:failed", 2},
	} {
		dir := t.TempDir()
		ingest(t, dir, archive(t, t.TempDir(), "a.jsonl", c.first...))
		second := archive(t, t.TempDir(), "b.jsonl", c.second...)
		s, _ := ingest(t, dir, second)
		if got := told(t, dir); got != c.want || s.Events != c.events {
			t.Errorf("%s: %d events\ngot  %s\nwant %s", c.name, s.Events, got, c.want)
		}
		before := contents(t, dir)
		if s, _ := ingest(t, dir, second); s.Events != 0 || contents(t, dir) != before {
			t.Errorf("%s: the same file again added %d events", c.name, s.Events)
		}
	}
}

// TestShapesOfArchives: one event in every form of a line and file.
func TestShapesOfArchives(t *testing.T) {
	body := paymentOf(1, "payment.captured", "captured", "1767225500")
	quoted, _ := jsonText(body)
	pretty := strings.ReplaceAll(strings.ReplaceAll(body, ",", ",\n  "), "{", "{\n")
	for _, c := range []struct {
		name, file, text string
		known            int64
		assumed          bool
	}{
		{"wrapped", "a.jsonl", delivered("e1", 1767300001, body), 1767300001, false},
		{"a text", "a.jsonl", delivered("e1", 1767300001, quoted), 1767300001, false},
		{"keys in another order, others between", "a.jsonl", `{"source":"x","body":` + body + `,"event":"other","created_at":5,"received_at":"2026-01-02T05:30:00+05:30","event_id":"e1"}`, 1767312000, false},
		{"no time of reception", "a.jsonl", `{"event_id":"e1","body":` + body + `}`, 1767225610, true},
		{"bare", "a.jsonl", body, 1767225610, true},
		{"bare, over many lines", "a.json", pretty, 1767225610, true},
		{"a list", "a.json", "[\n" + delivered("e1", 1767300001, pretty) + ",\n" + delivered("e1", 1767300001, pretty) + "]\n", 1767300001, false},
		{"lines in a file of another name", "a.json", delivered("e1", 1767300001, body) + "\n\n" + delivered("e1", 1767300001, body) + "\n", 1767300001, false},
		{"packed", "a.jsonl.gz", packed(t, delivered("e1", 1767300001, body)), 1767300001, false},
		{"packed with zstd", "a.jsonl.zst", zstdOf(delivered("e1", 1767300001, body)), 1767300001, false},
		{"packed, over many lines", "a.json.gz", packed(t, pretty), 1767225610, true},
		{"BOM and CRLF", "a.jsonl", "\xef\xbb\xbf" + delivered("e1", 1767300001, body) + "\r\n", 1767300001, false},
	} {
		dir := t.TempDir()
		s, bad := ingest(t, dir, archive(t, t.TempDir(), c.file, c.text))
		if len(bad) > 0 {
			t.Fatalf("%s: %v", c.name, bad)
		}
		rows := rowsOf[data.Attempt](t, dir)
		if len(rows) != 2 || rows[1].KnownAt != data.Micros(c.known)*data.Second {
			t.Errorf("%s: %d rows, known at %v", c.name, len(rows), rows[len(rows)-1].KnownAt)
		}
		l, err := data.OpenLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		if l.Manifest().KnownAtAssumed != c.assumed || (s.Bare == 1) != c.assumed || len(s.Assumptions) > 0 != c.assumed {
			t.Errorf("%s: assumed %t, bare %d, %q", c.name, l.Manifest().KnownAtAssumed, s.Bare, s.Assumptions)
		}
	}
}

func packed(t *testing.T, s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(s))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zstdOf is a zstd frame of one raw block.
func zstdOf(s string) string {
	head := uint32(len(s))<<3 | 1 // raw, the last
	return "\x28\xb5\x2f\xfd\x80" + "\x58" + string([]byte{byte(len(s)), byte(len(s) >> 8), 0, 0}) +
		string([]byte{byte(head), byte(head >> 8), byte(head >> 16)}) + s
}

func jsonText(s string) (string, error) {
	var b bytes.Buffer
	b.WriteByte('"')
	for _, c := range s {
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case '\n':
			b.WriteString(`\n`)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String(), nil
}

// TestPackedArchiveThatBreaksOff: what could be unpacked is whole lines, so that
// only the stream itself tells that more followed; nothing of it is taken.
func TestPackedArchiveThatBreaksOff(t *testing.T) {
	var lines strings.Builder
	for i := range 400 {
		lines.WriteString(delivered(fmt.Sprintf("e%d", i), 1767300001, paymentOf(i, "payment.captured", "captured", "1767225500")) + "\n")
	}
	whole := packed(t, lines.String())
	for _, size := range []int{11, len(whole) / 2, len(whole) - 8, len(whole) - 1} {
		dir := filepath.Join(t.TempDir(), "log")
		_, err := Run(context.Background(), Options{Files: []string{archive(t, t.TempDir(), "a.jsonl.gz", whole[:size])}, Dir: dir, Key: testKey})
		if !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), "the gzip stream ends too early") {
			t.Errorf("%d of %d bytes: %v", size, len(whole), err)
		}
		if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); err == nil {
			t.Errorf("%d of %d bytes left a log", size, len(whole))
		}
	}
}

// TestNothingToRead: files that are no archive leave no log behind.
func TestNothingToRead(t *testing.T) {
	for _, c := range []struct {
		text string
		kind error
	}{{"a,b\n1,2\n", data.ErrContract}, {"\x28\xb5\x2f\xfd....", data.ErrContract}, {"\x1f\x8b....", data.ErrContract},
		{packed(t, strings.Repeat("{}\n", 9000))[:40], data.ErrContract}} {
		dir := filepath.Join(t.TempDir(), "log")
		_, err := Run(context.Background(), Options{Files: []string{archive(t, t.TempDir(), "a.jsonl", c.text)}, Dir: dir, Key: testKey})
		if !errors.Is(err, c.kind) {
			t.Errorf("%.10q: %v, want kind %v", c.text, err, c.kind)
		}
		if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); err == nil {
			t.Errorf("%.10q left a log", c.text)
		}
	}
}
