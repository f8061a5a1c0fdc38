package experiment

import (
	"iter"

	"recoup/data"
	"recoup/train"
)

// someRows are the rows from <= row < to of a source.
func someRows(src train.Source, from, to int64) train.Source {
	return func() iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			at := int64(0)
			for f, err := range src() {
				if err == nil {
					lo, hi := max(from-at, 0), min(to-at, int64(f.N))
					at += int64(f.N)
					if lo >= hi {
						continue
					}
					f = rowsBetween(f, int(lo), int(hi))
				}
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// rowsBetween are some rows of a chunk, which share its memory.
func rowsBetween(f *data.Frame, lo, hi int) *data.Frame {
	out := &data.Frame{N: hi - lo, First: f.First + int64(lo), Columns: make([]data.Column, len(f.Columns))}
	for i, c := range f.Columns {
		out.Columns[i] = data.Column{Name: c.Name, Kind: c.Kind, Nulls: cutOf(c.Nulls, lo, hi), F: cutOf(c.F, lo, hi), I: cutOf(c.I, lo, hi), Codes: cutOf(c.Codes, lo, hi), Dict: c.Dict}
	}
	return out
}

func cutOf[T any](v []T, lo, hi int) []T {
	if v == nil {
		return nil
	}
	return v[lo:hi]
}
