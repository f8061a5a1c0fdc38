package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WriteOptions says what a log's rows have in common.
type WriteOptions struct {
	Currency       string // ISO 4217
	KnownAtAssumed bool   // known_at was taken from occurred_at
	Horizon        Micros // H of every attempt; 0 = its rail's own
	RunRows        int    // rows held in memory before a run is spilled; 0 = default
}

// Writer adds rows to the event log of a folder. Nothing is visible before
// Commit. A Writer holds the log's lock until Commit or Abort, and is not for
// concurrent use.
type Writer struct {
	events  string // D/events
	parts   partOptions
	release func() // nil when the writer has ended
	o       WriteOptions
	old     Manifest // generation 0 when there is no log yet
	sort    sorter
}

// NewWriter opens the log of folder dir for one commit, making the log if there
// is none, and sweeps what a killed writer left. Another living writer gives an
// error that Is ErrLocked; options that contradict the log one that Is ErrContract.
func NewWriter(dir string, o WriteOptions) (w *Writer, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	events := filepath.Join(dir, "events")
	if err := os.MkdirAll(events, 0o755); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	release, err := Lock(filepath.Join(events, ".lock"))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	old, err := readManifest(events)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if old.Generation > 0 {
		if err := o.agree(old, events); err != nil {
			return nil, err
		}
	}
	if err := sweep(events, old); err != nil {
		return nil, err
	}
	staging := filepath.Join(events, ".staging")
	if err := os.Mkdir(staging, 0o755); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return &Writer{events: events, parts: defaultParts(staging), release: release, o: o, old: old,
		sort: sorter{dir: staging, maxRows: cmp.Or(o.RunRows, defaultRunRows)}}, nil
}

func (o WriteOptions) check() error {
	var faults []error
	if len(o.Currency) != 3 || strings.ToUpper(o.Currency) != o.Currency {
		faults = append(faults, fmt.Errorf("currency %q: expected an ISO 4217 code, e.g. INR", o.Currency))
	}
	if o.Horizon < 0 {
		faults = append(faults, fmt.Errorf("horizon %d µs: expected at least 0", o.Horizon))
	}
	if o.RunRows < 0 {
		faults = append(faults, fmt.Errorf("run rows %d: expected at least 0", o.RunRows))
	}
	if len(faults) > 0 {
		return Faultf(ErrUsage, "data: write options: %w", errors.Join(faults...))
	}
	return nil
}

func (o WriteOptions) agree(m Manifest, events string) error {
	if o.Currency != m.Currency {
		return Faultf(ErrContract, "data: %s: the log is in %s, the new rows in %s: keep currencies in separate folders",
			events, m.Currency, o.Currency)
	}
	if o.Horizon != m.Horizon {
		return Faultf(ErrContract, "data: %s: the log has horizon %d µs, the new rows %d µs: keep them in separate folders",
			events, m.Horizon, o.Horizon)
	}
	return nil
}

// sweep removes what no manifest names: the rest of a killed writer.
func sweep(events string, m Manifest) error {
	if err := os.RemoveAll(filepath.Join(events, ".staging")); err != nil {
		return fmt.Errorf("data: %w", err)
	}
	known := make(map[string]bool, len(m.Files))
	for _, f := range m.Files {
		known[f.Path] = true
	}
	tmp, err := filepath.Glob(filepath.Join(events, ".tmp-"+manifestName+"-*"))
	if err != nil {
		return err
	}
	for _, t := range tables() {
		parts, err := filepath.Glob(filepath.Join(events, t.tableName(), "known_date=*", "part-*.parquet"))
		if err != nil {
			return err
		}
		for _, p := range parts {
			rel, err := filepath.Rel(events, p)
			if err != nil {
				return err
			}
			if !known[filepath.ToSlash(rel)] {
				tmp = append(tmp, p)
			}
		}
	}
	for _, p := range tmp {
		if err := os.Remove(p); err != nil {
			return fmt.Errorf("data: %w", err)
		}
		os.Remove(filepath.Dir(p)) // when it was the folder's only file
	}
	return nil
}

// Add takes rows of one table, in any order. Seq is ignored: Commit gives it.
// When a row is invalid none of the call's rows are taken, the error names the
// table, event_id and column and Is ErrContract, and the writer stays usable.
func Add[T Row](w *Writer, rows ...T) error {
	if w.release == nil {
		return errFinished
	}
	t := tableOf[T]()
	for i := range rows {
		if err := t.checkRow(&rows[i]); err != nil {
			return err
		}
	}
	for i := range rows {
		r := &rows[i]
		if err := w.sort.add(t.event(r).KnownAt, t.id, func(b []byte) []byte {
			for k, c := range t.columns {
				if k != seqColumn {
					b = c.put(b, r)
				}
			}
			return b
		}); err != nil {
			return err
		}
	}
	return nil
}

var errFinished = errors.New("data: the writer has ended with Commit or Abort")

// Abort gives the writer up; the log is as it was. After Commit it does nothing.
func (w *Writer) Abort() error {
	if w.release == nil {
		return nil
	}
	err := os.RemoveAll(w.parts.staging)
	w.release()
	w.release = nil
	return err
}

// Commit sorts the rows, drops duplicates, writes the parts and then the
// manifest, whose rename makes them visible together. When nothing is new the
// log's bytes stay as they are; the Manifest returned then carries this
// commit's counts in Ingest. After an error the log is as it was.
func (w *Writer) Commit(ctx context.Context) (m Manifest, err error) {
	if w.release == nil {
		return Manifest{}, errFinished
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	files, ingest, err := w.write(ctx)
	if err != nil {
		return Manifest{}, err
	}
	m = w.old
	if len(files) == 0 && m.Generation > 0 {
		m.Ingest = ingest
		return m, nil
	}
	if err := w.place(files); err != nil {
		return Manifest{}, err
	}
	m.Format, m.Schema, m.Generation = manifestFormat, SchemaID(), m.Generation+1
	m.Currency, m.Horizon = w.o.Currency, w.o.Horizon
	m.KnownAtAssumed = m.KnownAtAssumed || w.o.KnownAtAssumed
	m.Ingest = ingest
	m.Files = append(slices.Clone(m.Files), files...)
	sortFiles(m.Files)
	if err := ctx.Err(); err != nil {
		return Manifest{}, err
	}
	return m, writeManifest(w.events, &m)
}

// sortFiles puts files in the order of the tables, then of their cursors.
func sortFiles(files []File) {
	place := map[string]int{}
	for i, t := range tables() {
		place[t.tableName()] = i
	}
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(place[a.Table], place[b.Table]), a.Min.Compare(b.Min))
	})
}

// write makes the parts in the staging folder.
func (w *Writer) write(ctx context.Context) ([]File, Ingest, error) {
	if err := w.sort.settle(); err != nil {
		return nil, Ingest{}, err
	}
	attempts := attemptsTable()
	rows := w.old.rows()
	for _, n := range w.sort.counts {
		rows += n
	}
	known := newSeen(rows, w.old.Rows(attempts.name)+w.sort.counts[attempts.id])
	if w.old.Generation > 0 {
		l, err := openLog(w.events, w.old)
		if err != nil {
			return nil, Ingest{}, err
		}
		if err := known.load(l); err != nil {
			return nil, Ingest{}, err
		}
	}
	all := tables()
	sinks := make([]partSink, len(all))
	for i, t := range all {
		sinks[i] = t.newParts(w.parts)
	}
	seq := w.old.maxSeq()
	rows = 0
	err := w.sort.each(func(e entry) error {
		if rows%batchRows == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if !known.event(recordID(e.rec)) {
			return nil
		}
		added, err := sinks[e.table].add(e, seq+1, known)
		if added {
			seq++
			rows++
		}
		return err
	})
	var files []File
	for _, s := range sinks {
		if err != nil {
			break
		}
		var fs []File
		fs, err = s.close()
		files = append(files, fs...)
	}
	return files, Ingest{Rows: rows, Duplicates: known.dropped}, err
}

// place moves the staged parts to where the manifest will name them.
func (w *Writer) place(files []File) error {
	dirs := map[string]bool{}
	for _, f := range files {
		to := filepath.Join(w.events, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("data: %w", err)
		}
		if err := os.Rename(filepath.Join(w.parts.staging, filepath.FromSlash(f.Path)), to); err != nil {
			return fmt.Errorf("data: %w", err)
		}
		dirs[filepath.Dir(to)] = true
		dirs[filepath.Dir(filepath.Dir(to))] = true
	}
	for dir := range dirs {
		if err := syncDir(dir); err != nil {
			return err
		}
	}
	return syncDir(w.events)
}
