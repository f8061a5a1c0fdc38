package bandit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Outside .5 to 1e7 the answer is either right or an error.
func TestBestAtTheEdges(t *testing.T) {
	for _, a := range [][]Arm{
		{{1e-3, 1e-3}, {1e-3, 1e-3}},
		{{1e-3, 1}, {5, 5}, {1, 1e-3}},
		{{.08, 3.92}, {.1, 3.9}, {.4, 3.6}},
		{{1e9, 1e9}, {1e9 - 3e4, 1e9}},
		{{.01, 1e6}, {.02, 1e6}},
	} {
		agree(t, a)
	}
	for _, a := range []Arm{{minCount / 2, 1}, {1, maxCount * 2}} {
		if _, _, err := Best([]Arm{{1, 1}, a}); err == nil || !strings.Contains(err.Error(), OutOfRange) {
			t.Errorf("%v: %v", a, err)
		}
	}
}

// Properties that need no oracle: probabilities, symmetric in the arms; the ranks
// of all arms exhaust everything; more successes never hurt.
func TestBestProperties(t *testing.T) {
	count := rapid.Custom(func(t *rapid.T) float64 { return .5 * math.Exp(rapid.Float64Range(0, 16).Draw(t, "log")) })
	rapid.Check(t, func(t *rapid.T) {
		a := make([]Arm, rapid.IntRange(1, 6).Draw(t, "arms"))
		for i := range a {
			a[i] = Arm{count.Draw(t, "alpha"), count.Draw(t, "beta")}
		}
		ranks, off, err := Ranks(a, len(a))
		if err != nil || off > 1e-10 {
			t.Fatalf("%v: %v, off %v", a, err, off)
		}
		for i := range a {
			whole := 0.0
			for r := range ranks {
				whole += ranks[r][i]
			}
			if math.Abs(whole-1) > 1e-10 {
				t.Fatalf("%v: arm %d has ranks that sum to %v", a, i, whole)
			}
		}
		better := append([]Arm(nil), a...)
		better[0].Alpha *= 1.5
		p, _, err := Best(better)
		if err != nil || p[0] < ranks[0][0]-1e-10 {
			t.Fatalf("%v: more successes: %v after %v (%v)", a, p[0], ranks[0][0], err)
		}
	})
}

// Drawn arms come as often as their probabilities say; an arm with probability 0
// never; the same id the same arm.
func TestDrawFollowsProbs(t *testing.T) {
	const n = 200_000
	p := []float64{.0005, 0, .3, .6995, 0}
	seen := make([]int, len(p))
	for i := range n {
		id := fmt.Sprintf("decision %d", i)
		k := Draw([]byte("key"), id, p)
		seen[k]++
		if i%1000 == 0 && Draw([]byte("key"), id, p) != k {
			t.Fatal("the same id drew another arm")
		}
	}
	for i, q := range p {
		if q == 0 && seen[i] > 0 {
			t.Errorf("arm %d of probability 0 was drawn %d times", i, seen[i])
		}
		if z := (float64(seen[i]) - n*q) / math.Sqrt(n*q*(1-q)+1e-9); math.Abs(z) > 5 {
			t.Errorf("arm %d: %d of %d, expected %v: z %.1f", i, seen[i], n, n*q, z)
		}
	}
	for _, c := range []struct {
		u    float64
		want int
	}{{0, 0}, {.0005 - 1e-9, 0}, {.0005 + 1e-9, 2}, {.3005 - 1e-9, 2}, {.3005 + 1e-9, 3}, {1 - 0x1p-53, 3}} {
		if k := drawAt(c.u, p); k != c.want {
			t.Errorf("u %v: arm %d, want %d", c.u, k, c.want)
		}
	}
	if k := drawAt(.999, []float64{.5, .4, 0}); k != 1 {
		t.Errorf("what rounding left over went to arm %d", k)
	}
	if k := drawAt(.5, []float64{0, 0}); k != -1 {
		t.Errorf("nothing to draw: %d", k)
	}
}

// What Select says is what is drawn: the floor holds on legal arms alone.
func TestSelectRefuses(t *testing.T) {
	two := []Arm{{1, 1}, {2, 1}}
	for _, c := range []struct {
		name   string
		arms   []Arm
		legal  []bool
		floor  float64
		reason string
	}{
		{"none", nil, nil, 0, NoArms},
		{"none legal", two, []bool{false, false}, 0, NoLegalArm},
		{"floor below 0", two, nil, -.1, FloorNegative},
		{"floor above 1/K", two, nil, .51, FloorTooLarge},
		{"floor NaN", two, nil, math.NaN(), NotFinite},
		{"a bad arm that is illegal", []Arm{{1, 1}, {-1, 1}}, []bool{true, false}, 0, NotPositive},
	} {
		if _, err := Select(c.arms, c.legal, c.floor); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %s", c.name, err, c.reason)
		}
	}
	s, err := Select(two, []bool{false, true}, 1)
	if err != nil || s.Probs[0] != 0 || s.Probs[1] != 1 {
		t.Errorf("one legal arm: %v %v", s, err)
	}
}

func BenchmarkBestSixArms(b *testing.B) {
	a := []Arm{{1989, 21290}, {40, 474}, {64, 730}, {71, 818}, {52, 659}, {59, 718}}
	for b.Loop() {
		if _, _, err := Best(a); err != nil {
			b.Fatal(err)
		}
	}
}
