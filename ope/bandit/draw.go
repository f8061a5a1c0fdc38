package bandit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// Draw takes the arm in whose part of [0, 1) the first 53 bits of a keyed hash of
// the id lie: the same key and id, the same arm. An arm with probability 0 is
// never drawn. p sums to 1; what rounding leaves over goes to the last arm that
// can be drawn. -1 = none can.
func Draw(key []byte, id string, p []float64) int {
	return drawAt(uniform53(key, id), p)
}

// drawAt is Draw for u in [0, 1).
func drawAt(u float64, p []float64) int {
	last := -1
	for i, q := range p {
		if q == 0 {
			continue
		}
		if last = i; u < q {
			return i
		}
		u -= q
	}
	return last
}

// uniform53 is a number in [0, 1), a multiple of 2^-53.
func uniform53(key []byte, id string) float64 {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id))
	return float64(binary.BigEndian.Uint64(h.Sum(nil))>>11) / (1 << 53)
}
