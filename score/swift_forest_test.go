package score

import (
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// simulated is the LightGBM model that ships, whose schemas must be today's.
func simulated(t testing.TB) *models.Bundle {
	t.Helper()
	found, err := filepath.Glob("../models/simulated/????????????????")
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("%d models in models/simulated, one is shipped", len(found))
	}
	b, err := models.LoadFolder(found[0])
	must(t, err)
	if b.Kind() != models.KindLightGBM || b.Manifest.AttemptSchema != features.AttemptSchema().Fingerprint() || b.Manifest.CureSchema != features.CureSchema().Fingerprint() {
		t.Fatalf("models/simulated: %s of schemas %.12s and %.12s, this recoup builds %.12s and %.12s: make it again, its README says how",
			b.Kind(), b.Manifest.AttemptSchema, b.Manifest.CureSchema, features.AttemptSchema().Fingerprint(), features.CureSchema().Fingerprint())
	}
	return b
}

// A forest that was folded for one row answers as the plain one for others, bit for bit,
// whichever inputs differ; rows that do not fit are the same errors.
func TestSwiftForestIsPlain(t *testing.T) {
	plain := simulated(t).Attempt
	fast, inputs := newSwift(plain), plain.Inputs()
	rows := simulated(t).Golden.Attempt
	rapid.Check(t, func(rt *rapid.T) {
		same := func(p float64, err error, row []float64) {
			want, wrong := plain.Prob(row)
			if math.Float64bits(p) != math.Float64bits(want) || (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
				rt.Fatalf("%v, %v; plainly %v, %v", p, err, want, wrong)
			}
		}
		draw := func(name string) []float64 {
			return append([]float64{}, rows[rapid.IntRange(0, len(rows)-1).Draw(rt, name)].Row...)
		}
		row := draw("row")
		b := &fast.space(2)[1]
		p, err := fast.begin(b, row)
		same(p, err, row)
		for range 8 {
			other, from := append([]float64{}, row...), draw("from")
			for range rapid.IntRange(0, 4).Draw(rt, "changes") {
				i := rapid.IntRange(0, len(inputs)-1).Draw(rt, "input")
				other[i] = from[i]
				if rapid.IntRange(0, 19).Draw(rt, "odd") == 0 {
					other[i] = rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), -1, 0.5, 1e300, math.Copysign(0, -1)}).Draw(rt, "value")
				}
			}
			p, err := fast.like(b, other)
			same(p, err, other)
		}
		p, err = fast.like(b, row[:4])
		same(p, err, row[:4])
	})
}

// A decision with a LightGBM model says so, and rests on what the plain model answers.
func TestForestDecides(t *testing.T) {
	b := simulated(t)
	l, now := failure(everyAction), failedAt+5*data.Day
	d := l.decide(t, engine(t, b), now)
	if d.ModelKind != "LightGBM" || d.ModelID != string(b.ID) || d.unanswered {
		t.Errorf("model %s of kind %q, warnings %q", d.ModelID, d.ModelKind, d.Warnings)
	}
	past, err := l.state(t).Past("case", now)
	must(t, err)
	retries := 0
	for i := range d.Allowed {
		c := &d.Allowed[i]
		if c.Action == data.Escalate {
			continue
		}
		if want := naive(t, b, past, now, c); c.P == nil || !(math.Abs(*c.P-want) <= 1e-12) {
			t.Errorf("%s at %s: %v, by the definition %v", c.Action, c.At, c.P, want)
		}
		if c.Action == data.Retry {
			retries++
		}
	}
	if retries < 10 {
		t.Errorf("%d retries", retries)
	}
}

func BenchmarkForestCase(b *testing.B) {
	plain := simulated(b).Attempt
	fast, rows := newSwift(plain), simulated(b).Golden.Attempt
	var varying []int
	for i, c := range features.AttemptSchema().Columns {
		if c.Candidate {
			varying = append(varying, i)
		}
	}
	grid := make([][]float64, 57)
	for k := range grid {
		grid[k] = append([]float64{}, rows[0].Row...)
		for _, i := range varying {
			grid[k][i] = rows[k+1].Row[i]
		}
	}
	b.Run("folded", func(b *testing.B) {
		for b.Loop() {
			at := fast.space(1)
			_, err := fast.begin(&at[0], grid[0])
			must(b, err)
			for _, row := range grid[1:] {
				_, err := fast.like(&at[0], row)
				must(b, err)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			for _, row := range grid {
				_, err := plain.Prob(row)
				must(b, err)
			}
		}
	})
}
