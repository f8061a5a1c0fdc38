package main

import (
	"context"
	"fmt"
	"time"
)

type modelsAddCmd struct {
	Folder string `arg:"" placeholder:"F" help:"The model's folder, which bears its id, or a folder that holds that one alone, such as models/simulated."`
	registryFlags
	Why string `default:"trained elsewhere" help:"Reason, for the promotion log."`
}

// Help is what models add --help adds.
func (modelsAddCmd) Help() string {
	return `Brings in a model that was trained elsewhere, by recoup nightly or recoup train-lightgbm, and makes it the challenger. It is verified first: content, strict reading, golden rows. The next recoup nightly judges it on its own test rows beside the models that it trains, and promotes the best that passes.

Nothing else needs Python to serve a LightGBM model: the folder holds all of it.

Example: recoup models add models/simulated --dir demo/log`
}

func (c *modelsAddCmd) Run(ctx context.Context, e *env) error {
	r, err := c.open()
	if err != nil {
		return err
	}
	id, err := r.Add(c.Folder, c.Why, e.now().UTC().Format(time.RFC3339))
	if err != nil {
		return err
	}
	b, err := r.Load(string(id))
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"id": id, "kind": b.Kind(), "folder": r.Path(id)})
	}
	_, err = fmt.Fprintf(e.stdout, "%s (%s, as of %s) is the challenger\nNext: recoup nightly --dir %s --as-of T judges it beside the models that it trains.\n", id, b.Kind(), b.Manifest.AsOf, c.Dir)
	return err
}
