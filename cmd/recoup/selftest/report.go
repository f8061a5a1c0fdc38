package selftest

import (
	"math"
	"slices"

	"recoup/api/report"
	"recoup/ope"
)

// Report is what a self-test found.
type Report struct {
	Version   int         `json:"version"`
	Setting   Setting     `json:"setting"`
	Says      []string    `json:"says"`
	Criteria  []Criterion `json:"criteria"`
	Targets   []Target    `json:"targets"`
	Loggers   []Logger    `json:"loggers"`
	Coverage  []Cover     `json:"coverage"`
	Arms      []ArmLine   `json:"arms"`
	Weeks     []WeekLine  `json:"weeks"`
	Sequences []SeqLine   `json:"sequences"`

	Learned []LearnedLine `json:"learned"`
	Nights  float64       `json:"learned_posteriors"` // of a log, on average

	Notes []string `json:"notes"`
}

// Setting says what was played.
type Setting struct {
	Seeds     int     `json:"seeds"`
	Cases     int     `json:"cases"`          // failed charges in each log
	Judged    float64 `json:"judged_cases"`   // of these, decided and their window closed, on average
	Customers float64 `json:"customers"`      // of the judged cases, on average
	Decisions float64 `json:"decisions"`      // on average
	Truth     int     `json:"truth_worlds"`   // of roll-outs
	Rolled    int     `json:"truth_cases"`    // judged cases in all of them, for each target
	Sequences int     `json:"sequence_logs"`  // and as many worlds of roll-outs
	Learned   int     `json:"learned_logs"`   // and as many worlds of roll-outs
	Months    int     `json:"months"`         // of each world
	Start     string  `json:"start"`          // of all worlds
	PolicyID  string  `json:"policy_id"`      // of the gate
	SeqCases  int     `json:"sequence_cases"` // failed charges in each log of sequences, and in each world of roll-outs
}

// Target is a policy and what it is worth.
type Target struct {
	Name      string          `json:"target"` // "" = the logger
	Says      string          `json:"says"`
	Net       report.Estimate `json:"net_rupees"` // a case; the intervals are by world
	Recovered report.Estimate `json:"recovered"`
}

// Logger is what the logger earned in the logs, and in the worlds of the roll-outs: the
// same, but for chance.
type Logger struct {
	Unit  string          `json:"unit"`
	Logs  report.Estimate `json:"logs"`
	Rolls report.Estimate `json:"rollouts"`
	Z     *float64        `json:"z"` // of the difference
}

// Counted is how many logs there are of a kind, and how many of their intervals hold the truth.
type Counted struct {
	Logs    int `json:"logs"`
	Covered int `json:"covered"`
}

func (c *Counted) add(holds bool) {
	c.Logs++
	if holds {
		c.Covered++
	}
}

// share is Covered of Logs with Wilson's interval.
func (c Counted) share() report.Estimate {
	if c.Logs == 0 {
		return report.Unknown("no such log")
	}
	w := ope.Wilson(float64(c.Covered), float64(c.Logs), .95)
	return report.Ranged(float64(c.Covered)/float64(c.Logs), w[0], w[1], int64(c.Logs))
}

// Cover is one target and unit over all logs.
type Cover struct {
	Target      string         `json:"target"`
	Unit        string         `json:"unit"`
	Truth       float64        `json:"truth"`
	TruthSE     float64        `json:"truth_se"`
	Green       Counted        `json:"green"` // by the light; intervals by customer
	Amber       Counted        `json:"amber"`
	Red         Counted        `json:"red"`
	Bootstrap   Counted        `json:"bootstrap"` // intervals of whole customers drawn again, on some logs that are not red
	MeanDR      *float64       `json:"mean_dr"`
	SDDR        *float64       `json:"sd_dr"`              // of the estimates over the logs
	MeanSE      *float64       `json:"mean_se"`            // as reported
	Bias        *float64       `json:"bias_z"`             // mean error over its standard error, that of the truth included
	MedianRatio *float64       `json:"median_error_ratio"` // median |DR - truth| over 0.6745 x mean SE, of the green logs; of all where none is green
	MeanDM      *float64       `json:"mean_dm"`
	ESS         float64        `json:"mean_ess_fraction"`
	Signals     map[string]int `json:"signals"` // logs in which each raised a light
}

func (c *Cover) notRed() Counted {
	return Counted{c.Green.Logs + c.Amber.Logs, c.Green.Covered + c.Amber.Covered}
}

// ArmLine is one arm over all logs.
type ArmLine struct {
	Arm        string          `json:"arm"`
	Own        report.Estimate `json:"own_mean"`
	Others     report.Estimate `json:"others_dr"`
	Difference report.Estimate `json:"difference"` // log by log
	Z          *float64        `json:"z"`
	Logs       int             `json:"logs"`
	Red        int             `json:"red"` // logs in which the others cannot tell
}

// WeekLine is one arm week by week, over all logs.
type WeekLine struct {
	Arm   string     `json:"arm"`
	Weeks int        `json:"weeks"`
	DR    *float64   `json:"dr"` // correlations with what was realised
	IPW   *float64   `json:"ipw"`
	SNIPW *float64   `json:"snipw"`
	DM    *float64   `json:"dm"`
	Real  []*float64 `json:"realised"` // by week; nil = too few cases
	Told  []*float64 `json:"told_dr"`
}

// SeqLine is the policy over three attempts in one unit.
type SeqLine struct {
	Unit         string   `json:"unit"`
	Truth        float64  `json:"truth"`
	TruthSE      float64  `json:"truth_se"`
	Logged       float64  `json:"logged"` // of the logger, in the worlds of the roll-outs
	Sequence     Counted  `json:"sequence"`
	MeanSequence *float64 `json:"mean_sequence_dr"`
	SequenceSE   *float64 `json:"mean_sequence_se"`
	SequenceZ    *float64 `json:"sequence_bias_z"`
	OneStep      Counted  `json:"one_step"`
	MeanOneStep  *float64 `json:"mean_one_step_dr"`
	OneStepSE    *float64 `json:"mean_one_step_se"`
	OneStepZ     *float64 `json:"one_step_bias_z"`
	Off          int      `json:"one_step_off_by_3_se"` // logs
	Red          int      `json:"red"`
	ESS          float64  `json:"mean_ess_fraction"`
	Longest      int      `json:"most_decisions"`
}

// report builds the report of all files.
func (j *job) report(f *found) (*Report, error) {
	r := &Report{Version: version, Setting: Setting{Seeds: j.Seeds, Cases: j.Cases, Truth: j.Truth, Sequences: j.Sequences, Learned: j.Learned, Months: months,
		Start: start.String(), PolicyID: j.policy.ID(), SeqCases: j.sequenced()}}
	for _, l := range f.logs {
		n := float64(len(f.logs))
		r.Setting.Judged += float64(l.Cases) / n
		r.Setting.Customers += float64(l.Customers) / n
		r.Setting.Decisions += float64(l.Decisions) / n
	}
	for _, w := range f.rolls {
		r.Setting.Rolled += w.Cases
	}
	r.Targets = append(r.Targets, worthOf(f.rolls, 0, "the logger itself: the pool of the three arms"))
	for k, t := range targets() {
		r.Targets = append(r.Targets, worthOf(f.rolls, k+1, t.Says))
		for u := range units {
			r.Coverage = append(r.Coverage, cover(f, k, u))
		}
	}
	for u := range units {
		r.Loggers = append(r.Loggers, loggerLine(f, u))
	}
	for k := range shares {
		r.Arms = append(r.Arms, armLine(f.logs, k))
		if f.logs[0].Arms[k].ByWeek != nil {
			r.Weeks = append(r.Weeks, weekLine(f.logs, k))
		}
	}
	for u := range units {
		r.Sequences = append(r.Sequences, seqLine(f, u))
	}
	for k := range f.learned[0].Estimates {
		r.Learned = append(r.Learned, learnedLine(f, k))
	}
	for _, l := range f.learned {
		r.Nights += float64(l.Nights) / float64(len(f.learned))
	}
	r.Criteria = criteria(r)
	for _, c := range r.Criteria {
		r.Says = append(r.Says, c.sentence())
	}
	r.Notes = notes(r)
	return r, nil
}

func worthOf(worlds []*Worth, k int, says string) Target {
	t := Target{Name: worlds[0].Targets[k].Target, Says: says}
	n := 0
	for _, w := range worlds {
		n += w.Targets[k].Cases
	}
	ranged := func(unit string) report.Estimate {
		v, se := truth(worlds, k, unit)
		return report.Ranged(v, v-1.96*se, v+1.96*se, int64(n))
	}
	t.Net, t.Recovered = ranged(netRupees), ranged(recovered)
	return t
}

// cover is target k in unit u.
func cover(f *found, k, u int) Cover {
	first := &f.logs[0].Estimates[k*len(units)+u]
	c := Cover{Target: first.Target, Unit: first.Unit, Signals: map[string]int{}}
	c.Truth, c.TruthSE = truth(f.rolls, k+1, c.Unit)
	var dr, se, dm, errs, green []float64
	for _, l := range f.logs {
		e := &l.Estimates[k*len(units)+u]
		c.ESS += e.ESS / float64(len(f.logs))
		for _, s := range slices.Concat(e.Red, e.Amber) {
			c.Signals[string(s)]++
		}
		if e.DM != nil {
			dm = append(dm, *e.DM)
		}
		holds := e.CI != nil && e.CI[0] <= c.Truth && c.Truth <= e.CI[1]
		switch e.Light {
		case ope.Green:
			c.Green.add(holds)
		case ope.Amber:
			c.Amber.add(holds)
		default:
			c.Red.add(holds)
		}
		if e.Drawn != nil && e.Light != ope.Red {
			c.Bootstrap.add(e.Drawn[0] <= c.Truth && c.Truth <= e.Drawn[1])
		}
		if e.DR == nil || e.SE == nil {
			continue
		}
		dr, se, errs = append(dr, *e.DR), append(se, *e.SE), append(errs, math.Abs(*e.DR-c.Truth))
		if e.Light == ope.Green {
			green = append(green, math.Abs(*e.DR-c.Truth))
		}
	}
	if len(green) == 0 {
		green = errs
	}
	c.MeanDR, c.SDDR, c.Bias = against(dr, c.Truth, c.TruthSE)
	c.MeanSE, c.MeanDM = mean(se), mean(dm)
	if m := median(green); m != nil && c.MeanSE != nil && *c.MeanSE > 0 {
		ratio := *m / (.6745 * *c.MeanSE)
		c.MedianRatio = &ratio
	}
	return c
}
