package selftest

import (
	"math"
	"testing"

	"recoup/cmd/recoup/bracket"
	"recoup/ope"
)

func num(v float64) *float64 { return &v }

// TestCover counts by light, and measures errors against the truth.
func TestCover(t *testing.T) {
	log := func(dr float64, light ope.Level, signal ope.Signal) *Judged {
		e := Estimated{Target: "early", Unit: netRupees, DR: num(dr), SE: num(2), CI: &ope.Interval{dr - 4, dr + 4}, DM: num(7), ESS: .5, Light: light}
		if light == ope.Red {
			e.Red = []ope.Signal{signal}
		} else if light == ope.Amber {
			e.Amber = []ope.Signal{signal}
		}
		if light != ope.Amber {
			e.Drawn = &ope.Interval{dr - 1, dr + 1}
		}
		return &Judged{Estimates: []Estimated{e}}
	}
	f := &found{rolls: []*Worth{{Targets: []Value{{}, {Cases: 10, Earned: Earned{Net: 100}}}}, {Targets: []Value{{}, {Cases: 10, Earned: Earned{Net: 100}}}}}}
	f.logs = []*Judged{log(10, ope.Green, ""), log(14, ope.Green, ""), log(14.1, ope.Green, ""), log(6, ope.Amber, ope.ESSBelow10), log(5.9, ope.Amber, ope.ESSBelow10), log(30, ope.Red, ope.ESSBelow100)}
	f.logs = append(f.logs, &Judged{Estimates: []Estimated{{Target: "early", Unit: netRupees, Light: ope.Red, ESS: .5}}}) // no estimate at all
	c := cover(f, 0, 0)
	if c.Truth != 10 || c.TruthSE != 0 || c.Green != (Counted{3, 2}) || c.Amber != (Counted{2, 1}) || c.Red != (Counted{2, 0}) || c.notRed() != (Counted{5, 3}) {
		t.Errorf("%+v", c)
	}
	if c.Bootstrap != (Counted{3, 1}) || c.Signals["ess_below_10pct"] != 2 || c.Signals["ess_below_100"] != 1 || math.Abs(c.ESS-.5) > 1e-12 {
		t.Errorf("bootstrap %+v, signals %v, ESS %v", c.Bootstrap, c.Signals, c.ESS)
	}
	if want := 4 / (.6745 * 2); math.Abs(*c.MedianRatio-want) > 1e-12 || *c.MeanSE != 2 || *c.MeanDM != 7 { // of the green ones: 0, 4, 4.1
		t.Errorf("median ratio %v, want %v", *c.MedianRatio, want)
	}
	if m := (10 + 14 + 14.1 + 6 + 5.9 + 30) / 6; math.Abs(*c.MeanDR-m) > 1e-12 {
		t.Errorf("mean %v, want %v", *c.MeanDR, m)
	}
	if e := (Counted{95, 90}).share(); *e.Value != 90./95 || *e.Lo >= *e.Value || *e.Hi <= *e.Value || (Counted{}).share().Value != nil {
		t.Errorf("%+v", e)
	}
}

func TestArmLine(t *testing.T) {
	logs := []*Judged{
		{Arms: []ArmOf{{Arm: "rules", Cases: 9, Own: .4, Others: num(.5), Light: ope.Green}}},
		{Arms: []ArmOf{{Arm: "rules", Cases: 9, Own: .4, Others: num(.7), Light: ope.Red}}},
		{Arms: []ArmOf{{Arm: "rules", Cases: 9, Own: .4, Light: ope.Red}}},
		{Arms: []ArmOf{{Arm: "rules"}}}, // no case
	}
	l := armLine(logs, 0) // differences .1 and .3: mean .2, its standard error .1
	if l.Logs != 3 || l.Red != 2 || math.Abs(*l.Z-2) > 1e-12 || math.Abs(*l.Difference.Value-.2) > 1e-12 || math.Abs(*l.Difference.Hi-.396) > 1e-12 || math.Abs(*l.Own.Value-.4) > 1e-12 {
		t.Errorf("%+v", l)
	}
	if e := overLogs(nil); e.Value != nil || e.Why == "" {
		t.Errorf("%+v", e)
	}
}

// TestWeekLine: sums of all logs, week by week; weeks with few cases are left out.
func TestWeekLine(t *testing.T) {
	week := func(cases, paid, rows int, dr float64) Week {
		return Week{Cases: cases, Paid: paid, Rows: rows, DR: dr * float64(rows), DM: .3 * float64(rows), IPW: 2 * dr * float64(rows), W: 4 * float64(rows)}
	}
	a := &Judged{Arms: []ArmOf{{Arm: "rules", ByWeek: []Week{week(49, 10, 90, .1), week(30, 3, 60, .2), week(60, 24, 60, .5), week(60, 30, 60, .4), week(60, 36, 60, .8), week(90, 9, 49, .3)}}}}
	b := &Judged{Arms: []ArmOf{{Arm: "rules", ByWeek: []Week{{}, week(20, 7, 60, .4)}}}}
	l := weekLine([]*Judged{a, b}, 0)
	if l.Weeks != 4 || l.Real[0] != nil || l.Told[5] != nil || len(l.Real) != weeks {
		t.Fatalf("%+v", l)
	}
	// realised .2, .4, .5, .6; told .3, .5, .4, .8
	want := correlation([]float64{.2, .4, .5, .6}, []float64{.3, .5, .4, .8})
	if *l.Real[1] != .2 || math.Abs(*l.Told[1]-.3) > 1e-12 || math.Abs(*l.DR-*want) > 1e-12 || math.Abs(*l.SNIPW-*want) > 1e-12 || math.Abs(*l.IPW-*want) > 1e-12 {
		t.Errorf("%+v, want %v", l, *want)
	}
}

func TestSeqLine(t *testing.T) {
	one := func(dr, single float64, light ope.Level) *Sequenced {
		return &Sequenced{Units: []Sequence{{Unit: netRupees, Horizon: 3, DR: num(dr), SE: num(1), CI: &ope.Interval{dr - 2, dr + 2}, Light: light, ESS: .2,
			OneStep: num(single), OneStepSE: num(1), OneStepCI: &ope.Interval{single - 2, single + 2}}}}
	}
	world := &Worth{Targets: []Value{{Cases: 10, Earned: Earned{Net: 20}}, {Cases: 10, Earned: Earned{Net: 100}}}}
	l := seqLine(&found{seqRolls: []*Worth{world, world}, sequences: []*Sequenced{one(9, 7, ope.Green), one(12.1, 6.9, ope.Red)}}, 0)
	if l.Truth != 10 || l.Logged != 2 || l.Sequence != (Counted{2, 1}) || l.OneStep != (Counted{2, 0}) || l.Off != 1 || l.Red != 1 || l.Longest != 3 {
		t.Errorf("%+v", l)
	}
	if *l.MeanOneStep != 6.95 || *l.OneStepZ > -50 || math.Abs(*l.SequenceZ-.55/1.55) > 1e-12 {
		t.Errorf("z %v and %v", *l.OneStepZ, *l.SequenceZ)
	}
}

// TestMoved: what the cases in focus brought more when the target decided no others.
func TestMoved(t *testing.T) {
	p := &played{log: &bracket.Log{Decisions: []bracket.Decision{{CaseID: "a"}, {CaseID: "b"}, {CaseID: "c"}}}, firsts: []int{0, 1, 2}}
	got := p.moved(map[string]int{"b": 2, "c": 1}, map[string]Earned{"a": {Net: 99}, "b": {Net: 5}, "c": {Net: 1, Recovered: 1}}, map[string]Earned{"b": {Net: 8, Recovered: 1}, "c": {Net: 1, Recovered: 1}})
	if got != (Earned{Net: 6, Recovered: 2}) {
		t.Errorf("%+v", got)
	}
}

// TestLoggerLine: the logger in the logs against the logger in the roll-outs.
func TestLoggerLine(t *testing.T) {
	f := &found{}
	for _, paid := range []float64{4, 6} { // of 10: .5, by world .1
		f.logs = append(f.logs, &Judged{Cases: 10, Logged: Earned{Recovered: paid}})
		f.rolls = append(f.rolls, &Worth{Targets: []Value{{Cases: 10, Earned: Earned{Recovered: paid + 2}}}})
	}
	l := loggerLine(f, 1)
	if *l.Logs.Value != .5 || *l.Rolls.Value != .7 || math.Abs(*l.Logs.Hi-.696) > 1e-12 || math.Abs(*l.Z+math.Sqrt2) > 1e-12 {
		t.Errorf("%v %v, z %v", *l.Logs.Value, *l.Rolls.Value, *l.Z)
	}
}
