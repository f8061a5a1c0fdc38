package train

import (
	"context"
	"math"
	"testing"

	"recoup/models"
)

// Weights over ten orders saturate the first Newton steps: the search must come
// back from there. The answer is checked by its gradient, worked out anew here.
func TestLogisticWeightsOverManyOrders(t *testing.T) {
	x0 := []float64{2, 0, 1, 1, 1, 1, 1, 2, 0, 2, 1, 0, 1, 1, 1, 1, 1, 2, 0, 2, 2}
	x1 := []float64{2, 2, 2, 1, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0, 2, 1, 2, 0, 0, 1, 0}
	w := []float64{0.01, 1e-05, 0.1, 1.0, 1e-06, 1000.0, 1.0, 1e-06, 0.001, 1.0, 0.001, 0.0001, 0.001, 0.01, 0.1, 100.0, 100000.0, 0.1, 0.01, 1e-06, 0.1}
	y := []float64{0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1}
	f := frameOf([]string{"x0", "x1", "w", "y"}, x0, x1, w, y)
	d := models.Design{
		Inputs: []models.Input{{Name: "x0"}, {Name: "x1"}},
		Terms:  []models.Term{{Name: "x0", A: 0, B: -1}, {Name: "x1", A: 1, B: -1}},
	}
	m, fit, err := Logistic(context.Background(), d, InMemory(f), "y", "w", Options{Standardize: true})
	if err != nil {
		t.Fatal(err)
	}
	var g0, g1, g2, top float64
	for i := range y {
		r := w[i] * (1/(1+math.Exp(-m.Intercept-m.Coef[0]*x0[i]-m.Coef[1]*x1[i])) - y[i])
		g0, g1, g2, top = g0+r, g1+r*x0[i], g2+r*x1[i], math.Max(top, w[i])
	}
	for k, g := range []float64{g0, g1, g2} {
		if math.Abs(g) > 1e-13*top {
			t.Errorf("gradient %d = %v after %d steps", k, g, fit.Iterations)
		}
	}
}
