package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

// chainOf is a whole chain of n entries in memory.
func chainOf(n int, s Secret) (links []link) {
	h, previous := newHasher(s), genesis("L", "T")
	for i := range n {
		l := link{Entry: Entry{Seq: int64(i + 1), KnownAt: data.Micros(10 * (i + 1)), Kind: Event, Key: fmt.Sprint("k", i), CaseID: fmt.Sprint("c", i%3), CustomerID: "x", Body: []byte(fmt.Sprint("body", i))},
			keyID: s.ID, salt: bytes.Repeat([]byte{byte(i)}, saltSize)}
		d := digest(l.salt, l.CaseID, l.CustomerID, l.Body)
		previous = h.next(previous, l.Seq, int64(l.KnownAt), l.Kind, l.Key, d)
		sum := previous
		l.digest, l.hash = d[:], sum[:]
		links = append(links, l)
	}
	return links
}

func checked(links []link, s Secret, n int64, hash []byte) error {
	c := newChecker("L", "T", Keys{s})
	for i := range links {
		if err := c.next(&links[i]); err != nil {
			return err
		}
	}
	return c.end(n, hash, s.ID)
}

// Whatever is done to a chain, the entry that is named is the first that differs.
func TestAnyTamperingIsNamed(t *testing.T) {
	s := named(bytes.Repeat([]byte{7}, secretBytes))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "entries")
		good := chainOf(n, s)
		last := good[n-1].hash
		if err := checked(chainOf(n, s), s, int64(n), last); err != nil {
			t.Fatal(err)
		}
		bad := chainOf(n, s)
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		other := rapid.IntRange(0, n-1).Draw(t, "other")
		flip := func(b []byte) []byte {
			b = bytes.Clone(b)
			b[rapid.IntRange(0, len(b)-1).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
			return b
		}
		l := &bad[at]
		switch rapid.SampledFrom([]string{"body", "salt", "digest", "hash", "case", "customer", "key", "kind", "known_at", "secret", "delete", "cut", "swap", "twice", "blank", "paste"}).Draw(t, "what") {
		case "body":
			l.Body = flip(l.Body)
		case "salt":
			l.salt = flip(l.salt)
		case "digest":
			l.digest = flip(l.digest)
		case "hash":
			l.hash = flip(l.hash)
		case "case":
			l.CaseID += "x"
		case "customer":
			l.CustomerID = ""
		case "key":
			l.Key = string(flip([]byte(l.Key)))
		case "kind":
			l.Kind = Kind(rapid.IntRange(2, 255).Draw(t, "kind"))
		case "known_at":
			l.KnownAt += data.Micros(rapid.SampledFrom([]int{-20, -1, 1, 9, 30}).Draw(t, "by"))
		case "secret":
			l.keyID = ""
		case "delete":
			bad = slices.Delete(bad, at, at+1)
		case "cut":
			bad = bad[:at]
		case "swap":
			bad[at], bad[other] = bad[other], bad[at]
		case "twice":
			bad = slices.Insert(bad, at, bad[other])
		case "blank":
			l.Body, l.salt, l.CaseID, l.CustomerID = nil, nil, "", ""
		case "paste":
			bad[at] = bad[other]
			bad[at].Seq = good[at].Seq
		}
		first := 0
		for first < len(bad) && first < n && reflect.DeepEqual(bad[first], good[first]) {
			first++
		}
		if first == n && len(bad) == n {
			return // as it was
		}
		err := checked(bad, s, int64(n), last)
		var broken *Break
		if !errors.As(err, &broken) || broken.Seq != int64(first+1) {
			t.Fatalf("%v, expected entry %d to be named", err, first+1)
		}
	})
}
