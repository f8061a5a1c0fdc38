package data

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// randomizer is the test's side of a column: it fills in a valid value.
type randomizer[T any] interface{ randomize(r *rand.Rand, row *T) }

// randomRow is a valid row with random values, nulls and empty lists.
func randomRow[T any](r *rand.Rand, t *table[T]) T {
	var row T
	for _, c := range t.columns {
		c.(randomizer[T]).randomize(r, &row)
	}
	if d, ok := any(&row).(*Decision); ok {
		makeDistributions(r, d)
	}
	if d, ok := any(&row).(*Downtime); ok && d.End != 0 {
		d.Begin, d.End = min(d.Begin, d.End), max(d.Begin, d.End)
	}
	return row
}

func (f *field[T, V]) randomize(r *rand.Rand, row *T) {
	var zero V
	p := f.at(row)
	*p = zero
	if f.optional && r.IntN(3) == 0 {
		return
	}
	for {
		randomValue(r, p)
		if f.codec.check(*p) == "" && (f.optional || f.empty || *p != zero) {
			return
		}
	}
}

func randomValue(r *rand.Rand, p any) {
	switch p := p.(type) {
	case *string:
		*p = []string{"", "a", "ab", "日本", "x y", "\x00", strings.Repeat("long ", 1+r.IntN(300)), fmt.Sprint(r.Uint64())}[r.IntN(8)]
	case *int64:
		*p = []int64{0, 1, 99, int64(minTime), int64(maxTime) - 1, int64(minTime) + r.Int64N(int64(maxTime-minTime)), r.Int64()}[r.IntN(7)]
	case *int32:
		*p = []int32{0, 1, r.Int32()}[r.IntN(3)]
	case *float64:
		*p = []float64{0, 1, 0x1p-1074, r.Float64()}[r.IntN(4)]
	case *bool:
		*p = r.IntN(2) == 0
	case *uint8:
		*p = uint8(r.UintN(256))
	case **float64:
		f := []float64{0, 1, r.Float64()}[r.IntN(3)]
		*p = &f
	case **Paise:
		v := []Paise{0, -5, Paise(r.Int64())}[r.IntN(3)]
		*p = &v
	default:
		panic(fmt.Sprintf("no random %T", p))
	}
}

func (l *nested[T, E]) randomize(r *rand.Rand, row *T) {
	s := make([]E, r.IntN(5))
	for i := range s {
		for _, f := range l.fields {
			f.(randomizer[E]).randomize(r, &s[i])
		}
	}
	if *l.at(row) = s; len(s) == 0 {
		*l.at(row) = nil
	}
}

// makeDistributions gives a decision options that can be drawn.
func makeDistributions(r *rand.Rand, d *Decision) {
	if len(d.Allowed) == 0 {
		d.Allowed = []Option{{Action: Wait, At: minTime}}
	}
	n := len(d.Allowed)
	for i := range d.Allowed {
		d.Allowed[i].Propensity, d.Allowed[i].Mix = 1/float64(n), 1/float64(n)
	}
	d.Chosen = int32(r.IntN(n))
	d.ArmShare = max(d.ArmShare, 0.5)
}

// give sets what identifies a row in a log.
func give[T any](t *table[T], row *T, id string, known Micros) {
	e := t.event(row)
	e.EventID, e.KnownAt, e.Seq = id, known, 0
	if a, ok := any(row).(*Attempt); ok {
		a.AttemptID = "a" + id
	}
}
