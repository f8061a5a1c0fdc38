package train

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/models"
)

// chunk is a stretch of the rows that count, ready for the kernels.
type chunk struct {
	n      int
	dense  [][]float64 // by dense part of the layout
	groups []group     // by sparse part
	y      []float64
	w      []float64 // nil = 1 each
}

// group is a part of which each row fills at most one column.
type group struct {
	code  []uint32  // 1 + the layout's column, 0 = none
	value []float64 // what stands there; nil = 1
}

// fitRows reads a source as chunks, again and again, and keeps what may be kept.
type fitRows struct {
	layout         *models.Layout
	binder         *models.Binder
	src            Source
	target, weight string
	workers        int
	hold, held     int64
	kept           []*chunk
	whole          bool  // kept is all of it
	all            int64 // rows, those of weight 0 included
	passes         int
	sample         *sampler // nil while the table is kept
}

func newRows(d models.Design, l *models.Layout, src Source, target, weight string, o Options) *fitRows {
	return &fitRows{layout: l, binder: d.NewBinder(), src: src, target: target, weight: weight, workers: o.Workers, hold: o.Hold}
}

// each hands over the chunks in their order.
func (r *fitRows) each(ctx context.Context, use func(*chunk) error) error {
	r.passes++
	if r.whole {
		for _, c := range r.kept {
			if err := use(c); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	first := r.passes == 1
	keep := first
	for f, err := range r.src() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		c, err := r.bind(f)
		if err != nil {
			return fmt.Errorf("train: logistic: %w", err)
		}
		if first {
			r.all += int64(f.N)
		}
		if c.n == 0 {
			continue
		}
		if keep {
			r.held += c.bytes()
			r.kept = append(r.kept, c)
			if r.held > r.hold {
				// The table stays outside: take a sample as it passes by.
				r.sample = newSampler(sampleRows(len(r.layout.Columns)+1), 0)
				for _, k := range r.kept {
					r.sample.add(k)
				}
				keep, r.kept = false, nil
			}
		} else if first {
			r.sample.add(c)
		}
		if err := use(c); err != nil {
			return err
		}
	}
	r.whole = r.whole || keep
	return nil
}

func (c *chunk) bytes() int64 {
	n := len(c.dense) + 1
	for _, g := range c.groups {
		n++
		if g.value != nil {
			n++
		}
	}
	return int64(n) * 8 * int64(c.n)
}

// bind makes a chunk of a frame, without the rows of weight 0.
func (r *fitRows) bind(f *data.Frame) (*chunk, error) {
	y, err := models.Target(f, r.target)
	if err != nil {
		return nil, err
	}
	var w []float64
	if r.weight != "" {
		if w, err = models.Weights(f, r.weight); err != nil {
			return nil, err
		}
	}
	b, err := r.binder.Bind(f, w)
	if err != nil {
		return nil, err
	}
	c := &chunk{n: f.N, y: y, w: w}
	if keep := positive(w); keep != nil {
		c.n, c.y, c.w = len(keep), gather(y, keep), gather(w, keep)
		for i := range b.Numbers {
			b.Numbers[i], b.Codes[i] = gather(b.Numbers[i], keep), gather(b.Codes[i], keep)
		}
	}
	for i := range r.layout.Parts {
		c.add(&r.layout.Parts[i], b)
	}
	return c, nil
}

// positive lists the rows of weight > 0; nil when that is all of them.
func positive(w []float64) []int {
	zero := 0
	for _, v := range w {
		if v == 0 {
			zero++
		}
	}
	if zero == 0 {
		return nil
	}
	keep := make([]int, 0, len(w)-zero)
	for i, v := range w {
		if v > 0 {
			keep = append(keep, i)
		}
	}
	return keep
}

// add appends a part of the layout to the chunk.
func (c *chunk) add(p *models.Part, b *models.Bound) {
	switch p.Kind {
	case models.Number:
		c.dense = append(c.dense, b.Numbers[p.A])
		return
	case models.NumberNumber:
		x := make([]float64, c.n)
		for i, v := range b.Numbers[p.A][:c.n] {
			x[i] = v * b.Numbers[p.B][i]
		}
		c.dense = append(c.dense, x)
		return
	}
	g := group{code: make([]uint32, c.n)}
	table := make([]uint32, len(p.Table))
	for v, k := range p.Table {
		if k >= 0 {
			table[v] = uint32(p.Offset) + uint32(k) + 1
		}
	}
	a := b.Codes[p.A]
	switch p.Kind {
	case models.CategoryCategory:
		for i := range g.code {
			g.code[i] = table[int(a[i])*p.Stride+int(b.Codes[p.B][i])]
		}
	case models.CategoryNumber:
		g.value = b.Numbers[p.B]
		fallthrough
	default:
		for i := range g.code {
			g.code[i] = table[a[i]]
		}
	}
	c.groups = append(c.groups, g)
}
