package compare

import (
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/api/report"
	"recoup/data"
)

// twoHands are worlds in which a hand falls behind the tuned rules in the first month and
// is ahead in the others.
func twoHands() (out []*World) {
	for k := range 3 {
		tuned := Played{Hand: Tuned, Cases: 300, Recovered: 150, Decisions: 300, Regret: 30, Months: []Month{{100, 50, 10}, {100, 50, 10}, {100, 50, 10}}}
		other := Played{Hand: Bandit, Cases: 300, Recovered: 153 + k, Decisions: 300, Regret: 28, Months: []Month{{100, 48, 13}, {100, 50, 9}, {100, 55 + k, 6}}}
		out = append(out, &World{Hands: []Played{tuned, other}})
	}
	return out
}

func TestShiftOf(t *testing.T) {
	s := shiftOf(.4, twoHands(), 1)
	l := s.line(Bandit)
	near := func(what string, e report.Estimate, want float64) {
		t.Helper()
		if e.Value == nil || math.Abs(*e.Value-want) > 1e-12 {
			t.Errorf("%s: %+v, want %v", what, e, want)
		}
	}
	near("paid", l.Over, 4./300)
	near("true chance", l.Chance, 2./300)
	near("month 1", l.Curve[0].Gain, -3./100)
	near("month 3", l.Curve[2].Gain, 4./100)
	near("regret so far", l.Curve[1].Lost, 22)
	if l.Ahead == nil || *l.Ahead != 2 || l.Even == nil || *l.Even != 3 {
		t.Errorf("ahead from %v, made good by %v", l.Ahead, l.Even)
	}
	if s.Cases != 900 || s.line(Tuned).Ahead != nil || s.line(Oracle) != nil {
		t.Errorf("%+v", s)
	}
	s = shiftOf(.4, twoHands(), 2)
	if l := s.line(Bandit); l.Chance.Value != nil || *l.Curve[1].Gain.Value != 0 || *l.Ahead != 3 || *l.Even != 3 {
		t.Errorf("several retries: %+v", l)
	}
}

func TestAbove(t *testing.T) {
	nothing := math.NaN()
	for _, c := range []struct {
		gains []float64
		want  int // 0 = none
	}{
		{[]float64{1, 1}, 1}, {[]float64{-1, 1, 1}, 2}, {[]float64{1, -1, 1}, 3}, {[]float64{1, 0}, 0}, {nil, 0},
		{[]float64{-1, nothing, 1, nothing}, 3}, {[]float64{nothing}, 0},
	} {
		got := above(len(c.gains), func(m int) report.Estimate {
			if math.IsNaN(c.gains[m]) {
				return report.Unknown("no case")
			}
			return report.Number(c.gains[m], 1)
		})
		if got == nil && c.want != 0 || got != nil && *got != c.want {
			t.Errorf("%v: %v, want %d", c.gains, got, c.want)
		}
	}
}

// A crossing holds for all shifts after it.
func TestCrosses(t *testing.T) {
	r := &Report{}
	for i, v := range []float64{1, -1, .1, 2} {
		r.Shifts = append(r.Shifts, Shift{Shift: float64(i) / 5, Lines: []Line{{Over: report.Ranged(v, v-.5, v+.5, 9)}}})
	}
	of := func(l *Line) report.Estimate { return l.Over }
	from, sure := r.crosses(0, of)
	if from == nil || *from != .4 || sure == nil || *sure != .6 {
		t.Errorf("%v, %v", from, sure)
	}
	r.Shifts[3].Lines[0].Over = report.Unknown("nothing")
	if from, sure = r.crosses(0, of); from != nil || sure != nil {
		t.Errorf("%v, %v where the last is not known", from, sure)
	}
}

func TestMonthsBetween(t *testing.T) {
	start := data.IST(2026, 11, 1, 0, 0)
	for at, want := range map[data.Micros]int{start: 0, data.IST(2026, 12, 1, 0, 0) - 1: 0, data.IST(2026, 12, 1, 0, 0): 1, data.IST(2027, 1, 31, 0, 0): 2, start - 1: 0} {
		if got := monthsBetween(start, at); got != want {
			t.Errorf("%s: %d, want %d", at, got, want)
		}
	}
}

// What is said is what the figures say: where a hand crosses, and from which month.
func TestSays(t *testing.T) {
	r := &Report{Setting: Setting{Attempts: 1}, Shifts: []Shift{shiftOf(0, twoHands(), 1), shiftOf(.4, twoHands(), 1)}}
	c := Crossing{Hand: Bandit}
	c.From, c.Sure = r.crosses(1, func(l *Line) report.Estimate { return l.Over })
	c.FromChance, _ = r.crosses(1, func(l *Line) report.Estimate { return l.Chance })
	r.Crossing = []Crossing{c}
	text := strings.Join(r.says(), "\n")
	for _, want := range []string{"by what was paid it is above them from shift 0 on by the mean, for sure from 0 on", "true chances of the slots that it chose it is above them from shift 0 on by the mean, for sure at none",
		"from month 2 on at shift 0.4 (what it lost is made good by month 3)"} {
		if !strings.Contains(text, want) {
			t.Errorf("not said: %s\n%s", want, text)
		}
	}
	if r.nearest(.4) != 1 || r.nearest(.1) != 0 || !slices.Contains(Hands(), OwnDay) {
		t.Error("nearest")
	}
}
