package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"recoup/features"
	"recoup/models"
	"recoup/models/lightgbm"
)

type modelsInspectCmd struct {
	Model string `arg:"" placeholder:"M" help:"With --dir an id, the first digits of it, champion, challenger or previous; without it a model's folder or a LightGBM text file."`
	Dir   string `placeholder:"D" help:"Directory whose registry (D/models) is meant."`
	JSON  bool   `name:"json" help:"Print one JSON object."`
}

// inspected is one of a model's two parts: a logistic regression or a LightGBM forest.
type inspected struct {
	Kind         string             `json:"kind"` // logistic or lightgbm
	Intercept    *float64           `json:"intercept,omitempty"`
	Coefficients map[string]float64 `json:"coefficients,omitempty"` // raw scale
	Dropped      []models.Dropped   `json:"dropped,omitempty"`
	Forest       *lightgbm.Summary  `json:"lightgbm,omitempty"`
	Platt        models.Platt       `json:"platt"`
	GoldenRows   int                `json:"golden_rows"`
	Schema       string             `json:"schema"` // "current", or how it differs
}

// load finds the model and, in a registry, its promotions.
func (c *modelsInspectCmd) load() (*models.Bundle, []models.Promotion, error) {
	if c.Dir == "" {
		b, err := loadModel("models inspect", c.Model, "")
		return b, nil, err
	}
	r, err := registryFlags{Dir: c.Dir}.open()
	if err != nil {
		return nil, nil, err
	}
	b, err := r.Load(c.Model)
	if err != nil {
		return nil, nil, err
	}
	log, err := r.Promotions()
	return b, log, err
}

func (c *modelsInspectCmd) Run(ctx context.Context, e *env) error {
	if info, err := os.Stat(c.Model); c.Dir == "" && err == nil && !info.IsDir() {
		return c.inspectText(e)
	}
	b, log, err := c.load()
	if err != nil {
		return err
	}
	parts := map[string]*inspected{}
	if parts["attempt"], err = inspect(b.Attempt, len(b.Golden.Attempt), b.Manifest.AttemptSchema, features.AttemptSchema()); err != nil {
		return err
	}
	if b.Cure != nil {
		if parts["cure"], err = inspect(b.Cure, len(b.Golden.Cure), b.Manifest.CureSchema, features.CureSchema()); err != nil {
			return err
		}
	}
	if c.JSON {
		return e.printJSON(map[string]any{"id": b.ID, "attempt": parts["attempt"], "cure": parts["cure"], "cure_not_assessed": b.Manifest.CureNotAssessed, "promotions": log})
	}
	fmt.Fprintf(e.stdout, "model %s: content and golden rows verified\n", b.ID)
	for _, name := range []string{"attempt", "cure"} {
		p := parts[name]
		if p == nil {
			fmt.Fprintf(e.stdout, "\n%s model: not assessed: %s\n", name, harmless(b.Manifest.CureNotAssessed))
			continue
		}
		fmt.Fprintf(e.stdout, "\n%s model: %s, Platt A %.6g B %.6g, %d golden rows, schema %s\n", name, p.Kind, p.Platt.A, p.Platt.B, p.GoldenRows, p.Schema)
		s := b.Attempt
		if name == "cure" {
			s = b.Cure
		}
		if p.Forest != nil {
			err = printSummary(e, *p.Forest)
		} else {
			err = printCoefficients(e, s.Logistic)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func inspect(s *models.Scorer, golden int, fingerprint string, now features.Schema) (*inspected, error) {
	p := &inspected{Kind: "logistic", Platt: s.Platt, GoldenRows: golden, Schema: "current"}
	if s.Forest != nil {
		m, err := lightgbm.Parse(s.Forest.Text)
		if err != nil {
			return nil, err
		}
		sum := m.Summary()
		p.Kind, p.Forest = "lightgbm", &sum
	} else {
		p.Intercept, p.Coefficients, p.Dropped = &s.Logistic.Intercept, map[string]float64{}, s.Logistic.Dropped
		for j, name := range s.Logistic.Columns() {
			p.Coefficients[name] = s.Logistic.Coef[j]
		}
	}
	if f := now.Fingerprint(); f != fingerprint {
		p.Schema = fmt.Sprintf("%.12s, but this recoup builds rows of %.12s: train again before serving", fingerprint, f)
	}
	return p, nil
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
	fmt.Fprintf(w, "intercept\t\t%+.6g\n", m.Intercept)
	fmt.Fprintln(w, "coefficient\tper sd\tper unit")
	for _, j := range order {
		fmt.Fprintf(w, "%s\t%+.4f\t%+.6g\n", quotedOdd(names[j]), scaled(j), m.Coef[j])
	}
	return w.Flush()
}
