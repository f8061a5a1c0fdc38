package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

type predictCmd struct {
	Model   string `required:"" placeholder:"M" help:"Registered model: its folder, or with --dir its id, the first digits of it, or champion, challenger, previous."`
	Dir     string `placeholder:"D" help:"Directory whose registry (D/models) holds the model."`
	Rows    string `required:"" placeholder:"F" help:"Table of rows to score (CSV, JSONL, Parquet). Columns are found by name, in any order; those of a feature table that are no features may stand beside them."`
	Columns string `placeholder:"C" help:"Vocabulary of a LightGBM text file (not supported yet). A registered model has its own."`
	Part    string `enum:"attempt,cure" default:"attempt" help:"Which model of the two: attempt (P of capture) or cure (hazard of the day)."`
	Raw     bool   `help:"Print the logit before calibration alone."`
	Out     string `placeholder:"F2" help:"Write row, raw, p of every row to this CSV."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// predictResult is what predict prints.
type predictResult struct {
	Model models.ID `json:"model"`
	Part  string    `json:"part"`
	N     int       `json:"n"`
	Raw   []float64 `json:"raw"`
	P     []float64 `json:"p,omitempty"`
}

func (c *predictCmd) Run(ctx context.Context, e *env) error {
	b, err := c.load()
	if err != nil {
		return err
	}
	s, meta := b.Attempt, features.AttemptMeta()
	if c.Part == "cure" {
		if s, meta = b.Cure, features.PeriodMeta(); s == nil {
			return data.Faultf(data.ErrUsage, "predict: model %s has no cure model: %s", b.ID, b.Manifest.CureNotAssessed)
		}
	}
	r := predictResult{Model: b.ID, Part: c.Part, Raw: []float64{}}
	if r.Raw, r.P, err = s.ScoreFile(ctx, c.Rows, meta); err != nil {
		return fmt.Errorf("predict: %w", err)
	}
	r.N = len(r.Raw)
	if c.Raw {
		r.P = nil
	}
	if c.Out != "" {
		if err := data.WriteFile(c.Out, func(w io.Writer) error { return r.csv(w, r.N) }); err != nil {
			return err
		}
	}
	if c.JSON {
		return e.printJSON(r)
	}
	return r.print(e.stdout, c.Out)
}

// load finds the model: a folder, or a name in the registry of --dir.
func (c *predictCmd) load() (*models.Bundle, error) {
	info, err := os.Stat(c.Model)
	switch {
	case err == nil && !info.IsDir():
		return nil, data.Faultf(data.ErrUsage, "predict: %s: a file, and LightGBM text files are not supported yet; give a registered model: its folder, or --dir D and its id", c.Model)
	case c.Columns != "":
		return nil, data.Faultf(data.ErrUsage, "predict: --columns %s: for LightGBM text files, which are not supported yet; a registered model has its own vocabulary", c.Columns)
	case err == nil && c.Dir == "":
		return models.LoadFolder(c.Model)
	case c.Dir == "":
		return nil, data.Faultf(data.ErrUsage, "predict: %s: no such folder; for an id or champion give --dir D too", c.Model)
	}
	r, err := models.OpenRegistry(filepath.Join(c.Dir, "models"))
	if err != nil {
		return nil, err
	}
	return r.Load(c.Model)
}

// csv writes the first n rows, numbered from 1.
func (r *predictResult) csv(w io.Writer, n int) error {
	b := bufio.NewWriter(w)
	b.WriteString("row,raw")
	if r.P != nil {
		b.WriteString(",p")
	}
	b.WriteString("\n")
	for i := range n {
		b.WriteString(strconv.Itoa(i+1) + "," + strconv.FormatFloat(r.Raw[i], 'g', -1, 64))
		if r.P != nil {
			b.WriteString("," + strconv.FormatFloat(r.P[i], 'g', -1, 64))
		}
		b.WriteString("\n")
	}
	return b.Flush()
}

// shownRows is how many rows a terminal gets.
const shownRows = 20

func (r *predictResult) print(w io.Writer, out string) error {
	fmt.Fprintf(w, "model %s (%s), %d rows\n", r.Model, r.Part, r.N)
	if out != "" {
		_, err := fmt.Fprintf(w, "written to %s\n", out)
		return err
	}
	if err := r.csv(w, min(r.N, shownRows)); err != nil || r.N <= shownRows {
		return err
	}
	_, err := fmt.Fprintf(w, "and %d more: --out F writes all\n", r.N-shownRows)
	return err
}
