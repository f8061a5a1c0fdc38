package razorpay

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

// TestNothingPersonal: no detail of a customer is in any file of the log or in
// what is told about lines put aside, whatever happens to the lines.
func TestNothingPersonal(t *testing.T) {
	g := newGenerated(7)
	var lines []string
	for i, l := range g.lines(600) {
		s := string(l)
		switch i % 6 {
		case 1: // of nobody: a hash stands for him
			s = strings.ReplaceAll(s, `"customer_id":"cust_`, `"customer_id":null,"was":"`)
		case 2: // cut, with the details in what is left
			s = s[:len(s)*(i%10+1)/11]
		case 3: // in the place of words and ids
			for k, field := range []string{"error_reason", "error_source", "order_id", "token_id", "method", "status"} {
				if k == i/6%6 {
					s = replaceField(s, field, `"meera.nair@invented.example"`)
				}
			}
		case 4: // of types that are only kept
			s = strings.Replace(s, `"event":"`, `"event":"odd.`, 1)
		}
		lines = append(lines, s)
	}
	dir := t.TempDir()
	s, bad := ingest(t, dir, archive(t, t.TempDir(), "a.jsonl", lines...))
	if s.Rejected < 100 || s.Events < 100 || s.Kept < 50 {
		t.Fatalf("%+v: the lines do not try enough", s)
	}
	all := map[string][]byte{"rejects": fmt.Append(nil, bad)}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[path], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// Parquet pages are packed: the rows as they read back, too.
	for _, a := range rowsOf[data.Attempt](t, dir) {
		all["attempts"] = fmt.Appendf(all["attempts"], "%+v\n", a)
	}
	for _, a := range rowsOf[data.Subscription](t, dir) {
		all["subscriptions"] = fmt.Appendf(all["subscriptions"], "%+v\n", a)
	}
	for _, a := range rowsOf[data.Notice](t, dir) {
		all["notices"] = fmt.Appendf(all["notices"], "%+v\n", a)
	}
	if !bytes.Contains(all["attempts"], []byte("pii:")) {
		t.Error("no hash stands for a customer")
	}
	for where, b := range all {
		for _, p := range personal {
			if i := bytes.Index(b, []byte(p)); i >= 0 {
				t.Errorf("%s has %q: %.100q", where, p, b[max(0, i-40):])
			}
		}
	}
}

func replaceField(s, field, value string) string {
	at := strings.Index(s, `"`+field+`":`)
	if at < 0 {
		return s
	}
	at += len(field) + 3
	end := at + strings.IndexAny(s[at:], ",}")
	return s[:at] + value + s[end:]
}

// TestKeyOnlyWhereNeeded: where every event names its customer the key does not
// show; where one does not, only his id changes with it.
func TestKeyOnlyWhereNeeded(t *testing.T) {
	other := []byte("another key of length")
	named := paymentOf(1, "payment.captured", "captured", "1767225500")
	unnamed := paymentOf(2, "payment.captured", "captured", "1767225500", `"customer_id":null`)
	run := func(key []byte, body string) (string, string) {
		p, faults, err := Parse([]byte(body), "e1", receivedAt, key)
		if err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		var b strings.Builder
		p.Rows.print(&b)
		return b.String(), p.Rows.Attempts[0].CustomerID
	}
	if a, _ := run(testKey, named); a != first(run(other, named)) {
		t.Error("the key shows where the customer is named")
	}
	a, mine := run(testKey, unnamed)
	b, theirs := run(other, unnamed)
	if mine == theirs || len(mine) != len("pii:")+24 || strings.ReplaceAll(a, mine, "") != strings.ReplaceAll(b, theirs, "") {
		t.Errorf("%s and %s", mine, theirs)
	}
	if _, _, err := Parse([]byte(named), "e1", receivedAt, []byte("short")); err == nil {
		t.Error("a key of 5 bytes went through")
	}
}

func first(a, _ string) string { return a }
