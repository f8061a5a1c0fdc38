package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"text/tabwriter"

	"recoup/features"
	"recoup/models"
)

type modelsInspectCmd struct{ oneModel }

// inspected is one of a model's two parts.
type inspected struct {
	Intercept    float64            `json:"intercept"`
	Coefficients map[string]float64 `json:"coefficients"` // raw scale
	Platt        models.Platt       `json:"platt"`
	Dropped      []models.Dropped   `json:"dropped"`
	GoldenRows   int                `json:"golden_rows"`
	Schema       string             `json:"schema"` // "current", or how it differs
}

func (c *modelsInspectCmd) Run(ctx context.Context, e *env) error {
	r, b, err := c.load()
	if err != nil {
		return err
	}
	log, err := r.Promotions()
	if err != nil {
		return err
	}
	parts := map[string]*inspected{"attempt": inspect(b.Attempt, len(b.Golden.Attempt), b.Manifest.AttemptSchema, features.AttemptSchema())}
	if b.Cure != nil {
		parts["cure"] = inspect(b.Cure, len(b.Golden.Cure), b.Manifest.CureSchema, features.CureSchema())
	}
	if c.JSON {
		return e.printJSON(map[string]any{"id": b.ID, "attempt": parts["attempt"], "cure": parts["cure"], "cure_not_assessed": b.Manifest.CureNotAssessed, "promotions": log})
	}
	fmt.Fprintf(e.stdout, "model %s: content and golden rows verified\n", b.ID)
	for _, name := range []string{"attempt", "cure"} {
		p := parts[name]
		if p == nil {
			fmt.Fprintf(e.stdout, "\n%s model: not assessed: %s\n", name, b.Manifest.CureNotAssessed)
			continue
		}
		fmt.Fprintf(e.stdout, "\n%s model: intercept %.6g, Platt A %.6g B %.6g, %d golden rows, schema %s\n", name, p.Intercept, p.Platt.A, p.Platt.B, p.GoldenRows, p.Schema)
		s := b.Attempt
		if name == "cure" {
			s = b.Cure
		}
		if err := printCoefficients(e, s.Logistic); err != nil {
			return err
		}
	}
	return nil
}

func inspect(s *models.Scorer, golden int, fingerprint string, now features.Schema) *inspected {
	p := &inspected{Intercept: s.Logistic.Intercept, Coefficients: map[string]float64{}, Platt: s.Platt, Dropped: s.Logistic.Dropped, GoldenRows: golden, Schema: "current"}
	for j, name := range s.Logistic.Columns() {
		p.Coefficients[name] = s.Logistic.Coef[j]
	}
	if f := now.Fingerprint(); f != fingerprint {
		p.Schema = fmt.Sprintf("%.12s, but this recoup builds rows of %.12s: train again before serving", fingerprint, f)
	}
	return p
}

// printCoefficients lists log odds per standard deviation, largest first.
func printCoefficients(e *env, m *models.Logistic) error {
	names, order := m.Columns(), make([]int, len(m.Coef))
	for j := range order {
		order[j] = j
	}
	scaled := func(j int) float64 { return m.Coef[j] * m.SD[j] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(scaled(b)), math.Abs(scaled(a))) })
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "coefficient\tper sd\tper unit")
	for _, j := range order {
		fmt.Fprintf(w, "%s\t%+.4f\t%+.6g\n", names[j], scaled(j), m.Coef[j])
	}
	return w.Flush()
}
