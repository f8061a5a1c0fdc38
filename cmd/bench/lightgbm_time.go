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

const (
	rounds   = 40
	partRows = 256 // rows scored between two looks at the clock
)

// best is what a row takes: the rows are scored part by part, each part in its best of
// some rounds, since the machine's other work only ever makes it longer.
func best(rows, part int, score func(from, to int) error) (float64, error) {
	sum := 0.0
	for from := 0; from < rows; from += part {
		to, least := min(from+part, rows), math.Inf(1)
		for range rounds {
			start := time.Now()
			if err := score(from, to); err != nil {
				return 0, err
			}
			least = min(least, micros(time.Since(start)))
		}
		sum += least
	}
	return sum / float64(rows), nil
}

// timeForest times the compiled forest and returns what it says of the rows.
func timeForest(parsed *lightgbm.Model, m *forestModel) (t took, raw []float64, err error) {
	f, err := lightgbm.Compile(parsed)
	if err != nil {
		return t, nil, err
	}
	raw = make([]float64, len(m.rows))
	if t.Single, err = best(len(m.rows), partRows, func(from, to int) error {
		for i := from; i < to; i++ {
			if raw[i], err = f.Raw(m.rows[i]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return t, nil, err
	}
	batch := make([]float64, len(m.rows))
	if t.Batch1, err = best(len(m.rows), partRows, func(from, to int) error { return f.RawBatch(batch[from:to], m.rows[from:to]) }); err != nil {
		return t, nil, err
	}
	if t.Batch2, err = best(len(m.rows), partRows, func(from, to int) error {
		var both sync.WaitGroup
		var failed error
		half := (from + to) / 2
		both.Go(func() { failed = f.RawBatch(batch[from:half], m.rows[from:half]) })
		err := f.RawBatch(batch[half:to], m.rows[half:to])
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
	t.Grid, err = best(len(m.grid), gridSlots, func(from, to int) error {
		g, err := f.Fold(m.grid[from], vary)
		if err != nil {
			return err
		}
		return g.RawBatch(slots[from:to], m.grid[from:to])
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
	if t.Single, err = best(len(m.rows), partRows, func(from, to int) error {
		for i := from; i < to; i++ {
			if err := e.Predict(m.rows[i], 0, said[i:i+1]); err != nil {
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
	dense := func(rows []float64, threads int) func(from, to int) error {
		return func(from, to int) error {
			return e.PredictDense(rows[from*m.columns:to*m.columns], to-from, m.columns, said[:to-from], 0, threads)
		}
	}
	flat, grid := flatten(m.rows), flatten(m.grid)
	if t.Batch1, err = best(len(m.rows), partRows, dense(flat, 1)); err != nil {
		return t, err
	}
	if t.Batch2, err = best(len(m.rows), partRows, dense(flat, 2)); err != nil {
		return t, err
	}
	t.Grid, err = best(len(m.grid), gridSlots, dense(grid, 1))
	return t, err
}

func flatten(rows [][]float64) (out []float64) {
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}
