package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"recoup/models"
)

type modelsCmd struct {
	List     modelsListCmd     `cmd:"" help:"List the registered models and who is champion."`
	Show     modelsShowCmd     `cmd:"" help:"Print a model's card: data, measures with intervals, limits."`
	Inspect  modelsInspectCmd  `cmd:"" help:"Verify a model and print its coefficients, largest first."`
	Add      modelsAddCmd      `cmd:"" help:"Bring in a model that was trained elsewhere, as the challenger of the next night."`
	Promote  modelsPromoteCmd  `cmd:"" help:"Make a model the champion."`
	Rollback modelsRollbackCmd `cmd:"" help:"Give the part of champion back to the previous one."`
}

// registryFlags are common to the verbs of the registry.
type registryFlags struct {
	Dir  string `required:"" placeholder:"D" help:"Directory whose registry (D/models) is meant."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

func (f registryFlags) open() (*models.Registry, error) {
	if _, err := os.Stat(f.Dir); err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	return models.OpenRegistry(filepath.Join(f.Dir, "models"))
}

type modelsListCmd struct{ registryFlags }

func (c *modelsListCmd) Run(ctx context.Context, e *env) error {
	r, err := c.open()
	if err != nil {
		return err
	}
	entries, err := r.List()
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"models": entries})
	}
	if len(entries) == 0 {
		fmt.Fprintf(e.stdout, "no models in %s yet: recoup nightly registers one\n", c.Dir)
		return nil
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "id\tkind\tas of\tpart\ttest rows\tBrier\tover the base rate")
	for _, m := range entries {
		if m.Manifest == nil {
			fmt.Fprintf(w, "%s\tREFUSED: %s\n", m.ID, m.Fault)
			continue
		}
		a := m.Manifest.Attempt
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%.4f\t%s\n", m.ID, m.Kind, m.Manifest.AsOf, strings.Join(m.Aliases, ", "), a.Rows, a.Calibrated.Brier, gain(a))
	}
	return w.Flush()
}

// gain is the gain over the base rate with its interval.
func gain(j models.Judged) string {
	if j.OverBaseInterval == nil {
		return fmt.Sprintf("%.4f", j.OverBase)
	}
	return fmt.Sprintf("%.4f [%.4f, %.4f]", j.OverBase, j.OverBaseInterval[0], j.OverBaseInterval[1])
}

// oneModel names a model of a registry.
type oneModel struct {
	Model string `arg:"" placeholder:"M" help:"Id, the first digits of it, champion, challenger or previous."`
	registryFlags
}

func (c oneModel) load() (*models.Registry, *models.Bundle, error) {
	r, err := c.open()
	if err != nil {
		return nil, nil, err
	}
	b, err := r.Load(c.Model)
	return r, b, err
}

type modelsShowCmd struct{ oneModel }

func (c *modelsShowCmd) Run(ctx context.Context, e *env) error {
	r, b, err := c.load()
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"id": b.ID, "kind": b.Kind(), "folder": r.Path(b.ID), "manifest": b.Manifest})
	}
	_, err = fmt.Fprintf(e.stdout, "%s\n\n%s", r.Path(b.ID), b.Card)
	return err
}

type modelsPromoteCmd struct {
	oneModel
	Why string `required:"" help:"Reason, for the promotion log."`
}

func (c *modelsPromoteCmd) Run(ctx context.Context, e *env) error {
	r, b, err := c.load()
	if err != nil {
		return err
	}
	if err := r.Promote(b.ID, c.Why, e.now().UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	return printAliases(e, r, c.JSON)
}

type modelsRollbackCmd struct {
	registryFlags
	Why string `required:"" help:"Reason, for the promotion log."`
}

func (c *modelsRollbackCmd) Run(ctx context.Context, e *env) error {
	r, err := c.open()
	if err != nil {
		return err
	}
	if err := r.Rollback(c.Why, e.now().UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	return printAliases(e, r, c.JSON)
}

func printAliases(e *env, r *models.Registry, asJSON bool) error {
	a, err := r.Aliases()
	if err != nil {
		return err
	}
	if asJSON {
		return e.printJSON(a)
	}
	for _, p := range []struct {
		name string
		id   models.ID
	}{{models.Champion, a.Champion}, {models.Challenger, a.Challenger}, {models.Previous, a.Previous}} {
		if p.id == "" {
			p.id = "none"
		}
		fmt.Fprintf(e.stdout, "%-10s  %s\n", p.name, p.id)
	}
	return nil
}
