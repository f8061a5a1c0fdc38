package models

import (
	"fmt"
	"math"

	"recoup/data"
)

// Golden holds rows with the answers of the process that fitted the model. Load
// asks them again: another answer, by a single bit, refuses the model.
type Golden struct {
	Attempt []GoldenRow `json:"attempt"`
	Cure    []GoldenRow `json:"cure"` // empty without a cure model
}

// goldenDrift is how far a probability may lie from the golden one. The logit is made of
// products and sums, alike on every machine; math.Exp is assembly on some and differs in
// its last bit with the processor's instructions.
const goldenDrift = 1e-14

// GoldenRow is one row and its answers. Go writes float64 in JSON so that the
// same bits come back.
type GoldenRow struct {
	Row []float64 `json:"row"` // in the order of the model's inputs
	Raw float64   `json:"raw"` // logit before calibration
	P   float64   `json:"p"`
}

// NewGolden asks a model for its answers to some rows, 64 say, of its own data.
// The rows are copied.
func NewGolden(s *Scorer, rows [][]float64) ([]GoldenRow, error) {
	out := make([]GoldenRow, 0, len(rows))
	for i, row := range rows {
		raw, p, err := s.Score(row)
		if err != nil {
			return nil, fmt.Errorf("models: golden row %d: %w", i, err)
		}
		out = append(out, GoldenRow{append([]float64(nil), row...), raw, p})
	}
	return out, nil
}

// verify asks every golden row again. A model without golden rows is refused:
// nothing would show that it still answers as it did.
func (g *Golden) verify(b *Bundle) error {
	for _, part := range []struct {
		name string
		s    *Scorer
		rows []GoldenRow
	}{{"attempt", b.Attempt, g.Attempt}, {"cure", b.Cure, g.Cure}} {
		if part.s == nil {
			if len(part.rows) > 0 {
				return data.Faultf(data.ErrUnsafe, "models: golden rows of a %s model that is not there", part.name)
			}
			continue
		}
		if len(part.rows) == 0 {
			return data.Faultf(data.ErrUnsafe, "models: %s model: no golden rows", part.name)
		}
		for i, want := range part.rows {
			raw, p, err := part.s.Score(want.Row)
			if err != nil {
				return data.Faultf(data.ErrUnsafe, "models: %s model: golden row %d: %w", part.name, i, err)
			}
			if !sameBits(raw, want.Raw) || !(math.Abs(p-want.P) <= goldenDrift) {
				return data.Faultf(data.ErrUnsafe, "models: %s model: golden row %d: raw %v, p %v; when it was fitted raw %v, p %v: it must not be used here",
					part.name, i, raw, p, want.Raw, want.P)
			}
		}
	}
	return nil
}
