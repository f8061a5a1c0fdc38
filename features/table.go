package features

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"recoup/data"
)

// The names of the tables in their folder.
const (
	AttemptsFile = "attempts.parquet"
	PeriodsFile  = "periods.parquet"
)

// The columns that stand before the features and are never model inputs.
var (
	attemptMeta = []data.Column{{Name: "attempt_id", Kind: data.String}, {Name: "case_id", Kind: data.String},
		{Name: "customer_id", Kind: data.String}, {Name: "attempt_no", Kind: data.Int64}, {Name: "at", Kind: data.Timestamp},
		{Name: "decided_at", Kind: data.Timestamp}, {Name: "as_of_known_at", Kind: data.Timestamp}, {Name: "as_of_seq", Kind: data.Int64},
		{Name: "horizon_us", Kind: data.Int64}, {Name: "y", Kind: data.Int64}}
	periodMeta = []data.Column{{Name: "case_id", Kind: data.String}, {Name: "customer_id", Kind: data.String},
		{Name: "attempt_no", Kind: data.Int64}, {Name: "day", Kind: data.Int64}, {Name: "at", Kind: data.Timestamp},
		{Name: "as_of_known_at", Kind: data.Timestamp}, {Name: "as_of_seq", Kind: data.Int64}, {Name: "exposure", Kind: data.Float64},
		{Name: "y", Kind: data.Int64}}
)

// AttemptMeta and PeriodMeta list the columns of the tables that are no features.
func AttemptMeta() []string { return namesOf(attemptMeta) }

// PeriodMeta lists the columns of the period table that are no features.
func PeriodMeta() []string { return namesOf(periodMeta) }

func namesOf(cs []data.Column) []string {
	out := make([]string, len(cs))
	for i := range cs {
		out[i] = cs[i].Name
	}
	return out
}

// tables writes both files.
type tables struct {
	attempts, periods *table
	h                 func(data.Rail) data.Micros
}

// table collects rows into frames.
type table struct {
	schema Schema
	meta   int
	w      *data.FrameWriter
	frame  data.Frame
	block  [][]float64 // features of the latest rows, not yet in the frame
	sum    *TableSummary
}

// Sizes of a frame and of a block: a block of rows stays in the cache while
// column after column of it is filled in.
const (
	frameRows = 8192
	blockRows = 64
)

func createTables(dir string, sum *Summary) (*tables, error) {
	a, err := createTable(filepath.Join(dir, AttemptsFile), AttemptSchema(), attemptMeta, sum, &sum.Attempts)
	if err != nil {
		return nil, err
	}
	p, err := createTable(filepath.Join(dir, PeriodsFile), CureSchema(), periodMeta, sum, &sum.Periods)
	if err != nil {
		a.w.Abort()
		return nil, err
	}
	return &tables{attempts: a, periods: p}, nil
}

func createTable(path string, s Schema, meta []data.Column, sum *Summary, t *TableSummary) (*table, error) {
	columns := append([]data.Column(nil), meta...)
	for _, c := range s.Columns {
		kind := data.Float64
		if c.Levels != nil {
			kind = data.String
		}
		columns = append(columns, data.Column{Name: c.Name, Kind: kind})
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	w, err := data.CreateFrames(path, columns, map[string]string{
		"schema": string(text), "fingerprint": s.Fingerprint(), "log": sum.LogHash,
		"as_of_us": strconv.FormatInt(int64(sum.AsOf), 10), "until_us": strconv.FormatInt(int64(sum.Until), 10)})
	if err != nil {
		return nil, err
	}
	*t = TableSummary{Path: path, Columns: len(s.Columns), Fingerprint: s.Fingerprint()}
	out := &table{schema: s, meta: len(meta), w: w, sum: t, frame: data.Frame{Columns: columns}}
	out.empty()
	return out, nil
}

func (t *table) empty() {
	t.frame.First += int64(t.frame.N)
	t.frame.N = 0
	for i := range t.frame.Columns {
		c := &t.frame.Columns[i]
		c.F, c.I, c.Codes = c.F[:0], c.I[:0], c.Codes[:0]
		if c.Kind != data.String {
			continue
		}
		if i < t.meta {
			c.Dict = c.Dict[:0]
		} else {
			c.Dict = t.schema.Columns[i-t.meta].Levels
		}
	}
}

// text, number and real append to a meta column.
func (t *table) text(i int, s string) {
	c := &t.frame.Columns[i]
	if n := len(c.Dict); n == 0 || c.Dict[n-1] != s { // ids rarely come twice
		c.Dict = append(c.Dict, s)
	}
	c.Codes = append(c.Codes, uint32(len(c.Dict)-1))
}

func (t *table) number(i int, n int64) { t.frame.Columns[i].I = append(t.frame.Columns[i].I, n) }
func (t *table) real(i int, x float64) { t.frame.Columns[i].F = append(t.frame.Columns[i].F, x) }

// row ends a row. Its features are read when the block is spread.
func (t *table) row(x []float64, y bool) error {
	t.block = append(t.block, x)
	t.sum.Rows++
	if y {
		t.sum.Positives++
	}
	if len(t.block) == blockRows || t.frame.N+len(t.block) == frameRows {
		return t.spread()
	}
	return nil
}

// spread puts the block's features in their columns, and writes the frame when
// it is full.
func (t *table) spread() error {
	n := len(t.block)
	for i := range t.schema.Columns {
		c := &t.frame.Columns[t.meta+i]
		if c.Kind == data.String {
			c.Codes = slices.Grow(c.Codes, n)[:t.frame.N+n]
			for r, x := range t.block {
				c.Codes[t.frame.N+r] = uint32(x[i])
			}
		} else {
			c.F = slices.Grow(c.F, n)[:t.frame.N+n]
			for r, x := range t.block {
				c.F[t.frame.N+r] = x[i]
			}
		}
	}
	t.frame.N += n
	t.block = t.block[:0]
	if t.frame.N == frameRows {
		return t.flush()
	}
	return nil
}

func (t *table) flush() error {
	if t.frame.N == 0 {
		return nil
	}
	if err := t.w.Write(&t.frame); err != nil {
		return err
	}
	t.empty()
	return nil
}

// close writes what is left and publishes the file.
func (t *table) close() error {
	if err := t.flush(); err != nil {
		t.w.Abort()
		return err
	}
	return t.w.Close()
}

func (t *tables) attempt(r *attemptRow, h data.Micros) error {
	a := t.attempts
	a.text(0, r.retry.ID)
	a.text(1, r.past.CaseID)
	a.text(2, r.past.CustomerID)
	a.number(3, int64(r.retry.No))
	a.number(4, int64(r.retry.At))
	a.number(5, int64(r.past.T))
	a.number(6, int64(r.past.AsOf.KnownAt))
	a.number(7, r.past.AsOf.Seq)
	a.number(8, int64(h))
	a.number(9, b2i(r.y))
	return a.row(r.x, r.y)
}

func (t *tables) period(r *periodRow) error {
	p := t.periods
	p.text(0, r.past.CaseID)
	p.text(1, r.past.CustomerID)
	p.number(2, int64(r.past.failed.no))
	p.number(3, int64(r.day))
	p.number(4, int64(r.at))
	p.number(5, int64(r.asOf.KnownAt))
	p.number(6, r.asOf.Seq)
	p.real(7, r.exposure)
	p.number(8, b2i(r.y))
	return p.row(r.x, r.y)
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// writeAll merges the shards' batches: batch k of every shard covers the same
// stretch of the log, and no row of it is later than any row of batch k+1.
func (t *tables) writeAll(out []chan *rowBatch, shards []*shard) error {
	batches := make([]*rowBatch, len(out))
	for {
		for i, c := range out {
			b, ok := <-c
			if !ok {
				return nil
			}
			batches[i] = b
		}
		if err := t.write(batches); err != nil {
			return err
		}
		for i, b := range batches {
			b.reset()
			select {
			case shards[i].free <- b:
			default:
			}
		}
	}
}

func (t *tables) write(batches []*rowBatch) error {
	attempts, periods := make([][]attemptRow, len(batches)), make([][]periodRow, len(batches))
	for i, b := range batches {
		attempts[i], periods[i] = b.attempts, b.periods
	}
	for r := next(attempts, (*attemptRow).compare); r != nil; r = next(attempts, (*attemptRow).compare) {
		if err := t.attempt(r, t.h(r.retry.Rail)); err != nil {
			return err
		}
	}
	for r := next(periods, (*periodRow).compare); r != nil; r = next(periods, (*periodRow).compare) {
		if err := t.period(r); err != nil {
			return err
		}
	}
	if err := t.attempts.spread(); err != nil { // the rows' memory is used again
		return err
	}
	return t.periods.spread()
}

// next takes the first row of sorted lists, nil when all are empty.
func next[R any](lists [][]R, compare func(a, b *R) int) *R {
	first := -1
	for i := range lists {
		if len(lists[i]) > 0 && (first < 0 || compare(&lists[i][0], &lists[first][0]) < 0) {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	r := &lists[first][0]
	lists[first] = lists[first][1:]
	return r
}

func (t *tables) abort() {
	t.attempts.w.Abort()
	t.periods.w.Abort()
}

// close publishes both files, which wait for the disk together. When one fails
// the other is taken back: the pair is there or not at all.
func (t *tables) close(shards []*shard, sum *Summary) error {
	var first, second error
	var both sync.WaitGroup
	both.Go(func() { first = t.attempts.close() })
	second = t.periods.close()
	both.Wait()
	if err := cmp.Or(first, second); err != nil {
		if first == nil {
			os.Remove(t.attempts.sum.Path)
		}
		if second == nil {
			os.Remove(t.periods.sum.Path)
		}
		return err
	}
	var d drops
	for _, s := range shards {
		d.add(&s.drop)
	}
	sum.Attempts.Dropped, sum.Periods.Dropped = d.attempts(), d.periods()
	return nil
}
