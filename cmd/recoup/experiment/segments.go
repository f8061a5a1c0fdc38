package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Segments is the model against another arm, part by part of the cases.
type Segments struct {
	Over  string        `json:"over"`
	Lines []SegmentLine `json:"lines"` // what loses most first
	Small int           `json:"small"` // segments of too few cases, left out
}

// SegmentLine is one part of the cases.
type SegmentLine struct {
	By    string          `json:"by"`
	Level string          `json:"level"`
	Cases int64           `json:"cases"`
	Net   report.Estimate `json:"net_paise"` // a case; the interval holds for all lines at once
	P     report.Estimate `json:"p_holm"`    // adjusted for all lines
}

// leastCases is the fewest cases that a segment is shown for.
const leastCases = 40

// segments cuts the cases by what is known of them at their first failure.
func segments(s *paired.Sample, worlds []*World, arms map[string]*arm) (out []Segments) {
	cuts, names := cutsOf(worlds)
	for _, over := range []string{Rules, Control} {
		a, b := arms[Model], arms[over]
		g := Segments{Over: over, Lines: []SegmentLine{}}
		var all []SegmentLine
		for k, by := range names {
			levels := slices.Compact(slices.Sorted(slices.Values(cuts[k])))
			for _, level := range levels {
				n := 0
				for _, l := range cuts[k] {
					if l == level {
						n++
					}
				}
				if n < leastCases {
					g.Small++
					continue
				}
				all = append(all, SegmentLine{By: by, Level: level, Cases: int64(n)})
			}
		}
		var p []report.Estimate
		diff := func(i int) float64 { return a.net[i] - b.net[i] }
		for i := range all {
			l := &all[i]
			cut := cuts[slices.Index(names, l.By)]
			among := func(i int) bool { return cut[i] == l.Level }
			l.Net = s.Adjusted(diff, among, len(all))
			p = append(p, s.P(diff, among))
		}
		for i, adjusted := range paired.Holm(p) {
			all[i].P = adjusted
		}
		slices.SortStableFunc(all, func(x, y SegmentLine) int { return cmp.Compare(*x.Net.Value, *y.Net.Value) })
		g.Lines = append(g.Lines, all...)
		out = append(out, g)
	}
	return out
}

// cutsOf gives each case a level in each of several cuts.
func cutsOf(worlds []*World) (cuts [][]string, names []string) {
	names = []string{"class", "rail", "bank", "amount", "part of the month"}
	cuts = make([][]string, len(names))
	for _, w := range worlds {
		for i := range w.Classes {
			for k, level := range []string{className(w.Classes[i]), w.Rails[i], w.Banks[i], amountBand(w.Amounts[i]), monthPart(w.Days[i])} {
				cuts[k] = append(cuts[k], level)
			}
		}
	}
	return cuts, names
}

func amountBand(paise int64) string {
	for _, b := range []struct {
		below int64
		name  string
	}{{500_00, "below 500 rupees"}, {1500_00, "500 to 1,500 rupees"}, {5000_00, "1,500 to 5,000 rupees"}} {
		if paise < b.below {
			return b.name
		}
	}
	return "5,000 rupees and more"
}

func monthPart(day int) string {
	for _, to := range []int{7, 14, 21} {
		if day <= to {
			return fmt.Sprintf("days %d to %d", to-6, to)
		}
	}
	return "days 22 to the end"
}

func (r *Report) segmentSection() report.Section {
	out := report.Section{ID: "segments", Title: "Where the model loses and wins", Text: []string{fmt.Sprintf(
		"The model minus another arm, rupees a case, what loses most first. The intervals hold for all lines of a table at once (Bonferroni), the p values are adjusted for all of them (Holm). Segments of fewer than %d cases are left out: %d of them.", leastCases, r.Segments[0].Small)}}
	for i := range r.Segments {
		g := &r.Segments[i]
		out.Text = append(out.Text, g.says())
		t := report.Table{Caption: "Against the arm: " + armTitle[g.Over] + ".", Head: []string{"segment", "by", "cases", "model - " + g.Over, "p, adjusted"}}
		for _, l := range g.Lines {
			t.Rows = append(t.Rows, []string{l.Level, l.By, report.Count(l.Cases), rupees(l.Net), pText(l.P)})
		}
		out.Tables = append(out.Tables, t)
	}
	return out
}

// says names the segments that lose for sure.
func (g *Segments) says() string {
	var lost []string
	won := 0
	for _, l := range g.Lines {
		switch paired.Above(l.Net) {
		case -1:
			lost = append(lost, fmt.Sprintf("%s %s (%s rupees a case)", l.By, l.Level, rupees(l.Net)))
		case 1:
			won++
		}
	}
	out := fmt.Sprintf("Against the %s the model wins in %d of %d segments, with intervals that hold for all at once", armTitle[g.Over], won, len(g.Lines))
	if len(lost) == 0 {
		return out + ", and loses in none."
	}
	return fmt.Sprintf("%s, and loses in %d: %s.", out, len(lost), strings.Join(lost, "; "))
}
