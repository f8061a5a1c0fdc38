package train

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"recoup/models"
)

func TestBetaFindsItsOwnFamily(t *testing.T) {
	for _, want := range []BetaMap{{1, 1, 0}, {0.5, 1.5, 0.3}, {0, 1.2, -0.4}} {
		rng := rand.New(rand.NewPCG(3, 4))
		const n = 100_000
		f, y := make([]float64, n), make([]float64, n)
		for i := range f {
			f[i] = 2 * rng.NormFloat64()
			if rng.Float64() < want.Prob(f[i]) {
				y[i] = 1
			}
		}
		got, err := Beta(context.Background(), f, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		// A and B are strongly correlated: what counts is the curve they make.
		for z := -4.0; z <= 4; z += 0.5 {
			if d := math.Abs(got.Prob(z) - want.Prob(z)); d > 0.01 {
				t.Errorf("%+v, want %+v: at logit %v the probabilities differ by %v", got, want, z, d)
			}
		}
	}
}

func TestBetaIdentity(t *testing.T) {
	for _, f := range []float64{-700, -3, 0, 1e-9, 5, 40} {
		if got, want := (BetaMap{1, 1, 0}).Prob(f), models.Sigmoid(f); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: %v, want %v", f, got, want)
		}
	}
}
