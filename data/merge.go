package data

import (
	"path/filepath"
	"sort"
)

// scanner merges the parts of a table in cursor order. Parts of one commit
// follow each other; parts of several overlap where rows came late.
type scanner[T any] struct {
	*table[T]
	cols    []column[T]
	events  string
	upTo    Cursor
	pending []File // not yet opened, by min cursor
	open    []*part[T]
}

// part is an open file, and the rows read of it but not yet passed on.
type part[T any] struct {
	file    *parquetFile
	readers []reader[T]
	left    int64  // rows not yet read
	rows    []T    // read, not passed on
	buf     []T    // backing of rows
	bound   Cursor // nothing to come is lower
}

// next fills out with following rows and returns how many; 0 at the end.
func (s *scanner[T]) next(out []T) (int, error) {
	for {
		if err := s.openDue(); err != nil || len(s.open) == 0 {
			return 0, err
		}
		var n int
		var err error
		if p := s.open[0]; len(s.open) == 1 && len(p.rows) == 0 {
			n, err = s.fillFrom(p, out)
		} else {
			n, err = s.fillMerged(out)
		}
		if err != nil {
			return 0, err
		}
		if visible := s.until(out[:n], s.upTo, true); visible < n { // the rest is invisible too
			n, s.pending = visible, nil
			if err := s.close(); err != nil {
				return 0, err
			}
		}
		if n > 0 {
			return n, nil
		}
	}
}

// until is the number of leading rows before the cursor, or up to it.
func (s *scanner[T]) until(rows []T, c Cursor, included bool) int {
	return sort.Search(len(rows), func(i int) bool {
		d := s.event(&rows[i]).Cursor().Compare(c)
		return d > 0 || d == 0 && !included
	})
}

// openDue opens every part that may hold the next row.
func (s *scanner[T]) openDue() error {
	for len(s.pending) > 0 {
		f := s.pending[0]
		due := len(s.open) == 0
		for _, p := range s.open {
			due = due || p.bound.Compare(f.Min) >= 0
		}
		if !due {
			return nil
		}
		s.pending = s.pending[1:]
		file, err := openParquet(filepath.Join(s.events, filepath.FromSlash(f.Path)), s.checkFile)
		if err != nil {
			return err
		}
		p := &part[T]{file: file, left: f.Rows, bound: f.Min}
		s.open = append(s.open, p)
		for _, c := range s.cols {
			p.readers = append(p.readers, c.reader(&columnSource{file}))
		}
	}
	return nil
}

// fillFrom reads the only open part straight into out, as far as the next
// pending part allows, and keeps the rest.
func (s *scanner[T]) fillFrom(p *part[T], out []T) (int, error) {
	n, err := p.read(out)
	if err != nil || n == 0 {
		return 0, s.drop(0, err)
	}
	p.bound = s.event(&out[n-1]).Cursor()
	if len(s.pending) > 0 {
		if k := s.until(out[:n], s.pending[0].Min, false); k < n {
			p.buf = append(p.buf[:0], out[k:n]...)
			p.rows, n = p.buf, k
			p.bound = s.event(&p.rows[0]).Cursor()
		}
	}
	return n, nil
}

// fillMerged takes runs from the open parts, always from the one with the
// lowest next row, up to the next row of any other.
func (s *scanner[T]) fillMerged(out []T) (int, error) {
	n := 0
	for n < len(out) {
		if n > 0 && len(s.open) == 1 && len(s.open[0].rows) == 0 { // no merge any more
			return n, nil
		}
		if err := s.refill(); err != nil || len(s.open) == 0 {
			return n, err
		}
		low, limit := s.open[0], lastCursor
		if len(s.pending) > 0 {
			limit = s.pending[0].Min
		}
		for _, p := range s.open[1:] {
			if p.bound.Compare(low.bound) < 0 {
				low, p = p, low
			}
			if p.bound.Compare(limit) < 0 {
				limit = p.bound
			}
		}
		k := copy(out[n:], low.rows[:s.until(low.rows, limit, false)])
		if k == 0 { // a pending part is due
			return n, nil
		}
		n += k
		low.bound = s.event(&low.rows[k-1]).Cursor()
		if low.rows = low.rows[k:]; len(low.rows) > 0 {
			low.bound = s.event(&low.rows[0]).Cursor()
		}
	}
	return n, nil
}

// refill gives every open part a next row, and drops those that have none.
func (s *scanner[T]) refill() error {
	for i := 0; i < len(s.open); {
		p := s.open[i]
		if len(p.rows) == 0 {
			if p.buf == nil || cap(p.buf) < scanRows {
				p.buf = make([]T, scanRows)
			}
			n, err := p.read(p.buf[:scanRows])
			if err != nil || n == 0 {
				if err := s.drop(i, err); err != nil {
					return err
				}
				continue
			}
			p.rows = p.buf[:n]
			p.bound = s.event(&p.rows[0]).Cursor()
		}
		i++
	}
	return nil
}

// read fills rows from the file, column by column.
func (p *part[T]) read(rows []T) (int, error) {
	n := int(min(int64(len(rows)), p.left))
	for _, r := range p.readers {
		if err := r.read(rows[:n]); err != nil {
			return 0, err
		}
	}
	p.left -= int64(n)
	return n, nil
}

// drop closes an open part. It returns err, or what closing said.
func (s *scanner[T]) drop(i int, err error) error {
	if e := s.open[i].close(); err == nil {
		err = e
	}
	s.open = append(s.open[:i], s.open[i+1:]...)
	return err
}

func (s *scanner[T]) close() error {
	var err error
	for len(s.open) > 0 {
		err = s.drop(0, err)
	}
	return err
}

func (p *part[T]) close() error {
	var first error
	for _, r := range p.readers {
		if err := r.close(); err != nil && first == nil {
			first = err
		}
	}
	if err := p.file.Close(); err != nil && first == nil {
		first = err
	}
	return first
}
