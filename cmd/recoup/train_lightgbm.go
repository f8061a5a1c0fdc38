package main

import (
	"context"
	"fmt"
	"runtime"

	"recoup/cmd/recoup/nightly"
	"recoup/data"
)

type trainLightGBMCmd struct {
	Dir    string `required:"" placeholder:"D" help:"Folder that holds the event log (D/events); features, models and runs go beside it."`
	AsOf   string `required:"" placeholder:"T" help:"Every event known by T counts, none after it: a date (its start, UTC) or an RFC 3339 time. There is no default."`
	Python string `placeholder:"P" help:"An interpreter that has the pinned packages; by default an environment in D/venv, made the first time."`
	Seed   uint64 `default:"1" help:"Seed of the bootstrap draws."`
	Draws  int    `default:"2000" help:"Bootstrap draws of whole customers behind every interval."`
	JSON   bool   `help:"Print one JSON object."`
}

// Help is what train-lightgbm --help adds.
func (trainLightGBMCmd) Help() string {
	return `Builds the feature tables as of T, hands the train and select slices to LightGBM's official Python package (Arrow IPC, and the texts' codes in columns.json), stops early and chooses the parameters on the select slice, and takes the model back: its text is read strictly, must answer as LightGBM did on golden rows bit for bit, and must come out the same on a second fit. Then Platt on the calibrate slice, and measures on the test slice beside the logistic regression of the same tables. Both are registered; LightGBM's is the challenger. recoup nightly decides whether it becomes champion.

The registered folder holds attempt.txt, the model as LightGBM wrote it, and columns.json; serving it needs no Python.

Examples:

recoup train-lightgbm --dir shop --as-of 2026-03-01

recoup train-lightgbm --dir shop --as-of 2026-03-01 --python /opt/lightgbm/bin/python`
}

func (c *trainLightGBMCmd) Run(ctx context.Context, e *env) error {
	asOf, err := parseAsOf("train-lightgbm", c.AsOf)
	if err != nil {
		return err
	}
	cfg := nightly.Config{Dir: c.Dir, AsOf: asOf, Seed: c.Seed, Draws: c.Draws, Workers: runtime.GOMAXPROCS(0)}
	if cfg.LightGBM, err = lightgbmOf("train-lightgbm", true, c.Python, e); err != nil {
		return err
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	h, err := nightly.TrainLightGBM(ctx, cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(h)
	}
	fmt.Fprintf(e.stdout, "%s: LightGBM, challenger now; its cure model: %s\n\n", h.Model, h.Cure)
	fmt.Fprintf(e.stdout, "test slice: %d rows of %d customers, the same for both; intervals are 95 %%, by customer\n", h.Test.Rows, h.Test.Customers)
	fmt.Fprintf(e.stdout, "  Brier score  LightGBM %s, logistic regression %s\n", h.LightGBM.Brier.Text(), h.Logistic.Brier.Text())
	fmt.Fprintf(e.stdout, "  LightGBM is better by %s\n", h.LightGBM.OverFirst.Text())
	_, err = fmt.Fprintf(e.stdout, "\nModel: %s\nNext: recoup nightly --dir %s --as-of %s --lightgbm judges both and promotes the best that passes; recoup models inspect %s --dir %s prints it.\n", h.ModelDir, c.Dir, c.AsOf, h.Model, c.Dir)
	return err
}

// lightgbmOf is what asks for a LightGBM model, where one is wanted.
func lightgbmOf(verb string, wanted bool, python string, e *env) (*nightly.LightGBM, error) {
	if !wanted {
		if python != "" {
			return nil, data.Faultf(data.ErrUsage, "%s: --python %s is for --lightgbm", verb, python)
		}
		return nil, nil
	}
	g := &nightly.LightGBM{Python: python}
	if e.tty {
		g.Say = func(line string) { fmt.Fprintf(e.stderr, "\r\x1b[K%s: %s\n", verb, line) } // over the bar
	}
	return g, nil
}
