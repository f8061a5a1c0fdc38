package models

import (
	"fmt"
	"strings"

	"recoup/data"
)

// Seen is what a model was shown in training, so that an answer can say when its
// case is unlike all that. It changes no answer.
type Seen struct {
	Rows   int64       `json:"rows"`   // trained on
	Inputs []SeenInput `json:"inputs"` // one an input of the model, in its order
	// Scores divide P of the rows that the model was calibrated on; nil = not kept.
	Scores *Cuts `json:"scores,omitempty"`
}

// SeenInput is one input: rows by level for a category, the smallest and the
// largest value for a number. Neither for what is no part of a case's state: the
// candidate's time, say, which is for the policy to choose.
type SeenInput struct {
	Name  string    `json:"name"`
	Rows  []int64   `json:"rows,omitempty"`  // by level
	Range *Interval `json:"range,omitempty"` // of the numbers
	Cuts  *Cuts     `json:"cuts,omitempty"`  // of a sample of them; nil = not kept
}

// HardlySeen is how many training rows make a level known: with fewer, a rate
// of one half is uncertain by 17 percentage points or more (95 %, Wilson), and what
// a fit says of the level is mostly the penalty's.
const HardlySeen = 30

// beyond is how much of a number's range in training it may lie outside of without a
// word: what grows with time, an age or a count, leaves the range a little every day,
// and a warning that nearly all cases have is read by nobody.
const beyond = 0.25

// Unfamiliar says what in a row the model was hardly shown in training: a level that
// few rows had, or a number outside the range of all of them. The row is in the order
// of Inputs and has passed its check; nil = nothing, or the model's file does
// not say what it was shown (one fitted before that was kept).
func (s *Scorer) Unfamiliar(row []float64) (out []string) {
	if s.Seen == nil {
		return nil
	}
	for i := range s.Seen.Inputs {
		switch in := &s.Seen.Inputs[i]; {
		case in.Rows != nil:
			if k := int(row[i]); in.Rows[k] < HardlySeen {
				out = append(out, fmt.Sprintf("%s %s: %d of its %d training rows", in.Name, s.Inputs()[i].Levels[k], in.Rows[k], s.Seen.Rows))
			}
		case in.Range != nil:
			lo, hi := in.Range[0], in.Range[1]
			if slack := beyond * (hi - lo); row[i] < lo-slack || row[i] > hi+slack {
				out = append(out, fmt.Sprintf("%s outside of %.4g to %.4g: all its training rows lie there", in.Name, lo, hi))
			}
		}
	}
	return out
}

// check refuses what does not fit the model's inputs.
func (s *Seen) check(inputs []Input) error {
	var f faults
	if len(s.Inputs) != len(inputs) {
		return data.Faultf(data.ErrContract, "models: seen: %d inputs, the model has %d", len(s.Inputs), len(inputs))
	}
	for i := range inputs {
		in, of := &s.Inputs[i], &inputs[i]
		switch {
		case in.Name != of.Name:
			f.addf("models: seen: input %d is %s, the model's is %s", i, in.Name, of.Name)
		case in.Rows != nil && (len(in.Rows) != len(of.Levels) || in.Range != nil):
			f.addf("models: seen: input %s: rows of %d levels, it has %d", in.Name, len(in.Rows), len(of.Levels))
		case in.Range != nil && (of.Category() || !finite(in.Range[0]) || !finite(in.Range[1]) || in.Range[0] > in.Range[1]):
			f.addf("models: seen: input %s: range %v of a number is needed", in.Name, *in.Range)
		}
		if in.Cuts == nil {
			continue
		}
		if in.Range == nil {
			f.addf("models: seen: input %s: cuts without a range", in.Name)
		} else if err := in.Cuts.check(); err != nil {
			f.addf("models: seen: input %s: %w", in.Name, err)
		}
	}
	if s.Scores != nil {
		if err := s.Scores.check(); err != nil {
			f.addf("models: seen: scores: %w", err)
		}
	}
	if err := f.join(); err != nil {
		return data.Faultf(data.ErrContract, "%w", err)
	}
	return nil
}

// hardly lists the levels with few training rows, for the card.
func (s *Seen) hardly(inputs []Input) (out []string) {
	for i := range s.Inputs {
		var never, few []string
		for k, n := range s.Inputs[i].Rows {
			switch level := md(inputs[i].Levels[k]); {
			case n == 0:
				never = append(never, level)
			case n < HardlySeen:
				few = append(few, fmt.Sprintf("%s (%d)", level, n))
			}
		}
		if len(few) > 0 {
			out = append(out, fmt.Sprintf("%s: few rows of %s", md(s.Inputs[i].Name), some(few)))
		}
		if len(never) > 0 {
			out = append(out, fmt.Sprintf("%s: none of %s", md(s.Inputs[i].Name), some(never)))
		}
	}
	return out
}

// some lists the first of many.
func some(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
