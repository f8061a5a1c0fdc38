// Bench times LightGBM's own scorer through its C API, for cmd/bench, on the rows and
// the model that it is given. It is a module of its own, since it needs cgo and a
// lib_lightgbm.so, as the Python wheel brings one.
package main

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// took is what a row takes, in microseconds.
type took struct{ Single, Batch1, Batch2, Grid float64 }

func run() error {
	lib := flag.String("lib", "", "lib_lightgbm.so")
	model := flag.String("model", "", "the model's text")
	rowsFile := flag.String("rows", "", "rows, float64 after float64")
	gridFile := flag.String("grid", "", "rows of grids")
	scores := flag.String("scores", "", "where the raw scores of the rows go")
	columns := flag.Int("columns", 0, "values in a row")
	slots := flag.Int("slots", 0, "rows in a grid")
	part := flag.Int("part", 0, "rows scored between two looks at the clock")
	rounds := flag.Int("rounds", 0, "each part counts as its best of so many")
	flag.Parse()
	rows, err := floats(*rowsFile)
	if err != nil {
		return err
	}
	grid, err := floats(*gridFile)
	if err != nil {
		return err
	}
	if *columns < 1 || *slots < 1 || *part < 1 || len(rows) == 0 || len(rows)%*columns != 0 || len(grid) == 0 || len(grid)%(*columns**slots) != 0 {
		return fmt.Errorf("%d and %d values are no rows of %d columns, or no grids of %d", len(rows), len(grid), *columns, *slots)
	}
	b, err := open(*lib, *model, *columns)
	if err != nil {
		return err
	}
	n := len(rows) / *columns
	out, slot := make([]float64, n), make([]float64, *slots)
	best := func(rows []float64, part int, score func(rows []float64, from int) error) (float64, error) {
		sum, all := 0.0, len(rows) / *columns
		for from := 0; from < all; from += part {
			least, some := math.Inf(1), rows[from**columns:min(from+part, all)**columns]
			for range *rounds {
				start := time.Now()
				if err := score(some, from); err != nil {
					return 0, err
				}
				least = min(least, float64(time.Since(start).Nanoseconds())/1000)
			}
			sum += least
		}
		return sum / float64(all), nil
	}
	batch := func(threads string) func(some []float64, from int) error {
		return func(some []float64, from int) error {
			return b.batch(some, out[from:from + len(some) / *columns], threads)
		}
	}
	var t took
	if t.Batch1, err = best(rows, *part, batch("1")); err != nil {
		return err
	}
	if t.Batch2, err = best(rows, *part, batch("2")); err != nil {
		return err
	}
	if t.Grid, err = best(grid, *slots, func(some []float64, _ int) error { return b.batch(some, slot, "1") }); err != nil {
		return err
	}
	if t.Single, err = best(rows, *part, func(some []float64, from int) error { return b.each(some, out[from:from + len(some) / *columns]) }); err != nil {
		return err
	}
	text := make([]byte, 0, 8*n)
	for _, v := range out {
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
	}
	if err := os.WriteFile(*scores, text, 0o644); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(t)
}

func floats(path string) ([]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(text)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*i:]))
	}
	return out, nil
}
