package main

import (
	"bufio"
	"bytes"
	"math"
	"sync"
	"time"

	"github.com/dmitryikh/leaves"

	"recoup/models/lightgbm"
)

const rounds = 40

// best is what a row takes in the best of some rounds over n rows: the machine's
// other work only ever makes it longer.
func best(n int, round func() error) (float64, error) {
	least := math.Inf(1)
	for range rounds {
		start := time.Now()
		if err := round(); err != nil {
			return 0, err
		}
		least = min(least, micros(time.Since(start))/float64(n))
	}
	return least, nil
}

// timeForest times the compiled forest and returns what it says of the rows.
func timeForest(parsed *lightgbm.Model, m *forestModel) (t took, raw []float64, err error) {
	f, err := lightgbm.Compile(parsed)
	if err != nil {
		return t, nil, err
	}
	raw = make([]float64, len(m.rows))
	if t.Single, err = best(len(m.rows), func() error {
		for i, row := range m.rows {
			if raw[i], err = f.Raw(row); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return t, nil, err
	}
	batch := make([]float64, len(m.rows))
	if t.Batch1, err = best(len(m.rows), func() error { return f.RawBatch(batch, m.rows) }); err != nil {
		return t, nil, err
	}
	half := len(m.rows) / 2
	if t.Batch2, err = best(len(m.rows), func() error {
		var both sync.WaitGroup
		var failed error
		both.Go(func() { failed = f.RawBatch(batch[:half], m.rows[:half]) })
		err := f.RawBatch(batch[half:], m.rows[half:])
		both.Wait()
		if err == nil {
			err = failed
		}
		return err
	}); err != nil {
		return t, nil, err
	}
	for i := range raw {
		if err := same(i, raw[i], batch[i]); err != nil {
			return t, nil, err
		}
	}
	vary := make([]int, gridVary)
	for i := range vary {
		vary[i] = i
	}
	slots := make([]float64, len(m.grid))
	t.Grid, err = best(len(m.grid), func() error {
		for k := 0; k < len(m.grid); k += gridSlots {
			g, err := f.Fold(m.grid[k], vary)
			if err != nil {
				return err
			}
			if err := g.RawBatch(slots[k:k+gridSlots], m.grid[k:k+gridSlots]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return t, nil, err
	}
	for i, row := range m.grid {
		alone, err := f.Raw(row)
		if err == nil {
			err = same(i, slots[i], alone)
		}
		if err != nil {
			return t, nil, err
		}
	}
	return t, raw, nil
}

// timeLeaves times leaves on the same trees, and compares what it says. leaves takes a
// batch as one slice.
func timeLeaves(text []byte, m *forestModel, raw []float64) (t took, err error) {
	text = bytes.Replace(text, []byte("version=v4"), []byte("version=v3"), 1)
	e, err := leaves.LGEnsembleFromReader(bufio.NewReader(bytes.NewReader(text)), false)
	if err != nil {
		return t, err
	}
	said := make([]float64, len(m.rows))
	if t.Single, err = best(len(m.rows), func() error {
		for i, row := range m.rows {
			if err := e.Predict(row, 0, said[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return t, err
	}
	for i := range raw {
		if err := same(i, raw[i], said[i]); err != nil {
			return t, err
		}
	}
	flat := flatten(m.rows)
	if t.Batch1, err = best(len(m.rows), func() error { return e.PredictDense(flat, len(m.rows), m.columns, said, 0, 1) }); err != nil {
		return t, err
	}
	if t.Batch2, err = best(len(m.rows), func() error { return e.PredictDense(flat, len(m.rows), m.columns, said, 0, 2) }); err != nil {
		return t, err
	}
	grid := flatten(m.grid)
	t.Grid, err = best(len(m.grid), func() error {
		for k := 0; k < len(m.grid); k += gridSlots {
			if err := e.PredictDense(grid[k*m.columns:(k+gridSlots)*m.columns], gridSlots, m.columns, said, 0, 1); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

func flatten(rows [][]float64) (out []float64) {
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}
