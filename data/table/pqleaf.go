package table

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"recoup/data"
)

// leafReader reads one column of a row group page by page.
type leafReader struct {
	leaf   *leaf
	pages  parquet.Pages
	page   parquet.Page
	levels []byte // definition levels of the page; nil = nothing is null
	row    int    // rows of the page used up
	value  int    // values of the page used up
	rows   int    // rows of the page
	values values
}

// next reads the page that follows; io.EOF behind the last one.
func (r *leafReader) next() error {
	r.release()
	for {
		page, err := r.pages.ReadPage()
		if err != nil {
			return err
		}
		r.page, r.row, r.value, r.rows = page, 0, 0, int(page.NumValues())
		r.levels = nil
		present := r.rows
		if r.leaf.levels > 0 {
			r.levels = page.DefinitionLevels()
			if len(r.levels) != r.rows {
				return fmt.Errorf("%d definition levels for %d values", len(r.levels), r.rows)
			}
			present -= int(page.NumNulls())
		}
		if err := r.load(present); err != nil {
			return err
		}
		if r.rows > 0 {
			return nil
		}
		r.release()
	}
}

// load takes the values of the page, and checks that there are as many as the
// levels say and that codes point into the dictionary.
func (r *leafReader) load(present int) error {
	v := &r.values
	v.codes = nil
	v.Values = r.page.Data()
	if d := r.page.Dictionary(); d != nil {
		v.codes = v.Values.Int32()
		if len(v.codes) < present {
			return fmt.Errorf("%d codes for %d values", len(v.codes), present)
		}
		v.codes = v.codes[:present]
		if v.codes == nil {
			v.codes = []int32{}
		}
		v.Values, v.n = d.Page().Data(), d.Len()
		for _, k := range v.codes {
			if uint(k) >= uint(v.n) {
				return fmt.Errorf("code %d in a dictionary of %d", k, v.n)
			}
		}
		return nil
	}
	v.n = present
	return nil
}

func (r *leafReader) release() {
	if r.page != nil {
		parquet.Release(r.page)
		r.page = nil
	}
}

// take appends n rows to the column.
func (r *leafReader) take(b *builder, n int) error {
	for n > 0 {
		if r.page == nil || r.row == r.rows {
			if err := r.next(); err == io.EOF {
				return errors.New("the pages hold fewer rows than the footer states")
			} else if err != nil {
				return err
			}
		}
		k := min(n, r.rows-r.row)
		if err := r.part(b, k); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// part appends k rows of the page: the values first, then the gaps of the nulls.
func (r *leafReader) part(b *builder, k int) error {
	present := k
	var levels []byte
	if r.levels != nil {
		levels = r.levels[r.row : r.row+k]
		present = 0
		for _, l := range levels {
			if l == r.leaf.levels {
				present++
			}
		}
	}
	faults := len(b.faults)
	if err := r.leaf.decode(b, &r.values, r.value, r.value+present); err != nil {
		return err
	}
	if present < k {
		b.spread(levels, r.leaf.levels, present, faults)
	} else if b.Nulls != nil {
		b.Nulls = append(b.Nulls, make([]bool, k)...)
	}
	b.rows += k
	r.row += k
	r.value += present
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
	switch b.Kind {
	case data.Float64:
		b.F = spread(b.F, levels, full, present, 0)
	case data.String:
		for i := faults; i < len(b.faults); i++ { // count by rows, no longer by values
			k := b.faults[i].at - b.rows
			for row, l := range levels {
				if l == full {
					if k == 0 {
						b.faults[i].at = b.rows + row
						break
					}
					k--
				}
			}
		}
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
