package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
	Model   string `required:"" placeholder:"M" help:"Registered model: its folder, or with --dir its id, the first digits of it, or champion, challenger, previous. Or a LightGBM text file, as Booster.save_model writes it (LightGBM 2 to 4; binary or cross_entropy)."`
	Dir     string `placeholder:"D" help:"Directory whose registry (D/models) holds the model."`
	Rows    string `required:"" placeholder:"F" help:"Table of feature rows to score: what recoup features writes (attempts.parquet for the attempt model, periods.parquet for the cure model), or any CSV, JSONL, Parquet or Arrow IPC file with the model's columns; text may be packed with gzip or zstd. Columns are found by name, in any order; those of a feature table that are no features may stand beside them."`
	Columns string `placeholder:"C" help:"Columns of a LightGBM text file: a JSON list of {name, kind (number, code or category), levels, ordered}, which gives each text its code. Default: the columns.json beside the model, where there is one. A registered model has its own."`
	Part    string `enum:",attempt,cure" default:"" help:"Which of a registered model's two: attempt (P of capture, the default) or cure (hazard of the day)."`
	Raw     bool   `help:"Print the logit before calibration alone."`
	Out     string `placeholder:"F2" help:"Write row, raw, p of every row to this CSV."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// predictResult is what predict prints.
type predictResult struct {
	Model    models.ID `json:"model"`          // its id; of a LightGBM text file the SHA-256 of it
	Part     string    `json:"part,omitempty"` // of a registered model
	N        int       `json:"n"`
	Raw      []float64 `json:"raw"` // of a LightGBM text file LightGBM's raw score: of a random forest the sum over the trees
	P        []float64 `json:"p,omitempty"`
	Warnings []string  `json:"warnings,omitempty"`
}

// MarshalJSON gives null for what is not finite: huge values in the linear leaves of a
// LightGBM model make such scores, and the warnings name their rows.
func (r *predictResult) MarshalJSON() ([]byte, error) {
	type plain predictResult
	return json.Marshal(struct {
		*plain
		Raw []*float64 `json:"raw"`
		P   []*float64 `json:"p,omitempty"`
	}{(*plain)(r), finiteOnes(r.Raw), finiteOnes(r.P)})
}

func finiteOnes(v []float64) []*float64 {
	out := make([]*float64, len(v))
	for i := range v {
		if v[i]-v[i] == 0 {
			out[i] = &v[i]
		}
	}
	return out
}

func (c *predictCmd) Run(ctx context.Context, e *env) error {
	score := c.runRegistered
	if info, err := os.Stat(c.Model); err == nil && !info.IsDir() {
		score = c.runText
	}
	r, err := score(ctx)
	if err != nil {
		return err
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

// runRegistered scores the rows by a model of the registry.
func (c *predictCmd) runRegistered(ctx context.Context) (*predictResult, error) {
	if c.Columns != "" {
		return nil, data.Faultf(data.ErrUsage, "predict: --columns %s: for LightGBM text files; a registered model has its own vocabulary", c.Columns)
	}
	part := cmp.Or(c.Part, "attempt")
	b, err := loadModel("predict", c.Model, c.Dir)
	if err != nil {
		return nil, err
	}
	s, meta, err := scorer("predict", b, part)
	if err != nil {
		return nil, err
	}
	r := &predictResult{Model: b.ID, Part: part, Raw: []float64{}}
	if r.Raw, r.P, err = s.ScoreFile(ctx, c.Rows, meta); errors.Is(err, models.ErrColumns) {
		return nil, fmt.Errorf("predict: %w\n--rows must be a table with the columns of the %s model, such as %s of recoup features --dir D --as-of T; its events alone are no rows",
			err, part, map[string]string{"attempt": "attempts.parquet", "cure": "periods.parquet"}[part])
	}
	if err != nil {
		return nil, fmt.Errorf("predict: %w", err)
	}
	return r, nil
}

// loadModel finds a model: a folder, or a name in the registry of dir.
func loadModel(verb, model, dir string) (*models.Bundle, error) {
	info, err := os.Stat(model)
	switch {
	case err == nil && !info.IsDir():
		return nil, data.Faultf(data.ErrUsage, "%s: %s: a file; give a registered model: its folder, or --dir D and its id (a LightGBM text file is scored by recoup predict --out F)", verb, model)
	case err == nil && dir == "":
		return models.LoadFolder(model)
	case dir == "":
		return nil, data.Faultf(data.ErrUsage, "%s: %s: no such folder; for an id or champion give --dir D too", verb, model)
	}
	r, err := models.OpenRegistry(filepath.Join(dir, "models"))
	if err != nil {
		return nil, err
	}
	return r.Load(model)
}

// scorer is one of a bundle's two models, and the columns that may stand beside
// its own.
func scorer(verb string, b *models.Bundle, part string) (*models.Scorer, []string, error) {
	if part != "cure" {
		return b.Attempt, features.AttemptMeta(), nil
	}
	if b.Cure == nil {
		return nil, nil, data.Faultf(data.ErrUsage, "%s: model %s has no cure model: %s", verb, b.ID, b.Manifest.CureNotAssessed)
	}
	return b.Cure, features.PeriodMeta(), nil
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
		b.WriteString(strconv.Itoa(i+1) + "," + cell(r.Raw[i]))
		if r.P != nil {
			b.WriteString("," + cell(r.P[i]))
		}
		b.WriteString("\n")
	}
	return b.Flush()
}

// cell is a number, empty where it is not finite.
func cell(v float64) string {
	if v-v != 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// shownRows is how many rows a terminal gets.
const shownRows = 20

func (r *predictResult) print(w io.Writer, out string) error {
	part := "LightGBM"
	if r.Part != "" {
		part = r.Part
	}
	fmt.Fprintf(w, "model %s (%s), %d rows\n", r.Model, part, r.N)
	for _, v := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", v)
	}
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
