package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// unpacked unpacks the buffers of a record or a dictionary here, and tells the
// library that they are not packed: its LZ4 refuses the checksums of other
// writers' blocks (polars).
func (m *messages) unpacked(x *message, body []byte) ([]byte, error) {
	record := x.head
	if x.kind == dictionaryMessage {
		record, _ = x.head.table(1)
	}
	packing, ok := record.table(3)
	if !ok || x.kind == schemaMessage {
		return body, nil
	}
	codec := packing.byte(0)
	if codec > 1 {
		return nil, fmt.Errorf("a record is packed with method %d, which is not read", codec)
	}
	at, n, ok := record.vector(2, 16)
	if !ok {
		return nil, errFlat
	}
	var out []byte
	for k := range n {
		p := x.meta[at+16*k:]
		from, size := int64(binary.LittleEndian.Uint64(p)), int64(binary.LittleEndian.Uint64(p[8:]))
		if from < 0 || size < 0 || from > int64(len(body)) || size > int64(len(body))-from {
			return nil, errors.New("a buffer reaches beyond its record")
		}
		place := len(out)
		if size > 0 {
			var err error
			if out, err = m.buffer(out, codec, body[from:from+size]); err != nil {
				return nil, err
			}
			if len(out) > maxArrowRecord {
				return nil, errors.New("a record of more than 2 GiB, unpacked: write the file in smaller records")
			}
		}
		binary.LittleEndian.PutUint64(p, uint64(place))
		binary.LittleEndian.PutUint64(p[8:], uint64(len(out)-place))
		for len(out)%8 != 0 {
			out = append(out, 0)
		}
	}
	return out, nil
}

// buffer appends a buffer: -1 for "not packed", and its bytes.
func (m *messages) buffer(out []byte, codec byte, packed []byte) ([]byte, error) {
	if len(packed) < 8 {
		return nil, errors.New("a packed buffer is too short")
	}
	size := int64(binary.LittleEndian.Uint64(packed))
	out, packed = append(out, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), packed[8:]
	if size == -1 {
		return append(out, packed...), nil
	}
	if size < 0 || size > maxPage {
		return nil, fmt.Errorf("a buffer of %d bytes: write the file in smaller records", size)
	}
	var plain []byte
	var err error
	if codec == 0 {
		plain, err = unpackFrame(packed, int(size))
	} else {
		plain, err = m.unpack.unpack(format.Zstd, packed, int(size), nil)
	}
	if err != nil {
		return nil, fmt.Errorf("a buffer does not unpack: %w", err)
	}
	return append(out, plain...), nil
}

// unpackFrame reads an LZ4 frame. The checksums in it are not looked at; the
// size must be the one that is stated.
func unpackFrame(src []byte, size int) ([]byte, error) {
	cut := errors.New("an LZ4 frame is damaged")
	if len(src) < 7 || string(src[:4]) != "\x04\x22\x4d\x18" || src[4]>>6 != 1 {
		return nil, cut
	}
	flags, head := src[4], 7
	if flags&8 != 0 { // the size of all
		head += 8
	}
	if flags&1 != 0 || head > len(src) { // a dictionary that is elsewhere
		return nil, cut
	}
	if size/255 > len(src) {
		return nil, errors.New("it claims more than it can hold")
	}
	out := make([]byte, 0, size)
	for src = src[head:]; ; {
		if len(src) < 4 {
			return nil, cut
		}
		n := binary.LittleEndian.Uint32(src)
		k := int(n &^ (1 << 31))
		if src = src[4:]; n == 0 {
			break
		}
		if k > len(src) {
			return nil, cut
		}
		if n>>31 == 1 { // as it is
			out = append(out, src[:k]...)
		} else if err := appendLZ4(&out, src[:k], size, flags&0x20 != 0); err != nil {
			return nil, err
		}
		if src = src[k:]; flags&16 != 0 {
			if len(src) < 4 {
				return nil, cut
			}
			src = src[4:]
		}
	}
	if len(out) != size {
		return nil, fmt.Errorf("it unpacks to %d bytes and claims %d", len(out), size)
	}
	return slices.Clip(out), nil
}
