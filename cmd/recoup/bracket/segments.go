package bracket

import (
	"cmp"
	"math"
	"slices"

	"recoup/api/report"
	"recoup/data"
	"recoup/ope"
)

// least is how many rows a segment must have to be shown.
const least = 50

// cut is one way of dividing decisions.
type cut struct {
	by string
	of func(d *Decision) string
}

// cuts are the segments that somebody pays attention to.
var cuts = []cut{
	{"class", func(d *Decision) string { return orNone(d.Class.String(), d.Class != 0) }},
	{"rail", func(d *Decision) string { return orNone(d.Rail.String(), d.Rail != 0) }},
	{"bank", func(d *Decision) string { return orNone(d.Bank, d.Bank != "") }},
	{"ticket", func(d *Decision) string { return ticket(d.Amount) }},
	{"pay cycle", func(d *Decision) string { return payCycle(d.At) }},
}

func orNone(s string, known bool) string {
	if !known {
		return none
	}
	return s
}

func ticket(p data.Paise) string {
	switch {
	case p < 200_00:
		return "under 200 rupees"
	case p < 500_00:
		return "200 to 499 rupees"
	case p < 2000_00:
		return "500 to 1,999 rupees"
	}
	return "2,000 rupees and more"
}

func payCycle(at data.Micros) string {
	switch n := sincePayday(at); {
	case n == 0:
		return "on a common pay day"
	case n <= 3:
		return "1 to 3 days after one"
	case n <= 9:
		return "4 to 9 days after one"
	}
	return "10 days and more after one"
}

// group is one level of one cut.
type group struct {
	by, level string
	rows      []int // of the table
}

// parts are the levels of cuts, by cut and name; small counts the rows of those that are
// too small to be shown.
func (j *Judged) parts(by []cut) (groups []group, small int64) {
	for _, c := range by {
		rows := map[string][]int{}
		var levels []string
		for k, i := range j.Table.Keep {
			level := c.of(&j.Log.Decisions[i])
			if rows[level] == nil {
				levels = append(levels, level)
			}
			rows[level] = append(rows[level], k)
		}
		slices.Sort(levels)
		for _, level := range levels {
			if len(rows[level]) < least {
				small += int64(len(rows[level]))
				continue
			}
			groups = append(groups, group{c.by, level, rows[level]})
		}
	}
	return groups, small
}

// segments cut the paired difference of a policy to the incumbent: what each row
// pulls at it, averaged within a level. Intervals are by customer and hold for all
// of them together that are told (Bonferroni). Losing ones come first, those of which
// the log cannot tell last: these have no number.
func (j *Judged) segments(name string) report.Segments {
	out := report.Segments{Policy: name, Of: []report.Segment{}}
	x := j.lines[name]
	if x == nil {
		return out
	}
	f, terms := &x.minus, make([]float64, x.rows.Len()) // of one that is the incumbent: 0
	if !x.alike {
		if f.Value == nil {
			return out
		}
		terms = f.Influence()
		for k := range terms {
			terms[k] += *f.Value // the difference of each row
		}
	}
	groups, small := j.parts(cuts)
	out.Small = small
	for _, g := range groups {
		if x.unsure(g.rows) == "" {
			out.Looks++
		}
	}
	z := math.Sqrt2 * math.Erfinv(1-.05/float64(max(1, out.Looks)))
	for _, g := range groups {
		n := float64(len(g.rows))
		mean, w, w2 := 0.0, 0.0, 0.0
		for _, k := range g.rows {
			mean += terms[k] / n
			u := x.rows.Target[x.rows.At(k)] / x.rows.Propensity[k]
			w, w2 = w+u, w2+float64(u*u)
		}
		pulls := map[int32]float64{}
		for _, k := range g.rows {
			pulls[x.rows.Cluster[k]] += (terms[k] - mean) / n
		}
		se := clustered(pulls)
		if math.Abs(mean) < 1e-9 && se < 1e-9 { // it does what was done
			mean, se = 0, 0
		}
		s := report.Segment{By: g.by, Level: g.level, Light: string(ope.Green), Reason: x.unsure(g.rows), Minus: report.Ranged(mean, mean-float64(z*se), mean+float64(z*se), int64(n))}
		if w2 > 0 {
			s.ESS = w * w / w2
		}
		if s.Reason != "" {
			s.Light, s.Minus = string(ope.Red), report.Estimate{N: int64(n), Why: s.Reason}
		}
		out.Of = append(out.Of, s)
	}
	slices.SortStableFunc(out.Of, func(a, b report.Segment) int {
		if a.Reason != "" || b.Reason != "" {
			return cmp.Or(cmp.Compare(bit(a.Reason != ""), bit(b.Reason != "")), cmp.Compare(a.By, b.By), cmp.Compare(a.Level, b.Level))
		}
		return cmp.Or(cmp.Compare(side(a.Minus), side(b.Minus)), cmp.Compare(*a.Minus.Value, *b.Minus.Value), cmp.Compare(a.By, b.By), cmp.Compare(a.Level, b.Level))
	})
	return out
}

// Why a segment has no number.
const (
	tooFew   = "too_few"   // its weights are worth fewer than 100 rows, or less than 5 % of them
	lightRed = "light_red" // the log cannot tell of the policy as a whole
)

// unsure says why the log cannot tell what a policy does to some rows, by the thresholds
// of the light; "" = it can. One that is the incumbent does nothing to any.
func (x *line) unsure(rows []int) string {
	if x.alike {
		return ""
	}
	if x.net.Light.Level == ope.Red {
		return lightRed
	}
	w, w2, n := 0.0, 0.0, float64(len(rows))
	for _, k := range rows {
		u := x.rows.Target[x.rows.At(k)] / x.rows.Propensity[k]
		w, w2 = w+u, w2+float64(u*u)
	}
	if !(w2 > 0) || w*w < 100*w2 || w*w < .05*n*w2 {
		return tooFew
	}
	return ""
}

// side is -1 where the whole interval lies below 0, 1 where above, else 0.
func side(e report.Estimate) int {
	switch {
	case e.Hi != nil && *e.Hi < 0:
		return -1
	case e.Lo != nil && *e.Lo > 0:
		return 1
	}
	return 0
}

// windows values some policies with a shorter horizon of reward: a payment after it
// counts for nothing.
func (j *Judged) windows(policies []string) ([]report.Window, error) {
	out := []report.Window{}
	for _, days := range []int{7, 14} {
		if data.Micros(days)*data.Day >= j.Log.Horizon {
			continue
		}
		for _, name := range policies {
			f, minus, err := j.within(j.lines[name], data.Micros(days)*data.Day)
			if err != nil {
				return nil, err
			}
			out = append(out, report.Window{Policy: name, Days: days, Net: f, Minus: minus})
		}
	}
	return out, nil
}
