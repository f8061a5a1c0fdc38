package ledger

import (
	"strings"
	"testing"
)

// The database itself refuses to rewrite: what our own code does not do, nobody
// does by mistake.
func TestAppendOnly(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		put(t, b, Draft{Kind: Event, Key: "e", CaseID: "c", CustomerID: "u", Body: []byte(`1`), Claims: []Claim{{Name: "n"}}, Move: &Move{CaseID: "c", AttemptID: "a", To: Failed}},
			Draft{Kind: Event, Key: "f", CaseID: "c", CustomerID: "u", Body: []byte(`1`)})
		for _, q := range []string{
			`DELETE FROM entries`, `DELETE FROM claims`, `DELETE FROM attempts`, `DELETE FROM books`,
			`UPDATE entries SET seq = seq + 10`, `UPDATE entries SET known_at = 1`, `UPDATE entries SET kind = 2`, `UPDATE entries SET key = 'x' WHERE seq = 1`,
			`UPDATE entries SET digest = hash`, `UPDATE entries SET hash = digest`, `UPDATE entries SET key_id = 'x'`,
			`UPDATE entries SET body = hash`, `UPDATE entries SET body = NULL`, `UPDATE entries SET salt = NULL`, `UPDATE entries SET case_id = ''`,
			`UPDATE entries SET body = NULL, salt = NULL, case_id = 'x'`, `UPDATE entries SET body = NULL, salt = NULL, customer_id = 'x'`,
			`UPDATE claims SET seq = 2`, `UPDATE attempts SET state = 1, seq = 9`, `UPDATE attempts SET state = 5, seq = 1`, `UPDATE attempts SET state = 5, seq = 9, no = 7`,
			`UPDATE books SET seq = 0`, `UPDATE books SET known_at = 0`, `UPDATE books SET exported = -1`, `UPDATE books SET tenant = 'x'`,
		} {
			if _, err := b.ledger.write.Exec(q); err == nil || !strings.Contains(err.Error(), "the ledger is append-only") {
				t.Errorf("%s: %v", q, err)
			}
		}
		if b.ledger.postgres {
			for _, table := range []string{"entries", "claims", "attempts", "books"} {
				if _, err := b.ledger.write.Exec(`TRUNCATE ` + table); err == nil || !strings.Contains(err.Error(), "the ledger is append-only") {
					t.Errorf("truncate %s: %v", table, err)
				}
			}
		} else if _, err := b.ledger.write.Exec(`INSERT OR REPLACE INTO entries SELECT * FROM entries`); err == nil {
			t.Error("an entry was replaced")
		}
		if _, err := b.ledger.write.Exec(`UPDATE entries SET body = NULL, salt = NULL, case_id = '', customer_id = '' WHERE seq = 1`); err != nil {
			t.Error("an entry can lose its body:", err)
		}
		if e := all(t, b); len(e) != 2 || e[0].Body != nil || e[1].Body == nil {
			t.Error(e)
		}
		// nothing is written again of what was erased
		if got := put(t, b, event("e", `whatever`)); !got[0].Duplicate {
			t.Error(got)
		}
	})
}
