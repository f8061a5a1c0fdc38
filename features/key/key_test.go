package key

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Golden values: an ID must never change, shards and state are named by it.
func TestIDsAreStable(t *testing.T) {
	for text, want := range map[string]ID{
		"": {}, "a": {0x68b206617333d9ed, 0x20c6b2094f1bf96b}, "cust_00000001": {0x34ce5a703f0dcbdc, 0x9c3153d457b4665b},
		"pay_Abcdefgh12345678": {0x415892695414f314, 0x1754dfd9c080daa8},
	} {
		if got := Of(text); got != want {
			t.Errorf("%q: %x, expected %x", text, got, want)
		}
	}
}

// Texts that differ in one byte, in length, or by a zero byte have other IDs,
// and both halves and the shards are spread evenly.
func TestIDsDiffer(t *testing.T) {
	seen := map[ID]string{}
	hi, lo := map[uint64]bool{}, map[uint64]bool{}
	var shards [7]int
	add := func(s string) {
		id := Of(s)
		if other, twice := seen[id]; twice {
			t.Fatalf("%q and %q share an ID", s, other)
		}
		seen[id], hi[id.Hi], lo[id.Lo] = s, true, true
		shards[id.Shard(len(shards))]++
	}
	for n := range 20 {
		add(string(make([]byte, n+1)))
	}
	for i := range 200_000 {
		add(fmt.Sprintf("cust%07d", i))
	}
	if len(hi) != len(seen) || len(lo) != len(seen) {
		t.Errorf("%d IDs, %d and %d halves", len(seen), len(hi), len(lo))
	}
	for s, n := range shards {
		if n < 200_000/7-900 || n > 200_000/7+900 { // five standard deviations
			t.Errorf("shard %d of 7: %d of 200,000", s, n)
		}
	}
}

// A Map answers as the built-in map does, whatever is put, deleted and asked;
// few distinct homes make long runs.
func TestMapEqualsBuiltIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Map[int]
		want := map[ID]int{}
		for i, op := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 400).Draw(t, "ops") {
			id := ID{rapid.Uint64Range(0, 40).Draw(t, "hi"), rapid.Uint64Range(0, 70).Draw(t, "lo")}
			switch op {
			case 0, 1:
				m.Put(id, i)
				want[id.orNone()] = i
			case 2:
				m.Delete(id)
				delete(want, id.orNone())
			}
			m.Warm([]ID{id})
			v, ok := m.Get(id)
			if w, known := want[id.orNone()]; v != w || ok != known || m.Len() != len(want) {
				t.Fatalf("step %d: %v: %d, %t, %d IDs; expected %d, %t, %d", i, id, v, ok, m.Len(), w, known, len(want))
			}
		}
		for id, w := range want {
			if v, ok := m.Get(id); !ok || v != w {
				t.Fatalf("%v: %d, %t, expected %d", id, v, ok, w)
			}
		}
	})
}
