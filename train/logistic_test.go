package train

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
)

// fitFile fits a file of testdata/fit.
func fitFile(t *testing.T, name string, o Options) (*models.Logistic, Fit, error) {
	t.Helper()
	f, err := table.Open(filepath.Join("testdata", "fit", name), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Discover(f, Inputs{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	return Logistic(context.Background(), d, SourceOf(f, d, "y"), "y", "", o)
}

func TestLogisticGolden(t *testing.T) {
	b, err := os.ReadFile("testdata/fit/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string]struct {
		File                      string
		L2                        float64
		Standardize               bool
		Rows, Positives           int64
		Intercept, NLL, Objective float64
		LogitAtMean               float64 `json:"logit_at_mean"`
		Coefficients, Mean, SD    map[string]float64
		Dropped                   []models.Dropped
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) != 8 {
		t.Fatal(len(cases), err)
	}
	for name, want := range cases {
		m, fit, err := fitFile(t, want.File, Options{L2: want.L2, Standardize: want.Standardize})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		close := func(what string, got, want, tol float64) {
			if !(math.Abs(got-want) <= tol) {
				t.Errorf("%s %s: %v, want %v", name, what, got, want)
			}
		}
		seen, size := 0, 1.0
		for j, c := range m.Columns() {
			if m.SD[j] == 0 {
				continue
			}
			seen++
			v, sd := want.Coefficients[c], want.SD[c]
			close(c, m.Coef[j]*sd, v*sd, 1e-9*max(1, math.Abs(v)*sd))
			close("mean "+c, m.Mean[j], want.Mean[c], 1e-12*sd)
			close("sd "+c, m.SD[j], sd, 1e-12*sd)
			size += math.Abs(v * want.Mean[c])
		}
		if seen != len(want.Coefficients) {
			t.Errorf("%s: %d coefficients, want %d", name, seen, len(want.Coefficients))
		}
		close("intercept", m.Intercept, want.Intercept, 1e-9*size)
		close("logit at mean", fit.LogitAtMean, want.LogitAtMean, 1e-9*max(1, math.Abs(want.LogitAtMean)))
		close("nll", fit.NLL, want.NLL, 1e-11*want.NLL)
		close("objective", fit.Objective, want.Objective, 1e-11*want.Objective)
		close("gradient", fit.GradInf, 0, 1e-10)
		var dropped, wanted []string
		for _, d := range fit.Dropped {
			dropped = append(dropped, d.Column)
		}
		for _, d := range want.Dropped {
			wanted = append(wanted, d.Column)
		}
		slices.Sort(dropped)
		slices.Sort(wanted)
		if fit.Rows != want.Rows || fit.Positives != want.Positives || !slices.Equal(dropped, wanted) {
			t.Errorf("%s: %d rows, %d positive, dropped %v", name, fit.Rows, fit.Positives, dropped)
		}
	}
}

func TestLogisticRefusesByName(t *testing.T) {
	for file, words := range map[string][]string{
		"fail_collinear.csv": {"collinear", "sum = 2*x1 -x3 +7"},
		"fail_duplicate.csv": {"collinear", "again = x1"},
		"fail_separable.csv": {"complete separation", "x1", "x2"},
		"fail_quasi.csv":     {"quasi-complete separation", "plan=gold", "48 rows"},
	} {
		_, _, err := fitFile(t, file, Options{})
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) || !errors.Is(err, data.ErrContract) {
				t.Errorf("%s: %q is not in: %v", file, w, err)
			}
		}
	}
}

// frameOf makes a frame of numeric columns, the last one y.
func frameOf(names []string, columns ...[]float64) *data.Frame {
	f := &data.Frame{N: len(columns[0])}
	for j, c := range columns {
		f.Columns = append(f.Columns, data.Column{Name: names[j], Kind: data.Float64, F: c})
	}
	return f
}

func plain(names ...string) models.Design {
	var d models.Design
	for j, n := range names {
		d.Inputs = append(d.Inputs, models.Input{Name: n})
		d.Terms = append(d.Terms, models.Term{A: j, B: -1})
	}
	return d
}

// mixture is a table with two numbers, two categories and every kind of product.
func mixture(seed uint64, n int) (*data.Frame, models.Design) {
	r := rand.New(rand.NewPCG(seed, 5))
	f := &data.Frame{N: n, Columns: []data.Column{
		{Name: "a", Kind: data.Float64}, {Name: "b", Kind: data.Float64},
		{Name: "c", Kind: data.String, Dict: []string{"z", "x", "y"}}, {Name: "d", Kind: data.String, Dict: []string{"p", "q"}},
		{Name: "w", Kind: data.Float64}, {Name: "y", Kind: data.Int64},
	}}
	for range n {
		a, b, c, d := r.NormFloat64(), 3+2*r.NormFloat64(), uint32(r.IntN(3)), uint32(r.IntN(2))
		f.Columns[0].F, f.Columns[1].F = append(f.Columns[0].F, a), append(f.Columns[1].F, b)
		f.Columns[2].Codes, f.Columns[3].Codes = append(f.Columns[2].Codes, c), append(f.Columns[3].Codes, d)
		f.Columns[4].F = append(f.Columns[4].F, float64(r.IntN(4))/2)
		y := int64(0)
		if r.Float64() < models.Sigmoid(0.7*a-0.2*b+0.3*float64(c)*a-0.4*float64(d)) {
			y = 1
		}
		f.Columns[5].I = append(f.Columns[5].I, y)
	}
	d := models.Design{
		Inputs: []models.Input{{Name: "a"}, {Name: "b"}, {Name: "c", Levels: []string{"x", "y", "z"}}, {Name: "d", Levels: []string{"p", "q"}}},
		Terms:  []models.Term{{A: 0, B: -1}, {A: 1, B: -1}, {A: 2, B: -1}, {A: 3, B: -1}, {A: 2, B: 0}, {A: 0, B: 1}, {A: 2, B: 3}},
	}
	return f, d
}

// cut is the frame in chunks of the given sizes, the last one as long as needed.
func cut(f *data.Frame, sizes ...int) (out []*data.Frame) {
	for from, k := 0, 0; from < f.N; k++ {
		to := f.N
		if k < len(sizes) {
			to = min(f.N, from+sizes[k])
		}
		rows := make([]int, 0, to-from)
		for i := from; i < to; i++ {
			rows = append(rows, i)
		}
		c := pick(f, rows)
		c.First = int64(from)
		out = append(out, c)
		from = to
	}
	return
}

func TestClosedForms(t *testing.T) {
	// One category alone: each level's log-odds.
	f, d := mixture(1, 500)
	d = models.Design{Inputs: d.Inputs[2:3], Terms: []models.Term{{A: 0, B: -1}}}
	m, fit, err := Logistic(context.Background(), d, InMemory(f), "y", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var n [3][2]float64
	for i, code := range f.Columns[2].Codes {
		n[code][f.Columns[5].I[i]]++
	}
	odds := func(code int) float64 { return math.Log(n[code][1] / n[code][0]) }
	for v, code := range map[float64]int{0: 1, 1: 2, 2: 0} { // levels x, y, z
		z, err := m.Margin([]float64{v})
		if err != nil || math.Abs(z-odds(code)) > 1e-12 {
			t.Errorf("level %v: %v, log-odds %v (%v)", v, z, odds(code), err)
		}
	}
	// The mean prediction is the base rate.
	if want := fit.WeightedPositives / fit.WeightSum; math.Abs(models.Sigmoid(odds(0))*sumOf(n[0])+models.Sigmoid(odds(1))*sumOf(n[1])+models.Sigmoid(odds(2))*sumOf(n[2])-want*500) > 1e-9 {
		t.Error("the mean prediction is not the base rate")
	}
}

func sumOf(v [2]float64) float64 { return v[0] + v[1] }

// Gradient and Hessian of the kernels against differences, at a point where nothing is zero.
func TestDerivatives(t *testing.T) {
	f, d := mixture(2, 700)
	for i := range f.Columns[1].F {
		f.Columns[1].F[i] += 1000 // far from zero: taken off first
	}
	p, _ := problemOf(t, d, InMemory(cut(f, 100, 333)...), "w", Options{L2: 2, Standardize: true})
	ctx := context.Background()
	point := make([]float64, p.shape.size())
	for k := range point {
		point[k] = 0.3*float64(k%3) - 0.2
	}
	at, err := p.at(ctx, point, wantHessian)
	if err != nil {
		t.Fatal(err)
	}
	n, h := len(point), 1e-5
	for k := range point {
		up, down := slices.Clone(point), slices.Clone(point)
		up[k] += h
		down[k] -= h
		a, _ := p.at(ctx, up, wantGradient)
		b, _ := p.at(ctx, down, wantGradient)
		if d := (a.obj - b.obj) / (2 * h); math.Abs(d-at.g[k]) > 1e-4 {
			t.Errorf("%s: gradient %v, differences %v", p.shape.names[k], at.g[k], d)
		}
		for j := range point {
			if d := (a.g[j] - b.g[j]) / (2 * h); math.Abs(d-at.h[k*n+j]) > 1e-4 {
				t.Errorf("%s, %s: Hessian %v, differences %v", p.shape.names[k], p.shape.names[j], at.h[k*n+j], d)
			}
		}
	}
}

// problemOf is the objective of a fit before its search.
func problemOf(t *testing.T, d models.Design, src Source, weight string, o Options) (*problem, *moments) {
	t.Helper()
	layout, err := d.Layout()
	if err != nil {
		t.Fatal(err)
	}
	o.Workers, o.Hold = max(o.Workers, 2), 1<<30
	r := newRows(d, layout, src, "y", weight, o)
	m, err := r.measure(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s, err := newShape(d, layout, m)
	if err != nil {
		t.Fatal(err)
	}
	return newProblem(r, s, m, o), m
}

// The same bytes for any number of workers, kept in memory or read again.
func TestSameBytesForAnyWorkers(t *testing.T) {
	f, d := mixture(3, 40000)
	var first []byte
	for _, o := range []Options{{Workers: 1}, {Workers: 4}, {Workers: 3, Hold: -1}} {
		o.L2, o.Standardize = 1, true
		m, fit, err := Logistic(context.Background(), d, InMemory(cut(f, 9000, 9000, 1, 12345)...), "y", "w", o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal([]any{m, fit})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if string(b) != string(first) {
			t.Errorf("%+v:\n%s\n%s", o, b, first)
		}
	}
}

// A row of weight 2 is the row twice; weight 0 is no row; the order of rows and
// columns changes nothing but rounding.
func TestMetamorphic(t *testing.T) {
	f, d := mixture(4, 900)
	ctx := context.Background()
	fit := func(f *data.Frame, d models.Design, weight string) *models.Logistic {
		t.Helper()
		m, _, err := Logistic(ctx, d, InMemory(f), "y", weight, Options{L2: 0.5, Standardize: true})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	same := func(what string, a, b *models.Logistic) {
		t.Helper()
		at := map[string]float64{}
		for j, c := range b.Columns() {
			at[c] = b.Coef[j]
		}
		for j, c := range a.Columns() {
			if math.Abs(a.Coef[j]-at[c]) > 1e-11 {
				t.Errorf("%s: %s is %v and %v", what, c, a.Coef[j], at[c])
			}
		}
		if math.Abs(a.Intercept-b.Intercept) > 1e-11 {
			t.Errorf("%s: intercept %v and %v", what, a.Intercept, b.Intercept)
		}
	}
	var rows []int
	for i := range f.N {
		f.Columns[4].F[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	weighted := fit(f, d, "w")
	same("weights", weighted, fit(pick(f, rows), d, ""))
	rand.New(rand.NewPCG(8, 8)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	same("order of rows", weighted, fit(pick(f, rows), d, ""))
	other := models.Design{Inputs: d.Inputs, Terms: slices.Clone(d.Terms)}
	slices.Reverse(other.Terms)
	same("order of terms", weighted, fit(f, other, "w"))
}

// The road of large tables (sample, exact gradients) ends where Newton's does.
func TestLargeTableMeetsNewton(t *testing.T) {
	f, d := mixture(5, 8*16384*4/3+8000) // a quarter of the rows weigh 0
	ctx := context.Background()
	for _, o := range []Options{{}, {L2: 3, Standardize: true}, {Hold: -1}} {
		m, fit, err := Logistic(ctx, d, InMemory(cut(f, 50000, 7, 50000)...), "y", "w", o)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := problemOf(t, d, InMemory(f), "w", o)
		at, err := p.at(ctx, p.begin(), wantHessian)
		if err != nil {
			t.Fatal(err)
		}
		if at, err = p.newton(ctx, at); err != nil {
			t.Fatal(err)
		}
		for k := 1; k < len(at.t); k++ {
			if got := m.Coef[p.shape.column[k]] * p.shape.sd[k]; math.Abs(got-at.t[k]) > 1e-9 {
				t.Errorf("%+v: %s: %v, Newton %v", o, p.shape.names[k], got, at.t[k])
			}
		}
		if math.Abs(fit.Objective-at.obj) > 1e-9*at.obj {
			t.Errorf("%+v: objective %v, Newton %v", o, fit.Objective, at.obj)
		}
		if s := p.rows.sampled(sampleRows(p.shape.size())); s == nil || s.rows == nil {
			t.Error("there was no sample: the test tests nothing")
		}
	}
}

// Standard errors are those of the inverse Hessian: for one 0/1 column they have a closed form.
func TestStandardErrors(t *testing.T) {
	var x, y []float64
	for i, n := range []int{30, 20, 15, 35} { // x=0: 30 no, 20 yes; x=1: 15 no, 35 yes
		for range n {
			x, y = append(x, float64(i/2)), append(y, float64(i%2))
		}
	}
	_, fit, err := Logistic(context.Background(), plain("x"), InMemory(frameOf([]string{"x", "y"}, x, y)), "y", "", Options{StandardErrors: true})
	want := math.Sqrt(1./30 + 1./20 + 1./15 + 1./35)
	if err != nil || math.Abs(fit.StdErr[0]-want) > 1e-12 {
		t.Errorf("%v, want %v (%v)", fit.StdErr, want, err)
	}
}

// Columns far from zero and of any unit.
func TestOffsetsAndUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var a, b, c, y, a2, b2, c2 []float64
	for range 1200 {
		u, v, w := math.Round(r.NormFloat64()*256)/256, r.NormFloat64(), r.NormFloat64()
		a, b, c = append(a, u), append(b, v), append(c, w)
		a2, b2, c2 = append(a2, 1e9+u), append(b2, v*0x1p-20), append(c2, w*0x1p300)
		o := 0.0
		if r.Float64() < models.Sigmoid(u-0.5*v+0.2*w) {
			o = 1
		}
		y = append(y, o)
	}
	names := []string{"a", "b", "c", "y"}
	ctx := context.Background()
	one, f1, err := Logistic(ctx, plain("a", "b", "c"), InMemory(frameOf(names, a, b, c, y)), "y", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, f2, err := Logistic(ctx, plain("a", "b", "c"), InMemory(frameOf(names, a2, b2, c2, y)), "y", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j, unit := range []float64{1, 0x1p-20, 0x1p300} {
		if got := two.Coef[j] * unit; math.Abs(got-one.Coef[j]) > 1e-11 {
			t.Errorf("column %d: %v, in other units %v", j, one.Coef[j], got)
		}
	}
	if math.Abs(f1.LogitAtMean-f2.LogitAtMean) > 1e-11 {
		t.Errorf("logit at the mean %v and %v", f1.LogitAtMean, f2.LogitAtMean)
	}
	for i := range a {
		x, _ := one.Margin([]float64{a[i], b[i], c[i]})
		z, err := two.Margin([]float64{a2[i], b2[i], c2[i]})
		if err != nil || math.Abs(x-z) > 1e-10 {
			t.Fatalf("row %d: %v and %v (%v)", i, x, z, err)
		}
	}
}

func TestSeparationIsProvedNotGuessed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var x, u, y []float64
	for range 300 {
		v := r.NormFloat64()
		if math.Abs(v) < 0.05 {
			continue
		}
		x, u = append(x, v), append(u, r.NormFloat64())
		o := 0.0
		if v > 0 {
			o = 1
		}
		y = append(y, o)
	}
	names := []string{"x", "u", "y"}
	fit := func(d models.Design, cols ...[]float64) error {
		_, _, err := Logistic(context.Background(), d, InMemory(frameOf(names, cols...)), "y", "", Options{})
		return err
	}
	if err := fit(plain("x", "u"), x, u, y); err == nil || !strings.Contains(err.Error(), "complete separation: ") {
		t.Errorf("separated classes: %v", err)
	}
	// Two rows at the threshold, one of each class: quasi-complete.
	q := func(v ...float64) []float64 { return v }
	x2, u2, y2 := append(slices.Clone(x), 0, 0), append(slices.Clone(u), 0.3, 0.3), append(slices.Clone(y), 0, 1)
	if err := fit(plain("x", "u"), x2, u2, y2); err == nil || !strings.Contains(err.Error(), "quasi-complete separation") {
		t.Errorf("separated but for a tie: %v", err)
	}
	// Two rows on the wrong side by next to nothing: a finite optimum.
	for _, eps := range q(1e-2, 1e-4, 1e-6) {
		x3, y3 := append(slices.Clone(x), -eps, eps), append(slices.Clone(y), 1, 0)
		if err := fit(plain("x"), x3, append(slices.Clone(u), 0, 0), y3); err != nil {
			t.Errorf("overlap of %v: %v", eps, err)
		}
	}
}

func TestNearlyCollinearIsFitted(t *testing.T) {
	f, _ := mixture(9, 800)
	a := f.Columns[0].F
	y := make([]float64, f.N)
	r := rand.New(rand.NewPCG(1, 9))
	for i := range y {
		y[i] = float64(f.Columns[5].I[i])
	}
	for _, eps := range []float64{1e-3, 1e-5, 1e-12} {
		b := make([]float64, f.N)
		for i := range b {
			b[i] = a[i] + eps*r.NormFloat64()
		}
		_, fit, err := Logistic(context.Background(), plain("a", "b"), InMemory(frameOf([]string{"a", "b", "y"}, a, b, y)), "y", "", Options{})
		if refused := err != nil; refused != (eps < 1e-9) || !refused && fit.GradInf > 1e-10 {
			t.Errorf("a and a + %v noise: %v, gradient %v", eps, err, fit.GradInf)
		}
	}
}

func TestLogisticRefusesBadInput(t *testing.T) {
	good := func() *data.Frame {
		return frameOf([]string{"x", "w", "y"}, []float64{1, 2, 3, 2}, []float64{1, 1, 1, 1}, []float64{0, 1, 0, 1})
	}
	for want, change := range map[string]func(f *data.Frame, o *Options){
		"neither 0 nor 1": func(f *data.Frame, o *Options) { f.Columns[2].F[1] = 2 },
		"negative":        func(f *data.Frame, o *Options) { f.Columns[1].F[2] = -1 },
		"row 3: NaN":      func(f *data.Frame, o *Options) { f.Columns[0].F[2] = math.NaN() },
		"one class":       func(f *data.Frame, o *Options) { f.Columns[2].F = []float64{1, 1, 1, 1} },
		"no rows":         func(f *data.Frame, o *Options) { f.Columns[1].F = []float64{0, 0, 0, 0} },
		"x is constant":   func(f *data.Frame, o *Options) { f.Columns[0].F = []float64{0.1, 0.1, 0.1, 0.1} },
		"l2":              func(f *data.Frame, o *Options) { o.L2 = math.Inf(1) },
		"standardised":    func(f *data.Frame, o *Options) { f.Columns[0].F[0] = 1e200 },
		"no column x":     func(f *data.Frame, o *Options) { f.Columns[0].Name = "z" },
	} {
		f, o := good(), Options{L2: 1}
		change(f, &o)
		if _, _, err := Logistic(context.Background(), plain("x"), InMemory(f), "y", "w", o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := Logistic(ctx, plain("x"), InMemory(good()), "y", "w", Options{L2: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
