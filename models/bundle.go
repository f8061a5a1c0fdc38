package models

import (
	"fmt"
	"math"

	"recoup/data"
)

// Scorer is one calibrated model: a logistic regression or a LightGBM forest, one of
// the two, and the Platt curve on its logit.
type Scorer struct {
	Logistic *Logistic `json:"logistic,omitempty"`
	Forest   *Forest   `json:"forest,omitempty"`
	Platt    Platt     `json:"platt"`
	Seen     *Seen     `json:"seen,omitempty"` // nil = not kept: fitted before that was
}

// Inputs are what the model is given, in the order of a row.
func (s *Scorer) Inputs() []Input {
	if s.Forest != nil {
		return s.Forest.Inputs
	}
	return s.Logistic.Inputs
}

// NewBinder prepares to find the inputs in the frames of one or many tables.
func (s *Scorer) NewBinder() *Binder { return binderOf(s.Inputs()) }

// Margin is a row's logit before calibration; see Score.
func (s *Scorer) Margin(row []float64) (float64, error) {
	if s.Forest != nil {
		return s.Forest.Margin(row)
	}
	return s.Logistic.Margin(row)
}

// Score gives a row's logit before calibration and its calibrated probability.
// The row is in the order of Inputs, a category as the index of its level;
// one that does not fit is an error, never a number.
func (s *Scorer) Score(row []float64) (raw, p float64, err error) {
	if raw, err = s.Margin(row); err != nil {
		return 0, 0, err
	}
	return raw, s.Platt.Prob(raw), nil
}

// Prob is the calibrated probability of a row.
func (s *Scorer) Prob(row []float64) (float64, error) {
	_, p, err := s.Score(row)
	return p, err
}

// check refuses a scorer that could not answer.
func (s *Scorer) check() error {
	switch {
	case (s.Logistic == nil) == (s.Forest == nil):
		return data.Faultf(data.ErrContract, "models: a logistic regression or a forest is needed, one of the two: build it with NewLogistic or NewForest")
	case s.Forest != nil && s.Forest.loaded == nil:
		return data.Faultf(data.ErrContract, "models: a forest without its text: build it with NewForest")
	case s.Logistic != nil && s.Logistic.layout == nil:
		return data.Faultf(data.ErrContract, "models: no logistic regression: build it with NewLogistic")
	}
	if s.Seen != nil {
		if err := s.Seen.check(s.Inputs()); err != nil {
			return err
		}
	}
	return s.Platt.Check()
}

// Bundle is a registered model: the attempt model and the cure model that
// together answer P(recover by T | state, action, time), and what is known about
// them. It is not changed after Load and safe for concurrent use.
type Bundle struct {
	ID       ID // of the folder; set by Load
	Manifest Manifest
	Attempt  *Scorer
	Cure     *Scorer // nil = not assessed: Manifest.CureNotAssessed says why, and F0 is 0
	Golden   Golden
	Card     []byte // Markdown; made by Save
}

// Capture is q(t): the probability that the attempt of an attempt-model row
// captures, given that the case is still owed at its time.
func (b *Bundle) Capture(row []float64) (float64, error) { return b.Attempt.Prob(row) }

// Hazard is the probability that a case still owed at the start of the day of a
// cure-model row is paid on that day without a new attempt. 0 without a cure model.
func (b *Bundle) Hazard(row []float64) (float64, error) {
	if b.Cure == nil {
		return 0, nil
	}
	return b.Cure.Prob(row)
}

// F0 is the curve of the probability of being paid by the end of each day when
// nothing is done: F0(s) = 1 - product over days <= s of (1 - hazard). days are
// cure-model rows, one a day, oldest first; out[i] belongs to the end of days[i].
func (b *Bundle) F0(days [][]float64) ([]float64, error) {
	out, unpaid := make([]float64, len(days)), 1.0
	for i, row := range days {
		h, err := b.Hazard(row)
		if err != nil {
			return nil, fmt.Errorf("models: F0: day %d: %w", i, err)
		}
		unpaid *= 1 - h
		out[i] = 1 - unpaid
	}
	return out, nil
}

// Recover is P(recover by T | retry at t) = F0(T) + q(t) (1 - F0(T)), for a case
// that is paid by T with probability f0 when nothing is done; q = 0 is waiting. It
// takes the hazard after a failed retry to be what it was before, which the
// night's report checks. Both arguments in [0, 1].
func Recover(f0, q float64) (float64, error) {
	for _, v := range []float64{f0, q} {
		if !(v >= 0 && v <= 1) {
			return 0, data.Faultf(data.ErrContract, "models: recover: %v is no probability", v)
		}
	}
	return min(1, f0+float64(q*(1-f0))), nil
}

// check refuses a bundle that is not complete, all faults at once.
func (b *Bundle) check() error {
	var f faults
	f.add(b.Manifest.check())
	if b.Attempt == nil {
		f.addf("no attempt model")
	} else {
		f.add(b.Attempt.check())
	}
	if (b.Cure == nil) != (b.Manifest.CureNotAssessed != "") {
		f.addf("a cure model and a reason why there is none exclude each other, and one of them is needed")
	}
	if b.Cure != nil {
		f.add(b.Cure.check())
	}
	if err := f.join(); err != nil {
		return data.Faultf(data.ErrContract, "models: bundle: %w", err)
	}
	return b.Golden.verify(b)
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
