package selftest

import (
	"math"
	"strings"
	"testing"
)

func TestBand(t *testing.T) {
	for _, c := range []struct{ n, lo, hi int }{{1000, 930, 970}, {999, 927, 969}, {856, 793, 830}, {400, 366, 389}, {5000, 4650, 4850}, {200, 180, 197}, {40, 33, 40}, {20, 15, 20}, {0, 0, 0}} {
		if lo, hi := band(c.n); lo != c.lo || hi != c.hi {
			t.Errorf("band of %d: %d to %d, want %d to %d", c.n, lo, hi, c.lo, c.hi)
		}
	}
	// Below 200 the band holds nearly all that a true 95 % makes, and not much more.
	for n := fewestLogs; n < 200; n++ {
		lo, hi := band(n)
		within := 0.0
		for k := lo; k <= hi; k++ {
			p := 1.0 // binomial by product
			for i := range k {
				p *= float64(n-i) / float64(k-i) * .95
			}
			within += p * math.Pow(.05, float64(n-k))
		}
		if within < .998 {
			t.Fatalf("band of %d: %d to %d holds %v", n, lo, hi, within)
		}
	}
}

// finding is a report in which all criteria hold.
func finding() *Report {
	f := func(v float64) *float64 { return &v }
	return &Report{
		Coverage: []Cover{
			{Target: "early", Unit: netRupees, Green: Counted{200, 190}, MedianRatio: f(1)},
			{Target: "soon", Unit: netRupees, Amber: Counted{200, 190}, MedianRatio: f(3)},
			{Target: "person", Unit: netRupees, Red: Counted{200, 3}, MedianRatio: f(9)},
		},
		Loggers:   []Logger{{Unit: recovered, Z: f(-4.9)}},
		Arms:      []ArmLine{{Arm: "rules", Z: f(4.9), Logs: 200}, {Arm: "explorer", Z: f(80), Logs: 200, Red: 200}},
		Weeks:     []WeekLine{{Arm: "rules", Weeks: 20, DR: f(.8)}},
		Sequences: []SeqLine{{Unit: recovered, Sequence: Counted{20, 15}, MeanOneStep: f(.4), OneStepZ: f(-3.1), OneStep: Counted{20, 2}}},
		Learned:   []LearnedLine{{Target: "early", Weighted: Counted{200, 190}, Usual: Counted{200, 150}}, {Target: "soon", Weighted: Counted{19, 2}}},
	}
}

// TestCriteria breaks one thing at a time, and shows both sides of each bar.
func TestCriteria(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	yes, no := true, false
	for _, c := range []struct {
		name   string
		which  int // of the criteria
		want   *bool
		break_ func(r *Report)
	}{
		{"as it should be", 0, &yes, func(*Report) {}},
		{"180 of 200", 0, &yes, func(r *Report) { r.Coverage[0].Green.Covered = 180 }},
		{"179 of 200", 0, &no, func(r *Report) { r.Coverage[0].Green.Covered = 179 }},
		{"197 of 200", 0, &yes, func(r *Report) { r.Coverage[0].Green.Covered = 197 }},
		{"198 of 200", 0, &no, func(r *Report) { r.Coverage[0].Green.Covered = 198 }},
		{"few green logs", 0, nil, func(r *Report) { r.Coverage[0].Green = Counted{19, 19} }},
		{"ratio at the bar", 1, &yes, func(r *Report) { r.Coverage[0].MedianRatio = f(1.15) }},
		{"ratio above it", 1, &no, func(r *Report) { r.Coverage[0].MedianRatio = f(1.151) }},
		{"ratio above it, few logs", 1, nil, func(r *Report) { r.Coverage[0].MedianRatio, r.Coverage[0].Green = f(1.2), Counted{199, 190} }},
		{"all red", 2, &yes, func(*Report) {}},
		{"one that must be red is amber", 2, &no, func(r *Report) { r.Coverage[2].Red.Logs, r.Coverage[2].Amber.Logs = 199, 1 }},
		{"intervals fail under amber", 2, &no, func(r *Report) { r.Coverage[1].Amber.Covered = 179 }},
		{"intervals fail under red", 2, &yes, func(r *Report) { r.Coverage[1].Amber, r.Coverage[1].Red = Counted{}, Counted{200, 50} }},
		{"arms agree", 3, &yes, func(*Report) {}},
		{"an arm is off", 3, &no, func(r *Report) { r.Arms[0].Z = f(-5.1) }},
		{"the explorer is told by others", 3, &no, func(r *Report) { r.Arms[1].Red = 199 }},
		{"an arm without others", 3, &no, func(r *Report) { r.Arms[0].Z = nil }},
		{"weeks follow", 4, &yes, func(*Report) {}},
		{"weeks do not", 4, &no, func(r *Report) { r.Weeks[0].DR = f(.79) }},
		{"no weeks", 4, nil, func(r *Report) { r.Weeks[0].DR = nil }},
		{"sequences hold", 5, &yes, func(*Report) {}},
		{"sequences fail", 5, &no, func(r *Report) { r.Sequences[0].Sequence.Covered = 14 }},
		{"one step is off", 6, &yes, func(*Report) {}},
		{"learned from, and covered", 8, &yes, func(*Report) {}},
		{"learned from, 180 of 200", 8, &yes, func(r *Report) { r.Learned[0].Weighted.Covered = 180 }},
		{"learned from, 179 of 200", 8, &no, func(r *Report) { r.Learned[0].Weighted.Covered = 179 }},
		{"learned from, too wide", 8, &no, func(r *Report) { r.Learned[0].Weighted.Covered = 198 }},
		{"learned from, few logs", 8, nil, func(r *Report) { r.Learned = r.Learned[1:] }},
		{"worlds alike", 7, &yes, func(*Report) {}},
		{"worlds apart", 7, &no, func(r *Report) { r.Loggers[0].Z = f(5.1) }},
		{"one world", 7, nil, func(r *Report) { r.Loggers[0].Z = nil }},
		{"one step is not off", 6, &no, func(r *Report) { r.Sequences[0].OneStepZ = f(2.9) }},
	} {
		r := finding()
		c.break_(r)
		got := criteria(r)[c.which]
		switch {
		case (got.Pass == nil) != (c.want == nil), got.Pass != nil && *got.Pass != *c.want:
			t.Errorf("%s: %+v", c.name, got.sentence())
		case got.Found == "" && c.want != nil:
			t.Errorf("%s: nothing is said of what was found", c.name)
		case got.Pass == nil && !strings.HasPrefix(got.sentence(), "Not assessed: "), got.Pass != nil && !*got.Pass && !strings.HasPrefix(got.sentence(), "Does not hold: "):
			t.Errorf("%s: %s", c.name, got.sentence())
		}
	}
}

func TestStatistics(t *testing.T) {
	if m := median([]float64{5, 1, 2, 9}); *m != 3.5 || median(nil) != nil {
		t.Errorf("median %v", *m)
	}
	if c := correlation([]float64{1, 2, 3, 4}, []float64{2, 1, 4, 3}); math.Abs(*c-.6) > 1e-15 {
		t.Errorf("correlation %v, want 0.6", *c)
	}
	if correlation([]float64{1, 1, 1, 1}, []float64{2, 1, 4, 3}) != nil || correlation([]float64{1, 2, 3}, []float64{1, 2, 3}) != nil {
		t.Error("a correlation of what does not move, or of three pairs")
	}
	m, sd, z := against([]float64{1, 2, 3}, 1, math.Sqrt(2./3)) // se² = 1/3 + 2/3
	if *m != 2 || *sd != 1 || math.Abs(*z-1) > 1e-12 {
		t.Errorf("%v %v %v", *m, *sd, *z)
	}
	worlds := []*Worth{
		{Targets: []Value{{Cases: 10, Earned: Earned{Net: 10, Recovered: 4}, MovedCases: 10, Moved: Earned{Net: 5}}}},
		{Targets: []Value{{Cases: 30, Earned: Earned{Net: 70, Recovered: 8}, MovedCases: 10, Moved: Earned{Net: 5}}}},
		{Targets: []Value{{}}}, // not played
	}
	// net: 80/40 = 2, plus 10/20; errors of the worlds: -10 and 10, of what moved 0
	if v, se := truth(worlds, 0, netRupees); v != 2.5 || math.Abs(se-math.Sqrt(200*2)/40) > 1e-15 {
		t.Errorf("truth %v, %v", v, se)
	}
	if v, _ := truth(worlds, 0, recovered); v != .3 {
		t.Errorf("truth of the share %v", v)
	}
}
