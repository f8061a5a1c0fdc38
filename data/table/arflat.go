package table

import (
	"encoding/binary"
	"errors"
)

var errFlat = errors.New("its metadata is damaged")

// flat is a FlatBuffers table. The library follows offsets without looking, and
// allocates what a list claims; so what it is given is walked here first.
type flat struct {
	b  []byte
	at int
}

// flatRoot is the table that a buffer holds.
func flatRoot(b []byte) (flat, bool) {
	t, ok := flat{b, 0}.target(0)
	return t, ok && t.whole()
}

// target follows the offset at a place, which must lead forward.
func (t flat) target(at int) (flat, bool) {
	if at < 0 || at+4 > len(t.b) {
		return flat{}, false
	}
	to := at + int(binary.LittleEndian.Uint32(t.b[at:]))
	return flat{t.b, to}, to > at && to+4 <= len(t.b)
}

// places is where a table's list of its fields' places is.
func (t flat) places() int { return t.at - int(int32(binary.LittleEndian.Uint32(t.b[t.at:]))) }

// whole says whether the list of a table's fields lies in the buffer.
func (t flat) whole() bool {
	v := t.places()
	if v < 0 || v+4 > len(t.b) {
		return false
	}
	n := int(binary.LittleEndian.Uint16(t.b[v:]))
	return n >= 4 && n%2 == 0 && v+n <= len(t.b)
}

// field is where field i of a table lies, with size bytes there; 0 = it is
// absent, -1 = it does not lie in the buffer.
func (t flat) field(i, size int) int {
	v, slot := t.places(), 4+2*i
	if slot+2 > int(binary.LittleEndian.Uint16(t.b[v:])) {
		return 0
	}
	o := int(binary.LittleEndian.Uint16(t.b[v+slot:]))
	switch {
	case o == 0:
		return 0
	case t.at+o+size > len(t.b):
		return -1
	}
	return t.at + o
}

func (t flat) byte(i int) byte {
	if at := t.field(i, 1); at > 0 {
		return t.b[at]
	}
	return 0
}

func (t flat) int64(i int) int64 {
	if at := t.field(i, 8); at > 0 {
		return int64(binary.LittleEndian.Uint64(t.b[at:]))
	}
	return 0
}

// table is the table in field i.
func (t flat) table(i int) (flat, bool) {
	at := t.field(i, 4)
	if at <= 0 {
		return flat{}, false
	}
	to, ok := t.target(at)
	return to, ok && to.whole()
}

// vector is the list in field i: where its items of size bytes begin and how
// many there are; not ok where they do not lie in the buffer.
func (t flat) vector(i, size int) (at, n int, ok bool) {
	f := t.field(i, 4)
	if f == 0 {
		return 0, 0, true
	}
	v, ok := t.target(f) // -1 is none
	if !ok {
		return 0, 0, false
	}
	n = int(binary.LittleEndian.Uint32(t.b[v.at:]))
	return v.at + 4, n, n <= (len(t.b)-v.at-4)/size
}

// text checks that a text lies in the buffer.
func (t flat) text(i int) bool {
	_, _, ok := t.vector(i, 1)
	return ok
}

// checkSchema walks an Arrow schema: fields without end or in a circle would
// make the library recurse until the stack is gone.
func checkSchema(s flat) error {
	left := 1 << 16
	if !s.pairs(2) || !s.fields(1, 0, &left) {
		return errFlat
	}
	return nil
}

// fields walks the list of fields in slot i; left is how many there may be.
func (t flat) fields(i, depth int, left *int) bool {
	at, n, ok := t.vector(i, 4)
	if !ok || n > *left || depth > 32 {
		return false
	}
	*left -= n
	for k := range n {
		f, ok := t.target(at + 4*k)
		if !ok || !f.whole() || !f.text(0) || !f.pairs(6) || !f.fields(5, depth+1, left) {
			return false
		}
		if f.field(3, 4) != 0 {
			kind, ok := f.table(3)
			if !ok {
				return false
			}
			const timestamp, union = 10, 14
			if what := f.byte(2); what == timestamp && !kind.text(1) || what == union && !kind.ids() {
				return false
			}
		}
	}
	return true
}

func (t flat) ids() bool {
	_, _, ok := t.vector(1, 4)
	return ok
}

// pairs checks a list of keys and values.
func (t flat) pairs(i int) bool {
	at, n, ok := t.vector(i, 4)
	if !ok {
		return false
	}
	for k := range n {
		if p, ok := t.target(at + 4*k); !ok || !p.whole() || !p.text(0) || !p.text(1) {
			return false
		}
	}
	return true
}

// checkBuffers walks what a record says of its columns: how many buffers a
// column of views has is allocated before they are looked at.
func checkBuffers(record flat) error {
	_, _, nodes := record.vector(1, 16)
	_, n, buffers := record.vector(2, 16)
	at, columns, counts := record.vector(4, 8)
	if !nodes || !buffers || !counts || record.int64(0) < 0 {
		return errFlat
	}
	for k := range columns {
		if x := int64(binary.LittleEndian.Uint64(record.b[at+8*k:])); x < 0 || x > int64(n) {
			return errFlat
		}
	}
	return nil
}
