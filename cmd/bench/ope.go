package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"recoup/ope"
)

const (
	opeRows     = 100_000
	opeActions  = 10
	opeClusters = 30_000
	opeDraws    = 10_000
)

// offPolicy times the doubly robust value of a log, and the draws of whole customers
// for all twelve estimators, beside numpy's vectorised value and its draws of one.
func offPolicy(ctx context.Context, b *bench) error {
	rows := opeLog()
	path := filepath.Join(b.dir, "ope.f64")
	if err := writeOPE(path, rows); err != nil {
		return err
	}
	var peer struct {
		Numpy               string
		DR, Value, Boot, SD float64
	}
	_, err := measure(ctx, &peer, b.python, "cmd/bench/peers/ope_peers.py", path, "--rows", strconv.Itoa(opeRows),
		"--actions", strconv.Itoa(opeActions), "--clusters", strconv.Itoa(opeClusters), "--draws", strconv.Itoa(opeDraws))
	if err != nil {
		return err
	}
	var dr ope.Method
	for _, m := range ope.Standard() {
		if m.Name == "dr" {
			dr = m
		}
	}
	best, value := math.Inf(1), 0.0
	for range 30 {
		start := time.Now()
		v, err := ope.Value(rows, dr)
		if err != nil {
			return err
		}
		best, value = min(best, time.Since(start).Seconds()), *v
	}
	if math.Abs(value-peer.Value) > 1e-9 {
		return fmt.Errorf("dr is %v here and %v in numpy", value, peer.Value)
	}
	fmt.Printf("  %-34s %8.2f ms   every row checked, %v\n", "recoup dr", 1000*best, value)
	fmt.Printf("  %-34s %8.2f ms   %.2fx recoup's time\n", "numpy "+peer.Numpy+" dr, unchecked", 1000*peer.DR, peer.DR/best)

	start := time.Now()
	r, err := ope.Estimate(rows, ope.Options{})
	if err != nil {
		return err
	}
	whole := time.Since(start).Seconds()
	start = time.Now()
	d, err := r.Bootstrap(ope.Bootstrap{Draws: opeDraws, Seed: 1})
	if err != nil {
		return err
	}
	took := time.Since(start).Seconds()
	if sd := spread(d.Of("dr")); math.Abs(sd/peer.SD-1) > .05 {
		return fmt.Errorf("the draws of dr spread %v here and %v in numpy", sd, peer.SD)
	}
	line("recoup, 12 estimators, weights, se", whole, 0, "")
	line(fmt.Sprintf("recoup, %d draws of all 12", opeDraws), took, 0, fmt.Sprintf("%d customers", opeClusters))
	line(fmt.Sprintf("numpy, %d draws of dr alone", opeDraws), peer.Boot, peer.Boot/took, "")
	return nil
}

// spread is the standard deviation.
func spread(x []float64) float64 {
	var s, s2 float64
	for _, v := range x {
		s += v
	}
	m := s / float64(len(x))
	for _, v := range x {
		s2 += (v - m) * (v - m)
	}
	return math.Sqrt(s2 / float64(len(x)-1))
}

// opeLog is a log of a random logger and a random target with a reward model.
func opeLog() *ope.Rows {
	d := rand.New(rand.NewPCG(1, 2))
	r := &ope.Rows{Start: ope.Square(opeRows, opeActions), Target: make([]float64, opeRows*opeActions), Q: make([]float64, opeRows*opeActions)}
	for k := range opeActions {
		r.Actions = append(r.Actions, strconv.Itoa(k))
	}
	chances := func(p []float64) {
		s := 0.0
		for j := range p {
			p[j] = d.ExpFloat64() + .05
			s += p[j]
		}
		for j := range p {
			p[j] /= s
		}
	}
	logger := make([]float64, opeActions)
	for i := range opeRows {
		q := r.Q[i*opeActions : (i+1)*opeActions]
		chances(r.Target[i*opeActions : (i+1)*opeActions])
		chances(logger)
		a := 0
		for u := d.Float64() - logger[0]; u > 0 && a < opeActions-1; u -= logger[a] {
			a++
		}
		for j := range q {
			q[j] = d.Float64()
		}
		won := 0.0
		if d.Float64() < q[a] {
			won = 1
		}
		customer := i
		if i >= opeClusters {
			customer = d.IntN(opeClusters)
		}
		r.Taken, r.Reward, r.Propensity = append(r.Taken, int32(a)), append(r.Reward, won), append(r.Propensity, logger[a])
		r.Cluster = append(r.Cluster, int32(customer))
	}
	return r
}

// writeOPE writes the log as the peer reads it.
func writeOPE(path string, r *ope.Rows) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	floats := func(x []float64) {
		for _, v := range x {
			_ = binary.Write(w, binary.LittleEndian, v) // Flush says whether it arrived
		}
	}
	ints := func(x []int32) {
		for _, v := range x {
			_ = binary.Write(w, binary.LittleEndian, float64(v))
		}
	}
	floats(r.Target)
	floats(r.Q)
	floats(r.Reward)
	floats(r.Propensity)
	ints(r.Taken)
	ints(r.Cluster)
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
