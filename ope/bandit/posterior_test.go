package bandit

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

func learner(t testing.TB, c Config) *Posterior {
	t.Helper()
	if c.Arms == nil {
		c.Arms = []string{"soon", "later"}
	}
	if c.Prior == (Arm{}) {
		c.Prior = Arm{1, 1}
	}
	if c.Keep == 0 {
		c.Keep = 1
	}
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func relative(t testing.TB, what string, got, want Arm) {
	t.Helper()
	if !(math.Abs(got.Alpha-want.Alpha) <= 1e-12*want.Alpha) || !(math.Abs(got.Beta-want.Beta) <= 1e-12*want.Beta) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Forgetting goes by elapsed time and toward the prior.
func TestGoldenDiscount(t *testing.T) {
	var g struct {
		Cases []struct {
			Name  string
			Prior [2]float64
			G     float64
			Steps []struct {
				DT                  float64
				Successes, Failures float64
				Alpha, Beta         float64
			}
		}
	}
	load(t, "discount.json", &g)
	for _, c := range g.Cases {
		p := learner(t, Config{Arms: []string{"one"}, Prior: Arm{c.Prior[0], c.Prior[1]}, Keep: c.G})
		days := 0.0
		for _, s := range c.Steps {
			days += s.DT
			at := data.Micros(math.Round(days * float64(data.Day)))
			for _, o := range []Outcome{{At: at, Success: true, Weight: s.Successes}, {At: at, Weight: s.Failures}} {
				if o.Weight > 0 {
					if err := p.Learn([]Outcome{o}); err != nil {
						t.Fatal(err)
					}
				}
			}
			relative(t, c.Name, p.At("", at)[0], Arm{s.Alpha, s.Beta})
		}
	}
}

// Cells that share strength, against sums over all outcomes by the definition.
func TestCellsShareStrength(t *testing.T) {
	cells := []Cell{"", "a", "a/x", "a/y", "b", "b/x"}
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Arms: []string{"soon", "later"}, Prior: Arm{1.5, 3}, Keep: rapid.SampledFrom([]float64{1, .9}).Draw(t, "keep"),
			Strength: rapid.SampledFrom([]float64{0, 2, 50}).Draw(t, "strength")}
		p, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		now := 40 * data.Day
		all := make([]Outcome, rapid.IntRange(0, 30).Draw(t, "outcomes"))
		for i := range all {
			all[i] = Outcome{Cell: rapid.SampledFrom(cells).Draw(t, "cell"), Arm: rapid.IntRange(0, 1).Draw(t, "arm"), Success: rapid.Bool().Draw(t, "success"),
				At: data.Micros(rapid.Int64Range(0, int64(now)).Draw(t, "at")), Weight: 1}
		}
		if err := p.Learn(all); err != nil {
			t.Fatal(err)
		}
		in := func(cell, wide Cell) bool {
			return wide == "" || cell == wide || strings.HasPrefix(string(cell), string(wide)+"/")
		}
		seen := func(arm int, wide, without Cell, cut bool) (a Arm) {
			for _, o := range all {
				if o.Arm == arm && in(o.Cell, wide) && !(cut && in(o.Cell, without)) {
					k := math.Pow(c.Keep, float64(now-o.At)/float64(data.Day))
					if o.Success {
						a.Alpha += k
					} else {
						a.Beta += k
					}
				}
			}
			return a
		}
		for cell, path := range map[Cell][]Cell{"": {""}, "a": {"", "a"}, "a/x": {"", "a", "a/x"}, "b/x": {"", "b", "b/x"}} {
			for arm := range 2 {
				want := c.Prior
				for i, w := range path {
					last := i == len(path)-1
					if c.Strength == 0 && !last {
						continue
					}
					next := Cell("")
					if !last {
						next = path[i+1]
					}
					n := seen(arm, w, next, !last)
					want = Arm{want.Alpha + n.Alpha, want.Beta + n.Beta}
					if whole := want.Alpha + want.Beta; !last && whole > c.Strength {
						want = Arm{want.Alpha / whole * c.Strength, want.Beta / whole * c.Strength}
					}
				}
				got := p.At(cell, now)[arm]
				if math.Abs(got.Alpha-want.Alpha) > 1e-9 || math.Abs(got.Beta-want.Beta) > 1e-9 {
					t.Fatalf("cell %q arm %d: %v, want %v", cell, arm, got, want)
				}
			}
		}
	})
}

// A cell that nobody has been in leans on its parent; one with many trials does not.
func TestNewCellLeansOnParent(t *testing.T) {
	p := learner(t, Config{Strength: 10})
	for i := range 200 {
		if err := p.Learn([]Outcome{{Cell: "a/x", Arm: 1, Success: i%4 != 0, Weight: 1}, {Cell: "a/z", Arm: 1, Success: i%4 == 0, Weight: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if m := p.At("a/new", 0)[1]; math.Abs(m.Mean()-.5) > .01 || math.Abs(m.Alpha+m.Beta-10) > 1e-9 {
		t.Errorf("a new cell: %v", m)
	}
	if m := p.At("a/x", 0)[1].Mean(); math.Abs(m-.75) > .03 {
		t.Errorf("a known cell: mean %v", m)
	}
	q := learner(t, Config{})
	if err := q.Learn([]Outcome{{Cell: "a/x", Arm: 1, Success: true, Weight: 50}}); err != nil {
		t.Fatal(err)
	}
	if m := q.At("a/new", 0)[1]; m != (Arm{1, 1}) {
		t.Errorf("a new cell that borrows nothing: %v", m)
	}
	p.Fade(40, 0)
	if a := p.At("", 0); math.Abs(a[0].Alpha+a[0].Beta+a[1].Alpha+a[1].Beta-4-40) > 1e-9 {
		t.Errorf("faded to %v", a)
	}
}

// A success that came early waits until the window closes, like a failure.
func TestBookWaits(t *testing.T) {
	var b Book
	for _, x := range []Trial{{ID: "fast", Arm: 0, Closes: 10}, {ID: "slow", Arm: 1, Closes: 20}, {ID: "late", Arm: 1, Closes: 20}, {ID: "void", Closes: 5}} {
		if err := b.Open(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Open(Trial{ID: "fast"}); !errors.Is(err, data.ErrContract) {
		t.Errorf("opened twice: %v", err)
	}
	if !b.Succeed("fast", 1) || !b.Succeed("late", 20) || b.Succeed("nobody", 1) || !b.Void("void") || b.Void("void") {
		t.Error("known and unknown trials")
	}
	if got := b.Close(9); len(got) != 0 {
		t.Errorf("before the window closed: %v", got)
	}
	if got := b.Close(10); len(got) != 1 || !got[0].Success || got[0].At != 10 || got[0].Weight != 1 {
		t.Errorf("when it closed: %v", got)
	}
	got := b.Close(100)
	if len(got) != 2 || got[0].Success || got[1].Success {
		t.Errorf("a success at the end of the window is none: %v", got)
	}
	if len(b.Close(1000)) != 0 {
		t.Error("counted twice")
	}
}

func TestStateRoundTrip(t *testing.T) {
	p := learner(t, Config{Strength: 5, Keep: .97})
	before := p.Version()
	var b Book
	if err := b.Open(Trial{ID: "t", Cell: "a/x", Arm: 1, Closes: 9, Success: true}); err != nil {
		t.Fatal(err)
	}
	if err := p.Learn([]Outcome{{Cell: "a/x", Arm: 1, Success: true, At: 3 * data.Day, Weight: 1}, {Cell: "b", At: data.Day, Weight: .5}}); err != nil {
		t.Fatal(err)
	}
	if p.Version() == before {
		t.Error("the version does not change with what is learned")
	}
	text, err := EncodeState(p, &b)
	if err != nil {
		t.Fatal(err)
	}
	q, c, err := DecodeState(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := EncodeState(q, c)
	if err != nil || !bytes.Equal(text, again) || q.Version() != p.Version() {
		t.Errorf("%s\n%s\n%v", text, again, err)
	}
	if at := 10 * data.Day; !slices.Equal(p.At("a/x", at), q.At("a/x", at)) {
		t.Error("another posterior after reading")
	}
	for _, bad := range [][2]string{{`"version": 1`, `"version": 2`}, {`"open"`, `"opened"`}, {`"arm": 1`, `"arm": 2`}, {`"keep": 0.97`, `"keep": 0`}, {`"s": 1`, `"s": -1`}, {"}\n", "}\n{}"}} {
		broken := strings.Replace(string(text), bad[0], bad[1], 1)
		if bad[0] == "}\n" {
			broken = string(text) + "{}"
		}
		if _, _, err := DecodeState([]byte(broken)); !errors.Is(err, data.ErrContract) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func FuzzDecodeState(f *testing.F) {
	p, _ := New(Config{Arms: []string{"a"}, Prior: Arm{1, 1}, Keep: 1})
	text, _ := EncodeState(p, &Book{})
	f.Add(text)
	f.Add([]byte(`{"version":1,"config":{"arms":["a"],"prior":{"alpha":1,"beta":1},"keep":1,"strength":0},"last":0,"cells":[{"cell":"x","at":0,"counts":[{"s":1,"f":2}]}],"open":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, b, err := DecodeState(text)
		if err != nil {
			return
		}
		one, err := EncodeState(p, b)
		if err != nil {
			t.Fatal(err)
		}
		q, c, err := DecodeState(one)
		if err != nil {
			t.Fatal(err)
		}
		if two, _ := EncodeState(q, c); !bytes.Equal(one, two) {
			t.Fatalf("%s\n%s", one, two)
		}
	})
}

func TestConfigRefused(t *testing.T) {
	for _, c := range []Config{
		{}, {Arms: []string{"a", "a"}, Prior: Arm{1, 1}, Keep: 1}, {Arms: []string{""}, Prior: Arm{1, 1}, Keep: 1}, {Arms: []string{"a"}, Prior: Arm{0, 1}, Keep: 1},
		{Arms: []string{"a"}, Prior: Arm{1, 1}}, {Arms: []string{"a"}, Prior: Arm{1, 1}, Keep: 1.1}, {Arms: []string{"a"}, Prior: Arm{1, 1}, Keep: 1, Strength: -1},
	} {
		if _, err := New(c); !errors.Is(err, data.ErrUsage) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	p := learner(t, Config{})
	for _, o := range []Outcome{{Arm: 2, Weight: 1}, {Arm: -1, Weight: 1}, {}, {Weight: math.NaN()}} {
		if err := p.Learn([]Outcome{{Weight: 1}, o}); !errors.Is(err, data.ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if p.At("", 0)[0] != (Arm{1, 1}) {
		t.Error("a refused batch was half learned")
	}
}
