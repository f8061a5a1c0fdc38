package lightgbm

import (
	"fmt"
	"math"
)

// Forest is a model made ready to be asked quickly. Its raw scores are those of
// Model.Raw, bit for bit. It is not changed after Compile and safe for concurrent use.
type Forest struct {
	width  int
	stands []*stand
	scale  float64 // the logit is scale*raw; of a random forest scale*(raw/trees)
	trees  float64 // of a random forest, to divide by; else 1
}

// WidthError is a row of another length than the model's number of columns.
type WidthError struct {
	Row       int // of a batch, from 0; -1 = the only one
	Got, Want int
}

func (e *WidthError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("lightgbm: row of %d values: expected %d, one for each column of the model", e.Got, e.Want)
	}
	return fmt.Sprintf("lightgbm: row %d of %d values: expected %d, one for each column of the model", e.Row, e.Got, e.Want)
}

// Width is the length of a row.
func (f *Forest) Width() int { return f.width }

// Raw is the sum of the leaves that a row falls into, tree by tree in the file's
// order. The row has the model's columns in order: numbers, categories as their
// codes, NaN = missing; infinities are numbers. An error is a *WidthError.
func (f *Forest) Raw(row []float64) (float64, error) {
	if len(row) != f.Width() {
		return 0, &WidthError{Row: -1, Got: len(row), Want: f.Width()}
	}
	var a [1]alive
	var sum [1]float64
	rows := [1][]float64{row}
	for _, b := range f.stands {
		if b.walked {
			b.paths.score(rows[:], sum[:])
		} else {
			b.score(a[:], b.rows[:b.words], b.slots, rows[:], sum[:])
		}
	}
	return sum[0], nil
}

// RawBatch is Raw of each row into dst, which is as long as rows, and a little faster. On
// an error nothing is written.
func (f *Forest) RawBatch(dst []float64, rows [][]float64) error {
	if err := f.fit(dst, rows); err != nil {
		return err
	}
	clear(dst)
	var a [4]alive
	for _, b := range f.stands {
		if b.walked {
			b.paths.score(rows, dst)
		} else {
			b.score(a[:], b.rows[:b.words], b.slots, rows, dst)
		}
	}
	return nil
}

// fit checks the arguments of a batch.
func (f *Forest) fit(dst []float64, rows [][]float64) error {
	if len(dst) != len(rows) {
		return fmt.Errorf("lightgbm: %d rows into %d places: expected as many", len(rows), len(dst))
	}
	for i, row := range rows {
		if len(row) != f.Width() {
			return &WidthError{Row: i, Got: len(row), Want: f.Width()}
		}
	}
	return nil
}

// Logit is the log odds that a raw score stands for: sigmoid times raw, and of a random
// forest sigmoid times the mean over the trees.
func (f *Forest) Logit(raw float64) float64 { return f.scale * (raw / f.trees) }

// Prob is the probability that a raw score stands for, as LightGBM's predict gives
// it but for the last digits of the exponential function.
func (f *Forest) Prob(raw float64) float64 { return 1 / (1 + math.Exp(-f.Logit(raw))) }
