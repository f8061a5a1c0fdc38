package ledger

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// pipelineTries is how often a group is tried at once before its jobs go one by one.
const pipelineTries = 3

// pipelined writes a group to PostgreSQL in three round trips instead of some a
// job: it takes for granted that nothing is a duplicate, a conflict or a replay,
// and where the UNIQUE keys say otherwise it takes all back and tries the others.
// It returns the jobs that are to go one by one; the rest are answered.
func (g *group) pipelined() (odd []*work) {
	jobs := slices.Clone(g.jobs)
	for range pipelineTries {
		g.jobs = jobs
		bad, begun, err := g.pipeline()
		if err != nil && !begun && g.ledger.broken(err) { // a connection that died before
			g.heads = nil
			bad, _, err = g.pipeline()
		}
		if len(bad) == 0 {
			g.finish(err)
			return odd
		}
		g.heads = nil
		jobs = slices.DeleteFunc(jobs, func(w *work) bool {
			if !slices.Contains(bad, w) {
				return false
			}
			odd = append(odd, w)
			return true
		})
		if len(jobs) == 0 {
			return odd
		}
	}
	return append(odd, jobs...)
}

// pipeline writes the group in one transaction, or nothing: then bad are the jobs
// that were in the way, or err is the database's, begun telling whether it had
// the books' locks.
func (g *group) pipeline() (bad []*work, begun bool, err error) {
	ctx := context.Background()
	conn, err := g.ledger.write.Conn(ctx)
	if err != nil {
		return nil, false, err
	}
	committing := false
	err = conn.Raw(func(driver any) error {
		c := driver.(*stdlib.Conn).Conn()
		defer func() {
			if c.PgConn().TxStatus() != 'I' && !c.IsClosed() {
				c.Exec(ctx, "rollback")
			}
		}()
		if err := g.lockAtOnce(ctx, c); err != nil {
			return err
		}
		begun = true
		p := newPlan(g)
		if p.empty() {
			return nil
		}
		var err error
		if bad, err = p.write(ctx, c); err != nil || len(bad) > 0 {
			return err
		}
		committing = true
		_, err = c.Exec(ctx, "commit")
		return err
	})
	conn.Close()
	if err != nil && committing && g.landed(ctx) {
		err = nil
	}
	return bad, begun, err
}

// lockAtOnce begins a transaction and reads the ends of the books.
func (g *group) lockAtOnce(ctx context.Context, c *pgx.Conn) error {
	g.books()
	b := &pgx.Batch{}
	b.Queue("begin")
	for _, h := range g.heads {
		b.Queue(sqlHeadLocked, h.book.id)
	}
	r := c.SendBatch(ctx, b)
	_, err := r.Exec()
	for _, h := range g.heads {
		if err == nil {
			err = h.scan(r.QueryRow())
		}
	}
	if e := r.Close(); err == nil {
		err = e
	}
	return err
}
