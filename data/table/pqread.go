package table

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"recoup/data"
)

// group reads the wanted columns of a row group.
type group struct {
	part    *part
	columns []data.Column
	readers []*leafReader // nil where a folder's name is the value
	build   []*builder
}

// frame decodes the next n rows. A page that does not decode is an error, also
// where the library panics.
func (g *group) frame(n int) (frame *data.Frame, faults []Reject, err error) {
	at := ""
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("column %s: a page does not decode: %v", at, fault)
		}
	}()
	frame = &data.Frame{N: n}
	for j, r := range g.readers {
		at = g.columns[j].Name
		b := g.build[j]
		if r == nil {
			g.part.fill(b, at, n)
		} else if err := r.take(b, n); err != nil {
			return nil, nil, fmt.Errorf("column %s: %w", at, err)
		}
		faults = append(faults, b.faulty(at)...)
		frame.Columns = append(frame.Columns, b.take())
	}
	slices.SortStableFunc(faults, func(a, b Reject) int { return a.Line - b.Line })
	return frame, faults, nil
}

// done checks that no rows are left over.
func (g *group) done() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a page does not decode: %v", fault)
		}
	}()
	for _, r := range g.readers {
		if r == nil {
			continue
		}
		if err := r.done(); err != nil {
			return fmt.Errorf("column %s: %w", r.leaf.Name, err)
		}
	}
	return nil
}

// parquetFrames streams part by part, row group by row group.
func (f *File) parquetFrames(columns []data.Column, yield func(*data.Frame, error) bool) {
	first := int64(0)
	for i := range f.parts {
		p := &f.parts[i]
		if err := f.partFrames(p, columns, first, yield); err != nil {
			if err != errStop {
				yield(nil, err)
			}
			return
		}
		first += p.rows
	}
}

func (f *File) partFrames(p *part, columns []data.Column, first int64, yield func(*data.Frame, error) bool) error {
	r, err := p.reopen()
	if err != nil {
		return err
	}
	defer r.Close()
	file, limit, err := footer(r, p.size)
	if err != nil {
		return p.fault("%w", err)
	}
	var u unpacker
	defer u.close()
	for k, rows := range file.Metadata().RowGroups {
		g := group{part: p, columns: columns}
		for _, c := range columns {
			g.build = append(g.build, newBuilder(c, false))
			l := p.leaf(c.Name)
			if l == nil {
				g.readers = append(g.readers, nil)
				continue
			}
			if l.Bad != "" { // another codec than in the first part
				return p.fault("column %s is %s", l.Name, l.Bad)
			}
			pages, err := newPages(r, limit, l, rows.NumRows, &rows.Columns[l.index].MetaData, &u)
			if err != nil {
				return p.fault("row group %d: column %s: %w", k+1, l.Name, err)
			}
			g.readers = append(g.readers, &leafReader{leaf: l, pages: pages})
		}
		first, err = f.groupFrames(&g, rows.NumRows, first, yield)
		if err != nil && err != errStop {
			return p.fault("row group %d: %w", k+1, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *File) groupFrames(g *group, rows, first int64, yield func(*data.Frame, error) bool) (int64, error) {
	for left := rows; left > 0; {
		n := min(left, ChunkRows)
		frame, faults, err := g.frame(int(n))
		if err != nil {
			return first, err
		}
		frame.First = first
		if err := f.putAside(frame, faults); err != nil {
			return first, err
		}
		if !yield(frame, nil) {
			return first, errStop
		}
		first += n
		left -= n
	}
	return first, g.done()
}

// putAside takes rows at fault out of a frame, which then numbers its rows.
func (f *File) putAside(frame *data.Frame, faults []Reject) error {
	if len(faults) == 0 {
		return nil
	}
	drop := make([]bool, frame.N)
	for _, r := range faults {
		row := r.Line
		r.Line = int(frame.First) + row + 1
		if f.o.Reject == nil {
			return badRow(r)
		}
		if !drop[row] {
			f.o.Reject(r)
		}
		drop[row] = true
	}
	for i := range frame.N {
		if !drop[i] {
			frame.Lines = append(frame.Lines, int(frame.First)+i+1)
		}
	}
	for j := range frame.Columns {
		c := &frame.Columns[j]
		c.F, c.I = without(c.F, drop), without(c.I, drop)
		c.Codes, c.Nulls = without(c.Codes, drop), without(c.Nulls, drop)
	}
	frame.N = len(frame.Lines)
	return nil
}

func without[T any](s []T, drop []bool) []T {
	if s == nil {
		return nil
	}
	kept := s[:0]
	for i, x := range s {
		if !drop[i] {
			kept = append(kept, x)
		}
	}
	return kept
}

func badRow(r Reject) error {
	return errors.New(strings.Replace(r.String(), "line", "row", 1))
}

func (p *part) reopen() (*os.File, error) {
	r, err := os.Open(p.path)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	info, err := r.Stat()
	if err == nil && (info.Size() != p.size || !info.ModTime().Equal(p.changed)) {
		err = p.fault("the file changed while it was read: copy it and read the copy")
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}
