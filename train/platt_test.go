package train

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"recoup/models"
)

func TestPlattGolden(t *testing.T) {
	b, err := os.ReadFile("testdata/fit/platt.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string]struct {
		F, Y      []float64
		A, B      float64
		Flag      PlattFlag
		Backwards bool
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) < 9 {
		t.Fatal(len(cases), err)
	}
	for name, c := range cases {
		got, info, err := Platt(c.F, c.Y, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		size := max(1, math.Abs(c.A))
		if name == "enormous" {
			size = math.Abs(c.A)
		}
		if math.Abs(got.A-c.A) > 1e-10*size || math.Abs(got.B-c.B) > 1e-10*max(1, math.Abs(c.B)) || info.Flag != c.Flag || info.Backwards != c.Backwards || info.GradInf > 1e-10 {
			t.Errorf("%s: %+v %+v, want %v %v %q %v", name, got, info, c.A, c.B, c.Flag, c.Backwards)
		}
	}
}

func TestPlattWeightsAreCopies(t *testing.T) {
	f, y, w := []float64{-2, -0.5, 0.3, 1, 2.5, -1}, []float64{0, 1, 0, 1, 1, 0}, []float64{1, 2, 3, 0, 2, 1}
	var f2, y2 []float64
	for i := range f {
		for range int(w[i]) {
			f2, y2 = append(f2, f[i]), append(y2, y[i])
		}
	}
	a, _, err := Platt(f, y, w)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := Platt(f2, y2, nil)
	if err != nil || math.Abs(a.A-b.A)+math.Abs(a.B-b.B) > 1e-11 {
		t.Errorf("%v and %v (%v)", a, b, err)
	}
}

// On logits that are right the curve is close to the identity, a = -1, b = 0.
func TestPlattOfARightModelIsTheIdentity(t *testing.T) {
	fr, _ := mixture(11, 40000)
	r := fr.Columns[0].F
	var y []float64
	next := uint64(1)
	for _, z := range r {
		next = mix(next)
		o := 0.0
		if float64(next>>11)/(1<<53) < models.Sigmoid(1.5*z-1) {
			o = 1
		}
		y = append(y, o)
	}
	f := make([]float64, len(r))
	for i, z := range r {
		f[i] = 1.5*z - 1
	}
	c, _, err := Platt(f, y, nil)
	if err != nil || math.Abs(c.A+1) > 5*0.013 || math.Abs(c.B) > 5*0.017 { // five standard errors
		t.Errorf("%+v, %v", c, err)
	}
}

func TestPlattRefuses(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct{ f, y, w []float64 }{
		"no rows":         {nil, nil, nil},
		"weights of 0":    {[]float64{1, 2}, []float64{0, 1}, []float64{0, 0}},
		"NaN":             {[]float64{nan, 2}, []float64{0, 1}, nil},
		"infinite":        {[]float64{math.Inf(1), 2}, []float64{0, 1}, nil},
		"outcome":         {[]float64{1, 2}, []float64{0, 0.5}, nil},
		"negative weight": {[]float64{1, 2}, []float64{0, 1}, []float64{1, -1}},
	} {
		if got, _, err := Platt(c.f, c.y, c.w); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
