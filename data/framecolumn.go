package data

import "slices"

func newFrameColumn(c Column, s *pageStream) frameColumnReader {
	switch c.Kind {
	case Float64:
		return &frameColumnOf[float64]{c, cursor[float64]{codec: probability, pageStream: s}, func(c *Column) *[]float64 { return &c.F }}
	case String:
		return &frameTexts{template: c, cursor: cursor[string]{codec: words, pageStream: s, raw: true}}
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

// frameTexts reads a column of texts. The dictionary of a row group becomes the
// Dict of its frames as it is.
type frameTexts struct {
	template Column
	cursor[string]
	codes     map[string]uint32 // of Dict, where it is put together
	translate []uint32          // from levels to Dict; nil = the same
}

func (r *frameTexts) fill(c *Column, n int) error {
	c.Name, c.Kind, c.Nulls = r.template.Name, r.template.Kind, nulls(c.Nulls, r.template, n)
	c.Codes, c.Dict = resize(c.Codes, n), nil
	for at := 0; at < n; {
		if err := r.load(); err != nil {
			return r.fault(err)
		}
		if err := r.open(c, at == 0); err != nil {
			return r.fault(err)
		}
		k := min(n-at, r.n-r.i)
		for j := range k {
			if c.Nulls != nil && r.def[r.i+j] == 0 {
				c.Nulls[at+j], c.Codes[at+j] = true, 0
				continue
			}
			code := uint32(r.v)
			if r.index != nil {
				code = uint32(r.index[r.v])
			}
			if r.translate != nil {
				code = r.translate[code]
			}
			c.Codes[at+j] = code
			r.v++
		}
		r.i += k
		at += k
	}
	return nil
}

// open prepares the codes of a page: those of the frame's first dictionary
// stay, all others are looked up by their text.
func (r *frameTexts) open(c *Column, first bool) error {
	levels := r.levels
	if r.index == nil {
		levels = r.vals
	}
	if len(levels) == 0 { // all null
		return nil
	}
	switch {
	case first && r.index != nil:
		c.Dict, r.translate, r.codes = levels, nil, nil
		return nil
	case r.index != nil && len(c.Dict) > 0 && &c.Dict[0] == &levels[0]:
		r.translate = nil
		return nil
	case r.codes == nil || len(r.codes) != len(c.Dict):
		r.codes = make(map[string]uint32, len(c.Dict))
		for i, s := range c.Dict {
			r.codes[s] = uint32(i)
		}
		c.Dict = slices.Clone(c.Dict)
	}
	r.translate = resize(r.translate, len(levels))
	for i, s := range levels {
		code, ok := r.codes[s]
		if !ok {
			code = uint32(len(c.Dict))
			r.codes[s] = code
			c.Dict = append(c.Dict, s)
		}
		r.translate[i] = code
	}
	return nil
}
