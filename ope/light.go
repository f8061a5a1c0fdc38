package ope

import "math"

// Level is a traffic light.
type Level string

// The lights. A red estimate feeds no ranking and no promotion: "cannot tell".
const (
	Green Level = "green"
	Amber Level = "amber"
	Red   Level = "red"
)

// Light says how far an estimate may be trusted, and why not further.
type Light struct {
	Level Level    `json:"level"`
	Red   []Signal `json:"red"`
	Amber []Signal `json:"amber"`
}

// Signal is one reason for a light.
type Signal string

// What turns a light red, and then what turns it amber.
const (
	UnsupportedMass Signal = "unsupported_mass"
	ESSBelow100     Signal = "ess_below_100"
	ESSBelow5       Signal = "ess_below_5pct"
	MeanWeight      Signal = "mean_weight_z" // |z| > 3: the propensities are not what the log was made with

	ESSBelow10     Signal = "ess_below_10pct"
	MaxWeightShare Signal = "max_weight_share" // one row carries over 5 %
	WideInterval   Signal = "interval_wider_than_effect"
	PoorModel      Signal = "reward_model_worse_than_base_rate"
	Disagreement   Signal = "ipw_and_dr_disagree"
)

// light judges by the weights alone; see Raise for what else is known.
func (f *Weights) light() Light {
	l := Light{Level: Green, Red: []Signal{}, Amber: []Signal{}}
	for _, c := range []struct {
		on    bool
		level Level
		why   Signal
	}{
		{f.UnsupportedMass > 0, Red, UnsupportedMass},
		{f.ESS < 100, Red, ESSBelow100},
		{f.ESSFraction < .05, Red, ESSBelow5},
		{f.MeanZReason == WeightVarianceZero || f.MeanZ != nil && math.Abs(*f.MeanZ) > 3, Red, MeanWeight},
		{f.ESSFraction < .10, Amber, ESSBelow10},
		{f.MaxShare > .05, Amber, MaxWeightShare},
	} {
		if c.on {
			l.Raise(c.level, c.why)
		}
	}
	return l
}

// Raise adds a reason for red or amber.
func (l *Light) Raise(level Level, why Signal) {
	switch level {
	case Red:
		l.Red = append(l.Red, why)
		l.Level = Red
	case Amber:
		l.Amber = append(l.Amber, why)
		if l.Level != Red {
			l.Level = Amber
		}
	}
}

// Disagree says whether two estimates contradict each other: both have intervals and
// these do not meet.
func Disagree(a, b *Figure) bool {
	if a == nil || b == nil || a.CI == nil || b.CI == nil {
		return false
	}
	return a.CI[1] < b.CI[0] || b.CI[1] < a.CI[0]
}
