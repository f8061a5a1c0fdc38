package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"recoup/data"
	"recoup/features"
	"recoup/features/key"
)

// featureTables measures the verb features on a log of five million attempts.
func featureTables(ctx context.Context, b *bench) error {
	dir := filepath.Join(b.dir, "log")
	if err := synth(ctx, dir, 5_000_000); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var s features.Summary
	u, err := measure(ctx, &s, b.recoup, "features", "--dir", dir, "--as-of", "2026-01-01", "--json")
	if err != nil {
		return err
	}
	line("recoup features", u.wall.Seconds(), 0, fmt.Sprintf("%.0f events/s, CPU %.1f s, peak %d MiB; %d + %d rows",
		float64(s.Events)/u.wall.Seconds(), u.cpu.Seconds(), u.peak>>20, s.Attempts.Rows, s.Periods.Rows))
	return nil
}

var benchSpans = []data.Micros{6 * data.Hour, data.Day, 7 * data.Day, 30 * data.Day}

// windows measures eight window aggregates over two million events beside
// DuckDB and Polars, reading included.
func windows(ctx context.Context, b *bench) error {
	path := filepath.Join(b.dir, "windows.parquet")
	if err := writeWindowEvents(path, 2_000_000, 200_000); err != nil {
		return err
	}
	best := time.Hour
	sums := map[string][2]int64{}
	for range 3 {
		start := time.Now()
		e, err := readWindowEvents(path)
		if err != nil {
			return err
		}
		order, counts, totals := features.Windows(e.customers, e.at, e.amounts, benchSpans)
		best = min(best, time.Since(start))
		for i, name := range []string{"6h", "1d", "7d", "30d"} {
			sums["count_"+name], sums["sum_"+name] = checksum(order, counts[i]), checksum(order, totals[i])
		}
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	expected := filepath.Join(b.dir, "windows.json")
	if err := os.WriteFile(expected, text, 0o600); err != nil {
		return err
	}
	var peers struct {
		DuckDB        float64 `json:"duckdb"`
		DuckDBVersion string  `json:"duckdb_version"`
		Polars        float64 `json:"polars"`
		PolarsVersion string  `json:"polars_version"`
	}
	if _, err := measure(ctx, &peers, b.python, "cmd/bench/peers/features_peers.py", path, expected, "2"); err != nil {
		return err
	}
	mine := best.Seconds()
	line("recoup features.Windows", mine, 0, fmt.Sprintf("%.1f million events/s", 2/mine))
	line("DuckDB "+peers.DuckDBVersion+", 2 threads", peers.DuckDB, peers.DuckDB/mine, "same integers")
	line("Polars "+peers.PolarsVersion+", 2 threads", peers.Polars, peers.Polars/mine, "same integers")
	return nil
}

// checksum is the total of a column, and its total weighted by row % 1009 + 1.
func checksum[N int32 | int64](rows []uint32, column []N) (s [2]int64) {
	for i, v := range column {
		s[0] += int64(v)
		s[1] += int64(v) * int64(rows[i]%1009+1)
	}
	return s
}

// writeWindowEvents draws n events of payers over a year, in order of time, no
// two at the same microsecond.
func writeWindowEvents(path string, n, payers int) error {
	w, err := data.CreateFrames(path, []data.Column{{Name: "row", Kind: data.Int64}, {Name: "customer_id", Kind: data.String},
		{Name: "at", Kind: data.Timestamp}, {Name: "amount", Kind: data.Int64}}, nil)
	if err != nil {
		return err
	}
	defer w.Abort() //nolint:errcheck // after Close it does nothing
	dice := rand.New(rand.NewPCG(11, 12))
	at, step := int64(data.IST(2025, 1, 1, 0, 0)), int64(365*data.Day)/int64(n)
	const chunk = 1 << 16
	for first := 0; first < n; first += chunk {
		f := &data.Frame{N: min(chunk, n-first), First: int64(first), Columns: []data.Column{{Name: "row", Kind: data.Int64},
			{Name: "customer_id", Kind: data.String}, {Name: "at", Kind: data.Timestamp}, {Name: "amount", Kind: data.Int64}}}
		codes := map[string]uint32{}
		for i := range f.N {
			at += 1 + dice.Int64N(2*step)
			id := "cust" + strconv.Itoa(1_000_000+dice.IntN(payers))
			code, ok := codes[id]
			if !ok {
				code = uint32(len(codes))
				codes[id] = code
				f.Columns[1].Dict = append(f.Columns[1].Dict, id)
			}
			f.Columns[0].I = append(f.Columns[0].I, int64(first+i))
			f.Columns[1].Codes = append(f.Columns[1].Codes, code)
			f.Columns[2].I = append(f.Columns[2].I, at)
			f.Columns[3].I = append(f.Columns[3].I, 100*(1+dice.Int64N(5000)))
		}
		if err := w.Write(f); err != nil {
			return err
		}
	}
	return w.Close()
}

// windowEvents are the columns of the file, customers numbered as they come.
type windowEvents struct {
	customers   []uint32
	at, amounts []int64
}

func readWindowEvents(path string) (windowEvents, error) {
	var e windowEvents
	f, err := data.OpenFrames(path)
	if err != nil {
		return e, err
	}
	defer f.Close()
	n := int(f.Rows())
	e = windowEvents{make([]uint32, 0, n), make([]int64, 0, n), make([]int64, 0, n)}
	var numbers key.Map[uint32]
	var dict []string
	var ids []key.ID
	var local []uint32 // number of each level
	for frame, err := range f.Frames("customer_id", "at", "amount") {
		if err != nil {
			return e, err
		}
		id := frame.Column("customer_id")
		if len(dict) != len(id.Dict) || &dict[0] != &id.Dict[0] { // frames of a row group share theirs
			dict, ids, local = id.Dict, ids[:0], local[:0]
			for _, level := range dict {
				ids = append(ids, key.Of(level))
			}
			for part := range slices.Chunk(ids, 256) {
				numbers.Warm(part)
				for _, id := range part {
					number, ok := numbers.Get(id)
					if !ok {
						number = uint32(numbers.Len())
						numbers.Put(id, number)
					}
					local = append(local, number)
				}
			}
		}
		for _, code := range id.Codes {
			e.customers = append(e.customers, local[code])
		}
		e.at = append(e.at, frame.Column("at").I...)
		e.amounts = append(e.amounts, frame.Column("amount").I...)
	}
	return e, nil
}
