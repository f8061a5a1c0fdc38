package train

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"recoup/data"
	"recoup/models"
)

// benchRows is the table of the speed comparison, also made by
// cmd/bench/peers/fit_peers.py: correlated normal columns, about 20 % positives.
func benchRows(n, p int) ([]*data.Frame, models.Design) {
	dice := rand.New(rand.NewPCG(1, 2))
	var d models.Design
	beta := make([]float64, p)
	for j := range p {
		name := "x" + strconv.Itoa(j)
		d.Inputs = append(d.Inputs, models.Input{Name: name})
		d.Terms = append(d.Terms, models.Term{Name: name, A: j, B: -1})
		beta[j] = dice.NormFloat64() * 0.3
	}
	var frames []*data.Frame
	const chunk = 65536
	for first := 0; first < n; first += chunk {
		m := min(chunk, n-first)
		f := &data.Frame{N: m, First: int64(first)}
		for j := range p {
			f.Columns = append(f.Columns, data.Column{Name: "x" + strconv.Itoa(j), Kind: data.Float64, F: make([]float64, m)})
		}
		y := make([]float64, m)
		for i := range m {
			common, z := dice.NormFloat64(), -1.8
			for j := range p {
				x := dice.NormFloat64() + 0.5*common
				f.Columns[j].F[i] = x
				z += beta[j] * x
			}
			if dice.Float64() < 1/(1+math.Exp(-z)) {
				y[i] = 1
			}
		}
		f.Columns = append(f.Columns, data.Column{Name: "y", Kind: data.Float64, F: y})
		frames = append(frames, f)
	}
	return frames, d
}

// BenchmarkFit1Mx45 is the exact optimum on a million rows of 45 numbers in memory.
func BenchmarkFit1Mx45(b *testing.B) {
	n := 1_000_000
	if s := os.Getenv("FIT_ROWS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	frames, d := benchRows(n, 45)
	for b.Loop() {
		_, fit, err := Logistic(context.Background(), d, InMemory(frames...), "y", "", Options{Standardize: true, Hold: 1 << 40})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(fit.Passes), "passes")
		b.ReportMetric(fit.GradInf, "grad_inf")
	}
}
