package table

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"recoup/data"
)

// leafReader reads one column of a row group page by page.
type leafReader struct {
	leaf   *leaf
	pages  *pages
	page   *dataPage
	row    int // rows of the page used up
	levels []byte
	values values
}

// take appends n rows to the column.
func (r *leafReader) take(b *builder, n int) error {
	for n > 0 {
		if r.page == nil || r.row == r.page.rows {
			if err := r.next(); err == io.EOF {
				return errors.New("the pages hold fewer rows than the footer states")
			} else if err != nil {
				return err
			}
		}
		k := min(n, r.page.rows-r.row)
		if err := r.part(b, k); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// next turns to the page that follows; io.EOF behind the last one.
func (r *leafReader) next() (err error) {
	if r.page != nil {
		if err := r.page.stream.rest(); err != nil {
			return err
		}
	}
	r.page, err = r.pages.next()
	r.row = 0
	return err
}

// done checks that all rows are used up.
func (r *leafReader) done() error {
	if r.page == nil || r.row == r.page.rows {
		if err := r.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return errors.New("the pages hold more rows than the footer states")
}

// part appends k rows of the page: the values first, then the gaps of the nulls.
func (r *leafReader) part(b *builder, k int) error {
	present, full := k, r.leaf.levels
	if r.page.nulls {
		r.levels = sized(r.levels, k)
		if err := fill(&r.page.levels, r.levels); err != nil {
			return err
		}
		present = 0
		for _, l := range r.levels {
			if l == full {
				present++
			} else if l > full {
				return fmt.Errorf("level %d where %d is the highest", l, full)
			}
		}
	}
	faults := len(b.faults)
	if present > 0 {
		v := &r.values
		if inDictionary(r.page.stream.encoding) {
			v = r.pages.dict
		}
		if err := r.page.stream.next(v, present); err != nil {
			return err
		}
		if err := r.leaf.decode(b, v); err != nil {
			return err
		}
	}
	if present < k {
		b.spread(r.levels, full, present, faults)
	} else if b.Nulls != nil {
		b.Nulls = append(b.Nulls, make([]bool, k)...)
	}
	b.rows += k
	r.row += k
	return nil
}

// spread moves the last present values apart so that every row has one.
func (b *builder) spread(levels []byte, full byte, present, faults int) {
	for len(b.Nulls) < b.rows {
		b.Nulls = append(b.Nulls, false)
	}
	for _, l := range levels {
		b.Nulls = append(b.Nulls, l != full)
	}
	b.byRow(faults, levels, full)
	switch b.Kind {
	case data.Float64:
		b.F = spread(b.F, levels, full, present, 0)
	case data.String:
		b.Codes = spread(b.Codes, levels, full, present, b.code(nil))
	default:
		b.I = spread(b.I, levels, full, present, 0)
	}
}

func spread[T any](values []T, levels []byte, full byte, present int, null T) []T {
	from := len(values) - present
	values = slices.Grow(values, len(levels)-present)[:from+len(levels)]
	k := from + present
	for i := len(levels) - 1; i >= 0; i-- {
		if levels[i] == full {
			k--
			values[from+i] = values[k]
		} else {
			values[from+i] = null
		}
	}
	return values
}
