package data

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

var nullLevels = rle.Encoding{BitWidth: 1}

// endPage encodes the page in the making.
func (k *frameChunk) endPage() (err error) {
	if k.rows == 0 {
		return nil
	}
	nulls := 0
	var levels []byte
	if k.nullable {
		ones := 0
		for _, l := range k.levels {
			ones += int(l)
		}
		nulls = len(k.levels) - ones
		k.histogram = append(k.histogram, int64(nulls), int64(ones))
		if levels, err = nullLevels.EncodeLevels(nil, k.levels); err != nil {
			return err
		}
	}
	least, most, err := k.encode()
	if err != nil {
		return err
	}
	if k.nullable {
		v := k.body
		k.body = binary.LittleEndian.AppendUint32(k.spare[:0], uint32(len(levels)))
		k.body, k.spare = append(append(k.body, levels...), v...), v
	}
	k.index.IndexPage(int64(k.rows), int64(nulls), least, most)
	k.widen(least, most)
	k.meta.Statistics.NullCount += int64(nulls)
	header := format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(k.rows),
		Encoding: k.encoding.Encoding(), DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})}
	k.offsets = append(k.offsets, format.PageLocation{Offset: k.meta.TotalCompressedSize, FirstRowIndex: k.meta.NumValues})
	size, err := k.pack(header, k.encoding.Encoding())
	k.offsets[len(k.offsets)-1].CompressedPageSize = size
	k.meta.NumValues += int64(k.rows)
	k.rows, k.bools = 0, 0
	k.levels, k.floats, k.ints, k.bits, k.codes = k.levels[:0], k.floats[:0], k.ints[:0], k.bits[:0], k.codes[:0]
	return err
}

// encode puts the page's values into body and finds the least and the
// greatest; both are null where there are none.
func (k *frameChunk) encode() (least, most parquet.Value, err error) {
	if k.dict != nil {
		k.body, err = encoding.EncodeInt32(k.body, encoding.Int32Values(k.codes), k.encoding)
		least, most = k.dict.bounds()
		return least, most, err
	}
	n, v := len(k.floats)+len(k.ints)+k.bools, encoding.Values{}
	switch k.kind {
	case Float64:
		v = encoding.DoubleValues(k.floats)
	case Bool:
		v = encoding.BooleanValues(k.bits)
	default:
		v = encoding.Int64Values(k.ints)
	}
	k.body, err = k.typ.Encode(k.body, v, k.encoding)
	least, most, _ = k.typ.NewPage(0, n, v).Bounds()
	return least, most, err
}

// widen makes the chunk's bounds hold the page's.
func (k *frameChunk) widen(least, most parquet.Value) {
	if !most.IsNull() && (k.max.IsNull() || k.typ.Compare(most, k.max) > 0) {
		k.max = most.Clone()
	}
	if !least.IsNull() && (k.min.IsNull() || k.typ.Compare(least, k.min) < 0) {
		k.min = least.Clone()
	}
}

// pack compresses the body and appends it to the pages behind its header; size
// is that of both.
func (k *frameChunk) pack(h format.PageHeader, e format.Encoding) (size int32, err error) {
	if k.packed, err = k.codec.Encode(k.packed, k.body); err != nil {
		return 0, err
	}
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(k.body)), int32(len(k.packed))
	h.CRC = int32(crc32.ChecksumIEEE(k.packed))
	head, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		return 0, err
	}
	k.pages = append(append(k.pages, head...), k.packed...)
	k.meta.TotalUncompressedSize += int64(len(head) + len(k.body))
	k.meta.TotalCompressedSize += int64(len(head) + len(k.packed))
	k.count(format.PageEncodingStats{PageType: h.Type, Encoding: e, Count: 1})
	return int32(len(head) + len(k.packed)), nil
}

func (k *frameChunk) count(page format.PageEncodingStats) {
	for i := range k.meta.EncodingStats {
		if s := &k.meta.EncodingStats[i]; s.PageType == page.PageType {
			s.Count++
			return
		}
	}
	k.meta.EncodingStats = append(k.meta.EncodingStats, page)
}

// end closes the chunk that is to stand at an offset of the file: its pages,
// the dictionary first.
func (k *frameChunk) end(at int64) (dict, pages []byte, err error) {
	if err := k.endPage(); err != nil {
		return nil, nil, err
	}
	k.meta.DataPageOffset = at
	pages = k.pages
	if k.dict != nil {
		k.meta.DictionaryPageOffset = at
		if k.body, err = k.typ.Encode(k.body, k.dict.values(), &parquet.Plain); err != nil {
			return nil, nil, err
		}
		header := format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
			NumValues: int32(k.dict.len()), Encoding: format.Plain})}
		size, err := k.pack(header, format.Plain)
		if err != nil {
			return nil, nil, err
		}
		dict, pages = k.pages[len(pages):], pages[:len(pages):len(pages)]
		k.meta.DataPageOffset += int64(size)
	}
	for i := range k.offsets {
		k.offsets[i].Offset += k.meta.DataPageOffset
	}
	slices.SortFunc(k.meta.EncodingStats, func(a, b format.PageEncodingStats) int { return cmp.Compare(a.PageType, b.PageType) })
	if !k.min.IsNull() {
		k.meta.Statistics.MinValue = k.min.AppendBytes([]byte{})
		k.meta.Statistics.MaxValue = k.max.AppendBytes([]byte{})
	}
	if k.nullable {
		h := make([]int64, 2)
		for i, n := range k.histogram {
			h[i%2] += n
		}
		k.meta.SizeStatistics.DefinitionLevelHistogram = h
	}
	return dict, pages, nil
}
