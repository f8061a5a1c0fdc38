package table

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// deltas reads DELTA_BINARY_PACKED whole numbers as they are asked for.
type deltas struct {
	src    []byte
	block  int // numbers of a block, and of a part of it
	part   int
	left   int // numbers not read yet
	first  bool
	last   int64
	least  int64 // what a block's differences are counted from
	widths []byte
	inPart int    // numbers left in the part
	bits   []byte // of the part
	width  uint
	bit    int
}

func newDeltas(src []byte) (*deltas, error) {
	d := &deltas{src: src, first: true}
	block, parts, total := d.uvarint(), d.uvarint(), d.uvarint()
	d.last = d.varint()
	if d.src == nil || block == 0 || block > 1<<16 || block%128 != 0 || parts == 0 || block%parts != 0 || block/parts%32 != 0 || total > 1<<31 {
		return nil, errors.New("a head of delta-encoded numbers is damaged")
	}
	d.block, d.part, d.left = int(block), int(block/parts), int(total)
	return d, nil
}

// uvarint reads a number; src is nil after a failure.
func (d *deltas) uvarint() uint64 {
	x, n := binary.Uvarint(d.src)
	if n <= 0 {
		d.src = nil
		return 0
	}
	d.src = d.src[n:]
	return x
}

func (d *deltas) varint() int64 {
	x := d.uvarint()
	return int64(x>>1) ^ -int64(x&1)
}

// next reads as many numbers as dst is long; sums wrap around, as those of the
// writer do.
func (d *deltas) next(dst []int64) error {
	if len(dst) > d.left {
		return errShort
	}
	if len(dst) > 0 && d.first {
		dst[0], d.first = d.last, false
		dst = dst[1:]
		d.left--
	}
	for len(dst) > 0 {
		if d.inPart == 0 {
			if err := d.start(); err != nil {
				return err
			}
		}
		n := min(len(dst), d.inPart)
		for i := range n {
			d.last += d.least + int64(d.number())
			dst[i] = d.last
		}
		d.inPart -= n
		d.left -= n
		dst = dst[n:]
	}
	return nil
}

// number is the next one of the part, before least is added.
func (d *deltas) number() uint64 {
	w := d.width
	x := bitsAt(d.bits, d.bit)
	if w > 57 { // a number may lie across nine bytes
		x = x&(1<<32-1) | bitsAt(d.bits, d.bit+32)<<32
	}
	d.bit += int(w)
	if w < 64 {
		x &= 1<<w - 1
	}
	return x
}

// start opens the next part, of the next block where this one is used up.
func (d *deltas) start() error {
	if len(d.widths) == 0 {
		d.least = d.varint()
		parts := d.block / d.part
		if d.src == nil || len(d.src) < parts {
			return errShort
		}
		d.widths, d.src = d.src[:parts], d.src[parts:]
	}
	d.width, d.widths = uint(d.widths[0]), d.widths[1:]
	if d.width > 64 {
		return fmt.Errorf("differences of %d bits", d.width)
	}
	size := min(d.part*int(d.width)/8, len(d.src))
	d.bits, d.src = d.src[:size], d.src[size:]
	if min(d.part, d.left)*int(d.width) > size*8 { // the last part may be cut short
		return errShort
	}
	d.bit, d.inPart = 0, d.part
	return nil
}

// maxLengths is how many texts a page of DELTA_LENGTH_BYTE_ARRAY or
// DELTA_BYTE_ARRAY may have: their lengths are read first.
const maxLengths = 1 << 24

// lengths reads all numbers of delta-encoded lengths and what is behind them.
func lengths(src []byte) (out []int64, rest []byte, err error) {
	d, err := newDeltas(src)
	if err != nil {
		return nil, nil, err
	}
	if d.left > maxLengths {
		return nil, nil, fmt.Errorf("a page of %d texts: write smaller pages", d.left)
	}
	for d.left > 0 { // memory follows what comes, not what is claimed
		k := len(out)
		n := min(d.left, 1<<16)
		out = append(out, make([]int64, n)...)
		if err := d.next(out[k:]); err != nil {
			return nil, nil, err
		}
	}
	for _, n := range out {
		if n < 0 || n > maxPage {
			return nil, nil, fmt.Errorf("a text of length %d", n)
		}
	}
	return out, d.src, nil
}

// deltaTexts reads DELTA_LENGTH_BYTE_ARRAY and, where prefix is not nil,
// DELTA_BYTE_ARRAY.
type deltaTexts struct {
	prefix, length []int64
	src            []byte
	last           []byte
}

func newDeltaTexts(src []byte, prefixed bool) (t *deltaTexts, err error) {
	t = &deltaTexts{}
	if prefixed {
		if t.prefix, src, err = lengths(src); err != nil {
			return nil, err
		}
	}
	if t.length, t.src, err = lengths(src); err != nil {
		return nil, err
	}
	if prefixed && len(t.prefix) != len(t.length) {
		return nil, fmt.Errorf("%d beginnings of texts and %d ends", len(t.prefix), len(t.length))
	}
	return t, nil
}

// next appends n texts to v.
func (t *deltaTexts) next(v *values, n int) error {
	if n > len(t.length) {
		return errShort
	}
	for i, k := range t.length[:n] {
		if k > int64(len(t.src)) {
			return errShort
		}
		from := len(v.data)
		if t.prefix != nil {
			if t.prefix[i] > int64(len(t.last)) {
				return errors.New("a text begins with more than the one before has")
			}
			v.data = append(v.data, t.last[:t.prefix[i]]...)
		}
		v.data = append(v.data, t.src[:k]...)
		t.src = t.src[k:]
		if len(v.data) > maxPage {
			return errors.New("texts of more than 1 GiB: write smaller pages")
		}
		v.spans = append(v.spans, span{uint32(from), uint32(len(v.data))})
		if t.prefix != nil {
			t.last = append(t.last[:0], v.data[from:]...)
		}
	}
	t.length = t.length[n:]
	if t.prefix != nil {
		t.prefix = t.prefix[n:]
	}
	return nil
}
