package nightly

import (
	"fmt"
	"slices"
	"strconv"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
	"recoup/train"
)

// groupBy is one way to cut the test slice.
type groupBy struct {
	by    string
	level func(i int) string // of a test row
}

// minLevel is how many rows a level needs to be listed: under 30 an interval
// says nothing.
const minLevel = 30

// maxLevels is how many levels of one cut are listed, the most frequent first.
const maxLevels = 40

// groups cuts the test rows in every way and says how far each level is off.
func groups(d *draws, r rows, cuts []groupBy, trainRate float64) []report.Group {
	out := make([]report.Group, len(cuts))
	for k, cut := range cuts {
		rowsOf := map[string][]int{}
		var names []string
		for i := range r.y {
			v := cut.level(i)
			if rowsOf[v] == nil {
				names = append(names, v)
			}
			rowsOf[v] = append(rowsOf[v], i)
		}
		slices.Sort(names)
		slices.SortStableFunc(names, func(a, b string) int { return len(rowsOf[b]) - len(rowsOf[a]) })
		g := &out[k]
		g.By = cut.by
		g.Levels = make([]report.Level, 0, len(names)) // never grows: intervals are set through pointers
		for _, v := range names {
			in := rowsOf[v]
			if len(in) < minLevel || len(g.Levels) == maxLevels {
				g.Others += int64(len(in))
				continue
			}
			g.Levels = append(g.Levels, report.Level{Level: v})
			level(d, &g.Levels[len(g.Levels)-1], r, in, trainRate)
		}
	}
	return out
}

func level(d *draws, l *report.Level, r rows, in []int, trainRate float64) {
	rate := ratioOf(in, r.customer, func(i int) float64 { return float64(r.weight(i) * r.y[i]) }, r.weight)
	meanP := ratioOf(in, r.customer, func(i int) float64 { return float64(r.weight(i) * r.p[i]) }, r.weight)
	l.MeanP = meanP.of(nil)
	v := rate.of(nil)
	l.Rate = report.Number(v, rate.n)
	if lo, hi, ok := models.Wilson(v*float64(rate.n), float64(rate.n)); ok {
		l.Rate = report.Ranged(v, lo, hi, rate.n)
	}
	d.estimate(&l.Gap, ratioOf(in, r.customer, func(i int) float64 { return float64(r.weight(i) * (r.y[i] - r.p[i])) }, r.weight))
	d.estimate(&l.Brier, r.brier(in, of(r.p)))
	d.estimate(&l.OverBase, r.gain(in, constant(trainRate), of(r.p)))
}

// cutColumns are categories of both schemas that the test slice is cut by.
var cutColumns = []string{"class", "rail", "bank"}

// attemptCuts and cureCuts are the ways in which each model's test slice is cut.
func attemptCuts(s *train.Scored) []groupBy {
	return append(byColumns(s),
		groupBy{"delay", delay(s.Meta.Column("at"), s.Meta.Column("decided_at"))},
		groupBy{"month", month(s.Meta.Column("at"))})
}

func cureCuts(s *train.Scored) []groupBy {
	return append(byColumns(s),
		groupBy{"day", dayOf(s.Meta.Column("day"))},
		groupBy{"month", month(s.Meta.Column("at"))})
}

func byColumns(s *train.Scored) []groupBy {
	var by []groupBy
	for _, c := range cutColumns {
		by = append(by, groupBy{c, text(s.Meta.Column(c))})
	}
	return append(by, groupBy{"attempt number", attemptNo(s.Meta.Column("attempt_no"))})
}

// text cuts by a column of strings.
func text(c *data.Column) func(i int) string {
	return func(i int) string { return c.Text(i) }
}

// attemptNo cuts by the number of the attempt, from 6 on together.
func attemptNo(c *data.Column) func(i int) string {
	return func(i int) string {
		if c.I[i] >= 6 {
			return "6 or more"
		}
		return strconv.FormatInt(c.I[i], 10)
	}
}

// delay cuts by the time between decision and presentation.
func delay(at, decided *data.Column) func(i int) string {
	return func(i int) string {
		h := (data.Micros(at.I[i]) - data.Micros(decided.I[i])) / data.Hour
		switch {
		case h < 1:
			return "under 1 h"
		case h < 6:
			return "1 to 6 h"
		case h < 24:
			return "6 to 24 h"
		case h < 3*24:
			return "1 to 3 d"
		case h < 7*24:
			return "3 to 7 d"
		}
		return "7 d or more"
	}
}

// month cuts by the calendar month in India.
func month(at *data.Column) func(i int) string {
	return func(i int) string {
		y, m, _ := data.Micros(at.I[i]).ISTDate()
		return fmt.Sprintf("%04d-%02d", y, int(m))
	}
}

// dayOf cuts person-days by how long after the failure they are.
func dayOf(day *data.Column) func(i int) string {
	return func(i int) string {
		switch d := day.I[i]; {
		case d == 0:
			return "day 1"
		case d < 3:
			return "days 2 to 3"
		case d < 7:
			return "days 4 to 7"
		case d < 14:
			return "days 8 to 14"
		}
		return "days 15 to 21"
	}
}
