package train

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// The made world of these tests: logit P(y=1) = -0.5 + x + [k=b] + 0.8 x [k=b],
// a row every ten minutes of a year.
var madeSchema = features.Schema{Name: "made",
	Columns: []features.Column{
		{Name: "x", Group: "numbers"},
		{Name: "k", Group: "levels", Levels: []string{"unknown", "a", "b"}},
		{Name: "noise", Group: "nothing"},
	},
	Blocks: []features.Block{{Name: "k x x", A: "k", B: "x"}}}

const madeRows = 24_000

func madeTable(seed uint64, signal float64) Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &data.Frame{N: madeRows, Columns: []data.Column{
		{Name: colAt, Kind: data.Timestamp}, {Name: colCustomer, Kind: data.String}, {Name: colY, Kind: data.Int64},
		{Name: "x", Kind: data.Float64}, {Name: "k", Kind: data.String, Dict: []string{"b", "a"}}, {Name: "noise", Kind: data.Float64},
	}}
	who := &f.Columns[1]
	for i := range 3000 {
		who.Dict = append(who.Dict, "c"+string(rune('0'+i%10))+"-"+string(rune('a'+i/10%26))+string(rune('a'+i/260)))
	}
	for i := range madeRows {
		x, k := rng.NormFloat64(), uint32(rng.IntN(2))
		z := x
		if k == 0 {
			z += 1 + 0.8*x
		}
		y := int64(0)
		if rng.Float64() < models.Sigmoid(signal*z-0.5) {
			y = 1
		}
		c := f.Columns
		c[0].I = append(c[0].I, int64(newYear+data.Micros(i)*365*data.Day/madeRows))
		who.Codes = append(who.Codes, uint32(rng.IntN(len(who.Dict))))
		c[2].I = append(c[2].I, y)
		c[3].F = append(c[3].F, x)
		c[4].Codes = append(c[4].Codes, k)
		c[5].F = append(c[5].F, rng.NormFloat64())
	}
	return Table{Name: "made", Rows: madeRows, Frames: func(names ...string) iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			rows := make([]int, 1000)
			for first := 0; first < madeRows; first += len(rows) {
				for i := range rows {
					rows[i] = first + i
				}
				if !yield(pick(f, rows), nil) {
					return
				}
			}
		}
	}}
}

func madeTask(t *testing.T, seed uint64, signal float64) Task {
	t.Helper()
	asOf := newYear + 365*data.Day
	s, err := Cut(Span{First: newYear, Last: asOf, AsOf: asOf, Longest: 2 * data.Day})
	if err != nil {
		t.Fatal(err)
	}
	return Task{Table: madeTable(seed, signal), Schema: madeSchema, Slices: s, Workers: 2}
}

func TestRunFindsTheWorld(t *testing.T) {
	task := madeTask(t, 1, 1)
	f, err := Run(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	if lo := f.Seen.Inputs[0].Range[0]; f.Seen.Rows != f.Train.Rows || lo > -3 || lo < -6 {
		t.Errorf("shown %d rows of x from %v: the train slice has %d", f.Seen.Rows, lo, f.Train.Rows)
	}
	got := map[string]float64{}
	se := map[string]float64{}
	for i, c := range f.Logistic.Columns() {
		got[c], se[c] = f.Logistic.Coef[i], f.Fit.StdErr[i]
	}
	// The reference level is the more frequent of a and b; both ways round it is the same world.
	var slope map[string]float64
	if f.Logistic.Inputs[1].Ref == 1 {
		slope = map[string]float64{"x": 1, "k=b": 1, "k=b:x": 0.8, "noise": 0}
	} else {
		slope = map[string]float64{"x": 1.8, "k=a": -1, "k=a:x": -0.8, "noise": 0}
	}
	for c, want := range slope {
		if z := (got[c] - want) / se[c]; math.Abs(z) > 5 {
			t.Errorf("%s: %v, want %v: %v standard errors off", c, got[c], want, z)
		}
	}
	if f.Platt.A > -0.85 || f.Platt.A < -1.15 || math.Abs(f.Platt.B) > 0.15 {
		t.Errorf("Platt %+v of a model that is right", f.Platt)
	}
	chosen := 0
	for _, tr := range f.Trials {
		if tr.Chosen {
			chosen++
			if tr.L2 != f.L2 {
				t.Errorf("chosen %v, used %v", tr.L2, f.L2)
			}
		}
		if tr.LogLoss == nil || *tr.LogLoss < *f.best().LogLoss {
			t.Errorf("trial %+v beside the chosen %+v", tr, f.best())
		}
	}
	if chosen != 1 {
		t.Errorf("%d penalties chosen", chosen)
	}
	if f.Slices.Of(ForTrain).Rows != f.Train.Rows || f.Train.Rows != f.Fit.Rows {
		t.Errorf("train rows: %d counted, %d described, %d fitted", f.Slices.Of(ForTrain).Rows, f.Train.Rows, f.Fit.Rows)
	}
	dropped := map[string]bool{}
	for _, d := range f.Logistic.Dropped {
		dropped[d.Column] = true
	}
	if !dropped["k=unknown"] || !dropped["k=unknown:x"] {
		t.Errorf("dropped %v: the level that no row has should be", f.Logistic.Dropped)
	}

	// Nothing after the calibrate slice moves the model.
	late := task
	late.Table.Frames = func(names ...string) iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			for f, err := range task.Table.Frames(append([]string{colAt}, names...)...) {
				at, y := f.Column(colAt).I, f.Column(colY)
				for i := range at {
					if y != nil && task.Slices.Of(ForTest).Holds(data.Micros(at[i])) {
						y.I[i] = 1 - y.I[i]
					}
				}
				if !yield(f, err) {
					return
				}
			}
		}
	}
	g, err := Run(context.Background(), late)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := asJSON(t, f.Logistic, f.Platt, f.Trials), asJSON(t, g.Logistic, g.Platt, g.Trials); a != b {
		t.Error("other outcomes in the test slice changed the model")
	}

	// A model comes back from JSON as it was.
	var back Fitted
	if err := json.Unmarshal([]byte(asJSON(t, f)), &back); err != nil {
		t.Fatal(err)
	}
	if asJSON(t, &back) != asJSON(t, f) {
		t.Error("JSON does not bring the model back")
	}
}

func (f *Fitted) best() Trial {
	for _, t := range f.Trials {
		if t.Chosen {
			return t
		}
	}
	return Trial{}
}

func asJSON(t *testing.T, v ...any) string {
	t.Helper()
	if len(v) == 1 {
		b, err := json.Marshal(v[0])
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestJudge(t *testing.T) {
	task := madeTask(t, 1, 1)
	ctx := context.Background()
	f, err := Run(ctx, task)
	if err != nil {
		t.Fatal(err)
	}
	j, err := Judge(ctx, task, f, colAt)
	if err != nil {
		t.Fatal(err)
	}
	n := int(f.Slices.Of(ForTest).Rows)
	if len(j.Test.Y) != n || len(j.Test.P) != n || j.Test.Meta.N != n || len(j.Seen) != n {
		t.Fatalf("%d rows, %d p, %d meta, %d seen: want %d of each", len(j.Test.Y), len(j.Test.P), j.Test.Meta.N, len(j.Seen), n)
	}
	for i, at := range j.Test.Meta.Column(colAt).I {
		if !f.Slices.Of(ForTest).Holds(data.Micros(at)) {
			t.Fatalf("row %d of %s is not in the test slice", i, data.Micros(at))
		}
	}
	brier := func(p, y []float64) float64 {
		var s float64
		for i := range p {
			s += (p[i] - y[i]) * (p[i] - y[i])
		}
		return s / float64(len(p))
	}
	full := brier(j.Test.P, j.Test.Y)
	worth := map[string]float64{}
	for _, w := range j.Without {
		if w.P == nil {
			t.Errorf("%s: %s", w.Name, w.Why)
			continue
		}
		worth[w.Name] = brier(w.P, j.Test.Y) - full
	}
	if !(worth["numbers"] > 0.02 && worth["levels"] > 0.005 && worth["k x x"] > 0.0005 && math.Abs(worth["nothing"]) < 0.0005) {
		t.Errorf("worth %v", worth)
	}
	var names []string
	for _, c := range j.Calibrators {
		names = append(names, c.Name)
		if len(c.P) != n || brier(c.P, j.Test.Y) > full+0.003 {
			t.Errorf("calibrator %s: %d rows, Brier %v, Platt has %v: %s", c.Name, len(c.P), brier(c.P, j.Test.Y), full, c.Why)
		}
	}
	if strings.Join(names, " ") != "none platt beta isotonic" {
		t.Error(names)
	}
	if j.Held == nil {
		t.Fatal(j.HeldWhy)
	}
	who := j.Held.Meta.Column(colCustomer)
	for i := range j.Held.Y {
		if !HeldOut(who.Text(i)) {
			t.Fatalf("customer %s is not held out", who.Text(i))
		}
	}
	if share := float64(len(j.Held.Y)) / float64(n); share < 0.15 || share > 0.25 {
		t.Errorf("%v of the rows are held out, want a fifth", share)
	}

	// A registered model scores the same rows alike.
	s, err := Score(task, models.Scorer{Logistic: f.Logistic, Platt: f.Platt}, *f.Slices.Of(ForTest))
	if err != nil {
		t.Fatal(err)
	}
	if asJSON(t, s.P, s.Y) != asJSON(t, j.Test.P, j.Test.Y) {
		t.Error("Score and Judge disagree")
	}
	rows, err := Sample(task, &models.Scorer{Logistic: f.Logistic}, *f.Slices.Of(ForTest), 64)
	if err != nil || len(rows) != 64 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestRunRefuses(t *testing.T) {
	task := madeTask(t, 1, 1)
	task.Slices.Of(ForCalibrate).To = task.Slices.Of(ForCalibrate).From + 5*data.Day
	if _, err := Run(context.Background(), task); !errors.Is(err, data.ErrTooLittle) || !strings.Contains(err.Error(), "slice calibrate") {
		t.Error(err)
	}

	// A world that turns round ranks backwards on the calibrate slice.
	task = madeTask(t, 1, 1)
	frames := task.Table.Frames
	task.Table.Frames = func(names ...string) iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			for f, err := range frames(append([]string{colAt}, names...)...) {
				at, y := f.Column(colAt).I, f.Column(colY)
				for i := range at {
					if y != nil && task.Slices.Of(ForCalibrate).Holds(data.Micros(at[i])) {
						y.I[i] = 1 - y.I[i]
					}
				}
				if !yield(f, err) {
					return
				}
			}
		}
	}
	if _, err := Run(context.Background(), task); !errors.Is(err, ErrBackwards) || !errors.Is(err, data.ErrUnsafe) {
		t.Error(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, madeTask(t, 1, 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Whoever is held out is so every night, and about a fifth is.
func TestHeldOutShare(t *testing.T) {
	held := 0
	const n = 20_000
	for i := range n {
		if HeldOut("cust_" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))) {
			held++
		}
	}
	if z := (float64(held) - n/5) / math.Sqrt(n*0.2*0.8); math.Abs(z) > 5 {
		t.Errorf("%d of %d held out", held, n)
	}
}
