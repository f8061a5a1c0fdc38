package ledger

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func secret(t testing.TB) Secret {
	t.Helper()
	s, err := NewSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func signer(t testing.TB, dir string) (*Signer, Public) {
	t.Helper()
	s, err := FindSigner(dir, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p, err := FindPublic(dir)
	if err != nil || len(p) == 0 {
		t.Fatal(p, err)
	}
	return s, p
}

// keptBook is a book of n entries about two customers.
func keptBook(t testing.TB, url string, s Secret, n int) *Book {
	t.Helper()
	c, _ := testConfig(url)
	c.Secret = s
	b := mustBook(t, mustOpen(t, c), "main")
	var drafts []Draft
	for i := 1; i <= n; i++ {
		drafts = append(drafts, Draft{Kind: Event, Key: fmt.Sprintf("e%d", i), CaseID: fmt.Sprintf("case%d", i%4), CustomerID: fmt.Sprintf("cust%d", i%2), Body: []byte(fmt.Sprintf(`{"n":%d}`, i))})
	}
	put(t, b, drafts...)
	return b
}

// tamper writes to the database behind the ledger's back, with the triggers out of the way.
func tamper(t testing.TB, b *Book, statements ...string) {
	t.Helper()
	ctx := context.Background()
	driver, url := "pgx", b.ledger.config.URL
	if !b.ledger.postgres {
		driver, url = "sqlite", sqliteURL(url, false)
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	free := []string{"ALTER TABLE entries DISABLE TRIGGER USER", "ALTER TABLE books DISABLE TRIGGER USER"}
	if !b.ledger.postgres {
		free = nil
		rows, err := db.QueryContext(ctx, `SELECT name FROM sqlite_master WHERE type = 'trigger'`)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			free = append(free, "DROP TRIGGER "+name)
		}
		rows.Close()
	}
	for _, s := range append(free, statements...) {
		if _, err := db.ExecContext(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// mustVerify verifies a book that is whole.
func mustVerify(t testing.TB, b *Book, v Verification) Verdict {
	t.Helper()
	got, err := b.Verify(context.Background(), v)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Intact || got.BrokenAt != 0 {
		t.Fatalf("no error, and %+v", got)
	}
	return got
}

// broken verifies a book that is not, and holds the answer against what it should name.
func broken(t testing.TB, b *Book, v Verification, seq int64, what string) {
	t.Helper()
	got, err := b.Verify(context.Background(), v)
	if !errors.Is(err, ErrBroken) {
		t.Fatalf("error %v, expected one that Is ErrBroken", err)
	}
	if got.Intact || got.BrokenAt != seq || !strings.Contains(err.Error(), what) {
		t.Errorf("broken at %d: %v\nexpected at %d: ...%s...", got.BrokenAt, err, seq, what)
	}
}

// tampering is something done to a book of 20 entries, and the place that is to be named.
var tampering = []struct {
	name, sql string
	seq       int64
	what      string
}{
	{"body", `UPDATE entries SET body = (SELECT body FROM entries WHERE seq = 3) WHERE seq = 7`, 7, "body, case or customer is not what was written"},
	{"case", `UPDATE entries SET case_id = 'another' WHERE seq = 2`, 2, "body, case or customer"},
	{"customer", `UPDATE entries SET customer_id = 'another' WHERE seq = 2`, 2, "body, case or customer"},
	{"salt", `UPDATE entries SET salt = (SELECT salt FROM entries WHERE seq = 3) WHERE seq = 4`, 4, "body, case or customer"},
	{"key", `UPDATE entries SET key = 'x' WHERE seq = 9`, 9, "its hash does not fit"},
	{"kind", `UPDATE entries SET kind = 2 WHERE seq = 1`, 1, "its hash does not fit"},
	{"no kind", `UPDATE entries SET kind = 99 WHERE seq = 1`, 1, "kind 99 is none"},
	{"a kind that is none in another way", `UPDATE entries SET kind = 257 WHERE seq = 4`, 4, "kind 257 is none"},
	{"known_at", `UPDATE entries SET known_at = known_at + 0 + (CASE WHEN seq = 20 THEN 5 ELSE 0 END)`, 20, "its hash does not fit"},
	{"known_at before the last", `UPDATE entries SET known_at = 1 WHERE seq = 8`, 8, "is not after"},
	{"digest", `UPDATE entries SET digest = hash WHERE seq = 8`, 8, "body, case or customer"},
	{"hash", `UPDATE entries SET hash = digest WHERE seq = 8`, 8, "its hash does not fit"},
	{"a short hash", `UPDATE entries SET hash = salt WHERE seq = 8`, 8, "not of 32 bytes"},
	{"the key's name", `UPDATE entries SET key_id = 'other' WHERE seq = 8`, 8, "no key change says otherwise"},
	{"swapped", `UPDATE entries SET seq = seq - 30 WHERE seq IN (14, 16); UPDATE entries SET seq = -seq WHERE seq < 0`, 14, "its hash does not fit"},
	{"swapped contents", `UPDATE entries SET body = (SELECT e.body FROM entries e WHERE e.seq = 11 - entries.seq), salt = (SELECT e.salt FROM entries e WHERE e.seq = 11 - entries.seq) WHERE seq IN (5, 6)`, 5, "body, case or customer"},
	{"deleted middle", `DELETE FROM entries WHERE seq = 12`, 12, "it is missing"},
	{"deleted middle, more", `DELETE FROM entries WHERE seq BETWEEN 12 AND 14`, 12, "it and the entries up to 14 are missing"},
	{"deleted and closed up", `DELETE FROM entries WHERE seq = 12; UPDATE entries SET seq = seq - 1000 WHERE seq > 12; UPDATE entries SET seq = seq + 999 WHERE seq < 0`, 12, "its hash does not fit"},
	{"deleted first", `DELETE FROM entries WHERE seq = 1`, 1, "it is missing"},
	{"deleted last", `DELETE FROM entries WHERE seq = 20`, 20, "the last one, it is missing: the book has 20"},
	{"deleted tail", `DELETE FROM entries WHERE seq > 17`, 18, "up to 20, the last ones, are missing: the book has 20"},
	{"deleted all", `DELETE FROM entries`, 1, "up to 20"},
	{"a tail put on", `INSERT INTO entries SELECT book, 21, known_at + 1, kind, 'forged', case_id, customer_id, key_id, digest, hash, salt, body FROM entries WHERE seq = 20`, 21, "its hash does not fit"},
	{"the book's end", `UPDATE books SET hash = (SELECT hash FROM entries WHERE seq = 19)`, 20, "gives it another hash"},
	{"the book's secret", `UPDATE books SET key_id = ''`, 20, "what follows it is hashed without a secret"},
	{"a body lost", `UPDATE entries SET body = NULL WHERE seq = 6`, 6, "its body or its salt alone"},
	{"an entry blanked", `UPDATE entries SET body = NULL, salt = NULL, case_id = '', customer_id = '' WHERE seq IN (6, 8)`, 6, "no erasure says so"},
	{"blanked in part", `UPDATE entries SET body = NULL, salt = NULL, case_id = '' WHERE seq = 6`, 6, "names a case or a customer"},
	{"two places", `UPDATE entries SET body = salt WHERE seq IN (7, 3)`, 3, "body, case or customer"},
}

func TestVerifyNamesTheFirstBrokenEntry(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		s := secret(t)
		b := keptBook(t, url, s, 20)
		v := Verification{Keys: Keys{s}}
		tamper(t, b, `CREATE TABLE good AS SELECT * FROM entries`, `CREATE TABLE goodbooks AS SELECT * FROM books`)
		for _, c := range tampering {
			if got := mustVerify(t, b, v); got.Entries != 20 || got.Strength != Keyed || got.KeyedFrom != 1 || got.Unchecked != 0 {
				t.Fatalf("before: %+v", got)
			}
			t.Run(c.name, func(t *testing.T) {
				tamper(t, b, strings.Split(c.sql, "; ")...)
				broken(t, b, v, c.seq, c.what)
			})
			tamper(t, b, `DELETE FROM entries`, `INSERT INTO entries SELECT * FROM good`, `UPDATE books SET hash = (SELECT hash FROM goodbooks), key_id = (SELECT key_id FROM goodbooks)`)
		}
	})
}
