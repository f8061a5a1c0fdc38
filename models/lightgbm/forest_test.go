package lightgbm

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// woods are the shapes of models that the compiled form has a road for.
var woods = []wood{
	{features: 1, trees: 3, leaves: 2, codes: 40},
	{features: 3, trees: 7, leaves: 7, codes: 40, categorical: 0.4, mixed: true},
	{features: 6, trees: 90, leaves: 31, codes: 90, coarse: true},
	{features: 6, trees: 90, leaves: 31, codes: 90, categorical: 0.5, mixed: true},
	{features: 4, trees: 700, leaves: 40, codes: 300, categorical: 0.3, lopsided: true}, // two stands and more
	{features: 5, trees: 70, leaves: 250, codes: 40, categorical: 0.2, mixed: true},     // several words a tree
	{features: 5, trees: 12, leaves: 256, codes: 40, lopsided: true},
	{features: 5, trees: 5, leaves: 600, codes: 40, categorical: 0.3, linear: 0.3}, // too tall for bits
	{features: 40, trees: 300, leaves: 16, codes: 5000, categorical: 0.3, linear: 0.2},
	{features: 3, trees: 400, leaves: 30, codes: 40000, categorical: 0.9}, // more categories than a table may have
	{features: 2, trees: 40, leaves: 9, codes: 70000, categorical: 0.9},
	{features: 8, trees: 200, leaves: 64, codes: 100, categorical: 0.2, linear: 1},
	{features: 200, trees: 300, leaves: 40, codes: 40, mixed: true},
	{features: 700, trees: 9, leaves: 900, codes: 40, mixed: true}, // tall, and read in more ways than a walk has places for
}

// ways counts how the stands are scored.
type ways struct{ walked, asked int }

func (w wood) String() string {
	return fmt.Sprintf("%d trees of %d leaves, %d columns", w.trees, w.leaves, w.features)
}

// The compiled forest answers as the plain walk, bit for bit: row by row and in a batch.
func TestForestIsPlain(t *testing.T) {
	var n ways
	for k, w := range woods {
		t.Run(w.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(k)))
			m := randomModel(r, w)
			f, err := Compile(m)
			must(t, err)
			var rows [][]float64
			for range 403 {
				rows = append(rows, w.hostile(r, m))
			}
			for range 2 {
				batch := make([]float64, len(rows))
				must(t, f.RawBatch(batch, rows))
				for i, row := range rows {
					want, err := m.Raw(row)
					must(t, err)
					got, err := f.Raw(row)
					must(t, err)
					if math.Float64bits(got) != math.Float64bits(want) || math.Float64bits(batch[i]) != math.Float64bits(want) {
						t.Fatalf("row %d, %v: %v, in a batch %v, plainly %v", i, row, got, batch[i], want)
					}
				}
				for _, b := range f.stands { // and the other way
					if b.walked {
						n.walked++
					} else {
						n.asked++
					}
					b.walked = b.tall || !b.walked
				}
			}
		})
	}
	if n.walked == 0 || n.asked == 0 {
		t.Errorf("%+v: one way was never taken", n)
	}
}

// A grid answers as the forest, bit for bit, whichever columns vary.
func TestGridIsPlain(t *testing.T) {
	var n ways
	for k, w := range woods {
		t.Run(w.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(k)))
			m := randomModel(r, w)
			f, err := Compile(m)
			must(t, err)
			for range 20 {
				row := w.hostile(r, m)
				vary := r.Perm(w.features)[:r.IntN(w.features+1)]
				g, err := f.Fold(row, vary)
				must(t, err)
				var rows [][]float64
				for range 1 + r.IntN(12) {
					other := w.hostile(r, m)
					one := append([]float64{}, row...)
					for _, c := range vary {
						one[c] = other[c]
					}
					rows = append(rows, one)
				}
				batch := make([]float64, len(rows))
				must(t, g.RawBatch(batch, rows))
				for i, row := range rows {
					want, err := m.Raw(row)
					must(t, err)
					got, err := g.Raw(row)
					must(t, err)
					if math.Float64bits(got) != math.Float64bits(want) || math.Float64bits(batch[i]) != math.Float64bits(want) {
						t.Fatalf("vary %v, row %d, %v: %v, in a batch %v, plainly %v", vary, i, row, got, batch[i], want)
					}
				}
				for i := range g.stands {
					if g.stands[i].walked {
						n.walked++
					} else {
						n.asked++
					}
				}
			}
		})
	}
	if n.walked == 0 || n.asked == 0 {
		t.Errorf("%+v: one way was never taken", n)
	}
}

func TestForestRefuses(t *testing.T) {
	w := wood{features: 3, trees: 4, leaves: 5, codes: 40}
	m := randomModel(rand.New(rand.NewPCG(1, 1)), w)
	f, err := Compile(m)
	must(t, err)
	row := []float64{1, 2, 3}
	g, err := f.Fold(row, []int{2, 0})
	must(t, err)
	var width *WidthError
	var fold *FoldError
	_, err = f.Raw(row[:2])
	if !errors.As(err, &width) || *width != (WidthError{Row: -1, Got: 2, Want: 3}) {
		t.Errorf("short row: %v", err)
	}
	dst := []float64{7, 8}
	if err := f.RawBatch(dst, [][]float64{row, {1, 2, 3, 4}}); !errors.As(err, &width) || *width != (WidthError{Row: 1, Got: 4, Want: 3}) {
		t.Errorf("long row: %v", err)
	}
	if err := f.RawBatch(dst, [][]float64{row}); err == nil {
		t.Error("one row into two places: no error")
	}
	if _, err := f.Fold(row[:1], nil); !errors.As(err, &width) {
		t.Errorf("short row to fold: %v", err)
	}
	for _, c := range []int{-1, 3} {
		if _, err := f.Fold(row, []int{c}); err == nil {
			t.Errorf("column %d varies: no error", c)
		}
	}
	if _, err := g.Raw(row[:2]); !errors.As(err, &width) {
		t.Errorf("short row of a grid: %v", err)
	}
	if _, err := g.Raw([]float64{1, 2.5, 3}); !errors.As(err, &fold) || fold.Column != 1 {
		t.Errorf("column 1 differs: %v", err)
	}
	if err := g.RawBatch(dst, [][]float64{row, {1, math.NaN(), 3}}); !errors.As(err, &fold) || fold.Column != 1 {
		t.Errorf("column 1 is missing: %v", err)
	}
	missing, err := f.Fold([]float64{1, math.NaN(), 3}, []int{0})
	must(t, err)
	if _, err := missing.Raw([]float64{2, math.Float64frombits(math.Float64bits(math.NaN()) ^ 1), 3}); err != nil {
		t.Errorf("another NaN than the folded one: %v", err)
	}
	if dst[0] != 7 || dst[1] != 8 {
		t.Errorf("an error wrote %v", dst)
	}
	for name, spoil := range map[string]func(*Tree){
		"cycle":        func(t *Tree) { t.Nodes[len(t.Nodes)-1].Left = 0 },
		"no such node": func(t *Tree) { t.Nodes[0].Left = 99 },
		"no such leaf": func(t *Tree) { t.Nodes[len(t.Nodes)-1].Right = -99 },
		"column":       func(t *Tree) { t.Nodes[0].Feature = 3 },
		"leaves":       func(t *Tree) { t.Leaves = t.Leaves[1:] },
	} {
		m := randomModel(rand.New(rand.NewPCG(1, 1)), w)
		for i := range m.Trees {
			if len(m.Trees[i].Nodes) > 1 {
				spoil(&m.Trees[i])
				break
			}
		}
		if _, err := Compile(m); err == nil {
			t.Errorf("%s: compiled", name)
		}
	}
}

// A row, a batch and a row of a grid take no memory.
func TestForestAllocatesNothing(t *testing.T) {
	w := wood{features: 6, trees: 60, leaves: 31, codes: 90, categorical: 0.3}
	r := rand.New(rand.NewPCG(3, 1))
	m := randomModel(r, w)
	f, err := Compile(m)
	must(t, err)
	rows := [][]float64{w.hostile(r, m), w.hostile(r, m), w.hostile(r, m)}
	dst := make([]float64, len(rows))
	g, err := f.Fold(rows[0], []int{0, 1, 2, 3, 4, 5})
	must(t, err)
	if n := testing.AllocsPerRun(10, func() {
		_, err1 := f.Raw(rows[0])
		_, err2 := g.Raw(rows[1])
		if err := errors.Join(err1, err2, f.RawBatch(dst, rows), g.RawBatch(dst, rows)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestForestProb(t *testing.T) {
	m := &Model{Names: []string{"x"}, Kinds: []Kind{Numeric}, Objective: Objective{Name: "binary", Sigmoid: 0.7}, Trees: []Tree{{Leaves: []float64{-0.25}}, {Leaves: []float64{0.75}}}}
	for _, average := range []bool{false, true} {
		m.Average = average
		f, err := Compile(m)
		must(t, err)
		raw, err := f.Raw([]float64{1})
		must(t, err)
		if raw != 0.5 || f.Prob(raw) != m.Prob(raw) {
			t.Errorf("average %v: raw %v, p %v, plainly %v", average, raw, f.Prob(raw), m.Prob(raw))
		}
	}
}
