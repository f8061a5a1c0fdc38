package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"recoup/models"
)

// A swift scorer answers as the plain one, bit for bit, whatever the design and
// whichever inputs differ from the row it began with; rows that do not fit are the
// same errors.
func TestSwiftIsPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := models.Design{Inputs: []models.Input{{Name: "a"}, {Name: "b", Levels: []string{"x", "y", "z"}, Ref: 1}, {Name: "c"}, {Name: "d", Levels: []string{"p", "q"}}, {Name: "e"}}}
		all := []models.Term{{A: 0, B: -1}, {A: 1, B: -1}, {A: 2, B: -1}, {A: 3, B: -1}, {A: 4, B: -1}, {A: 0, B: 2}, {A: 1, B: 0}, {A: 4, B: 3}, {A: 1, B: 3}, {A: 2, B: 2}}
		for _, k := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(rt, "terms")[:rapid.IntRange(1, 10).Draw(rt, "n")] {
			d.Terms = append(d.Terms, all[k])
		}
		l, err := d.Layout()
		must(t, err)
		n := len(l.Columns)
		numbers := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), n, n)
		m, err := models.NewLogistic(d, rapid.Float64Range(-5, 5).Draw(rt, "base"), numbers.Draw(rt, "coef"), numbers.Draw(rt, "center"), make([]float64, n), make([]float64, n), nil)
		must(t, err)
		plain := &models.Scorer{Logistic: m, Platt: models.Platt{A: -rapid.Float64Range(0, 1e-3).Draw(rt, "platt"), B: 0.1}}
		fast := newSwift(plain)
		value := func(i int) float64 {
			if n := len(d.Inputs[i].Levels); n > 0 {
				return float64(rapid.IntRange(0, n-1).Draw(rt, "level"))
			}
			return rapid.Float64Range(-1e3, 1e3).Draw(rt, "value")
		}
		same := func(p float64, err error, row []float64) {
			want, wrong := plain.Prob(row)
			if math.Float64bits(p) != math.Float64bits(want) || (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
				rt.Fatalf("%v: %v, %v; plainly %v, %v", row, p, err, want, wrong)
			}
		}
		row := make([]float64, len(d.Inputs))
		for i := range row {
			row[i] = value(i)
		}
		b := &fast.space(2)[1]
		p, err := fast.begin(b, row)
		same(p, err, row)
		for range 5 {
			other := append([]float64{}, row...)
			for i := range other {
				switch rapid.IntRange(0, 9).Draw(rt, "change") {
				case 0:
					other[i] = rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), -1, 0.5, 2, 3, 1e300, -1e308}).Draw(rt, "odd")
				case 1, 2, 3:
					other[i] = value(i)
				}
			}
			p, err := fast.like(b, other)
			same(p, err, other)
			p, err = fast.begin(&fast.space(1)[0], other)
			same(p, err, other)
		}
		p, err = fast.like(b, row[:4])
		same(p, err, row[:4])
	})
}
