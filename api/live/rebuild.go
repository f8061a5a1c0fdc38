package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
)

// remade is a state made of the log and the book.
type remade struct {
	state  *features.State
	end    data.Micros // the latest known_at of the log
	folded int64
	inLog  logged
	stamp  stamp
}

// logged are the ids of events that the log has beyond what the book says is exported:
// an export broke off, or has not marked its end yet.
type logged map[string]bool

// fold is an event to fold, and where its entry is.
type fold struct {
	seq int64
	row data.AnyRow
}

// manifestPath is the file that changes with every commit to the log.
func manifestPath(dir string) string { return filepath.Join(dir, "events", "manifest.json") }

// openLog opens the tenant's log; nil = there is none yet.
func openLog(dir string) (*data.Log, stamp, error) {
	info, err := os.Stat(manifestPath(dir))
	if dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, stamp{}, nil
	}
	if err != nil {
		return nil, stamp{}, fmt.Errorf("live: log: %w", err)
	}
	l, err := data.OpenLog(dir)
	return l, stamp{info.ModTime(), info.Size()}, err
}

// logEnd is the latest moment that a log knows; 0 = there is none.
func logEnd(dir string) (data.Micros, error) {
	l, _, err := openLog(dir)
	if err != nil || l == nil {
		return 0, err
	}
	m := l.Manifest()
	last, _ := m.Last()
	return last.KnownAt, nil
}

// fromLog makes a state of the log and of the entries that are not in it, in the order of
// their cursors. What is exported is asked before the log is opened: so an entry may
// be in both, never in neither.
func (d *Desk) fromLog(ctx context.Context) (remade, error) {
	exported, err := d.book.Exported(ctx)
	if err != nil {
		return remade{}, err
	}
	l, at, err := openLog(d.cfg.Dir)
	if err != nil {
		return remade{}, err
	}
	out := remade{state: features.NewState(), folded: exported, stamp: at}
	var fresh []fold
	for e, err := range d.book.Scan(ctx, exported) {
		if err != nil {
			return remade{}, err
		}
		out.folded = e.Seq
		f, ok, err := foldOf(&e)
		if err != nil {
			return remade{}, err
		}
		if ok {
			fresh = append(fresh, f)
		}
	}
	if l != nil {
		m := l.Manifest()
		last, _ := m.Last()
		out.end = last.KnownAt
		if fresh, err = out.foldLog(ctx, l, last, fresh); err != nil {
			return remade{}, err
		}
	}
	return out, out.foldAll(fresh)
}

// foldLog folds the log up to the first of the fresh events, and gives the rest of it
// and them in the order of knowing, each once.
func (m *remade) foldLog(ctx context.Context, l *data.Log, last data.Cursor, fresh []fold) ([]fold, error) {
	until := last
	if len(fresh) > 0 && fresh[0].row.KnownAt <= last.KnownAt {
		until = data.AsOf(fresh[0].row.KnownAt - 1)
	}
	if until.KnownAt > 0 { // a log without rows has no end
		states, err := features.FoldLog(ctx, l, until, 1, nil)
		if err != nil {
			return nil, err
		}
		m.state = states[0]
	}
	if until == last {
		return fresh, nil
	}
	m.inLog = logged{}
	var rest []fold
	for row, err := range rowsAfter(l, until) {
		if err != nil {
			return nil, err
		}
		m.inLog[row.EventID] = true
		rest = append(rest, fold{row: row})
	}
	fresh = slices.DeleteFunc(fresh, func(f fold) bool { return m.inLog[f.row.EventID] })
	fresh = append(rest, fresh...) // of one time, what the log has comes first: an export gives later seqs
	slices.SortStableFunc(fresh, func(a, b fold) int { return cmp.Compare(a.row.KnownAt, b.row.KnownAt) })
	return fresh, nil
}

// foldAll folds events in their order.
func (m *remade) foldAll(all []fold) error {
	for i := range all {
		row := all[i].row
		row.Seq = int64(i)
		if err := features.FoldAny(m.state, row); err != nil {
			return err
		}
		if i+1 == len(all) || all[i+1].row.KnownAt > row.KnownAt {
			if err := m.state.Until(data.AsOf(row.KnownAt)); err != nil {
				return err
			}
		}
	}
	return nil
}

// foldNext folds an event that came just now, and moves as_of to the end of its
// microsecond: as_of is then the same whatever the seq of its last event, here and in
// the exported log.
func foldNext(s *features.State, row data.AnyRow) error {
	if err := features.FoldAny(s, row); err != nil {
		return err
	}
	return s.Until(data.AsOf(row.KnownAt))
}

// take puts a state in place.
func (d *Desk) take(m remade) {
	d.state, d.folded, d.inLog, d.manifest = m.state, m.folded, m.inLog, m.stamp
}

// Refresh delivers what other processes appended, and takes in what came into the
// tenant's log from elsewhere since it was read.
func (d *Desk) Refresh(ctx context.Context) error {
	if err := d.book.Sync(ctx); err != nil {
		return err
	}
	d.refreshing.Lock()
	defer d.refreshing.Unlock()
	info, err := os.Stat(manifestPath(d.cfg.Dir))
	d.mu.Lock()
	same := !d.stale && (err != nil || stamp{info.ModTime(), info.Size()} == d.manifest)
	if !same {
		d.waiting = []fold{}
	}
	d.mu.Unlock()
	if same {
		return nil
	}
	m, err := d.fromLog(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	waiting := d.waiting
	d.waiting = nil
	if err != nil {
		return err
	}
	for _, f := range waiting {
		if f.seq > m.folded && !m.inLog[f.row.EventID] {
			if err := foldNext(m.state, f.row); err != nil {
				return err
			}
			m.folded = f.seq
		}
	}
	d.take(m)
	d.stale, d.head = false, max(d.head, m.end)
	return nil
}

// remembered is from where on the book's decisions matter: those known later than
// since. since 0 = all of them.
func (d *Desk) remembered(ctx context.Context) (seq int64, since data.Micros, err error) {
	last, ok, err := d.entryAfter(ctx, d.folded-1)
	if err != nil || !ok {
		return 0, 0, err
	}
	since = last.KnownAt - Remembered
	lo, hi := int64(0), d.folded // the entry after hi is none, or later than since
	for lo < hi {
		mid := (lo + hi) / 2
		e, ok, err := d.entryAfter(ctx, mid)
		if err != nil {
			return 0, 0, err
		}
		if !ok || e.KnownAt > since {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == 0 {
		return 0, 0, nil
	}
	return lo, since, nil
}

func (d *Desk) entryAfter(ctx context.Context, seq int64) (ledger.Entry, bool, error) {
	for e, err := range d.book.Scan(ctx, max(0, seq)) {
		return e, err == nil, err
	}
	return ledger.Entry{}, false, nil
}
