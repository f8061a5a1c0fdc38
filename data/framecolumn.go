package data

import "fmt"

func newFrameColumn(c Column, s *pageStream) frameColumnReader {
	switch c.Kind {
	case Float64:
		return &frameColumnOf[float64]{c, cursor[float64]{codec: probability, pageStream: s}, func(c *Column) *[]float64 { return &c.F }}
	case String:
		return &frameTexts{c, cursor[string]{codec: words, pageStream: s}}
	case Bool:
		return &frameBools{frameColumnOf[bool]{c, cursor[bool]{codec: bools, pageStream: s}, nil}}
	default:
		return &frameColumnOf[int64]{c, cursor[int64]{codec: micros, pageStream: s}, func(c *Column) *[]int64 { return &c.I }}
	}
}

// frameColumnOf reads a column of numbers.
type frameColumnOf[V comparable] struct {
	template Column
	cursor[V]
	slot func(*Column) *[]V
}

func (r *frameColumnOf[V]) fill(c *Column, n int) error {
	out := resize(*r.slot(c), n)
	c.Name, c.Kind, c.Nulls = r.template.Name, r.template.Kind, nulls(c.Nulls, r.template, n)
	*r.slot(c) = out
	return r.values(out, c.Nulls)
}

// values reads len(out) values; nulls is nil or as long.
func (r *frameColumnOf[V]) values(out []V, nulls []bool) error {
	var zero V
	for at := 0; at < len(out); {
		if err := r.load(); err != nil {
			return r.fault(err)
		}
		k := min(len(out)-at, r.n-r.i)
		if len(r.vals) == r.n {
			copy(out[at:at+k], r.vals[r.i:])
			r.v += k
		} else {
			for j, d := range r.def[r.i : r.i+k] {
				if nulls[at+j] = d == 0; d == 0 {
					out[at+j] = zero
				} else {
					out[at+j] = r.vals[r.v]
					r.v++
				}
			}
		}
		r.i += k
		at += k
	}
	return nil
}

func resize[V any](s []V, n int) []V {
	if cap(s) < n {
		return make([]V, n)
	}
	return s[:n]
}

func nulls(s []bool, template Column, n int) []bool {
	if template.Nulls == nil {
		return nil
	}
	s = resize(s, n)
	clear(s)
	return s
}

// frameBools reads a column of yes and no, 1 and 0 in a frame.
type frameBools struct{ frameColumnOf[bool] }

func (r *frameBools) fill(c *Column, n int) error {
	c.Name, c.Kind, c.Nulls = r.template.Name, r.template.Kind, nulls(c.Nulls, r.template, n)
	c.I = resize(c.I, n)
	bits := make([]bool, n)
	if err := r.values(bits, c.Nulls); err != nil {
		return err
	}
	for i, b := range bits {
		c.I[i] = 0
		if b {
			c.I[i] = 1
		}
	}
	return nil
}

// frameTexts reads a column of texts.
type frameTexts struct {
	template Column
	cursor[string]
}

func (r *frameTexts) fill(c *Column, n int) error {
	c.Name, c.Kind, c.Nulls = r.template.Name, r.template.Kind, nulls(c.Nulls, r.template, n)
	c.Codes = resize(c.Codes, n)
	vals := make([]string, n)
	inner := frameColumnOf[string]{r.template, r.cursor, nil}
	err := inner.values(vals, c.Nulls)
	r.cursor = inner.cursor
	if err != nil {
		return err
	}
	c.Dict = nil
	codes := map[string]uint32{}
	for i, s := range vals {
		if c.Null(i) {
			c.Codes[i] = 0
			continue
		}
		k, ok := codes[s]
		if !ok {
			k = uint32(len(c.Dict))
			codes[s] = k
			c.Dict = append(c.Dict, s)
		}
		c.Codes[i] = k
	}
	return nil
}

var _ = fmt.Sprint
