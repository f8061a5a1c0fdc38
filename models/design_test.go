package models

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/data"
)

// mixed is a design with every kind of part.
func mixed() Design {
	return Design{
		Inputs: []Input{{Name: "amount"}, {Name: "bank", Levels: []string{"A", "B", "C"}, Ref: 1}, {Name: "rail", Levels: []string{"card", "upi"}}, {Name: "delay"}},
		Terms:  []Term{{A: 0, B: -1}, {A: 1, B: -1}, {A: 2, B: -1}, {A: 3, B: 1}, {A: 0, B: 1}, {A: 0, B: 3}, {A: 1, B: 2}},
	}
}

func TestLayoutColumns(t *testing.T) {
	d := mixed()
	l, err := d.Layout()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"amount", "bank=A", "bank=C", "rail=upi",
		"bank=A:delay", "bank=B:delay", "bank=C:delay", // delay is not in alone: every level has a slope
		"bank=A:amount", "bank=C:amount",
		"amount:delay",
		"bank=A:rail=upi", "bank=C:rail=upi",
	}
	if !slices.Equal(l.Columns, want) {
		t.Errorf("%q\nwant %q", l.Columns, want)
	}
}

func TestLayoutRefuses(t *testing.T) {
	for name, d := range map[string]Design{
		"no such input":       {Inputs: []Input{{Name: "a"}}, Terms: []Term{{A: 1, B: -1}}},
		"input twice":         {Inputs: []Input{{Name: "a"}, {Name: "a"}}},
		"level twice":         {Inputs: []Input{{Name: "a", Levels: []string{"x", "x"}}}},
		"reference":           {Inputs: []Input{{Name: "a", Levels: []string{"x"}, Ref: 1}}},
		"column twice":        {Inputs: []Input{{Name: "a", Levels: []string{"u", "x"}}, {Name: "a=x"}}, Terms: []Term{{A: 0, B: -1}, {A: 1, B: -1}}},
		"category by itself":  {Inputs: []Input{{Name: "a", Levels: []string{"u", "x"}}}, Terms: []Term{{A: 0, B: 0}}},
		"reference of number": {Inputs: []Input{{Name: "a", Ref: 2}}},
	} {
		if _, err := d.Layout(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func fitted(t *testing.T) *Logistic {
	t.Helper()
	n := 12
	coef, center, mean, sd := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for j := range n {
		coef[j], mean[j], sd[j] = float64(j+1)/7, 0.1, 1
	}
	center[0], center[9] = 1e9, 0.3
	m, err := NewLogistic(mixed(), -0.7, coef, center, mean, sd, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMarginByHand(t *testing.T) {
	m := fitted(t)
	c := m.Coef
	for _, x := range []struct {
		row  []float64
		want float64
	}{
		{[]float64{1e9, 1, 0, 2}, -0.7 + c[0]*0 + c[5]*2 + c[9]*(2e9-0.3)},
		{[]float64{1e9 + 0.25, 2, 1, 0}, -0.7 + c[0]*0.25 + c[2] + c[3] + c[8]*(1e9+0.25) - c[9]*0.3 + c[11]},
	} {
		got, err := m.Margin(x.row)
		if err != nil || math.Abs(got-x.want) > 1e-15*math.Abs(x.want)+1e-12 {
			t.Errorf("%v: %v, want %v (%v)", x.row, got, x.want, err)
		}
		p, err := m.Prob(x.row)
		if err != nil || p != Sigmoid(got) {
			t.Errorf("%v: p %v (%v)", x.row, p, err)
		}
	}
}

func TestMarginRefuses(t *testing.T) {
	m := fitted(t)
	for name, row := range map[string][]float64{
		"narrow":         {1, 1, 1},
		"wide":           {1, 1, 1, 1, 1},
		"NaN":            {math.NaN(), 1, 1, 1},
		"infinite":       {1, 1, 1, math.Inf(1)},
		"level too high": {1, 3, 1, 1},
		"level negative": {1, -1, 1, 1},
		"half a level":   {1, 0.5, 1, 1},
		"NaN level":      {1, math.NaN(), 1, 1},
		"overflow":       {1e300, 1, 1, 1e300},
	} {
		if z, err := m.Margin(row); err == nil {
			t.Errorf("%s: %v", name, z)
		}
	}
	if _, err := (&Logistic{Design: mixed()}).Margin([]float64{1, 1, 1, 1}); err == nil {
		t.Error("a model that was never built answers")
	}
}

func TestLogisticJSONRoundTrip(t *testing.T) {
	m := fitted(t)
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Logistic
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	row := []float64{3, 2, 1, 0.7}
	x, _ := m.Margin(row)
	y, err := back.Margin(row)
	if err != nil || x != y {
		t.Errorf("%v, read back %v (%v)", x, y, err)
	}
	again, _ := json.Marshal(&back)
	if string(again) != string(b) {
		t.Errorf("%s\nread back\n%s", b, again)
	}
	for _, c := range [][2]string{{`"base":-0.7`, `"base":5`}, {`"coef":[`, `"coef":[1,`}, {`"ref":1`, `"ref":9`}, {`"dropped"`, `"droped"`}, {`"base":-0.7`, `"base":"x"`}} {
		bad := strings.Replace(string(b), c[0], c[1], 1)
		if bad == string(b) {
			t.Fatalf("%s is not in %s", c[0], b)
		}
		if json.Unmarshal([]byte(bad), new(Logistic)) == nil {
			t.Errorf("%s for %s is accepted", c[1], c[0])
		}
	}
}

// Whatever reads as a model must answer every row of its width without panic.
func FuzzLogisticJSON(f *testing.F) {
	m, _ := NewLogistic(Design{Inputs: []Input{{Name: "a"}, {Name: "b", Levels: []string{"x", "y"}}}, Terms: []Term{{A: 0, B: -1}, {A: 1, B: 0}}}, 1, []float64{1, 2}, []float64{0, 0}, []float64{0, 0}, []float64{1, 1}, nil)
	b, _ := json.Marshal(m)
	f.Add(b)
	f.Add([]byte(`{"inputs":[],"terms":[{"a":0,"b":-1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var m Logistic
		if json.Unmarshal(b, &m) != nil {
			return
		}
		z, err := m.Margin(make([]float64, len(m.Inputs)))
		if err == nil && (math.IsNaN(z) || math.IsInf(z, 0)) {
			t.Errorf("margin %v", z)
		}
	})
}

func TestPlattJSON(t *testing.T) {
	var p Platt
	if err := json.Unmarshal([]byte(`{"a":-1.5,"b":0.25}`), &p); err != nil || p != (Platt{-1.5, 0.25}) {
		t.Errorf("%v, %v", p, err)
	}
	for _, bad := range []string{`{}`, `{"a":1}`, `{"a":1,"b":null}`, `{"a":1,"b":2,"c":3}`, `{"a":1e999,"b":0}`, `[]`} {
		if json.Unmarshal([]byte(bad), new(Platt)) == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	for f, want := range map[float64]float64{0: 0.5, 800: 1, -800: 0} {
		if got := (Platt{A: -1}).Prob(f); got != want {
			t.Errorf("f %v: %v", f, got)
		}
	}
	if (Platt{A: 0.1}).Check() == nil || (Platt{A: math.NaN()}).Check() == nil || (Platt{A: -1}).Check() != nil {
		t.Error("Check")
	}
}

func TestBindNamesColumnAndLine(t *testing.T) {
	d := Design{Inputs: []Input{{Name: "x"}, {Name: "c", Levels: []string{"u", "v"}}}}
	frame := func() *data.Frame {
		return &data.Frame{N: 2, Lines: []int{2, 5}, Columns: []data.Column{
			{Name: "c", Kind: data.String, Codes: []uint32{1, 0}, Dict: []string{"u", "v"}},
			{Name: "x", Kind: data.Float64, F: []float64{1, 2}},
		}}
	}
	b, err := d.NewBinder().Bind(frame(), nil)
	if err != nil || !slices.Equal(b.Codes[1], []int32{1, 0}) || !slices.Equal(b.Numbers[0], []float64{1, 2}) {
		t.Fatalf("%+v, %v", b, err)
	}
	for want, change := range map[string]func(f *data.Frame){
		"no column x":                func(f *data.Frame) { f.Columns[1].Name = "z" },
		"column x, line 5: missing":  func(f *data.Frame) { f.Columns[1].Nulls = []bool{false, true} },
		"column x, line 2: NaN":      func(f *data.Frame) { f.Columns[1].F[0] = math.NaN() },
		"column c, line 5: category": func(f *data.Frame) { f.Columns[0].Dict[0] = "Paytm" },
		"column c, line 2: missing":  func(f *data.Frame) { f.Columns[0].Nulls = []bool{true, false} },
		"column c: float64 here":     func(f *data.Frame) { f.Columns[0] = data.Column{Name: "c", Kind: data.Float64, F: []float64{1, 2}} },
		"column x: string here": func(f *data.Frame) {
			f.Columns[1] = data.Column{Name: "x", Kind: data.String, Codes: []uint32{0, 0}, Dict: []string{"1"}}
		},
	} {
		f := frame()
		change(f)
		if _, err := d.NewBinder().Bind(f, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	f := frame()
	f.Columns[0].Dict[0] = "Paytm"
	if b, err := d.NewBinder().Bind(f, []float64{1, 0}); err != nil || b.Codes[1][1] != -1 {
		t.Errorf("an unknown level in a row of weight 0: %v", err)
	}
}
