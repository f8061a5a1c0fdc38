package experiment

import (
	"context"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// madeUp is a model of the true schemas that was never fitted: a little for every
// column, by its name. It answers, and that is all these tests ask of it.
func madeUp(context.Context) (*models.Bundle, error) {
	attempt, cure := features.AttemptSchema(), features.CureSchema()
	b := &models.Bundle{ID: "0123456789abcdef", Manifest: models.Manifest{AsOf: "2026-05-01T00:00:00Z", Currency: "INR", HorizonDays: 21,
		DataManifest: strings.Repeat("ab", 32), AttemptSchema: attempt.Fingerprint(), CureSchema: cure.Fingerprint()}}
	var err error
	if b.Attempt, err = scorer(attempt, -0.3); err != nil {
		return nil, err
	}
	b.Cure, err = scorer(cure, -4)
	return b, err
}

// untaught is that model, whatever there was to learn from.
func untaught(_ *job, ctx context.Context, c course) (*lesson, error) {
	b, err := madeUp(ctx)
	return &lesson{Bundle: b}, err
}

// unschooled is where nobody learns.
var unschooled = school{untaught, func(*job, context.Context) ([]byte, error) { return nil, nil }}

func scorer(s features.Schema, base float64) (*models.Scorer, error) {
	d := models.Design{}
	for i, c := range s.Columns {
		d.Inputs = append(d.Inputs, models.Input{Name: c.Name, Levels: c.Levels})
		d.Terms = append(d.Terms, models.Term{A: i, B: -1})
	}
	l, err := d.Layout()
	if err != nil {
		return nil, err
	}
	n := len(l.Columns)
	weights := make([]float64, n)
	for i, name := range l.Columns {
		h := fnv.New64a()
		h.Write([]byte(name))
		weights[i] = float64(int64(h.Sum64()%201)-100) / 10000
	}
	m, err := models.NewLogistic(d, base, weights, make([]float64, n), make([]float64, n), slices.Repeat([]float64{1}, n), nil)
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1}}, err
}

// small is an experiment of a second.
func small(dir string) Config {
	c := Quick()
	c.Dir, c.Seeds, c.Cases, c.Months, c.Workers = dir, 3, 30, 4, 2
	c.Elsewhere, c.Frozen, c.Validation, c.Curve, c.CurveSeeds, c.Moved = 0, 0, 0, nil, 0, 0
	return c
}

// whole is a small one with all its parts but the moved constants.
func whole(dir string) Config {
	c := small(dir)
	c.Seeds, c.Cases = 1, 20
	c.Elsewhere, c.Frozen, c.Validation, c.Curve, c.CurveSeeds = 1, 1, 1, []int{1000}, 1
	return c
}

func play(t *testing.T, c Config) *Summary {
	t.Helper()
	s, err := start(context.Background(), c, unschooled)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// files is the content of every file below a folder, but for locks.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var day = data.IST(2026, 6, 10, 0, 0) // a Wednesday
