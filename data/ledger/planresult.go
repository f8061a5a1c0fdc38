package ledger

import (
	"errors"

	"github.com/jackc/pgx/v5"
)

// The whole of a group in one statement a table; what comes back is what went in.
const (
	sqlEntries = `INSERT INTO entries (book, seq, known_at, kind, key, case_id, customer_id, key_id, digest, hash, salt, body)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[])
ON CONFLICT (book, kind, key) DO NOTHING RETURNING book, seq, ''`
	sqlClaims = `INSERT INTO claims (book, name, seq) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])
ON CONFLICT (book, name) DO NOTHING RETURNING book, seq, name`
	sqlOnces = `INSERT INTO once (book, key, fingerprint, at, status, body)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[], $5::integer[], $6::bytea[])
ON CONFLICT (book, key) DO NOTHING RETURNING book, 0, key`
)

// planRow names a row that went in.
type planRow struct {
	book, seq int64
	name      string
}

// lost reads the results of the plan's insertions and returns the jobs of which a
// row did not go in, being there already. Of two equal rows in one group the
// second does not go in.
func (p *plan) lost(r pgx.BatchResults) (bad []*work, err error) {
	if len(p.entries) > 0 {
		went, err := inserts(r)
		if err != nil {
			return nil, err
		}
		for _, e := range p.entries {
			if !went[planRow{e.of.book.id, e.is.Seq, ""}] {
				bad = append(bad, e.of)
			}
		}
	}
	if len(p.claims) > 0 {
		went, err := inserts(r)
		if err != nil {
			return nil, err
		}
		for _, c := range p.claims {
			if !went[planRow{c.of.book.id, c.seq, c.name}] {
				bad = append(bad, c.of)
			}
		}
	}
	if len(p.onces) > 0 {
		went, err := inserts(r)
		if err != nil {
			return nil, err
		}
		for _, w := range p.onces {
			row := planRow{w.book.id, 0, w.job.Once.Key}
			if !went[row] {
				bad = append(bad, w)
			}
			delete(went, row) // two jobs with one key: the second is a replay
		}
	}
	return bad, nil
}

func inserts(r pgx.BatchResults) (map[planRow]bool, error) {
	rows, err := r.Query()
	if err != nil {
		return nil, err
	}
	went := map[planRow]bool{}
	var row planRow
	_, err = pgx.ForEachRow(rows, []any{&row.book, &row.seq, &row.name}, func() error {
		went[row] = true
		return nil
	})
	return went, err
}

func (m planMove) queue(b *pgx.Batch) {
	book := m.of.book.id
	if m.move.CaseID != "" {
		b.Queue(sqlAttempt, book, m.move.AttemptID, m.move.CaseID, int64(m.move.No), int64(m.move.To), m.r.Seq, int64(m.r.KnownAt))
	}
	b.Queue(sqlAttemptIs, book, m.move.AttemptID)
	b.Queue(sqlMove, book, m.move.AttemptID, int64(m.move.To), m.r.Seq, int64(m.r.KnownAt), int64(Unknown), m.move.ByPoll)
}

// went reads what became of a move; ok is false where it is in conflict.
func (m planMove) went(r pgx.BatchResults) (ok bool, err error) {
	if m.move.CaseID != "" {
		if _, err := r.Exec(); err != nil {
			return false, err
		}
	}
	var caseID string
	var no int32
	err = r.QueryRow().Scan(&caseID, &no)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		ok = m.move.CaseID == "" // a poll of an attempt that nobody reported
	case err != nil:
		return false, err
	default:
		ok = m.move.CaseID == "" || caseID == m.move.CaseID && no == m.move.No
	}
	_, err = r.Exec()
	return ok, err
}
