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
	Known     float64 `json:"known_trials"` // what that world is worth to the bandit at most
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
	Recovery report.Estimate `json:"recovery"`   // share of cases paid within 21 days
	Over     report.Estimate `json:"over_tuned"` // less that of the tuned rules
	Regret   report.Estimate `json:"regret"`     // a decision: chance of the best slot less that of the chosen one
	Retries  int64           `json:"retries"`
	Wasted   int64           `json:"wasted"`
	Curve    []Point         `json:"curve"` // by tenths of the cases
}

// Point is a tenth of the cases of all worlds, in the order in which they failed.
type Point struct {
	Recovery report.Estimate `json:"recovery"`
	Lost     report.Estimate `json:"regret_so_far"` // sum of regret until the end of the tenth, a world
}

// Crossing is the smallest shift at which a hand recovers more than the tuned rules.
type Crossing struct {
	Hand string   `json:"hand"`
	From *float64 `json:"from"`      // by the mean; nil = at no shift that was played
	Sure *float64 `json:"sure_from"` // the whole interval lies above 0
}

// report makes the figures from what was played.
func (j *job) report(worlds []*World) *Report {
	r := &Report{Version: version, Setting: Setting{Seeds: j.Seeds, Cases: j.Cases, Months: j.Months, Attempts: j.Attempts, TuneCases: j.TuneCases,
		Known: knownTrials, Model: j.modelID(), Tuned: len(j.know.Grid)}}
	for k, shift := range j.Shifts {
		r.Shifts = append(r.Shifts, shiftOf(shift, worlds[k*j.Seeds:(k+1)*j.Seeds]))
	}
	for h, line := range r.Shifts[0].Lines {
		c := Crossing{Hand: line.Hand}
		for i := range r.Shifts {
			switch e := r.Shifts[i].Lines[h].Over; {
			case line.Hand == Tuned || e.Value == nil:
			default:
				if c.From == nil && *e.Value > 0 {
					c.From = &r.Shifts[i].Shift
				}
				if c.Sure == nil && e.Lo != nil && *e.Lo > 0 {
					c.Sure = &r.Shifts[i].Shift
				}
			}
		}
		r.Crossing = append(r.Crossing, c)
	}
	r.Says = r.says()
	return r
}

// shiftOf sums up the worlds at one shift.
func shiftOf(shift float64, worlds []*World) Shift {
	out := Shift{Shift: shift}
	tuned := -1
	for h, p := range worlds[0].Hands {
		if p.Hand == Tuned {
			tuned = h
		}
	}
	for h, p := range worlds[0].Hands {
		l := Line{Hand: p.Hand, Over: report.Unknown("the tuned rules did not play")}
		over := func(of func(p *Played) (float64, float64)) report.Estimate {
			var v []float64
			n := 0.0
			for _, w := range worlds {
				sum, count := of(&w.Hands[h])
				if n += count; count > 0 {
					v = append(v, sum/count)
				}
			}
			return student(v, int64(n))
		}
		l.Recovery = over(func(p *Played) (float64, float64) { return float64(p.Recovered), float64(p.Cases) })
		l.Regret = over(func(p *Played) (float64, float64) { return p.Regret, float64(p.Decisions) })
		if tuned >= 0 {
			var v []float64
			n := 0
			for _, w := range worlds {
				a, b := &w.Hands[h], &w.Hands[tuned]
				if a.Cases > 0 {
					v = append(v, (float64(a.Recovered)-float64(b.Recovered))/float64(a.Cases))
				}
				n += a.Cases
			}
			l.Over = student(v, int64(n))
		}
		for _, w := range worlds {
			l.Retries += int64(w.Hands[h].Retries)
			l.Wasted += int64(w.Hands[h].Wasted)
			if h == 0 {
				out.Cases += int64(w.Hands[h].Cases)
			}
		}
		for t := range parts {
			lost := func(p *Played) (sum, one float64) {
				for _, v := range p.PartLost[:t+1] {
					sum += v
				}
				return sum, 1
			}
			l.Curve = append(l.Curve, Point{over(func(p *Played) (float64, float64) { return float64(p.PartPaid[t]), float64(p.PartCases[t]) }), over(lost)})
		}
		out.Lines = append(out.Lines, l)
	}
	return out
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
