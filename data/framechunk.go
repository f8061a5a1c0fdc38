package data

import (
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// frameChunk is a column of a FrameWriter's open row group. The library's column
// writers take one boxed value at a time, which was an eighth of the time of a
// feature table; here slices go into a page as they are. Encodings, compression
// and headers are the library's, and so is every byte of the result: a test
// compares.
type frameChunk struct {
	name     string
	kind     Kind
	nullable bool
	typ      parquet.Type
	encoding encoding.Encoding
	*pageBuffers

	// The page in the making.
	rows   int
	levels []byte // of a nullable column: 0 = null, 1 = a value
	floats []float64
	ints   []int64
	bits   []byte // Bool, eight to a byte from the lowest bit
	bools  int
	codes  []int32 // String: numbers in dict
	dict   *frameDict

	// The pages so far.
	pages     []byte // headers and bodies
	index     parquet.ColumnIndexer
	histogram []int64 // of levels, by page
	offsets   []format.PageLocation
	meta      format.ColumnMetaData
	min, max  parquet.Value // null = no value yet
}

// pageBuffers is what the chunks of a file take turns to use.
type pageBuffers struct {
	codec               zstd.Codec
	body, packed, spare []byte
}

func newFrameChunk(c Column, b *pageBuffers) *frameChunk {
	node := frameNode(c.Kind)
	k := &frameChunk{name: c.Name, kind: c.Kind, nullable: c.Nulls != nil, typ: node.Type(), encoding: node.Encoding(), pageBuffers: b}
	if c.Kind == String {
		k.dict = newFrameDict()
	}
	k.begin()
	return k
}

// begin makes ready for a row group.
func (k *frameChunk) begin() {
	encodings := []format.Encoding{k.encoding.Encoding()}
	if k.nullable {
		encodings = append(encodings, format.RLE)
	}
	if k.dict != nil {
		encodings = append(encodings, format.Plain)
		k.dict.reset()
	}
	slices.Sort(encodings)
	k.meta = format.ColumnMetaData{Type: format.Type(k.typ.Kind()), Encoding: encodings, PathInSchema: []string{k.name}, Codec: format.Zstd}
	k.index = k.typ.NewColumnIndexer(parquet.DefaultColumnIndexSizeLimit)
	k.pages, k.histogram, k.offsets = k.pages[:0], nil, nil
	k.min, k.max = parquet.Value{}, parquet.Value{}
}

// add takes rows from..to of a column. A page ends with the batch that fills it.
func (k *frameChunk) add(c *Column, from, to int) error {
	if k.dict != nil {
		k.dict.translate(len(c.Dict))
	}
	for from < to {
		end := min(to, from+batchRows)
		if k.nullable {
			k.addNullable(c, from, end)
		} else {
			k.values(c, from, end)
		}
		k.rows += end - from
		if k.size() >= pageBytes*98/100 {
			if err := k.endPage(); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}

// addNullable takes the runs of values between the nulls.
func (k *frameChunk) addNullable(c *Column, from, to int) {
	for from < to {
		end := from + 1
		for end < to && c.Null(end) == c.Null(from) {
			end++
		}
		level := byte(0)
		if !c.Null(from) {
			level = 1
			k.values(c, from, end)
		}
		for range end - from {
			k.levels = append(k.levels, level)
		}
		from = end
	}
}

// values takes rows that hold no nulls.
func (k *frameChunk) values(c *Column, from, to int) {
	switch k.kind {
	case Float64:
		k.floats = append(k.floats, c.F[from:to]...)
	case Bool:
		for _, x := range c.I[from:to] {
			if k.bools%8 == 0 {
				k.bits = append(k.bits, 0)
			}
			if x != 0 {
				k.bits[len(k.bits)-1] |= 1 << (k.bools % 8)
			}
			k.bools++
		}
	case String:
		for _, code := range c.Codes[from:to] {
			k.codes = append(k.codes, k.dict.number(code, c.Dict))
		}
	default:
		k.ints = append(k.ints, c.I[from:to]...)
	}
}

// size is what the library takes for the size of the page in the making: a null
// level counts five bytes.
func (k *frameChunk) size() int {
	return 8*(len(k.floats)+len(k.ints)) + len(k.bits) + 4*len(k.codes) + 5*len(k.levels)
}
