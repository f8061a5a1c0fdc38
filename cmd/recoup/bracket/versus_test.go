package bracket_test

import (
	"context"
	"slices"
	"testing"

	. "recoup/cmd/recoup/bracket"
)

// TestVersusLight: the light of a difference is that of the rows at which two policies
// part. Two that the log can tell of part at a few rows, and it cannot tell which is
// better; two that it cannot tell of want the untried at the same rows, and it can.
func TestVersusLight(t *testing.T) {
	l := divided(t, 1200).log(t)
	j, err := Prepare(context.Background(), l, Settings{Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	likeliest := func(d *Decision) (at int) {
		for k := range d.Options {
			if d.Options[k].Mix > d.Options[at].Mix {
				at = k
			}
		}
		return at
	}
	rarest := func(d *Decision) int {
		at := likeliest(d)
		for k := range d.Options {
			if m := d.Options[k].Mix; m > 0 && m < d.Options[at].Mix {
				at = k
			}
		}
		return at
	}
	second := func(d *Decision) int { // what another arm does, where one does something else
		first := likeliest(d)
		for k := range d.Options {
			if k != first && d.Options[k].Mix > .2 {
				return k
			}
		}
		return first
	}
	// choosing takes one choice at some rows and another at the rest.
	choosing := func(name string, some func(i int) bool, one, other func(*Decision) int) {
		choice := make([]int32, len(l.Decisions))
		for i := range choice {
			d := &l.Decisions[i]
			switch {
			case d.Forced():
				choice[i] = int32(d.Chosen)
			case some(i):
				choice[i] = int32(one(d))
			default:
				choice[i] = int32(other(d))
			}
		}
		if err := j.Judge(Choosing(name, "", choice)); err != nil {
			t.Fatal(err)
		}
	}
	choosing("likeliest", func(int) bool { return true }, likeliest, nil)
	choosing("nearly", func(i int) bool { return i%40 == 0 }, second, likeliest)
	third := func(i int) bool { return i%3 == 0 }
	choosing("untried or likeliest", third, rarest, likeliest)
	choosing("untried or second", third, rarest, second)
	light := func(name string) string {
		line, err := j.Line(name)
		if err != nil {
			t.Fatal(err)
		}
		return line.Light
	}
	for _, c := range []struct {
		a, b      string
		own, pair bool // red
	}{{"likeliest", "nearly", false, true}, {"untried or likeliest", "untried or second", true, false}} {
		v, err := j.Versus(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s, %s %s: %+v", c.a, light(c.a), c.b, light(c.b), v)
		if (light(c.a) == "red") != c.own || (light(c.b) == "red") != c.own || (v.Light == "red") != c.pair || slices.Contains(v.Why, "ess_below_100") != c.pair {
			t.Errorf("%s %s, %s %s, the difference %s %v", c.a, light(c.a), c.b, light(c.b), v.Light, v.Why)
		}
		if v.Matched == 0 || v.Matched > v.Unlike || v.ESS > float64(v.Matched) {
			t.Errorf("%+v", v)
		}
	}
}
