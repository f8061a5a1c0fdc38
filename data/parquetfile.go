package data

import (
	"encoding/binary"
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
