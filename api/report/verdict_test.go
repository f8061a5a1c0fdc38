package report

import (
	"strings"
	"testing"
)

func judgedBy(d Estimate, skill, rate float64) Model {
	return Model{BaseRates: BaseRate{Test: Number(rate, 100)}, All: Test{Counts: Counts{100, 20, 90}, OverBase: d,
		Calibrated: Measures{"brier_skill_train": Number(skill, 100), "roc_auc": Number(.6, 100)}}}
}

// The words follow the interval, not the point: both sides of every edge.
func TestVerdictOfModel(t *testing.T) {
	for name, c := range map[string]struct {
		m    Model
		tone tone
		says string
	}{
		"clearly better":           {judgedBy(Ranged(.02, .01, .03, 100), .2, .2), good, "Better than the base rate by 0.020 [0.010, 0.030]"},
		"better but weak":          {judgedBy(Ranged(.02, .01, .03, 100), .0999, .2), weak, "Weak, but better"},
		"weak ends at ten percent": {judgedBy(Ranged(.02, .01, .03, 100), .1, .2), good, "Better than the base rate"},
		"interval touches 0":       {judgedBy(Ranged(.02, 0, .04, 100), .2, .2), bad, "Not distinguishable"},
		"interval just above 0":    {judgedBy(Ranged(.02, 1e-12, .04, 100), .2, .2), good, "Better than"},
		"interval holds 0":         {judgedBy(Ranged(.02, -.01, .05, 100), .2, .2), bad, "Not distinguishable"},
		"worse":                    {judgedBy(Ranged(-.02, -.03, -.01, 100), -.1, .2), bad, "Worse than the base rate"},
		"no interval":              {judgedBy(Number(.02, 100), .2, .2), open, "could not be measured"},
		"unknown":                  {judgedBy(Unknown("one customer"), .2, .2), open, "could not be measured: one customer."},
		"rare":                     {judgedBy(Ranged(.0002, .0001, .0003, 100), .01, .0499), weak, "event this rare"},
		"no model":                 {Model{NotAssessed: "no person-time"}, open, "Not assessed: no person-time"},
		"no test":                  {Model{All: Test{NotAssessed: "no rows"}}, open, "Not assessed on the test slice: no rows"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge("x", c.m)
			if v.Tone != c.tone || !strings.Contains(v.Says, c.says) {
				t.Errorf("%s: %s", v.Tone, v.Says)
			}
		})
	}
	if v := judge("x", judgedBy(Ranged(.02, .01, .03, 100), .2, .05)); strings.Contains(v.Says, "rare") {
		t.Errorf("5 %% is not rare: %s", v.Says)
	}
}

func TestVerdictOfCalibration(t *testing.T) {
	with := func(ece, floor float64, slope Estimate) Model {
		return Model{All: Test{Calibrated: Measures{"ece_mass": Number(ece, 9), "ece_noise_floor": Number(floor, 9), "cox_slope": slope}}}
	}
	none := Unknown("constant p")
	for name, c := range map[string]struct {
		m    Model
		tone tone
		says string
	}{
		"at the floor":     {with(.01, .01, none), good, "no miscalibration beyond noise"},
		"above the floor":  {with(.0101, .01, none), good, "under twice"},
		"twice the floor":  {with(.02, .01, none), bad, "miscalibrated beyond noise"},
		"slope holds 1":    {with(.01, .01, Ranged(.9, .8, 1, 9)), good, "no miscalibration"},
		"too confident":    {with(.01, .01, Ranged(.9, .8, .99, 9)), weak, "too confident"},
		"not confident":    {with(.01, .01, Ranged(1.2, 1.01, 1.4, 9)), weak, "not confident enough"},
		"nothing measured": {Model{}, open, "could not be measured"},
	} {
		t.Run(name, func(t *testing.T) {
			if v := judgeCalibration("x", c.m); v.Tone != c.tone || !strings.Contains(v.Says, c.says) {
				t.Errorf("%s: %s", v.Tone, v.Says)
			}
		})
	}
	if v := judgeCalibration("x", Model{NotAssessed: "x"}); v.Says != "" {
		t.Errorf("%+v", v)
	}
}

func TestVerdictOfHazardAndCeiling(t *testing.T) {
	for says, r := range map[string]Recovery{
		"Not distinguishable": {Ratio: Ranged(1.1, 1, 1.2, 9)}, "Differs": {Ratio: Ranged(1.1, 1.001, 1.2, 9)}, "Not assessed: x": {NotAssessed: "x"}, "Could not be measured: y": {Ratio: Unknown("y")},
	} {
		if v := judgeHazard(r); !strings.Contains(v.Says, says) {
			t.Errorf("%s: %s", says, v.Says)
		}
	}
	for _, c := range []struct {
		captured float64
		want     tone
	}{{.6, good}, {.599, weak}, {-.2, weak}} {
		if v := judgeCeiling("x", Ceiling{Captured: Number(c.captured, 9)}); v.Tone != c.want {
			t.Errorf("%v: %s", c.captured, v.Tone)
		}
	}
}

func TestWorstFirst(t *testing.T) {
	r := &Report{Attempt: Model{Groups: []Group{{By: "bank", Levels: []Level{
		{Level: "wide", Gap: Ranged(.3, -.1, .7, 9)}, {Level: "near", Gap: Ranged(.02, .01, .03, 9)}, {Level: "far below", Gap: Ranged(-.1, -.15, -.05, 9)},
		{Level: "b", Gap: Ranged(0, -1, 1, 9)}, {Level: "a", Gap: Ranged(0, -1, 1, 9)}, {Level: "?", Gap: Unknown("one row")}}}}}}
	encode(t, r)
	var got []string
	for _, l := range r.Attempt.Groups[0].Levels {
		got = append(got, l.Level)
	}
	if s := strings.Join(got, ","); s != "far below,near,wide,?,a,b" {
		t.Error(s)
	}
}
