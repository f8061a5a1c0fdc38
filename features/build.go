package features

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"recoup/data"
	"recoup/features/labels"
)

// BuildOptions say what tables to build.
type BuildOptions struct {
	AsOf     data.Cursor // nothing after it counts; there is no default
	Dir      string      // the folder for attempts.parquet and periods.parquet; made when absent
	Workers  int         // buckets of customers, one goroutine each; 0 = 1. The result does not depend on it
	Progress func(done, total int64)
}

// Summary says what was built and what was left out.
type Summary struct {
	AsOf           data.Micros  `json:"as_of_us"`
	Until          data.Micros  `json:"until_us"`         // windows had to be closed by then: AsOf, or the log's end before it
	KnownAtAssumed bool         `json:"known_at_assumed"` // the log's known_at is an assumption
	LogHash        string       `json:"log_sha256"`       // of the log's manifest
	Events         int64        `json:"events"`
	Attempts       TableSummary `json:"attempts"`
	Periods        TableSummary `json:"periods"`
}

// TableSummary is one table. Positives are rows with y = 1.
type TableSummary struct {
	Path        string `json:"path"`
	Columns     int    `json:"columns"` // feature columns
	Fingerprint string `json:"fingerprint"`
	Rows        int64  `json:"rows"`
	Positives   int64  `json:"positives"`
	Dropped     []Drop `json:"dropped"` // what made no row, by reason; counts of zero included
}

// Drop counts what made no row for one reason.
type Drop struct {
	Why string `json:"why"`
	N   int64  `json:"n"`
}

// Dir is the folder of the tables of a log folder at an as_of.
func Dir(dir string, asOf data.Micros) string {
	return filepath.Join(dir, "features", asOf.Time().Format("20060102T150405Z"))
}

// Build makes both training tables in one pass over the log, after a pass over
// attempts, case events and decisions for the labels. A row of the attempt
// table is a retry, a row of the period table a day of a failed case at risk.
func Build(ctx context.Context, l *data.Log, o BuildOptions) (Summary, error) {
	if o.Dir == "" || o.AsOf == (data.Cursor{}) || o.Workers < 0 {
		return Summary{}, data.Faultf(data.ErrUsage, "features: build: an as_of, a folder and no negative number of workers are needed")
	}
	m := l.Manifest()
	last, ok := m.Last()
	if !ok {
		return Summary{}, data.Faultf(data.ErrTooLittle, "features: build: the log has no rows")
	}
	sum := Summary{AsOf: o.AsOf.KnownAt, Until: min(o.AsOf.KnownAt, last.KnownAt), KnownAtAssumed: m.KnownAtAssumed, LogHash: m.Hash}
	index, err := indexOf(ctx, l, o.AsOf)
	if err != nil {
		return Summary{}, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return Summary{}, fmt.Errorf("features: build: %w", err)
	}
	t, err := createTables(o.Dir, &sum)
	if err != nil {
		return Summary{}, err
	}
	t.h = l.Horizon
	shards := shardsOf(max(1, o.Workers), index, sum.Until, l.Horizon)
	if err := replay(ctx, l, o, shards, t, &sum); err != nil {
		t.abort()
		return Summary{}, err
	}
	return sum, t.close(shards, &sum)
}

func shardsOf(n int, index *labels.Index, until data.Micros, h func(data.Rail) data.Micros) []*shard {
	asked, plan := index.Asked(), index.Plan()
	out := make([]*shard, n)
	for i := range out {
		out[i] = newShardOf(i, n, index, until, h, asked, plan)
	}
	return out
}

// indexOf is the pass for the labels.
func indexOf(ctx context.Context, l *data.Log, asOf data.Cursor) (*labels.Index, error) {
	x := labels.NewIndex()
	for rows, err := range data.Scan[data.Attempt](l, asOf, labels.AttemptColumns...) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		x.Attempts(rows)
	}
	for rows, err := range data.Scan[data.CaseEvent](l, asOf, labels.CaseEventColumns...) {
		if err != nil {
			return nil, err
		}
		for i := range rows {
			x.CaseEvent(&rows[i])
		}
	}
	for rows, err := range data.Scan[data.Decision](l, asOf, labels.DecisionColumns...) {
		if err != nil {
			return nil, err
		}
		for i := range rows {
			x.Decision(&rows[i])
		}
	}
	x.Seal()
	return x, nil
}

// replay feeds the log to all shards, stretch by stretch, and writes their
// merged rows.
func replay(ctx context.Context, l *data.Log, o BuildOptions, shards []*shard, t *tables, sum *Summary) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in := make([]chan *piece, len(shards))
	out := make([]chan *rowBatch, len(shards))
	var running sync.WaitGroup
	for i, s := range shards {
		in[i], out[i] = make(chan *piece, 2), make(chan *rowBatch, 2)
		running.Go(func() {
			defer close(out[i])
			for p := range in[i] {
				s.fold(p.events)
				rows := s.take(p.events[len(p.events)-1].cursor.KnownAt)
				p.done()
				select {
				case out[i] <- rows:
				case <-ctx.Done():
					return
				}
			}
			s.finish()
			select {
			case out[i] <- s.take(never):
			case <-ctx.Done():
			}
		})
	}
	var readErr error
	running.Go(func() {
		defer func() {
			for _, c := range in {
				close(c)
			}
		}()
		sum.Events, readErr = feed(ctx, l, o, in)
		if readErr != nil {
			cancel()
		}
	})
	writeErr := t.writeAll(out, shards)
	if writeErr != nil {
		cancel()
	}
	running.Wait()
	if readErr != nil {
		return readErr
	}
	if writeErr != nil {
		return writeErr
	}
	return context.Cause(ctx)
}
