package key

import (
	"fmt"
	"testing"
)

// Golden values: an ID must never change, shards and state are named by it.
func TestIDsAreStable(t *testing.T) {
	for text, want := range map[string]ID{
		"": {}, "a": {0x105588efd22a74a, 0xdefb3e363825145e}, "cust_00000001": {0x211caebad1860bc6, 0x9d1dfe91d2279155},
		"pay_Abcdefgh12345678": {0x764c3b34c9bf91f4, 0xd6e74198e2eac5c9},
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

func TestMap(t *testing.T) {
	var m Map
	if _, ok := m.Get(Of("a")); ok {
		t.Error("an empty map knows a")
	}
	for i := range uint32(5000) {
		m.Put(Of(fmt.Sprint(i)), i)
		m.Put(Of(fmt.Sprint(i)), i+1)
	}
	m.Put(ID{}, 7)
	if v, ok := m.Get(ID{}); !ok || v != 7 {
		t.Errorf("no ID: %d, %t", v, ok)
	}
	if m.Len() != 5001 {
		t.Errorf("%d IDs, expected 5000", m.Len())
	}
	for i := range uint32(5000) {
		if v, ok := m.Get(Of(fmt.Sprint(i))); !ok || v != i+1 {
			t.Errorf("%d: %d, %t", i, v, ok)
		}
	}
	if _, ok := m.Get(Of("5000")); ok {
		t.Error("5000 was never put")
	}
}
