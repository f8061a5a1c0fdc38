package ope

import (
	"math/bits"
	"slices"
	"testing"
)

// twister is MT19937 (Matsumoto and Nishimura 1998), seeded by one number: the
// generator of the published bootstrap figures.
type twister struct {
	mt [624]uint32
	i  int
}

func newTwister(seed uint32) *twister {
	g := &twister{i: 624}
	g.mt[0] = seed
	for i := 1; i < 624; i++ {
		g.mt[i] = 1812433253*(g.mt[i-1]^g.mt[i-1]>>30) + uint32(i)
	}
	return g
}

func (g *twister) next() uint32 {
	if g.i == 624 {
		for k := range g.mt {
			y := g.mt[k]&0x80000000 | g.mt[(k+1)%624]&0x7fffffff
			g.mt[k] = g.mt[(k+397)%624] ^ y>>1
			if y&1 == 1 {
				g.mt[k] ^= 0x9908b0df
			}
		}
		g.i = 0
	}
	y := g.mt[g.i]
	g.i++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (g *twister) index(n int) int {
	mask := uint32(1)<<bits.Len32(uint32(n-1)) - 1
	for {
		if v := g.next() & mask; int(v) < n {
			return int(v)
		}
	}
}

// frozen is the bootstrap of Open Bandit Pipeline: rows drawn one by one, the
// normaliser of the sample kept. Ours is another on purpose; this one shows that the
// rows' own rewards are the same.
func frozen(z []float64, draws int, seed uint32) map[string]any {
	g, v := newTwister(seed), make([]float64, draws)
	for b := range v {
		var s sum
		for range z {
			s.add(z[g.index(len(z))])
		}
		v[b] = s.value() / float64(len(z))
	}
	m := mean(v)
	slices.Sort(v)
	return map[string]any{"mean": m, "low": quantile(v, .025), "high": quantile(v, .975)}
}

func TestTwister(t *testing.T) {
	g := newTwister(7)
	for i, want := range []int{4, 1, 6, 3, 3, 4, 1, 6, 0, 1} {
		if got := g.index(7); got != want {
			t.Fatalf("draw %d: %d, want %d", i, got, want)
		}
	}
}

func TestPublishedBootstrap(t *testing.T) {
	var want struct {
		Bootstrap map[string]any `json:"bootstrap_rows"`
	}
	readJSON(t, "toy/expected.json", &want)
	rows := openRows(t, "testdata/toy/rows.csv")
	b, err := newBase(rows)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, m := range append(Standard(), more...) {
		w, ok := want.Bootstrap[m.Name].(map[string]any)
		if !ok {
			continue
		}
		seen++
		z := make([]float64, rows.Len())
		b.rounds(m, z)
		same(t, m.Name, frozen(z, 200, 7), w)
	}
	if seen < 10 {
		t.Fatalf("%d methods compared", seen)
	}
}
