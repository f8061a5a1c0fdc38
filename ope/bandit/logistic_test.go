package bandit

import (
	"math"
	"slices"
	"testing"

	"recoup/data"
)

func normal(t testing.TB, mean, cov []float64) *Normal {
	t.Helper()
	n, err := NewNormal(mean, cov)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Two candidates: the difference of their scores is normal, so the probability is
// known. The draws' frequencies come close, and what is drawn from is what they say.
func TestDrawsAgreeWithNormal(t *testing.T) {
	n := normal(t, []float64{.3, -.2, 5}, []float64{.5, .1, 0, .1, .4, 0, 0, 0, 9})
	rows := [][]float64{{1, 0, 1}, {0, 1, 1}, {9, 9, 9}}
	offset := []float64{0, .2, 0}
	m := .3 - (-.2 + .2)
	v := .5 + .4 - 2*.1
	want := .5 * math.Erfc(-m/math.Sqrt(2*v))
	const pairs = 8192
	p, err := n.Draws(pairs, []byte("key")).Select(rows, offset, []bool{true, true, false}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if z := (p[0] - want) / math.Sqrt(want*(1-want)/pairs); math.Abs(z) > 5 || p[2] != 0 {
		t.Errorf("%v, want %v: z %.1f", p, want, z)
	}
	q, err := n.Draws(pairs, []byte("key")).Select(rows, offset, []bool{true, true, false}, 0)
	if err != nil || !slices.Equal(p, q) {
		t.Errorf("the same key gives %v and %v (%v)", p, q, err)
	}
	if q, _ = n.Draws(pairs, []byte("other")).Select(rows, offset, []bool{true, true, false}, 0); slices.Equal(p, q) {
		t.Error("another key gives the same draws")
	}
	floored, err := n.Draws(pairs, []byte("key")).Select(rows, offset, []bool{true, true, false}, .1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "floor", floored, []float64{.8*p[0] + .1, .8*p[1] + .1, 0}, 1e-12)
}

// Equal candidates share; with no variance the best takes all.
func TestDrawsTies(t *testing.T) {
	n := normal(t, []float64{1, 0}, []float64{0, 0, 0, 2})
	p, err := n.Draws(50, nil).Select([][]float64{{1, 1}, {1, 1}, {0, 1}, {1, 1}}, nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ties", p, []float64{1. / 3, 1. / 3, 0, 1. / 3}, 1e-12)
	sums(t, "ties", p)
}

func TestNormalRefused(t *testing.T) {
	for _, c := range []struct{ mean, cov []float64 }{
		{nil, nil}, {[]float64{1}, nil}, {[]float64{math.NaN()}, []float64{1}}, {[]float64{1}, []float64{-1}}, {[]float64{1}, []float64{math.Inf(1)}},
		{[]float64{1, 1}, []float64{1, 2, 2, 1}}, {[]float64{1, 1}, []float64{1, .1, .2, 1}}, {[]float64{1, 1}, []float64{0, .5, .5, 1}},
	} {
		if n, err := NewNormal(c.mean, c.cov); err == nil {
			t.Errorf("%v %v: %v", c.mean, c.cov, n)
		}
	}
	d := normal(t, []float64{1}, []float64{1}).Draws(3, nil)
	for _, rows := range [][][]float64{{}, {{1, 2}}, {{math.NaN()}}} {
		if p, err := d.Select(rows, nil, nil, 0); err == nil {
			t.Errorf("%v: %v", rows, p)
		}
	}
}

// One coefficient: the optimum solves the score equation, the precision is what the
// second derivative says; learned in two batches, it is close to one batch.
func TestLaplaceOptimum(t *testing.T) {
	rows, success := [][]float64{}, []bool{}
	for i := range 60 {
		rows, success = append(rows, []float64{1, float64(i%3) - 1}), append(success, i%4 == 0 || i%3 == 2)
	}
	offset := make([]float64, len(rows))
	for i := range offset {
		offset[i] = .1 * float64(i%5)
	}
	l, err := NewLogistic([]float64{-.5, 0}, []float64{2, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Learn(rows, success, offset, 0); err != nil {
		t.Fatal(err)
	}
	n, err := l.Normal()
	if err != nil {
		t.Fatal(err)
	}
	g, h := [2]float64{-(n.Mean[0] + .5) / 4, -n.Mean[1]}, [2][2]float64{{.25, 0}, {0, 1}}
	for r, x := range rows {
		p := 1 / (1 + math.Exp(-offset[r]-n.Mean[0]-n.Mean[1]*x[1]))
		y := 0.0
		if success[r] {
			y = 1
		}
		for i := range 2 {
			g[i] += (y - p) * x[i]
			for j := range 2 {
				h[i][j] += p * (1 - p) * x[i] * x[j]
			}
		}
	}
	if math.Abs(g[0]) > 1e-8 || math.Abs(g[1]) > 1e-8 {
		t.Errorf("gradient %v at the optimum", g)
	}
	det := h[0][0]*h[1][1] - h[0][1]*h[1][0]
	for i, want := range []float64{h[1][1] / det, h[0][0] / det} {
		got := 0.0
		for k := 0; k <= i; k++ {
			got += n.root[i*2+k] * n.root[i*2+k]
		}
		if math.Abs(got-want) > 1e-8 {
			t.Errorf("variance %d: %v, want %v", i, got, want)
		}
	}
	two, _ := NewLogistic([]float64{-.5, 0}, []float64{2, 1}, 1)
	for _, part := range [][2]int{{0, 30}, {30, 60}} {
		if err := two.Learn(rows[part[0]:part[1]], success[part[0]:part[1]], offset[part[0]:part[1]], 0); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := two.Normal()
	if math.Abs(m.Mean[0]-n.Mean[0]) > .1 || math.Abs(m.Mean[1]-n.Mean[1]) > .1 {
		t.Errorf("in two batches %v, in one %v", m.Mean, n.Mean)
	}
}

// Ageing returns to the first prior; a batch that is perfectly separated has an
// optimum all the same.
func TestLaplaceAges(t *testing.T) {
	l, err := NewLogistic([]float64{.4}, []float64{.5}, .9)
	if err != nil {
		t.Fatal(err)
	}
	rows, success := make([][]float64, 300), make([]bool, 300)
	for i := range rows {
		rows[i], success[i] = []float64{10}, true
	}
	if err := l.Learn(rows, success, nil, 5*data.Day); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Normal(); err != nil || !(n.Mean[0] > .45) {
		t.Errorf("%v %v", n, err)
	}
	l.Age(1000 * data.Day)
	n, err := l.Normal()
	if err != nil || math.Abs(n.Mean[0]-.4) > 1e-9 || math.Abs(n.root[0]-.5) > 1e-9 {
		t.Errorf("after years: %v %v", n, err)
	}
}

func TestLogisticState(t *testing.T) {
	l, err := NewLogistic([]float64{.1, 0}, []float64{1, 2}, .97)
	if err != nil {
		t.Fatal(err)
	}
	before := l.Version()
	if err := l.Learn([][]float64{{1, 2}, {1, -1}}, []bool{true, false}, nil, 3*data.Day); err != nil {
		t.Fatal(err)
	}
	text, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	m, err := DecodeLogistic(text)
	if err != nil || m.Version() != l.Version() || l.Version() == before {
		t.Fatalf("versions %s, %s, %s: %v", before, l.Version(), m.Version(), err)
	}
	l.Age(9 * data.Day)
	m.Age(9 * data.Day)
	if !slices.Equal(l.prec, m.prec) || !slices.Equal(l.weight, m.weight) {
		t.Error("another posterior after reading")
	}
	for _, bad := range []string{"", "{}", string(text) + "{}", `{"version":1,"keep":0.9,"at":0,"prior_precision":[1],"prior_precision_times_mean":[0],"precision":[-1],"precision_times_mean":[0]}`,
		`{"version":1,"keep":0.9,"at":0,"prior_precision":[1,0,0,1],"prior_precision_times_mean":[0,0],"precision":[1,0.5,0.4,1],"precision_times_mean":[0,0]}`,
		`{"version":1,"keep":0,"at":0,"prior_precision":[1],"prior_precision_times_mean":[0],"precision":[1],"precision_times_mean":[0]}`} {
		if _, err := DecodeLogistic([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// Draws come on both sides of the mean: what is symmetric stays so with a single pair.
func TestDrawsArePaired(t *testing.T) {
	p, err := normal(t, []float64{0}, []float64{1}).Draws(1, nil).Select([][]float64{{1}, {-1}}, nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pair", p, []float64{.5, .5}, 0)
}
