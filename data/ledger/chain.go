package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// chainLabel starts everything that the chain hashes (see the package comment).
const chainLabel = "recoup-ledger-v1\x00"

const saltSize = 16

// digest hides what an entry says behind its salt, so that it can be erased.
func digest(salt []byte, caseID, customerID string, body []byte) [32]byte {
	head := make([]byte, 0, 256)
	head = append(head, salt...)
	head = lp(lp(head, caseID), customerID)
	h := sha256.New()
	h.Write(head)
	h.Write(body)
	return [32]byte(h.Sum(nil))
}

// lp appends a text behind its length.
func lp[T string | []byte](to []byte, text T) []byte {
	to = binary.BigEndian.AppendUint64(to, uint64(len(text)))
	return append(to, text...)
}

// genesis is the hash before a book's first entry.
func genesis(ledgerID, tenant string) [32]byte {
	return sha256.Sum256(lp(lp([]byte(chainLabel), ledgerID), tenant))
}

// record appends what the hash of an entry covers.
func record(to []byte, previous [32]byte, seq, knownAt int64, k Kind, key, keyID string, digest [32]byte) []byte {
	to = append(to, chainLabel...)
	to = lp(to, previous[:])
	to = binary.BigEndian.AppendUint64(to, uint64(seq))
	to = binary.BigEndian.AppendUint64(to, uint64(knownAt))
	to = lp(lp(lp(to, k.String()), key), keyID)
	return append(to, digest[:]...)
}

// hasher hashes the records of a chain. It is not for use by two goroutines.
type hasher struct {
	keyID string
	mac   hash.Hash // nil = no secret
	buf   []byte
}

func newHasher(s Secret) *hasher {
	if s.ID == "" {
		return &hasher{}
	}
	return &hasher{keyID: s.ID, mac: hmac.New(sha256.New, s.Key)}
}

// next is the hash of the entry after previous.
func (h *hasher) next(previous [32]byte, seq, knownAt int64, k Kind, key string, digest [32]byte) (out [32]byte) {
	h.buf = record(h.buf[:0], previous, seq, knownAt, k, key, h.keyID, digest)
	if h.mac == nil {
		return sha256.Sum256(h.buf)
	}
	h.mac.Reset()
	h.mac.Write(h.buf)
	h.mac.Sum(out[:0])
	return out
}
