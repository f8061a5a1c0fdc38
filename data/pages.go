package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// columnSource opens the columns of one file.
type columnSource struct{ file *parquetFile }

// leaf opens a leaf column by its path. The schema has been checked: it is there.
func (s *columnSource) leaf(path ...string) *pageStream {
	leaf, ok := s.file.Schema().Lookup(path...)
	if !ok {
		panic(fmt.Sprintf("data: %s: no column %s", s.file.path, columnPath(path)))
	}
	return &pageStream{file: s.file, name: columnPath(path), column: leaf.ColumnIndex, maxDef: byte(leaf.MaxDefinitionLevel)}
}

// pageStream reads the pages of a column through all row groups.
type pageStream struct {
	file   *parquetFile
	name   string
	column int
	maxDef byte
	group  int // next row group
	pages  parquet.Pages
}

// next is the next page, or io.EOF; fresh tells that it is the first of its
// row group, so that a dictionary kept from before is no longer valid.
func (s *pageStream) next() (page parquet.Page, fresh bool, err error) {
	defer func() {
		if p := recover(); p != nil { // damaged bytes may lead the library astray
			err = fmt.Errorf("damaged page: %v", p)
		}
	}()
	for {
		if s.pages == nil {
			groups := s.file.RowGroups()
			if s.group == len(groups) {
				return nil, false, io.EOF
			}
			s.pages = groups[s.group].ColumnChunks()[s.column].Pages()
			s.group++
			fresh = true
		}
		page, err := s.pages.ReadPage()
		if !errors.Is(err, io.EOF) {
			return page, fresh, err
		}
		if err := s.close(); err != nil {
			return nil, false, err
		}
	}
}

func (s *pageStream) close() error {
	if s.pages == nil {
		return nil
	}
	p := s.pages
	s.pages = nil
	return p.Close()
}

func (s *pageStream) fault(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("ends early")
	}
	return Faultf(ErrContract, "data: %s: column %s: %w", s.file.path, s.name, err)
}
