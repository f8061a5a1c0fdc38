package table

import (
	"encoding/binary"
	"errors"
)

var errThrift = errors.New("its metadata is damaged")

// checkThrift walks a structure of Thrift's compact protocol and refuses one
// whose lists or texts claim more than its bytes hold, or that nests without
// end: the library allocates what a list claims before it reads it. It returns
// what is behind the structure.
func checkThrift(b []byte) (rest []byte, err error) {
	w := thriftWalk{b}
	if !w.structure(0) {
		return nil, errThrift
	}
	return w.b, nil
}

type thriftWalk struct{ b []byte }

// The types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBytes  = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13
)

func (w *thriftWalk) structure(depth int) bool {
	for depth < 32 && len(w.b) > 0 {
		head := w.b[0]
		w.b = w.b[1:]
		if head == 0 {
			return true
		}
		if head>>4 == 0 { // the field's number is written out
			if _, ok := w.uvarint(); !ok {
				return false
			}
		}
		if kind := head & 15; kind != thriftTrue && kind != thriftFalse && !w.value(kind, depth) {
			return false
		}
	}
	return false
}

func (w *thriftWalk) value(kind byte, depth int) bool {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte: // in a list: one byte each
		return w.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, ok := w.uvarint()
		return ok
	case thriftDouble:
		return w.skip(8)
	case thriftUUID:
		return w.skip(16)
	case thriftBytes:
		n, ok := w.uvarint()
		return ok && w.skip(n)
	case thriftList, thriftSet:
		if len(w.b) == 0 {
			return false
		}
		head := w.b[0]
		w.b = w.b[1:]
		n := uint64(head >> 4)
		if n == 15 {
			var ok bool
			if n, ok = w.uvarint(); !ok {
				return false
			}
		}
		return w.items(n, depth, head&15)
	case thriftMap:
		n, ok := w.uvarint()
		if !ok || n == 0 || len(w.b) == 0 {
			return ok && n == 0
		}
		head := w.b[0]
		w.b = w.b[1:]
		return w.items(n, depth, head>>4, head&15)
	case thriftStruct:
		return w.structure(depth + 1)
	}
	return false
}

// items walks n times a value of each kind; every value has a byte at least.
func (w *thriftWalk) items(n uint64, depth int, kinds ...byte) bool {
	if n > uint64(len(w.b)) || depth >= 32 {
		return false
	}
	for range n {
		for _, kind := range kinds {
			if !w.value(kind, depth+1) {
				return false
			}
		}
	}
	return true
}

func (w *thriftWalk) uvarint() (uint64, bool) {
	x, n := binary.Uvarint(w.b)
	if n <= 0 {
		return 0, false
	}
	w.b = w.b[n:]
	return x, true
}

func (w *thriftWalk) skip(n uint64) bool {
	if n > uint64(len(w.b)) {
		return false
	}
	w.b = w.b[n:]
	return true
}
