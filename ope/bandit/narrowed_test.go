package bandit

import (
	"math"
	"testing"

	"recoup/data"
)

// Narrowed arms keep their means, and their deviations are the share of what they were.
func TestNarrowedArms(t *testing.T) {
	sd := func(a Arm) float64 {
		n := a.Alpha + a.Beta
		return math.Sqrt(a.Alpha * a.Beta / (n * n * (n + 1)))
	}
	arms := []Arm{{200, 100}, {3, 9}, {maxCount / 2, maxCount / 8}}
	got, err := Narrowed(arms, .5)
	if err != nil {
		t.Fatal(err)
	}
	for k, a := range got {
		if math.Abs(a.Mean()-arms[k].Mean()) > 1e-12 || a.check(k) != nil {
			t.Errorf("arm %d: %v of %v", k, a, arms[k])
		}
	}
	if r := sd(got[0]) / sd(arms[0]); math.Abs(r-.5) > .002 {
		t.Errorf("deviation times %v, want .5", r)
	}
	if got[2].Alpha != maxCount {
		t.Errorf("%v: more than an arm may hold, or less", got[2])
	}
	if got, err := Narrowed(arms, 1); err != nil || got[1] != arms[1] {
		t.Errorf("share 1: %v, %v", got, err)
	}
	for _, bad := range []float64{0, -.1, 1.1, math.NaN()} {
		if _, err := Narrowed(arms, bad); err == nil {
			t.Errorf("share %v is taken", bad)
		}
		if _, err := normal(t, []float64{0}, []float64{1}).Narrowed(bad); err == nil {
			t.Errorf("share %v of a normal is taken", bad)
		}
	}
}

// With two candidates the probability is known for any share.
func TestNarrowedNormal(t *testing.T) {
	n := normal(t, []float64{.3, 0}, []float64{.5, .1, .1, .4})
	for _, share := range []float64{1, .5, .1} {
		m, err := n.Narrowed(share)
		if err != nil {
			t.Fatal(err)
		}
		const pairs = 8192
		p, err := m.Draws(pairs, []byte("key")).Select([][]float64{{1, 0}, {0, 1}}, nil, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		v := (.5 + .4 - 2*.1) * share * share
		want := .5 * math.Erfc(-.3/math.Sqrt(2*v))
		if z := (p[0] - want) / math.Sqrt(want*(1-want)/pairs+1e-12); math.Abs(z) > 5 {
			t.Errorf("share %v: %v, want %v: z %.1f", share, p[0], want, z)
		}
	}
}

// What is faded keeps its mean, and loses of the learned precision what it is told to.
func TestLogisticFade(t *testing.T) {
	l, err := NewLogistic([]float64{0, .5}, []float64{1, 2}, .99)
	if err != nil {
		t.Fatal(err)
	}
	rows, success := [][]float64{{1, 0}, {1, 1}, {1, 2}, {1, -1}}, []bool{true, true, false, true}
	if err := l.Learn(rows, success, nil, 5*data.Day); err != nil {
		t.Fatal(err)
	}
	mean, err := l.mean()
	if err != nil {
		t.Fatal(err)
	}
	prec := append([]float64(nil), l.prec...)
	if err := l.Fade(.25); err != nil {
		t.Fatal(err)
	}
	after, err := l.mean()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", after, mean, 1e-12)
	want := make([]float64, len(prec))
	for i := range want {
		want[i] = l.first[i] + .25*(prec[i]-l.first[i])
	}
	near(t, "precision", l.prec, want, 1e-12)
	for _, bad := range []float64{0, 2, math.NaN()} {
		if l.Fade(bad) == nil {
			t.Errorf("share %v is taken", bad)
		}
	}
}
