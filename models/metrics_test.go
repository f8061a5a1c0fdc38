package models

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// readScores reads a file of testdata/scores.
func readScores(t *testing.T, name string) (p, y, w []float64) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "scores", name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range rows[0] {
		for _, r := range rows[1:] {
			v, _ := strconv.ParseFloat(r[i], 64)
			switch h {
			case "p":
				p = append(p, v)
			case "y":
				y = append(y, v)
			case "weight":
				w = append(w, v)
			}
		}
	}
	return
}

func TestEvaluateGolden(t *testing.T) {
	b, err := os.ReadFile("testdata/scores/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]any
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if len(want) != 6 {
		t.Fatalf("%d cases", len(want))
	}
	for name, measures := range want {
		m, err := Evaluate(readScores(t, name))
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(name, err)
		}
		var got map[string]any
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		for _, v := range m.Warnings {
			named[v.Measure] = true
		}
		for k, v := range measures {
			switch k {
			case "null_reasons", "n_clusters", "brier_interval_by_cluster":
				continue
			}
			tol := 1e-9
			if k == "cox_intercept" || k == "cox_slope" || k == "citl" {
				tol = 1e-8
			}
			if !near(got[k], v, tol) {
				t.Errorf("%s %s: %v, want %v", name, k, got[k], v)
			}
			if v == nil && !named[k] {
				t.Errorf("%s: %s is null and no warning says why", name, k)
			}
		}
	}
}

func near(got, want any, tol float64) bool {
	switch w := want.(type) {
	case float64:
		g, ok := got.(float64)
		return ok && math.Abs(g-w) <= tol
	case []any:
		g, ok := got.([]any)
		return ok && len(g) == len(w) && near(g[0], w[0], tol) && near(g[1], w[1], tol)
	}
	return reflect.DeepEqual(got, want)
}

// drawScores makes scores with ties; weights when weighted.
func drawScores(seed uint64, n int, levels float64, weighted bool) (p, y, w []float64) {
	r := rand.New(rand.NewPCG(seed, 9))
	for range n {
		q := r.Float64()
		if levels > 0 {
			q = math.Round(q*levels) / levels
		}
		p = append(p, q)
		v := 0.0
		if r.Float64() < 0.2+0.6*q*q {
			v = 1
		}
		y = append(y, v)
		if weighted {
			w = append(w, float64(r.IntN(4))*0.75)
		}
	}
	return
}

func TestAUCIsTheShareOfPairs(t *testing.T) {
	for seed := range uint64(40) {
		p, y, w := drawScores(seed, 5+int(seed)*3, []float64{0, 7, 2}[seed%3], seed%2 == 0)
		m, err := Evaluate(p, y, w)
		if err != nil {
			t.Fatal(err)
		}
		right, all := 0.0, 0.0
		for i := range p {
			for j := range p {
				if y[i] != 1 || y[j] != 0 {
					continue
				}
				u := 1.0
				if w != nil {
					u = w[i] * w[j]
				}
				all += u
				switch {
				case p[i] > p[j]:
					right += u
				case p[i] == p[j]:
					right += u / 2
				}
			}
		}
		switch {
		case all == 0 && m.AUC != nil:
			t.Errorf("seed %d: one class has an AUC", seed)
		case all > 0 && math.Abs(*m.AUC-right/all) > 1e-13:
			t.Errorf("seed %d: %v, pairs say %v", seed, *m.AUC, right/all)
		}
	}
}

func TestDeLongByDefinition(t *testing.T) {
	for seed := range uint64(20) {
		p, y, _ := drawScores(seed, 60, []float64{0, 9}[seed%2], false)
		m, err := Evaluate(p, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		var pos, neg []float64
		for i := range p {
			if y[i] == 1 {
				pos = append(pos, p[i])
			} else {
				neg = append(neg, p[i])
			}
		}
		v10, v01 := make([]float64, len(pos)), make([]float64, len(neg))
		for i, a := range pos {
			for j, b := range neg {
				s := 0.0
				if a > b {
					s = 1
				} else if a == b {
					s = 0.5
				}
				v10[i] += s / float64(len(neg))
				v01[j] += s / float64(len(pos))
			}
		}
		se := math.Sqrt(variance(v10)/float64(len(pos)) + variance(v01)/float64(len(neg)))
		want := Interval{max(0, *m.AUC-z975*se), min(1, *m.AUC+z975*se)}
		if math.Abs(m.AUCInterval[0]-want[0])+math.Abs(m.AUCInterval[1]-want[1]) > 1e-12 {
			t.Errorf("seed %d: %v, definition %v", seed, *m.AUCInterval, want)
		}
	}
}

func variance(v []float64) float64 {
	m, s := 0.0, 0.0
	for _, x := range v {
		m += x / float64(len(v))
	}
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return s / float64(len(v)-1)
}

func TestDecompositionsAddUp(t *testing.T) {
	for seed := range uint64(60) {
		p, y, w := drawScores(seed, 1+int(seed)*5, []float64{0, 20, 3}[seed%3], seed%2 == 1)
		m, err := Evaluate(p, y, w)
		if err != nil {
			continue // all weights 0
		}
		if d := m.Reliability - m.Resolution + m.Uncertainty + m.WBV - m.WBC - m.Brier; math.Abs(d) > 1e-14 {
			t.Errorf("seed %d: Stephenson's five terms miss Brier by %v", seed, d)
		}
		if d := m.CorpMCB - m.CorpDSC + m.CorpUNC - m.Brier; math.Abs(d) > 1e-14 || m.CorpMCB < -1e-15 || m.CorpDSC < -1e-15 {
			t.Errorf("seed %d: corp %v %v %v, off by %v", seed, m.CorpMCB, m.CorpDSC, m.CorpUNC, d)
		}
	}
}

func TestBinsByTheirDefinition(t *testing.T) {
	for seed := range uint64(60) {
		p, y, _ := drawScores(seed, 1+int(seed)*2, []float64{0, 30, 4, 1}[seed%4], false)
		for _, k := range []int{1, 2, 10, 15} {
			mass, width, err := ReliabilityBins(p, y, nil, k)
			if err != nil {
				t.Fatal(err)
			}
			sorted := slices.Clone(p)
			slices.Sort(sorted)
			if got, want := rowsOf(mass), naiveMass(sorted, k); !slices.Equal(got, want) {
				t.Errorf("seed %d, %d mass bins: %v, want %v", seed, k, got, want)
			}
			var want []int
			for i := range k {
				n := 0
				for _, v := range p {
					if v >= float64(i)/float64(k) && (v < float64(i+1)/float64(k) || i == k-1) {
						n++
					}
				}
				if n > 0 {
					want = append(want, n)
				}
			}
			if got := rowsOf(width); !slices.Equal(got, want) {
				t.Errorf("seed %d, %d width bins: %v, want %v", seed, k, got, want)
			}
		}
	}
}

func rowsOf(bins []Bin) (n []int) {
	for _, b := range bins {
		n = append(n, b.Rows)
	}
	return
}

// naiveMass moves each cut to the end of the run it falls into.
func naiveMass(p []float64, k int) (rows []int) {
	q, r := len(p)/k, len(p)%k
	cuts := map[int]bool{len(p): true}
	for j := 1; j < k; j++ {
		c := j*q + min(j, r)
		for c > 0 && c < len(p) && p[c] == p[c-1] {
			c++
		}
		if c > 0 {
			cuts[c] = true
		}
	}
	from := 0
	for c := 1; c <= len(p); c++ {
		if cuts[c] {
			rows = append(rows, c-from)
			from = c
		}
	}
	return
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	p, y, w := drawScores(4, 300, 25, true)
	a, err := Evaluate(p, y, w)
	if err != nil {
		t.Fatal(err)
	}
	perm := rand.New(rand.NewPCG(3, 3)).Perm(len(p))
	var p2, y2, w2 []float64
	for _, i := range perm {
		p2, y2, w2 = append(p2, p[i]), append(y2, y[i]), append(w2, w[i])
	}
	b, err := Evaluate(p2, y2, w2)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := json.Marshal(a)
	z, _ := json.Marshal(b)
	var one, two map[string]any
	json.Unmarshal(x, &one)
	json.Unmarshal(z, &two)
	for k := range one {
		if k != "warnings" && !near(two[k], one[k], 1e-12) {
			t.Errorf("%s: %v, permuted %v", k, one[k], two[k])
		}
	}
}

func TestEvaluateRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name    string
		p, y, w []float64
	}{
		{"p above 1", []float64{math.Nextafter(1, 2)}, []float64{1}, nil},
		{"p below 0", []float64{-5e-324}, []float64{1}, nil},
		{"p NaN", []float64{nan}, []float64{1}, nil},
		{"y half", []float64{0.5}, []float64{0.5}, nil},
		{"y NaN", []float64{0.5}, []float64{nan}, nil},
		{"w negative", []float64{0.5}, []float64{1}, []float64{-1}},
		{"w infinite", []float64{0.5}, []float64{1}, []float64{inf}},
		{"w zero", []float64{0.5}, []float64{1}, []float64{0}},
		{"no rows", nil, nil, nil},
	} {
		if _, err := Evaluate(c.p, c.y, c.w); err == nil {
			t.Errorf("%s is accepted", c.name)
		}
	}
	if m, err := Evaluate([]float64{0, 1}, []float64{0, 1}, nil); err != nil || *m.LogLoss != 0 || m.Brier != 0 {
		t.Errorf("p of exactly 0 and 1 that are right: %+v, %v", m, err)
	}
}

// The smallest p has a log loss of -ln(2^-1074), which math.Log alone gets wrong.
func TestLogLossOfTheSmallestP(t *testing.T) {
	m, err := Evaluate([]float64{5e-324, 0.5}, []float64{1, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (1074*math.Ln2 + math.Ln2) / 2; math.Abs(*m.LogLoss-want) > 1e-10 {
		t.Errorf("%v, want %v", *m.LogLoss, want)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct{ k, n, lo, hi float64 }{ // R prop.test(correct=FALSE)
		{0, 10, 0, 0.277533}, {10, 10, 0.722467, 1}, {1, 10, 0.017876, 0.404150}, {61, 600, 0.079964, 0.128438},
	} {
		lo, hi, ok := Wilson(c.k, c.n)
		if !ok || math.Abs(lo-c.lo) > 1e-6 || math.Abs(hi-c.hi) > 1e-6 {
			t.Errorf("%v of %v: [%v, %v], want [%v, %v]", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
	for n := 1.0; n < 200; n++ {
		if lo, _, _ := Wilson(0, n); lo != 0 {
			t.Errorf("0 of %v: lower %v", n, lo)
		}
		if _, hi, _ := Wilson(n, n); hi != 1 {
			t.Errorf("%v of %v: upper %v", n, n, hi)
		}
	}
	if _, _, ok := Wilson(0, 0); ok {
		t.Error("0 of 0 has an interval")
	}
}

func TestIsotonic(t *testing.T) {
	// Ten rows to follow by hand.
	p := []float64{.1, .2, .2, .4, .4, .6, .8, .8, .9, .05}
	y := []float64{0, 0, 1, 1, 0, 1, 0, 1, 1, 0}
	m, err := FitIsotonic(p, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ p, want float64 }{{0, 0}, {.05, 0}, {.1, 0}, {.15, .25}, {.2, .5}, {.4, .5}, {.6, 2. / 3}, {.8, 2. / 3}, {.85, 5. / 6}, {.9, 1}, {1, 1}} {
		if got, err := m.Prob(c.p); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("at %v: %v, want %v (%v)", c.p, got, c.want, err)
		}
	}
	if _, err := m.Prob(math.NaN()); err == nil {
		t.Error("NaN is accepted")
	}
	if _, err := (&Isotonic{}).Prob(0.5); err == nil {
		t.Error("an empty map answers")
	}
}

// On calibrated rows the further views show their noise floors (simulated by their
// authors' code for p ~ Beta(2, 8), n = 1,000: smooth .025, equal-count .029).
func TestFurtherViewsOnCalibratedRows(t *testing.T) {
	var smooth, ace, sweep, low float64
	const worlds, n = 60, 1000
	for k := range worlds {
		r := rand.New(rand.NewPCG(uint64(k), 5))
		var p, y []float64
		for range n {
			a, b := 0.0, 0.0
			for i := range 10 { // Beta(2, 8) from exponentials
				e := -math.Log(1 - r.Float64())
				if i < 2 {
					a += e
				}
				b += e
			}
			p = append(p, a/b)
			v := 0.0
			if r.Float64() < a/b {
				v = 1
			}
			y = append(y, v)
		}
		m, err := Evaluate(p, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		smooth, ace, sweep = smooth+m.SmoothECE/worlds, ace+m.ACEMass/worlds, sweep+m.ECESweep/worlds
		if *m.HosmerP < 0.05 {
			low++
		}
	}
	if math.Abs(smooth-0.025) > 0.003 || math.Abs(ace-0.029) > 0.003 || sweep > 0.029 || sweep < 0.005 {
		t.Errorf("smooth %.4f, equal-count %.4f, sweep %.4f", smooth, ace, sweep)
	}
	if z := (low - 0.05*worlds) / math.Sqrt(0.05*0.95*worlds); math.Abs(z) > 5 {
		t.Errorf("Hosmer-Lemeshow rejects %v of %d calibrated worlds", low, worlds)
	}
}

func TestChiSquareTail(t *testing.T) {
	for _, c := range []struct{ x, df, want float64 }{ // R pchisq(lower = FALSE)
		{3.841458820694124, 1, 0.05}, {18.307038053275146, 10, 0.05}, {2, 2, math.Exp(-1)}, {0, 3, 1}, {100, 10, 5.493e-17},
	} {
		if got := chiSquareTail(c.x, c.df); math.Abs(got-c.want) > 1e-9 && math.Abs(got/c.want-1) > 1e-3 {
			t.Errorf("x %v, df %v: %v, want %v", c.x, c.df, got, c.want)
		}
	}
}

// A forecast that is wrong by the same amount everywhere is wrong by that amount:
// smoothing takes nothing away. Mass at the ends of [0, 1] included.
func TestSmoothErrorOfAConstantGap(t *testing.T) {
	for _, at := range []float64{0, 0.001, 0.3, 1} {
		var p, y []float64
		for i := range 1000 {
			v := 0.0
			if i%10 == 0 {
				v = 1
			}
			p, y = append(p, at), append(y, v)
		}
		m, err := Evaluate(p, y, nil)
		if want := math.Abs(at - 0.1); err != nil || math.Abs(m.SmoothECE-want) > 0.01*want+1e-6 {
			t.Errorf("p %v, rate .1: %v (%v)", at, m.SmoothECE, err)
		}
	}
}
