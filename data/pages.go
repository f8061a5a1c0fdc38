package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetFile is an open Parquet file.
type parquetFile struct {
	*parquet.File
	path string
	os   *os.File
}

// openParquet opens a file, reads its footer and calls check. Damaged bytes may
// lead the library astray: its panics are errors here.
func openParquet(path string, check func(f *parquetFile) error) (f *parquetFile, err error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	defer func() {
		if p := recover(); p != nil {
			err = Faultf(ErrContract, "data: %s: damaged Parquet footer: %v", path, p)
		}
		if err != nil {
			o.Close()
		}
	}()
	info, err := o.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkTail(o, info.Size()); err != nil {
		return nil, Faultf(ErrContract, "data: %s: no readable Parquet file: %w", path, err)
	}
	p, err := parquet.OpenFile(o, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.ReadBufferSize(128<<10))
	if err != nil {
		return nil, Faultf(ErrContract, "data: %s: no readable Parquet file: %w", path, err)
	}
	f = &parquetFile{p, path, o}
	if err = checkFooter(p); err == nil {
		err = check(f)
	}
	if err != nil {
		return nil, Faultf(ErrContract, "data: %s: %w", path, err)
	}
	return f, nil
}

// checkTail refuses a footer longer than its file, which the library would
// take gigabytes of memory for.
func checkTail(f io.ReaderAt, size int64) error {
	var tail [8]byte // length of the footer, magic
	if size < 12 {
		return fmt.Errorf("%d bytes are too few", size)
	}
	if _, err := f.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-12 || string(tail[4:]) != "PAR1" {
		return fmt.Errorf("%d bytes without a Parquet footer at their end: truncated, or another kind of file", size)
	}
	return nil
}

// checkFooter refuses what this package does not write and parquet-go v0.32
// does not read safely: damaged LZ4 pages loop for ever, and uncompressed ones
// give wrong values without an error.
func checkFooter(f *parquet.File) error {
	var rows int64
	for i, g := range f.Metadata().RowGroups {
		rows += g.NumRows
		for _, c := range g.Columns {
			if c.MetaData.Codec != format.Zstd {
				return fmt.Errorf("row group %d: column %s is compressed as %s, expected ZSTD", i,
					columnPath(c.MetaData.PathInSchema), c.MetaData.Codec)
			}
		}
		if g.NumRows < 0 {
			return fmt.Errorf("row group %d has %d rows", i, g.NumRows)
		}
	}
	if rows != f.NumRows() {
		return fmt.Errorf("%d rows in the row groups, %d in the footer", rows, f.NumRows())
	}
	return nil
}

func (f *parquetFile) Close() error { return f.os.Close() }

// columnSource opens the columns of one file.
type columnSource struct{ file *parquetFile }

// leaf opens a leaf column by its path. The schema has been checked: it is there.
func (s *columnSource) leaf(_ int, path ...string) *pageStream {
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

// cursor walks the values of a column, decoding a page at a time.
type cursor[V comparable] struct {
	*codec[V]
	*pageStream
	page     parquet.Page
	def, rep []byte
	vals     []V // non-null values of the page
	own      []V // backing of vals where they are not used in place
	dict     parquet.Dictionary
	levels   []V     // values of dict
	index    []int32 // dictionary pages: places of the values in levels; plain pages: nil
	raw      bool    // leave vals of dictionary pages empty
	n        int     // entries in the page
	i, v     int     // next entry, next value
}

// load moves to the next page that has entries.
func (c *cursor[V]) load() error {
	for c.i == c.n {
		if c.page != nil {
			parquet.Release(c.page)
			c.page = nil
		}
		page, fresh, err := c.next()
		if err != nil {
			return err
		}
		c.page = page
		if fresh {
			c.dict = nil
		}
		if err := c.unpack(page); err != nil {
			return err
		}
	}
	return nil
}

// unpack decodes a page: dictionary or plain, which may change within a chunk.
func (c *cursor[V]) unpack(page parquet.Page) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged page: %v", p)
		}
	}()
	c.def, c.rep = page.DefinitionLevels(), page.RepetitionLevels()
	c.n, c.i, c.v = int(page.NumValues()), 0, 0
	count := c.n - int(page.NumNulls())
	if c.maxDef > 0 && len(c.def) != c.n {
		return fmt.Errorf("page has %d definition levels for %d values", len(c.def), c.n)
	}
	data := page.Data()
	dict := page.Dictionary()
	c.index = nil
	switch {
	case dict == nil && c.alias != nil:
		c.vals, err = exactly(c.alias(data), count)
		return err
	case dict == nil:
		c.own, err = c.decode(c.own[:0], data, count)
		c.vals = c.own
		return err
	}
	if dict != c.dict {
		if c.levels, err = c.decode(nil, dict.Page().Data(), dict.Len()); err != nil {
			return err
		}
		c.dict = dict
	}
	index := data.Int32()
	if len(index) != count {
		return fmt.Errorf("page has %d values, expected %d", len(index), count)
	}
	for _, k := range index {
		if uint(k) >= uint(len(c.levels)) {
			return fmt.Errorf("index %d into a dictionary of %d", k, len(c.levels))
		}
	}
	if c.index = index; c.raw {
		return nil
	}
	c.own = resize(c.own, count)
	for i, k := range index {
		c.own[i] = c.levels[k]
	}
	c.vals = c.own
	return nil
}

func (c *cursor[V]) close() error {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
	return c.pageStream.close()
}
