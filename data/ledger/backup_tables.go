package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// copiedTable is a table that a backup holds.
type copiedTable struct{ name, columns, order string }

// copied are all tables but the one that tells the schema's version.
var copied = []copiedTable{
	{"ledger", "one, id", "one"},
	{"books", "book, tenant, seq, known_at, hash, key_id, exported", "book"},
	{"entries", "book, seq, known_at, kind, key, case_id, customer_id, key_id, digest, hash, salt, body", "book, seq"},
	{"claims", "book, name, seq", "book, name"},
	{"attempts", "book, attempt_id, case_id, no, state, seq, known_at", "book, attempt_id"},
	{"once", "book, key, fingerprint, at, status, body", "book, key"},
}

// copy copies the table's rows; each tells of every one.
func (t copiedTable) copy(ctx context.Context, from, to *sql.Tx, each func()) error {
	n := strings.Count(t.columns, ",") + 1
	marks := make([]string, n)
	values, into := make([]any, n), make([]any, n)
	for i := range n {
		marks[i], into[i] = fmt.Sprintf("$%d", i+1), &values[i]
	}
	insert, err := to.PrepareContext(ctx, fmt.Sprintf(`INSERT INTO %s (%s) VALUES (%s)`, t.name, t.columns, strings.Join(marks, ", ")))
	if err != nil {
		return err
	}
	defer insert.Close()
	rows, err := from.QueryContext(ctx, fmt.Sprintf(`SELECT %s FROM %s ORDER BY %s`, t.columns, t.name, t.order))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
		each()
	}
	return rows.Err()
}
