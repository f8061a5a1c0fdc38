package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"recoup/data"
	"recoup/models"
	"recoup/train"
)

const (
	fitRows    = 1_000_000
	fitColumns = 45
	chunkRows  = 65536
)

// table draws the rows of the fit benchmark in chunks: correlated normal
// columns x0, x1, ... and an outcome y, about one in five positive.
type table struct {
	dice *rand.Rand
	beta []float64
}

func newTable() *table {
	t := &table{dice: rand.New(rand.NewPCG(1, 2)), beta: make([]float64, fitColumns)}
	for j := range t.beta {
		t.beta[j] = t.dice.NormFloat64() * 0.3
	}
	return t
}

func (t *table) chunk(first, n int) *data.Frame {
	f := &data.Frame{N: n, First: int64(first)}
	for j := range t.beta {
		f.Columns = append(f.Columns, data.Column{Name: "x" + strconv.Itoa(j), Kind: data.Float64, F: make([]float64, n)})
	}
	y := make([]float64, n)
	for i := range n {
		common, z := t.dice.NormFloat64(), -1.8
		for j, b := range t.beta {
			x := t.dice.NormFloat64() + 0.5*common
			f.Columns[j].F[i] = x
			z += b * x
		}
		if t.dice.Float64() < 1/(1+math.Exp(-z)) {
			y[i] = 1
		}
	}
	f.Columns = append(f.Columns, data.Column{Name: "y", Kind: data.Float64, F: y})
	return f
}

func design() models.Design {
	var d models.Design
	for j := range fitColumns {
		name := "x" + strconv.Itoa(j)
		d.Inputs = append(d.Inputs, models.Input{Name: name})
		d.Terms = append(d.Terms, models.Term{Name: name, A: j, B: -1})
	}
	return d
}

type fitPeers struct {
	Peers []struct {
		Name       string
		Seconds    float64
		CPU        float64
		Iterations int
		Off        float64
	}
}

// fit times the exact optimum in memory on both sides: three runs each, the best one.
func fit(ctx context.Context, b *bench) error {
	t := newTable()
	var frames []*data.Frame
	for first := 0; first < fitRows; first += chunkRows {
		frames = append(frames, t.chunk(first, min(chunkRows, fitRows-first)))
	}
	raw := filepath.Join(b.dir, "fit.f64")
	if err := writeRaw(raw, frames); err != nil {
		return err
	}
	best, info := math.Inf(1), train.Fit{}
	for range 3 {
		start := time.Now()
		_, f, err := train.Logistic(ctx, design(), train.InMemory(frames...), "y", "", train.Options{Standardize: true, Hold: 1 << 40})
		if err != nil {
			return err
		}
		best, info = min(best, time.Since(start).Seconds()), f
	}
	line("recoup", best, 0, fmt.Sprintf("%d passes over the rows, largest gradient entry %.0e", info.Passes, info.GradInf))
	var peers fitPeers
	if _, err := measure(ctx, &peers, b.python, "cmd/bench/peers/fit_peers.py", raw,
		"--rows", strconv.Itoa(fitRows), "--columns", strconv.Itoa(fitColumns)); err != nil {
		return err
	}
	for _, p := range peers.Peers {
		line(p.Name, p.Seconds, p.Seconds/best, fmt.Sprintf("%d iterations, coefficients %.0e from the optimum", p.Iterations, p.Off))
	}
	return os.Remove(raw)
}

// writeRaw writes the columns one after another, as the peers read them.
func writeRaw(path string, frames []*data.Frame) error {
	return data.WriteFile(path, func(w io.Writer) error {
		buf := bufio.NewWriterSize(w, 1<<20)
		for j := range frames[0].Columns {
			for _, f := range frames {
				if err := binary.Write(buf, binary.LittleEndian, f.Columns[j].F); err != nil {
					return err
				}
			}
		}
		return buf.Flush()
	})
}

// bigFit fits ten million rows that are never in memory at once.
func bigFit(ctx context.Context, b *bench) error {
	const rows = 10 * fitRows
	path := filepath.Join(b.dir, "big.parquet")
	t := newTable()
	w, err := data.CreateFrames(path, t.chunk(0, 0).Columns, nil)
	if err != nil {
		return err
	}
	for first := 0; first < rows; first += chunkRows {
		if err := w.Write(t.chunk(first, min(chunkRows, rows-first))); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	var out struct {
		Iterations int
		GradInf    float64 `json:"grad_inf"`
	}
	u, err := measure(ctx, &out, b.recoup, "fit", "--data", path, "--target", "y", "--json")
	if err != nil {
		return err
	}
	line("recoup fit", u.wall.Seconds(), 0, fmt.Sprintf("%.1f s of processor, peak memory %d MiB, largest gradient entry %.0e",
		u.cpu.Seconds(), u.peak>>20, out.GradInf))
	start := time.Now()
	n, err := readAll(path)
	if err != nil {
		return err
	}
	pass := time.Since(start).Seconds()
	line("reading the file once, for scale", pass, pass/u.wall.Seconds(), fmt.Sprintf("%d bytes, %.1f GB/s", st.Size(), float64(n*fitColumns*8)/pass/1e9))
	return os.Remove(path)
}

func readAll(path string) (int64, error) {
	f, err := data.OpenFrames(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var n int64
	for frame, err := range f.Frames() {
		if err != nil {
			return n, err
		}
		n += int64(frame.N)
	}
	return n, nil
}
