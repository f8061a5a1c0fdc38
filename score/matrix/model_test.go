package matrix

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/features"
	"recoup/models"
)

// madeUp is a model of the true schemas whose coefficients are hashes of names.
func madeUp(t testing.TB) *models.Bundle {
	t.Helper()
	attempt, cure := features.AttemptSchema(), features.CureSchema()
	return &models.Bundle{ID: "0123456789abcdef", Attempt: scorer(t, attempt, -0.5), Cure: scorer(t, cure, -3),
		Manifest: models.Manifest{AsOf: "2026-11-01T00:00:00Z", Currency: "INR", HorizonDays: 21, DataManifest: strings.Repeat("0f", 32),
			AttemptSchema: attempt.Fingerprint(), CureSchema: cure.Fingerprint()}}
}

// failing is one that cannot answer.
func failing(t testing.TB) *models.Bundle {
	b := madeUp(t)
	b.Attempt.Platt.B = math.NaN()
	return b
}

// eager is one that finds every retry all but certain.
func eager(t testing.TB) *models.Bundle {
	b := madeUp(t)
	b.Attempt.Platt.B = -20
	return b
}

func scorer(t testing.TB, s features.Schema, base float64) *models.Scorer {
	t.Helper()
	var d models.Design
	for i, c := range s.Columns {
		d.Inputs = append(d.Inputs, models.Input{Name: c.Name, Levels: c.Levels})
		d.Terms = append(d.Terms, models.Term{A: i, B: -1})
	}
	for _, b := range s.Blocks {
		d.Terms = append(d.Terms, models.Term{Name: b.Name, A: s.Index(b.A), B: s.Index(b.B)})
	}
	l, err := d.Layout()
	if err != nil {
		t.Fatal(err)
	}
	n := len(l.Columns)
	coef := make([]float64, n)
	for i, name := range l.Columns {
		h := fnv.New32a()
		h.Write([]byte(name))
		coef[i] = (float64(h.Sum32()%1000)/1000 - 0.5) / 50
	}
	m, err := models.NewLogistic(d, base, coef, make([]float64, n), make([]float64, n), slices.Repeat([]float64{1}, n), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1, B: 0.1}}
}
