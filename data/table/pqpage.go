package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// pages reads the pages of one column in one row group. The library's own page
// reader allocates what a header claims, refuses padding, takes one codec for
// all row groups and reads LZ4 wrong; so pages are cut, checked and unpacked
// here, and their values decoded as they are asked for.
type pages struct {
	file     io.ReaderAt
	at, end  int64 // of the file: the next page, and where the pages end
	limit    int64 // no page may reach beyond: the footer
	codec    format.CompressionCodec
	kind     parquet.Kind
	length   int // of bytes of fixed length
	full     byte
	dict     *values
	head     []byte // buffers of the page at hand
	stored   []byte
	unpacked []byte
	unpacker *unpacker
}

// dataPage is a page of values.
type dataPage struct {
	rows   int
	levels runs
	nulls  bool // the levels say which rows are null; else none is
	stream stream
}

// newPages finds the pages of a leaf by the footer. Where a dictionary is said
// to be elsewhere than before the first page, it is not believed.
func newPages(file io.ReaderAt, limit int64, l *leaf, rows int64, c *format.ColumnMetaData, u *unpacker) (*pages, error) {
	p := &pages{file: file, unpacker: u, at: c.DataPageOffset, limit: limit, codec: c.Codec, kind: l.kind, length: l.length, full: l.levels}
	if rows == 0 && c.NumValues == 0 { // there may be no page, and no place for one
		p.end = p.at
		return p, nil
	}
	if parquet.Kind(c.Type) != l.kind {
		return nil, fmt.Errorf("the schema says %s, and the row group %s", l.kind, parquet.Kind(c.Type))
	}
	if d := c.DictionaryPageOffset; d > 0 && d < p.at && d+c.TotalCompressedSize > p.at {
		p.at = d
	}
	p.end = p.at + c.TotalCompressedSize
	if p.at < 4 || c.TotalCompressedSize < 0 || p.end < p.at || p.end > limit {
		return nil, fmt.Errorf("the footer says its pages are in bytes %d to %d of a file whose footer begins at %d", p.at, p.end, limit)
	}
	return p, nil
}

// next is the next page that has rows; io.EOF behind the last one.
func (p *pages) next() (*dataPage, error) {
	for p.at < p.end {
		h, err := p.header()
		if err != nil {
			return nil, err
		}
		switch {
		case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
			if p.dict != nil {
				return nil, errors.New("two dictionaries in one row group")
			}
			if err := p.dictionary(h); err != nil {
				return nil, fmt.Errorf("its dictionary: %w", err)
			}
		case h.Type == format.DataPage && h.DataPageHeader.Valid:
			page, err := p.first(h)
			if err != nil || page.rows > 0 {
				return page, err
			}
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			page, err := p.second(h)
			if err != nil || page.rows > 0 {
				return page, err
			}
		case h.Type == format.IndexPage:
			p.at += int64(h.CompressedPageSize)
		default:
			return nil, errors.New("a page of no known kind")
		}
	}
	return nil, io.EOF
}

// header reads the head of the next page, which has no length of its own.
func (p *pages) header() (*format.PageHeader, error) {
	for size := int64(512); ; size *= 16 {
		size = min(size, p.limit-p.at)
		if int64(cap(p.head)) < size {
			p.head = make([]byte, size)
		}
		b := p.head[:size]
		if _, err := p.file.ReadAt(b, p.at); err != nil {
			return nil, err
		}
		rest, err := checkThrift(b)
		if err != nil {
			if size == p.limit-p.at || size >= 8<<20 { // statistics may be long texts
				return nil, errors.New("a page's head is damaged")
			}
			continue
		}
		h := new(format.PageHeader)
		var protocol thrift.CompactProtocol
		if err := thrift.NewDecoder(protocol.NewReaderFromBytes(b)).Decode(h); err != nil {
			return nil, fmt.Errorf("a page's head: %w", err)
		}
		p.at += size - int64(len(rest))
		if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 || h.UncompressedPageSize > maxPage {
			return nil, fmt.Errorf("a page of %d bytes, %d unpacked", h.CompressedPageSize, h.UncompressedPageSize)
		}
		// Old writers left the dictionary's head out of the sum that end is made of.
		if end := p.at + int64(h.CompressedPageSize); end > p.end+100 || end > p.limit {
			return nil, fmt.Errorf("a page of %d bytes reaches beyond its row group", h.CompressedPageSize)
		}
		return h, nil
	}
}

// body reads the bytes of a page as they are stored. They are good until the
// next call.
func (p *pages) body(h *format.PageHeader) ([]byte, error) {
	p.stored = sized(p.stored, int(h.CompressedPageSize))
	b := p.stored
	if len(b) > 0 {
		if _, err := p.file.ReadAt(b, p.at); err != nil {
			return nil, err
		}
	}
	p.at += int64(len(b))
	if h.CRC == 0 {
		return b, nil
	}
	if got := crc32.ChecksumIEEE(b); uint32(h.CRC) != got {
		return nil, fmt.Errorf("a page is damaged: its crc32 is %08x and should be %08x", got, uint32(h.CRC))
	}
	return b, nil
}

// unpack unpacks a data page; its bytes are good until the next one.
func (p *pages) unpack(codec format.CompressionCodec, b []byte, size int) ([]byte, error) {
	out, err := p.unpacker.unpack(codec, b, size, p.unpacked)
	if codec != format.Uncompressed {
		p.unpacked = out
	}
	return out, err
}

func (p *pages) dictionary(h *format.PageHeader) error {
	b, err := p.body(h)
	if err != nil {
		return err
	}
	if b, err = p.unpacker.unpack(p.codec, bytes.Clone(b), int(h.UncompressedPageSize), nil); err != nil {
		return err
	}
	d := h.DictionaryPageHeader.V
	if d.Encoding != format.Plain && d.Encoding != plainDictionary {
		return fmt.Errorf("%s, which no dictionary has", d.Encoding)
	}
	if d.NumValues < 0 || p.kind == parquet.Boolean {
		return fmt.Errorf("%d values of %s", d.NumValues, p.kind)
	}
	p.dict = &values{}
	_, err = p.dict.plain(p.kind, p.length, b, int(d.NumValues))
	return err
}

// first reads a data page of version 1: levels and values packed together.
func (p *pages) first(h *format.PageHeader) (*dataPage, error) {
	d := h.DataPageHeader.V
	b, err := p.body(h)
	if err != nil {
		return nil, err
	}
	if b, err = p.unpack(p.codec, b, int(h.UncompressedPageSize)); err != nil {
		return nil, err
	}
	page := &dataPage{rows: int(d.NumValues)}
	if page.rows < 0 {
		return nil, fmt.Errorf("a page of %d rows", page.rows)
	}
	if p.full > 0 && page.rows > 0 {
		if d.DefinitionLevelEncoding != format.RLE {
			return nil, fmt.Errorf("levels in %s, which is not read: write the file anew with a writer of this century", d.DefinitionLevelEncoding)
		}
		if len(b) < 4 || int64(binary.LittleEndian.Uint32(b)) > int64(len(b)-4) {
			return nil, errShort
		}
		n := 4 + int(binary.LittleEndian.Uint32(b))
		if page.levels, err = newRuns(b[4:n], uint(bits.Len8(p.full))); err != nil {
			return nil, err
		}
		page.nulls, b = true, b[n:]
	}
	page.stream, err = newStream(p.kind, p.length, d.Encoding, b, p.dict)
	return page, err
}

// second reads a data page of version 2: the levels are not packed, and the
// values may be.
func (p *pages) second(h *format.PageHeader) (*dataPage, error) {
	d := h.DataPageHeaderV2.V
	b, err := p.body(h)
	if err != nil {
		return nil, err
	}
	repeated, defined := int64(d.RepetitionLevelsByteLength), int64(d.DefinitionLevelsByteLength)
	if d.NumValues < 0 || repeated < 0 || defined < 0 || repeated+defined > int64(len(b)) || repeated+defined > int64(h.UncompressedPageSize) {
		return nil, fmt.Errorf("a page of %d rows and %d bytes of levels in %d", d.NumValues, repeated+defined, len(b))
	}
	page := &dataPage{rows: int(d.NumValues)}
	levels, packed := b[repeated:repeated+defined], b[repeated+defined:]
	if p.full > 0 && (defined > 0 || d.NumNulls > 0) {
		if page.levels, err = newRuns(levels, uint(bits.Len8(p.full))); err != nil {
			return nil, err
		}
		page.nulls = true
	}
	size := int(int64(h.UncompressedPageSize) - repeated - defined)
	codec := p.codec
	if d.IsCompressed.Valid && !d.IsCompressed.V {
		codec = format.Uncompressed
	}
	if packed, err = p.unpack(codec, packed, size); err != nil {
		return nil, err
	}
	page.stream, err = newStream(p.kind, p.length, d.Encoding, packed, p.dict)
	return page, err
}
