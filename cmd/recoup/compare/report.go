package compare

import (
	"math"

	"recoup/api/report"
)

// Report is what came out: everything that the pages show.
type Report struct {
	Version  int        `json:"version"`
	Setting  Setting    `json:"setting"`
	Shifts   []Shift    `json:"shifts"`
	Crossing []Crossing `json:"crossing"`
	Says     []string   `json:"says"`
}

// Setting is what was played.
type Setting struct {
	Seeds     int     `json:"seeds"` // worlds at each shift
	Cases     int     `json:"cases"` // failed charges of a world
	Months    int     `json:"months"`
	Attempts  int     `json:"retries_a_case"`
	TuneCases int     `json:"cases_before"` // of the world that everybody was tuned on
	First     uint64  `json:"first_seed"`   // of the worlds
	Trials    int     `json:"trials"`       // by dice in a second world like that one, from which the bandits learned
	Known     float64 `json:"known_trials"` // what they are worth to a Beta bandit at most
	Corrected float64 `json:"known_trials_logistic"`
	Model     string  `json:"model"`
	Tuned     int     `json:"tuned_cells"`
}

// Shift is what came out at one distance from the world before.
type Shift struct {
	Shift float64 `json:"shift"`
	Cases int64   `json:"cases"` // over all worlds, whose 21 days are over
	Lines []Line  `json:"hands"`
}

// Line is one hand at one shift. The intervals are Student's over the worlds, each of
// which is one observation; differences are paired world by world.
type Line struct {
	Hand     string          `json:"hand"`
	Recovery report.Estimate `json:"recovery"`          // share of cases paid within 21 days
	Over     report.Estimate `json:"over_tuned"`        // less that of the tuned rules
	Chance   report.Estimate `json:"chance_over_tuned"` // a case: true chance of the slot that was chosen less that of theirs; without the luck of what was paid
	Regret   report.Estimate `json:"regret"`            // a decision: chance of the best slot less that of the chosen one
	Retries  int64           `json:"retries"`
	Wasted   int64           `json:"wasted"`
	Ahead    *int            `json:"ahead_from_month"` // the first, from 1, from which on every month's gain is above 0; nil = none
	Even     *int            `json:"even_in_month"`    // the first from which on the gain so far is above 0
	Curve    []Point         `json:"curve"`            // by month
}

// Point is a month of all worlds.
type Point struct {
	Recovery report.Estimate `json:"recovery"`
	Gain     report.Estimate `json:"gain"`          // a case over the tuned rules, by true chances, or where there are none by what was paid
	Lost     report.Estimate `json:"regret_so_far"` // sum of regret until the end of the month, a world
}

// Crossing is the shift from which on a hand recovers more than the tuned rules.
type Crossing struct {
	Hand string   `json:"hand"`
	From *float64 `json:"from"`      // by the mean; nil = not at the last shift that was played
	Sure *float64 `json:"sure_from"` // the whole interval lies above 0
	// The same by the true chances.
	FromChance *float64 `json:"from_by_chance"`
	SureChance *float64 `json:"sure_from_by_chance"`
}

// report makes the figures from what was played.
func (j *job) report(worlds []*World) *Report {
	r := &Report{Version: version, Setting: Setting{Seeds: j.Seeds, Cases: j.Cases, Months: j.Months, Attempts: j.Attempts, TuneCases: j.TuneCases,
		First: j.First, Known: knownTrials, Corrected: knownCorrected, Model: j.modelID(), Tuned: len(j.know.Grid)}}
	if j.lessons != nil {
		r.Setting.Trials = j.lessons.Trials
	}
	for k, shift := range j.Shifts {
		r.Shifts = append(r.Shifts, shiftOf(shift, worlds[k*j.Seeds:(k+1)*j.Seeds], j.Attempts))
	}
	for h, line := range r.Shifts[0].Lines {
		if line.Hand == Tuned {
			continue
		}
		c := Crossing{Hand: line.Hand}
		c.From, c.Sure = r.crosses(h, func(l *Line) report.Estimate { return l.Over })
		c.FromChance, c.SureChance = r.crosses(h, func(l *Line) report.Estimate { return l.Chance })
		r.Crossing = append(r.Crossing, c)
	}
	r.Says = r.says()
	return r
}

// crosses is the shift from which on, in all that were played, an estimate of the h-th hand
// is above 0, and from which on its whole interval is; nil = none.
func (r *Report) crosses(h int, of func(*Line) report.Estimate) (from, sure *float64) {
	mean, whole := true, true
	for i := len(r.Shifts) - 1; i >= 0; i-- {
		e := of(&r.Shifts[i].Lines[h])
		if mean = mean && e.Value != nil && *e.Value > 0; mean {
			from = &r.Shifts[i].Shift
		}
		if whole = whole && e.Lo != nil && *e.Lo > 0; whole {
			sure = &r.Shifts[i].Shift
		}
	}
	return from, sure
}

// student is a mean over worlds with its 95 % interval; n is what it counts.
func student(v []float64, n int64) report.Estimate {
	if len(v) == 0 {
		return report.Unknown("no world")
	}
	m, sum := 0.0, 0.0
	for _, x := range v {
		m += x / float64(len(v))
	}
	for _, x := range v {
		sum += float64((x - m) * (x - m))
	}
	if len(v) < 2 {
		e := report.Number(m, n)
		e.Why = "one world: no interval"
		return e
	}
	df := float64(len(v) - 1)
	half := quantile975(df) * math.Sqrt(sum/df/float64(len(v)))
	return report.Ranged(m, m-half, m+half, n)
}

// quantile975 is that of Student's t: exact for one and two degrees of freedom, else by
// the expansion of Abramowitz and Stegun 26.7.5, off by less than .003 from five on and
// less than .06 at three and four.
func quantile975(df float64) float64 {
	switch df {
	case 1:
		return 12.706204736432095
	case 2:
		return 4.302652729911275
	}
	const z = 1.959963984540054
	z3, z5, z7 := z*z*z, z*z*z*z*z, z*z*z*z*z*z*z
	z9 := z7 * z * z
	return z + (z3+z)/(4*df) + (5*z5+16*z3+3*z)/(96*df*df) + (3*z7+19*z5+17*z3-15*z)/(384*df*df*df) +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/(92160*df*df*df*df)
}
