package bandit

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func load(t testing.TB, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func arms(pairs [][2]float64) (out []Arm) {
	for _, p := range pairs {
		out = append(out, Arm{p[0], p[1]})
	}
	return out
}

// near fails where got differs from want by more than tol, or sums to something
// else than want does.
func near(t testing.TB, what string, got, want []float64, tol float64) (worst float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d probabilities, want %d", what, len(got), len(want))
	}
	for i := range got {
		d := math.Abs(got[i] - want[i])
		if !(d <= tol) {
			t.Errorf("%s: arm %d: %v, want %v: off by %.1e", what, i, got[i], want[i], d)
		}
		worst = max(worst, d)
	}
	return worst
}

func sums(t testing.TB, what string, p []float64) {
	t.Helper()
	sum := 0.0
	for _, v := range p {
		if !(v >= 0) {
			t.Errorf("%s: probability %v", what, v)
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= 1e-12) {
		t.Errorf("%s: sum %v", what, sum)
	}
}

// The sets of probs.json were computed with 50 digits, and checked by four other
// ways; equal arms are equal to the bit, and the order of arms changes no bit.
func TestGoldenProbs(t *testing.T) {
	var sets []struct {
		Name  string
		Arms  [][2]float64
		Probs []float64
	}
	load(t, "probs.json", &sets)
	worst, who := 0.0, ""
	for _, s := range sets {
		a := arms(s.Arms)
		p, off, err := Best(a)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		sums(t, s.Name, p)
		if d := near(t, s.Name, p, s.Probs, 2e-11); d > worst {
			worst, who = d, s.Name
		}
		if off > 1e-10 {
			t.Errorf("%s: sum of the integrals is off by %v", s.Name, off)
		}
		for i := range a {
			for j := range i {
				if a[i] == a[j] && p[i] != p[j] {
					t.Errorf("%s: equal arms %v and %v", s.Name, p[i], p[j])
				}
			}
		}
		slices.Reverse(a)
		q, _, err := Best(a)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(q)
		if !slices.Equal(p, q) {
			t.Errorf("%s: the order of the arms changes the probabilities", s.Name)
		}
	}
	if len(sets) < 40 {
		t.Errorf("%d sets", len(sets))
	}
	t.Logf("largest error %.1e: %s", worst, who)
}

func TestGoldenTwoArm(t *testing.T) {
	var g struct {
		Cases []struct {
			A, B [2]float64
			P    float64 `json:"p_b_beats_a"`
		}
	}
	load(t, "two_arm.json", &g)
	for _, c := range g.Cases {
		p, _, err := Best(arms([][2]float64{c.A, c.B}))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "two arms", p, []float64{1 - c.P, c.P}, 2e-11)
	}
}

// The 34 arms of the Open Bandit men's campaign (Saito et al. 2020): to be first,
// second and third; the prior is the one published with the data.
func TestGoldenRanks(t *testing.T) {
	f, err := os.Open("testdata/obd_men_ranks.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var a []Arm
	var want [3][]float64
	for _, row := range rows[1:] {
		var v [5]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(row[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		a = append(a, Arm{v[0], v[1]})
		for r := range want {
			want[r] = append(want[r], v[2+r])
		}
	}
	got, off, err := Ranks(a, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 34 || off > 1e-10 {
		t.Errorf("%d arms, sums off by %v", len(a), off)
	}
	for r := range want {
		sums(t, "rank", got[r])
		near(t, "rank "+strconv.Itoa(r+1), got[r], want[r], 1e-11)
	}
}

type legality struct {
	Name     string
	Arms     [][2]float64
	P        []float64
	Legal    []bool
	Floor    float64
	Expected []float64
	Reason   string
	Probs    []float64
	Floored  []float64 `json:"probs_with_floor"`
}

func TestGoldenFloor(t *testing.T) {
	var g struct{ Cases []legality }
	load(t, "floor.json", &g)
	for _, c := range g.Cases {
		kept := slices.Clone(c.P)
		p, err := Floored(c.P, c.Legal, c.Floor)
		if c.Expected == nil {
			if err == nil || !strings.Contains(err.Error(), c.Reason) {
				t.Errorf("%s: %v, want %s", c.Name, err, c.Reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		near(t, c.Name, p, c.Expected, 1e-12)
		sums(t, c.Name, p)
		if !slices.Equal(kept, c.P) {
			t.Errorf("%s: the proposal was changed", c.Name)
		}
	}
}

func TestGoldenLegal(t *testing.T) {
	var g struct{ Cases []legality }
	load(t, "legal.json", &g)
	for _, c := range g.Cases {
		s, err := Select(arms(c.Arms), c.Legal, 0)
		if c.Probs == nil {
			if err == nil || !strings.Contains(err.Error(), c.Reason) {
				t.Errorf("%s: %v, want %s", c.Name, err, c.Reason)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.Name, s.Probs, c.Probs, 2e-11)
		if s, err = Select(arms(c.Arms), c.Legal, c.Floor); err != nil {
			t.Fatal(err)
		}
		near(t, c.Name, s.Probs, c.Floored, 2e-11)
		sums(t, c.Name, s.Probs)
		for i, legal := range c.Legal {
			if !legal && s.Probs[i] != 0 {
				t.Errorf("%s: illegal arm %d: %v", c.Name, i, s.Probs[i])
			}
		}
	}
}

func TestGoldenErrors(t *testing.T) {
	var g struct {
		Cases []struct {
			Text   string `json:"arms_text"`
			Reason string
		}
	}
	load(t, "errors.json", &g)
	for _, c := range g.Cases {
		if a, err := ParseArms(c.Text); err == nil || !strings.Contains(err.Error(), c.Reason) || a != nil {
			t.Errorf("%q: %v, %v, want %s", c.Text, a, err, c.Reason)
		}
	}
}
