// Package key turns the ids of a log into fixed-size names, so that state and
// label index hold no strings: a 128-bit hash, the same on every machine. Two
// of 10^9 ids meet by chance with a probability below 10^-20.
package key

import (
	"encoding/binary"
	"math/bits"
)

// ID names an entity. The zero ID is that of the empty string: no entity.
type ID struct{ Hi, Lo uint64 }

// Odd constants with about half of their bits set: the digits of pi and e.
const (
	k0 = 0x243f6a8885a308d3
	k1 = 0x13198a2e03707345
	k2 = 0xb7e151628aed2a6b
	k3 = 0xbf7158809cf4f3c7
)

// Of is the ID of a string. Eight bytes at a time go through a full 64x64
// multiplication (Wang Yi, wyhash, 2019) in two lanes that never meet.
func Of(s string) ID {
	if s == "" {
		return ID{}
	}
	n := uint64(len(s))
	a, b := n^k0, n^k2
	for len(s) >= 8 {
		w := binary.LittleEndian.Uint64([]byte(s[:8]))
		a, b = mix(a^w, k1), mix(b^w, k3)
		s = s[8:]
	}
	if len(s) > 0 {
		var tail [8]byte
		copy(tail[:], s)
		w := binary.LittleEndian.Uint64(tail[:])
		a, b = mix(a^w, k3), mix(b^w, k1)
	}
	id := ID{mix(mix(a, k2), k1), mix(mix(b, k0), k3)}
	if id == (ID{}) {
		id.Lo = 1
	}
	return id
}

// Shard is the bucket of the entity among n.
func (id ID) Shard(n int) int {
	hi, _ := bits.Mul64(id.Hi, uint64(n))
	return int(hi)
}

// mix folds the 128-bit product.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
