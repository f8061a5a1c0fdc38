package data

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// framesOut writes the parts of a frame file one after the other.
type framesOut struct {
	buf     *bufio.Writer
	at      int64 // offset in the file
	meta    format.FileMetaData
	columns [][]format.ColumnIndex // by row group
	offsets [][]format.OffsetIndex
}

const parquetMagic = "PAR1"

// newFramesOut begins a file. The library describes it: schema, creator and
// metadata are those of an empty file that it writes to nowhere.
func newFramesOut(f io.Writer, columns []Column, meta map[string]string) (framesOut, error) {
	options := writerOptions(frameSchema(columns))
	for k, v := range meta { // the library sorts them
		options = append(options, parquet.KeyValueMetadata(k, v))
	}
	empty := parquet.NewGenericWriter[any](io.Discard, options...)
	if err := empty.Close(); err != nil {
		return framesOut{}, err
	}
	o := framesOut{buf: bufio.NewWriterSize(f, 256<<10), meta: *empty.File().Metadata()}
	return o, o.write([]byte(parquetMagic))
}

func (o *framesOut) write(b []byte) error {
	n, err := o.buf.Write(b)
	o.at += int64(n)
	return err
}

// rowGroup writes the chunks and begins them anew.
func (o *framesOut) rowGroup(chunks []*frameChunk, rows int64) error {
	g := format.RowGroup{NumRows: rows, FileOffset: o.at, Ordinal: int16(len(o.meta.RowGroups)), SortingColumns: []format.SortingColumn{}}
	columns, offsets := make([]format.ColumnIndex, len(chunks)), make([]format.OffsetIndex, len(chunks))
	for i, k := range chunks {
		dict, pages, err := k.end(o.at)
		if err != nil {
			return fmt.Errorf("column %s: %w", k.name, err)
		}
		for _, b := range [][]byte{dict, pages} {
			if err := o.write(b); err != nil {
				return err
			}
		}
		g.Columns = append(g.Columns, format.ColumnChunk{MetaData: k.meta})
		g.TotalByteSize += k.meta.TotalUncompressedSize
		g.TotalCompressedSize += k.meta.TotalCompressedSize
		columns[i] = k.index.ColumnIndex()
		columns[i].DefinitionLevelHistogram = k.histogram
		offsets[i].PageLocations = k.offsets
		k.begin()
	}
	o.meta.RowGroups = append(o.meta.RowGroups, g)
	o.meta.NumRows += rows
	o.columns, o.offsets = append(o.columns, columns), append(o.offsets, offsets)
	return nil
}

// close writes the page index and the footer.
func (o *framesOut) close() error {
	for i := range o.columns {
		for j := range o.columns[i] {
			c := &o.meta.RowGroups[i].Columns[j]
			c.ColumnIndexOffset = o.at
			n, err := o.encode(&o.columns[i][j])
			if err != nil {
				return err
			}
			c.ColumnIndexLength = n
		}
	}
	for i := range o.offsets {
		for j := range o.offsets[i] {
			c := &o.meta.RowGroups[i].Columns[j]
			c.OffsetIndexOffset = o.at
			n, err := o.encode(&o.offsets[i][j])
			if err != nil {
				return err
			}
			c.OffsetIndexLength = n
		}
	}
	n, err := o.encode(&o.meta)
	if err != nil {
		return err
	}
	if err := o.write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), parquetMagic...)); err != nil {
		return err
	}
	return o.buf.Flush()
}

// encode writes a piece of the footer; n is its length.
func (o *framesOut) encode(v any) (n int32, err error) {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		return 0, err
	}
	return int32(len(b)), o.write(b)
}
