package ledger

import (
	"context"
	"database/sql"
)

// The texts are one for both databases.
const (
	sqlHead        = `SELECT seq, known_at, hash, key_id FROM books WHERE book = $1`
	sqlSeq         = `SELECT seq FROM books WHERE book = $1`
	sqlHeadLocked  = sqlHead + ` FOR UPDATE` // other servers wait here
	sqlSaveHead    = `UPDATE books SET seq = $2, known_at = $3, hash = $4, key_id = $5 WHERE book = $1`
	sqlEntry       = `INSERT INTO entries (book, seq, known_at, kind, key, case_id, customer_id, key_id, digest, hash, salt, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (book, kind, key) DO NOTHING`
	sqlSame        = `SELECT seq, known_at, body FROM entries WHERE book = $1 AND kind = $2 AND key = $3`
	sqlClaim       = `INSERT INTO claims (book, name, seq) VALUES ($1, $2, $3) ON CONFLICT (book, name) DO NOTHING`
	sqlClaimed     = `SELECT e.seq, e.known_at, e.kind, e.key, e.body FROM claims c JOIN entries e ON e.book = c.book AND e.seq = c.seq WHERE c.book = $1 AND c.name = $2`
	sqlAttempt     = `INSERT INTO attempts (book, attempt_id, case_id, no, state, seq, known_at) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	sqlAttemptIs   = `SELECT case_id, no FROM attempts WHERE book = $1 AND attempt_id = $2`
	sqlAttemptNo   = `SELECT attempt_id FROM attempts WHERE book = $1 AND case_id = $2 AND no = $3`
	sqlMove        = `UPDATE attempts SET state = $3, seq = $4, known_at = $5 WHERE book = $1 AND attempt_id = $2 AND state < $3 AND (state <> $6 OR $7)`
	sqlOnce        = `INSERT INTO once (book, key, fingerprint, at) VALUES ($1, $2, $3, $4) ON CONFLICT (book, key) DO NOTHING`
	sqlOnceIs      = `SELECT fingerprint, status, body FROM once WHERE book = $1 AND key = $2`
	sqlOnceAnswer  = `UPDATE once SET status = $3, body = $4 WHERE book = $1 AND key = $2`
	sqlOnceSweep   = `DELETE FROM once WHERE book = $1 AND key IN (SELECT key FROM once WHERE book = $1 AND at < $2 ORDER BY at LIMIT $3)`
	entryColumns   = `seq, known_at, kind, key, case_id, customer_id, body`
	sqlScan        = `SELECT ` + entryColumns + ` FROM entries WHERE book = $1 AND seq > $2 ORDER BY seq LIMIT $3`
	sqlFind        = `SELECT ` + entryColumns + ` FROM entries WHERE book = $1 AND kind = $2 AND key = $3`
	sqlCase        = `SELECT ` + entryColumns + ` FROM entries WHERE book = $1 AND case_id = $2 AND case_id <> '' ORDER BY seq`
	sqlAttemptFind = `SELECT attempt_id, case_id, no, state, seq, known_at FROM attempts WHERE book = $1 AND attempt_id = $2`
	sqlExported    = `SELECT exported FROM books WHERE book = $1`
)

// statements are the writer's, prepared once.
type statements struct {
	head, saveHead, entry, same, claim, claimed, attempt, attemptIs, attemptNo, move, once, onceIs, onceAnswer, onceSweep, savepoint, release, rollback, inner, innerRelease, innerRollback *sql.Stmt
}

func prepare(ctx context.Context, db *sql.DB, postgres bool) (*statements, error) {
	s := &statements{}
	head := sqlHead
	if postgres {
		head = sqlHeadLocked
	}
	for _, p := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&s.head, head}, {&s.saveHead, sqlSaveHead}, {&s.entry, sqlEntry}, {&s.same, sqlSame}, {&s.claim, sqlClaim}, {&s.claimed, sqlClaimed},
		{&s.attempt, sqlAttempt}, {&s.attemptIs, sqlAttemptIs}, {&s.attemptNo, sqlAttemptNo}, {&s.move, sqlMove}, {&s.once, sqlOnce}, {&s.onceIs, sqlOnceIs}, {&s.onceAnswer, sqlOnceAnswer}, {&s.onceSweep, sqlOnceSweep},
		{&s.savepoint, `SAVEPOINT job`}, {&s.release, `RELEASE SAVEPOINT job`}, {&s.rollback, `ROLLBACK TO SAVEPOINT job`},
		{&s.inner, `SAVEPOINT draft`}, {&s.innerRelease, `RELEASE SAVEPOINT draft`}, {&s.innerRollback, `ROLLBACK TO SAVEPOINT draft`},
	} {
		st, err := db.PrepareContext(ctx, p.text)
		if err != nil {
			return nil, err
		}
		*p.to = st
	}
	return s, nil
}

// in gives the statements to a transaction.
func (s *statements) in(ctx context.Context, tx *sql.Tx) statements {
	to := *s
	for _, st := range []**sql.Stmt{&to.head, &to.saveHead, &to.entry, &to.same, &to.claim, &to.claimed, &to.attempt, &to.attemptIs, &to.attemptNo, &to.move, &to.once, &to.onceIs, &to.onceAnswer, &to.onceSweep,
		&to.savepoint, &to.release, &to.rollback, &to.inner, &to.innerRelease, &to.innerRollback} {
		*st = tx.StmtContext(ctx, *st)
	}
	return to
}
