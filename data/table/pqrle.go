package table

import (
	"encoding/binary"
	"errors"
)

var errShort = errors.New("a page ends before its values do")

// runs reads Parquet's mix of repeated and bit-packed numbers as they are asked
// for, so that a run of any length takes no memory.
type runs struct {
	src    []byte
	width  uint // bits of a number, at most 32
	left   int  // numbers left of the run
	value  uint32
	packed []byte // nil = a repeated number
	bit    int    // of packed
}

// newRuns; no bytes are fine where nothing is asked for.
func newRuns(src []byte, width uint) (runs, error) {
	if width > 32 {
		return runs{}, errors.New("numbers of more than 32 bits")
	}
	return runs{src: src, width: width}, nil
}

// start reads the head of the next run.
func (r *runs) start() error {
	head, n := binary.Uvarint(r.src)
	if n <= 0 || head>>1 > 1<<31 {
		return errShort
	}
	r.src = r.src[n:]
	if head&1 == 1 {
		size := min(int(head>>1)*int(r.width), len(r.src)) // the last group may be cut short
		r.packed, r.bit, r.left = r.src[:size:size], 0, int(head>>1)*8
		if r.width > 0 {
			r.left = min(r.left, size*8/int(r.width))
		}
		r.src = r.src[size:]
		return nil
	}
	bytes := int(r.width+7) / 8
	if bytes > len(r.src) {
		return errShort
	}
	r.packed, r.value, r.left = nil, 0, int(head>>1)
	for i := range bytes {
		r.value |= uint32(r.src[i]) << (8 * i)
	}
	r.src = r.src[bytes:]
	return nil
}

// fill reads as many numbers as dst is long.
func fill[T byte | int32](r *runs, dst []T) error {
	for len(dst) > 0 {
		if r.left == 0 {
			if err := r.start(); err != nil {
				return err
			}
			continue
		}
		n := min(r.left, len(dst))
		switch {
		case r.packed == nil:
			for i := range n {
				dst[i] = T(r.value)
			}
		case r.width == 0:
			clear(dst[:n])
		default:
			unpackBits(dst[:n], r.packed, r.bit, r.width)
			r.bit += n * int(r.width)
		}
		r.left -= n
		dst = dst[n:]
	}
	return nil
}

// unpackBits reads numbers of width bits, from 1 to 32, from a bit of src on;
// there are enough.
func unpackBits[T byte | int32](dst []T, src []byte, bit int, width uint) {
	mask := uint64(1)<<width - 1
	for i := range dst {
		dst[i] = T(bitsAt(src, bit) & mask)
		bit += int(width)
	}
}

// bitsAt is 57 bits or more from a bit on, lowest first, with zeros behind the
// end.
func bitsAt(src []byte, bit int) uint64 {
	if at := bit >> 3; at+8 <= len(src) {
		return binary.LittleEndian.Uint64(src[at:]) >> (bit & 7)
	}
	var tail [8]byte
	copy(tail[:], src[min(bit>>3, len(src)):])
	return binary.LittleEndian.Uint64(tail[:]) >> (bit & 7)
}
