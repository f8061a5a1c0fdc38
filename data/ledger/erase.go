package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Erased is what an erasure took away.
type Erased struct {
	Tenant   string `json:"tenant"`
	Entries  int64  `json:"entries"`  // that lost their body, salt, case and customer
	Answers  int64  `json:"answers"`  // kept for Idempotency-Keys, that named the customer's cases
	Seq      int64  `json:"seq"`      // of the Erasure entry; 0 = there was nothing to erase
	Exported int64  `json:"exported"` // of the entries, how many the tenant's event log has already
}

// Erase blanks what the book holds of a customer: the entries that name him, and
// those of his cases that name nobody. Before that an Erasure entry says which entries, so
// that the chain still verifies; after a death in between, Erase again. The keys of
// entries (event and decision ids) and the ids of attempts stay; so does what was exported
// or backed up.
func (b *Book) Erase(ctx context.Context, customerID, why string) (Erased, error) {
	out := Erased{Tenant: b.tenant}
	if err := checkText("customer id", customerID); err != nil {
		return out, err
	}
	if why != "" {
		if err := checkText("reason", why); err != nil {
			return out, err
		}
	}
	exported, err := b.Exported(ctx)
	if err != nil {
		return out, err
	}
	his, names, err := b.of(ctx, customerID)
	if err != nil || len(his) == 0 {
		return out, err
	}
	body, err := json.Marshal(erasure{his, why, b.ledger.config.Now().String()})
	if err != nil {
		return out, fmt.Errorf("ledger: erase: %w", err)
	}
	key := sha256.Sum256(body)
	done, err := b.Append(ctx, Job{Drafts: []Draft{{Kind: Erasure, KnownAt: atOnce, Key: hex.EncodeToString(key[:16]), Body: body}}})
	if err != nil {
		return out, err
	}
	out.Seq, out.Entries = done.Receipts[0].Seq, his.count()
	for _, s := range his {
		out.Exported += max(0, min(s[1], exported)-s[0]+1)
	}
	out.Answers, err = b.blank(ctx, his, append(names, []byte(customerID)))
	return out, err
}

const sqlOf = `SELECT seq, kind, key, case_id FROM entries WHERE book = $1 AND (customer_id = $2 AND customer_id <> ''
  OR customer_id = '' AND case_id <> '' AND case_id IN (SELECT case_id FROM entries WHERE book = $1 AND customer_id = $2 AND customer_id <> ''))
  ORDER BY seq`

// of finds a customer's entries, and what an answer about them would name.
func (b *Book) of(ctx context.Context, customerID string) (his spans, names [][]byte, err error) {
	rows, err := b.ledger.read.QueryContext(ctx, sqlOf, b.id, customerID)
	if err != nil {
		return nil, nil, unavailable("erase", err)
	}
	defer rows.Close()
	cases := map[string]bool{}
	for rows.Next() {
		var seq int64
		var kind Kind
		var key, caseID string
		if err := rows.Scan(&seq, &kind, &key, &caseID); err != nil {
			return nil, nil, unavailable("erase", err)
		}
		his.add(seq)
		if kind == Decision || kind == Answer {
			names = append(names, []byte(key))
		}
		if caseID != "" && !cases[caseID] {
			cases[caseID] = true
			names = append(names, []byte(caseID))
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, unavailable("erase", err)
	}
	return his, names, nil
}

// blank takes the entries' content away, and the answers that name it.
func (b *Book) blank(ctx context.Context, his spans, names [][]byte) (answers int64, err error) {
	conn, err := b.ledger.write.Conn(ctx) // the writer waits
	if err != nil {
		return 0, unavailable("erase", err)
	}
	defer conn.Close()
	if !b.ledger.postgres {
		if _, err := conn.ExecContext(ctx, `PRAGMA secure_delete = ON`); err != nil { // what is deleted is overwritten
			return 0, unavailable("erase", err)
		}
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return 0, unavailable("erase", err)
	}
	defer tx.Rollback()
	for _, s := range his {
		const blank = `UPDATE entries SET salt = NULL, body = NULL, case_id = '', customer_id = '' WHERE book = $1 AND seq BETWEEN $2 AND $3`
		if _, err := tx.ExecContext(ctx, blank, b.id, s[0], s[1]); err != nil {
			return 0, unavailable("erase", err)
		}
	}
	keys, err := b.answers(ctx, tx, names)
	if err != nil {
		return 0, unavailable("erase", err)
	}
	for _, key := range keys {
		if _, err := tx.ExecContext(ctx, `DELETE FROM once WHERE book = $1 AND key = $2`, b.id, key); err != nil {
			return 0, unavailable("erase", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, unavailable("erase", err)
	}
	clear := `PRAGMA wal_checkpoint(TRUNCATE)` // the write-ahead log has the old pages
	if b.ledger.postgres {
		clear = `VACUUM entries, once`
	}
	if _, err := conn.ExecContext(ctx, clear); err != nil {
		return 0, fmt.Errorf("ledger: erase: the entries are blank, but their old versions are not cleared from the disk yet: %w", err)
	}
	return int64(len(keys)), nil
}

// answers finds the kept answers that name any of the names, by Idempotency-Key.
func (b *Book) answers(ctx context.Context, tx *sql.Tx, names [][]byte) (keys []string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT key, body FROM once WHERE book = $1`, b.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var body []byte
		if err := rows.Scan(&key, &body); err != nil {
			return nil, err
		}
		for _, name := range names {
			if bytes.Contains(body, name) {
				keys = append(keys, key)
				break
			}
		}
	}
	return keys, rows.Err()
}
