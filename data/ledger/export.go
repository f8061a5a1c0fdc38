package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/data"
)

// Export says where a book's entries go.
type Export struct {
	Dir      string      // the tenant's: its event log is Dir/events
	UpTo     data.Micros // entries known after it wait; 0 = all go
	Currency string      // of an event log that is not there yet, ISO 4217
	// Again begins with the first entry, for an event log that is older than the mark
	// (one put back from a copy); rows that it has are passed over.
	Again bool
}

// Exported is what an export did.
type Exported struct {
	Tenant     string          `json:"tenant"`
	From       int64           `json:"from_seq"` // of the first entry looked at
	To         int64           `json:"to_seq"`   // of the last; below From where there was nothing
	Rows       int64           `json:"rows"`     // added to the event log
	Duplicates data.Duplicates `json:"duplicates"`
	Erased     int64           `json:"erased"` // entries without a body: they are in no log
	Others     int64           `json:"others"` // entries that are no rows: answers, webhooks, results, what is about the chain
}

// Export adds the entries that were not exported yet to the tenant's event log, with
// their known_at, and then marks how far it came. After a death at any point another
// Export leaves the same log: what it has is passed over by event_id. Decisions made from a
// request's own events (kind Answer) stay out. A body that is no row Is data.ErrContract, another
// writer at work in the log data.ErrLocked.
func (b *Book) Export(ctx context.Context, x Export) (Exported, error) {
	out, err := b.export(ctx, x)
	if err != nil || out.To < out.From {
		return out, err
	}
	return out, b.mark(ctx, out.To)
}

// export is Export without the mark.
func (b *Book) export(ctx context.Context, x Export) (Exported, error) {
	out := Exported{Tenant: b.tenant}
	after := int64(0)
	if !x.Again {
		var err error
		if after, err = b.Exported(ctx); err != nil {
			return out, err
		}
	}
	out.From, out.To = after+1, after
	var w *data.Writer // from the first row on
	defer func() {
		if w != nil {
			w.Abort()
		}
	}()
	for e, err := range b.Scan(ctx, after) {
		if err != nil {
			return out, err
		}
		if x.UpTo > 0 && e.KnownAt > x.UpTo {
			break
		}
		row, is, err := e.Row()
		if err != nil {
			return out, err
		}
		out.To = e.Seq
		switch {
		case e.Body == nil:
			out.Erased++
			continue
		case !is:
			out.Others++
			continue
		}
		if w == nil {
			o, err := x.options()
			if err != nil {
				return out, err
			}
			if w, err = data.NewWriter(x.Dir, o); err != nil {
				return out, err
			}
		}
		if err := add(w, row.Row); err != nil {
			return out, fmt.Errorf("ledger: entry %d: %w", e.Seq, err)
		}
	}
	if w == nil {
		return out, nil
	}
	m, err := w.Commit(ctx)
	if err != nil {
		return out, err
	}
	out.Rows, out.Duplicates = m.Ingest.Rows, m.Ingest.Duplicates
	return out, nil
}

// options are those of the log that is there.
func (x *Export) options() (data.WriteOptions, error) {
	_, err := os.Stat(filepath.Join(x.Dir, "events", "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return data.WriteOptions{Currency: x.Currency}, nil
	}
	l, err := data.OpenLog(x.Dir)
	if err != nil {
		return data.WriteOptions{}, err
	}
	m := l.Manifest()
	return data.WriteOptions{Currency: m.Currency, Horizon: m.Horizon}, nil
}

// add gives the writer a row of whatever table.
func add(w *data.Writer, row any) error {
	switch r := row.(type) {
	case *data.Attempt:
		return data.Add(w, *r)
	case *data.CaseEvent:
		return data.Add(w, *r)
	case *data.Subscription:
		return data.Add(w, *r)
	case *data.Mandate:
		return data.Add(w, *r)
	case *data.Notice:
		return data.Add(w, *r)
	case *data.Poll:
		return data.Add(w, *r)
	case *data.Promise:
		return data.Add(w, *r)
	case *data.Downtime:
		return data.Add(w, *r)
	case *data.Decision:
		return data.Add(w, *r)
	case *data.Outcome:
		return data.Add(w, *r)
	}
	panic(fmt.Sprintf("ledger: %T is no row", row))
}

// mark remembers that entries up to seq were exported.
func (b *Book) mark(ctx context.Context, seq int64) error {
	if b.ledger.config.ReadOnly {
		return errClosed
	}
	if _, err := b.ledger.write.ExecContext(ctx, `UPDATE books SET exported = $2 WHERE book = $1 AND exported < $2`, b.id, seq); err != nil {
		return unavailable("export", err)
	}
	return nil
}
