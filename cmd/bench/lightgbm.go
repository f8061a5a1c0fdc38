package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"recoup/models/lightgbm"
)

// forestRows is how many distinct rows are scored in turn: the processor learns the
// branches of a row that comes again and again, and then everything looks fast.
const forestRows = 2048

// A grid is the slots of one case: they differ in the candidate's columns alone.
const (
	gridCases = 32
	gridSlots = 57
	gridVary  = 8 // columns, from the first on
)

// forestModel is one model to be scored by all.
type forestModel struct {
	name, path string
	columns    int
	rows, grid [][]float64
}

// forests scores the same rows by the same models in three ways: by the compiled
// forest, by leaves (which reads v3 only: it is given the same trees under that name),
// and by LightGBM's own C API out of the wheel. All three must say the same, bit for bit.
func forests(ctx context.Context, b *bench) error {
	models, err := forestModels(ctx, b)
	if err != nil {
		return err
	}
	capi, err := buildCAPI(ctx, b)
	if err != nil {
		return err
	}
	fmt.Printf("  microseconds a row: %d distinct rows in parts of %d, each the best of %d rounds (a grid: %d cases of %d slots, %d columns vary)\n", forestRows, partRows, rounds, gridCases, gridSlots, gridVary)
	fmt.Printf("  %-44s %8s %8s %8s %9s %9s\n", "", "recoup", "leaves", "C API", "x leaves", "x C API")
	table := forestTable()
	for _, m := range models {
		text, err := os.ReadFile(m.path)
		if err != nil {
			return err
		}
		parsed, err := lightgbm.Parse(text)
		if err != nil {
			return err
		}
		ours, raw, err := timeForest(parsed, m)
		if err != nil {
			return err
		}
		theirs, err := timeLeaves(text, m, raw)
		if err != nil {
			return fmt.Errorf("leaves: %s: %w", m.name, err)
		}
		native, err := timeCAPI(ctx, b, capi, m, raw)
		if err != nil {
			return fmt.Errorf("the C API: %s: %w", m.name, err)
		}
		for _, w := range []struct {
			what       string
			a, b, capi float64
		}{
			{"single row", ours.Single, theirs.Single, native.Single},
			{"batch, 1 thread", ours.Batch1, theirs.Batch1, native.Batch1},
			{"batch, 2 threads", ours.Batch2, theirs.Batch2, native.Batch2},
			{fmt.Sprintf("grid of %d slots, with folding", gridSlots), ours.Grid, theirs.Grid, native.Grid},
		} {
			fmt.Printf("  %-44s %8.2f %8.2f %8.2f %8.1fx %8.1fx\n", m.name+": "+w.what, w.a, w.b, w.capi, w.b/w.a, w.capi/w.a)
			table += fmt.Sprintf("| %s: %s | %.2f | %.2f | %.2f | %.1f | %.1f |\n", m.name, w.what, w.a, w.b, w.capi, w.b/w.a, w.capi/w.a)
		}
	}
	return b.noted("lightgbm", table)
}

// took is what a row takes, in microseconds.
type took struct{ Single, Batch1, Batch2, Grid float64 }

// buildCAPI builds the program that asks LightGBM itself. It needs a C compiler, as
// recoup does not.
func buildCAPI(ctx context.Context, b *bench) (string, error) {
	out := filepath.Join(b.dir, "capi")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", out, ".")
	cmd.Dir = "models/lightgbm/bench"
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build in %s: %w: %s", cmd.Dir, err, text)
	}
	return out, nil
}

// timeCAPI runs it, and compares what it says with the given raw scores.
func timeCAPI(ctx context.Context, b *bench, program string, m *forestModel, raw []float64) (t took, err error) {
	rows, grid, scores := filepath.Join(b.dir, "rows.f64"), filepath.Join(b.dir, "grid.f64"), filepath.Join(b.dir, "scores.f64")
	if err := writeRows(rows, m.rows); err != nil {
		return t, err
	}
	if err := writeRows(grid, m.grid); err != nil {
		return t, err
	}
	lib, err := filepath.Glob(filepath.Join(filepath.Dir(b.python), "../lib/python3*/site-packages/lightgbm/lib/lib_lightgbm.so"))
	if err != nil || len(lib) != 1 {
		return t, fmt.Errorf("no lib_lightgbm.so in the peers' environment: %v", err)
	}
	_, err = measure(ctx, &t, program, "-lib", lib[0], "-model", m.path, "-rows", rows, "-grid", grid, "-scores", scores,
		"-columns", strconv.Itoa(m.columns), "-slots", strconv.Itoa(gridSlots), "-part", strconv.Itoa(partRows), "-rounds", strconv.Itoa(rounds))
	if err != nil {
		return t, err
	}
	said, err := readRows(scores, 1)
	if err != nil {
		return t, err
	}
	if len(said) != len(raw) {
		return t, fmt.Errorf("%d scores for %d rows", len(said), len(raw))
	}
	for i := range raw {
		if err := same(i, raw[i], said[i][0]); err != nil {
			return t, err
		}
	}
	return t, nil
}

func same(row int, recoup, other float64) error {
	if math.Float64bits(recoup) != math.Float64bits(other) {
		return fmt.Errorf("row %d: %v, recoup says %v", row, other, recoup)
	}
	return nil
}

// trained is what the training script tells.
type trained struct {
	Models []struct {
		Name, Model, Rows string
		Columns           int
	}
}

// forestModels are a random forest of the size that others publish times for, and
// what LightGBM really trains.
func forestModels(ctx context.Context, b *bench) ([]*forestModel, error) {
	random, err := randomForest(filepath.Join(b.dir, "random.txt"))
	if err != nil {
		return nil, err
	}
	models := []*forestModel{random}
	var t trained
	if _, err := measure(ctx, &t, b.python, "cmd/bench/peers/lightgbm_train.py", b.dir, "--rows", strconv.Itoa(forestRows)); err != nil {
		return nil, err
	}
	for _, m := range t.Models {
		rows, err := readRows(m.Rows, m.Columns)
		if err != nil {
			return nil, err
		}
		models = append(models, &forestModel{name: m.Name, path: m.Model, columns: m.Columns, rows: rows})
	}
	for _, m := range models {
		m.grid = grids(m.rows)
	}
	return models, nil
}

// grids are the slots of some cases: the first columns are those of other rows.
func grids(rows [][]float64) (out [][]float64) {
	for k := range gridCases {
		for s := range gridSlots {
			row := append([]float64{}, rows[k]...)
			copy(row[:gridVary], rows[(k*gridSlots+s+gridCases)%len(rows)])
			out = append(out, row)
		}
	}
	return out
}
