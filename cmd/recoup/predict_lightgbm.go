package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
	"recoup/models/lightgbm"
)

// loadText reads a LightGBM text file and checks it.
func loadText(path string) (*lightgbm.Loaded, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > lightgbm.MaxBytes {
		return nil, data.Faultf(data.ErrUsage, "%s: a LightGBM model is a file of at most %d bytes", path, int64(lightgbm.MaxBytes))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l, err := lightgbm.Load(text, nil)
	if err == nil {
		return l, nil
	}
	kind := data.ErrContract
	if m := (*lightgbm.MismatchError)(nil); errors.As(err, &m) {
		kind = data.ErrUnsafe
	}
	return nil, data.Faultf(kind, "%s: %w", path, err)
}

// runText scores the rows of a table by a LightGBM text file.
func (c *predictCmd) runText(ctx context.Context) (*predictResult, error) {
	if c.Part != "" || c.Dir != "" {
		return nil, data.Faultf(data.ErrUsage, "predict: --model %s is a file, a LightGBM text: --part and --dir go with registered models", c.Model)
	}
	l, err := loadText(c.Model)
	if err != nil {
		return nil, err
	}
	columns, err := findColumns(c.Columns, c.Model, l.Model)
	if err != nil {
		return nil, err
	}
	f, err := table.Open(c.Rows, table.Options{})
	if err != nil {
		return nil, err
	}
	b, err := bindText(f, l.Model, columns)
	if err != nil {
		return nil, err
	}
	r := &predictResult{Model: models.ID(l.Model.SHA256), Raw: []float64{}}
	row, beyond := make([]float64, len(l.Model.Names)), tally{}
	for frame, err := range f.FramesAs(b.want()...) {
		if err != nil {
			return nil, b.explain(err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := b.take(frame); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Rows, err)
		}
		for i := range frame.N {
			if err := b.row(frame, i, row); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Rows, err)
			}
			raw, err := l.Forest.Raw(row)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", c.Rows, where(frame, i), err)
			}
			if raw-raw != 0 {
				beyond.add(frame, i, fmt.Sprintf(": %v", raw))
			}
			r.Raw, r.P = append(r.Raw, raw), append(r.P, l.Forest.Prob(raw))
		}
	}
	if len(r.Raw) == 0 {
		return nil, data.Faultf(data.ErrContract, "%s: no rows", c.Rows)
	}
	if err := b.known(); err != nil {
		return nil, err
	}
	r.Warnings = append(l.Model.Warnings, b.warnings()...)
	if beyond.n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("raw: %d rows whose score is not finite: values so large overflow the linear leaves (first %s)", beyond.n, beyond.first))
	}
	return r, nil
}
