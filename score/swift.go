package score

import (
	"math"

	"recoup/models"
)

// A case asks its models some hundred times, with rows that differ in few inputs. A
// margin is a sum in a fixed order, so what stands before the first input that
// differs is the same to the last bit, and need not be added up again.

// swift is a scorer made ready for that. It answers what Scorer.Prob answers, bit
// for bit, errors too. Safe for concurrent use.
type swift struct {
	scorer *models.Scorer // of a forest nothing else is known before a row
	levels []float64      // by input: how many levels, 0 for a number
	reads  [][]int32      // by input: the terms that read it
	first  []int          // by input: the first term that reads it or an input after it
	terms  []swiftTerm
}

// swiftTerm is a part of the layout with what is known before a row.
type swiftTerm struct {
	kind         models.PartKind
	a, b, stride int
	coef, center float64   // of Number and NumberNumber
	adds         []float64 // by level, what Category and CategoryCategory add
	coefs        []float64 // by level, of CategoryNumber; a level without a column has 0
	centers      []float64
}

func newSwift(s *models.Scorer) *swift {
	if s.Forest != nil {
		return &swift{scorer: s}
	}
	m := s.Logistic
	f := &swift{scorer: s, levels: make([]float64, len(m.Inputs)), reads: make([][]int32, len(m.Inputs)), first: make([]int, len(m.Inputs)+1)}
	for i := range m.Inputs {
		f.levels[i] = float64(len(m.Inputs[i].Levels))
	}
	for _, p := range m.Layout().Parts {
		t := swiftTerm{kind: p.Kind, a: p.A, b: p.B, stride: p.Stride}
		switch p.Kind {
		case models.Number, models.NumberNumber:
			t.coef, t.center = m.Coef[p.Offset], m.Center[p.Offset]
		case models.CategoryNumber:
			t.coefs, t.centers = make([]float64, len(p.Table)), make([]float64, len(p.Table))
			for v, c := range p.Table {
				if c >= 0 {
					t.coefs[v], t.centers[v] = m.Coef[p.Offset+int(c)], m.Center[p.Offset+int(c)]
				}
			}
		default:
			t.adds = make([]float64, len(p.Table))
			for v, c := range p.Table {
				if c >= 0 {
					j := p.Offset + int(c)
					t.adds[v] = float64(m.Coef[j] * (1 - m.Center[j]))
				}
			}
		}
		f.terms = append(f.terms, t)
	}
	for k := range f.terms {
		t := &f.terms[k]
		if max(t.a, t.b) >= len(f.reads) { // no model that was built or loaded
			return &swift{scorer: s}
		}
		f.reads[t.a] = append(f.reads[t.a], int32(k))
		if t.two() && t.b != t.a {
			f.reads[t.b] = append(f.reads[t.b], int32(k))
		}
	}
	f.first[len(f.reads)] = len(f.terms)
	for i := len(f.reads) - 1; i >= 0; i-- {
		f.first[i] = f.first[i+1]
		if len(f.reads[i]) > 0 {
			f.first[i] = min(f.first[i], int(f.reads[i][0]))
		}
	}
	return f
}

// two says whether a term reads a second input.
func (t *swiftTerm) two() bool { return t.kind != models.Number && t.kind != models.Category }

// add is what a term adds for a checked row.
func (t *swiftTerm) add(row []float64) float64 {
	switch t.kind {
	case models.Number:
		return float64(t.coef * (row[t.a] - t.center))
	case models.NumberNumber:
		return float64(t.coef * (float64(row[t.a]*row[t.b]) - t.center))
	case models.Category:
		return t.adds[int(row[t.a])]
	case models.CategoryNumber:
		level := int(row[t.a])
		return float64(t.coefs[level] * (row[t.b] - t.centers[level]))
	}
	return t.adds[int(row[t.a])*t.stride+int(row[t.b])]
}

// begun is a row that others are told from.
type begun struct {
	row  []float64
	sums []float64 // the margin before each term, and the whole
	adds []float64 // what each term adds
	redo []bool    // scratch: the terms that read what differs
	fold folded    // of a forest
}

// space is room to begin n rows, one after the other or side by side.
func (f *swift) space(n int) []begun {
	k := len(f.terms)
	out, floats, redo := make([]begun, n), make([]float64, n*(2*k+1)), make([]bool, k)
	for i := range out {
		out[i].sums, out[i].adds, out[i].redo = floats[:k+1:k+1], floats[k+1:2*k+1:2*k+1], redo
		floats = floats[2*k+1:]
	}
	return out
}

// begin answers for a row, which it keeps, and makes b ready for others like it.
func (f *swift) begin(b *begun, row []float64) (float64, error) {
	if f.scorer.Forest != nil {
		return f.beginForest(b, row)
	}
	if len(row) != len(f.levels) {
		return f.scorer.Prob(row) // says what is wrong
	}
	for i := range row {
		if !f.fits(i, row[i]) {
			return f.scorer.Prob(row)
		}
	}
	b.row = row
	z := f.scorer.Logistic.Base
	for k := range f.terms {
		b.sums[k], b.adds[k] = z, f.terms[k].add(row)
		z += b.adds[k]
	}
	b.sums[len(f.terms)] = z
	return f.curve(z, row)
}

// like answers for a row like the one that b began with.
func (f *swift) like(b *begun, row []float64) (float64, error) {
	if len(row) != len(b.row) {
		return f.scorer.Prob(row)
	}
	if f.scorer.Forest != nil {
		return f.likeForest(b, row)
	}
	clear(b.redo)
	from := len(row)
	for i, v := range row {
		if v == b.row[i] {
			continue
		}
		if !f.fits(i, v) {
			return f.scorer.Prob(row)
		}
		from = min(from, i)
		for _, k := range f.reads[i] {
			b.redo[k] = true
		}
	}
	k := f.first[from]
	z := b.sums[k]
	for ; k < len(b.redo); k++ {
		if b.redo[k] {
			z += f.terms[k].add(row)
		} else {
			z += b.adds[k]
		}
	}
	return f.curve(z, row)
}

// fits checks an input as Design.CheckRow does.
func (f *swift) fits(i int, v float64) bool {
	n := f.levels[i]
	return v-v == 0 && (n == 0 || v >= 0 && v < n && v == math.Trunc(v))
}

func (f *swift) curve(z float64, row []float64) (float64, error) {
	if !(z-z == 0) { // not finite
		return f.scorer.Prob(row)
	}
	return f.scorer.Platt.Prob(z), nil
}
