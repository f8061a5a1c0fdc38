package score

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"recoup/data"
	"recoup/features"
)

// Rows makes the feature rows of a decision's candidates once more: the attempt
// model's of each retry, the cure model's of its day for another action. row is that
// of the chosen one, sum the SHA-256 (hex) of all of them in their order, each
// number as eight bytes, big endian.
func Rows(past *features.Past, lastFailure data.Micros, all []data.Candidate, chosen int) (row []byte, sum string, err error) {
	return (*kept)(nil).rows(past, lastFailure, all, chosen)
}

// cureDay is the day of the cure model that a time lies in, the last one at most.
func cureDay(lastFailure, at data.Micros) int {
	return min(int((at-lastFailure)/data.Day), features.CureDays-1)
}

// kept are the rows that the models were asked with, for the evidence of a decision
// that will be recorded: to make them again takes as long as to ask. Which of the
// candidates are left when it is recorded does not matter. nil = none were kept.
type kept struct {
	retries []float64     // row after row
	at      []data.Micros // of each retry, ascending
	cure    []begun       // by day
}

// keep has room for the retries among candidates.
func keep(all []Choice) *kept {
	n := 0
	for i := range all {
		if all[i].Action == data.Retry {
			n++
		}
	}
	return &kept{at: make([]data.Micros, 0, n)}
}

// retry makes a retry's row and keeps it.
func (k *kept) retry(maker *features.Rows, c data.Candidate) (row []float64, err error) {
	from := len(k.retries)
	if k.retries, err = maker.Attempt(k.retries, c); err != nil {
		return nil, err
	}
	if row = k.retries[from:]; len(k.at) == 0 { // one allocation for the others
		k.retries = slices.Grow(k.retries, (cap(k.at)-1)*len(row))
	}
	k.at = append(k.at, c.At)
	return row, nil
}

// of is the row of a retry, or of another action on a day; nil = it was not kept.
func (k *kept) of(c data.Candidate, day int) []float64 {
	switch {
	case k == nil:
		return nil
	case c.Action != data.Retry:
		if day < 0 || day >= len(k.cure) {
			return nil
		}
		return k.cure[day].row
	}
	i, found := slices.BinarySearch(k.at, c.At)
	if !found {
		return nil
	}
	n := len(k.retries) / len(k.at)
	return k.retries[i*n : (i+1)*n]
}

// rows is Rows, which makes what was not kept.
func (k *kept) rows(past *features.Past, lastFailure data.Micros, all []data.Candidate, chosen int) (row []byte, sum string, err error) {
	maker, h := past.Rows(), sha256.New()
	var made []float64
	var b []byte
	for i, c := range all {
		day := cureDay(lastFailure, c.At)
		numbers := k.of(c, day)
		switch {
		case numbers != nil:
		case c.Action == data.Retry:
			made, err = maker.Attempt(made[:0], c)
			numbers = made
		default:
			made, err = maker.Cure(made[:0], day, nil)
			numbers = made
		}
		if err != nil {
			return nil, "", fmt.Errorf("score: case %s: row of %s at %s: %w", past.CaseID, c.Action, c.At, err)
		}
		b = b[:0]
		for _, x := range numbers {
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(x))
		}
		h.Write(b)
		if i == chosen {
			row = append(row, b...)
		}
	}
	return row, hex.EncodeToString(h.Sum(nil)), nil
}
