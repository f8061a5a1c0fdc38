package bracket

import (
	"fmt"
	"math"

	"recoup/api/report"
	"recoup/data"
)

// overlap says, for each kind of action, how often it was offered, taken and wanted.
func (j *Judged) overlap(policies []string) ([]report.Overlap, []report.Never) {
	rows := &j.Table.Rows
	out, never := []report.Overlap{}, []report.Never{}
	for k, kind := range rows.Actions {
		o := report.Overlap{Kind: kind, Wanted: []report.Wanted{}}
		sum, smallest := 0.0, math.Inf(1)
		for i := range rows.Len() {
			lo, hi := rows.Candidates(i)
			p, there := 0.0, false
			for c := lo; c < hi; c++ {
				if rows.Label[c] == int32(k) {
					there, p = true, p+rows.Behaviour[0][c]
					if q := rows.Behaviour[0][c]; q > 0 {
						smallest = min(smallest, q)
					}
				}
			}
			if there {
				o.Offered++
				sum += p
			}
			if rows.Label[rows.At(i)] == int32(k) {
				o.Logged++
			}
		}
		if o.Offered == 0 {
			continue
		}
		o.Propensity, o.Least = report.Number(sum/float64(o.Offered), o.Offered), report.Number(smallest, o.Offered)
		if math.IsInf(smallest, 1) {
			o.Least = report.Unknown("nobody could take it")
		}
		for _, name := range policies {
			o.Wanted = append(o.Wanted, report.Wanted{Policy: name, Rows: j.wants(name, func(i int, c int32) bool { return rows.Label[c] == int32(k) })})
		}
		out = append(out, o)
	}
	for _, name := range policies {
		never = append(never, j.never(name)...)
	}
	return out, never
}

// wants is how many rows a policy gives to the candidates that are asked about.
func (j *Judged) wants(name string, of func(i int, c int32) bool) (n float64) {
	x := j.lines[name]
	for i := range x.rows.Len() {
		lo, hi := x.rows.Candidates(i)
		for c := lo; c < hi; c++ {
			if of(i, int32(c)) {
				n += x.rows.Target[c]
			}
		}
	}
	return n
}

// never lists what a policy wants in a class and nobody ever took there.
func (j *Judged) never(name string) (out []report.Never) {
	rows := &j.Table.Rows
	for _, class := range append([]data.Class{0}, data.Classes()...) {
		of := func(i int) bool { return j.Log.Decisions[j.Table.Keep[i]].Class == class }
		taken := make([]bool, len(rows.Actions))
		for i := range rows.Len() {
			if of(i) {
				taken[rows.Label[rows.At(i)]] = true
			}
		}
		for k, kind := range rows.Actions {
			if taken[k] {
				continue
			}
			if n := j.wants(name, func(i int, c int32) bool { return of(i) && rows.Label[c] == int32(k) }); n > 0 {
				out = append(out, report.Never{Policy: name, Segment: fmt.Sprintf("class %s", orNone(class.String(), class != 0)), Kind: kind, Rows: n})
			}
		}
	}
	return out
}

// byArm cuts by whom a case was given to.
var byArm = cut{"arm", func(d *Decision) string { return d.Assigned.String() }}

// carried says, arm by arm and segment by segment, how far the log carries a policy: a
// good weight overall may come from one arm or one bank alone.
func (j *Judged) carried(name string) []report.Carried {
	x := j.lines[name]
	groups, _ := j.parts(append([]cut{byArm}, cuts...))
	all := 0.0
	for k := range x.rows.Len() {
		all += x.weight(k)
	}
	out := []report.Carried{}
	for _, g := range groups {
		c := report.Carried{By: g.by, Level: g.level, Rows: int64(len(g.rows)), Least: report.Unknown("nobody could take anything")}
		w, w2, lost, smallest := 0.0, 0.0, 0.0, math.Inf(1)
		for _, k := range g.rows {
			u := x.weight(k)
			w, w2 = w+u, w2+float64(u*u)
			if c.MaxWeight = max(c.MaxWeight, u); u > 0 {
				c.Matched++
			}
			lo, hi := x.rows.Candidates(k)
			for i := lo; i < hi; i++ {
				e, p := x.rows.Target[i], x.rows.Behaviour[0][i]
				switch {
				case e > 0 && p > 0:
					smallest = min(smallest, p)
				case e > 0:
					lost += e
				}
			}
		}
		if w2 > 0 {
			c.ESS, c.Share = w*w/w2, w/all
		}
		if !math.IsInf(smallest, 1) {
			c.Least = report.Number(smallest, c.Rows)
		}
		c.Unsupported = lost / float64(len(g.rows))
		out = append(out, c)
	}
	return out
}

// weight is that of a row.
func (x *line) weight(k int) float64 { return x.rows.Target[x.rows.At(k)] / x.rows.Propensity[k] }
