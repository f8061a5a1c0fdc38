package report

import "fmt"

// groupParts shows the test slice cut by each column, worst first.
func groupParts(m Model) []part {
	var out []part
	for i, g := range m.Groups {
		rows := make([]forestRow, len(g.Levels))
		t := &table{Caption: "By " + g.By + ", worst first", Words: 1,
			Head: []string{g.By, "rows", "observed", "mean forecast", "gap", "Brier", "gain over the train rate"}}
		for j, l := range g.Levels {
			rows[j] = forestRow{l.Level, l.Gap, estimateShort(l.Gap) + ", " + nOf(l.Gap)}
			t.Rows = append(t.Rows, []string{l.Level, count(l.Gap.N), estimate(l.Rate), number(l.MeanP), estimate(l.Gap), estimate(l.Brier), estimate(l.OverBase)})
		}
		if len(rows) == 0 {
			continue
		}
		p := part{Figure: &figure{Title: "By " + g.By, drawing: forest(rows, "observed minus forecast", fmt.Sprintf("Gap between outcome and forecast by %s. Worst: %s %s.", g.By, rows[0].Label, estimate(rows[0].Value)))}}
		if i == 0 {
			p.Heading = "Slices, worst first"
			p.Figure.Guide = "Each dot is what happened minus what was forecast, with the interval by customer: right of 0 the forecast was too low, left too high. Grey = the interval holds 0. The order is by how far the interval lies from 0. " +
				"Among many slices a few miss 0 by chance: one in twenty."
		}
		if g.Others > 0 {
			p.Figure.Guide += fmt.Sprintf(" %s rows are in levels too small to be listed.", count(g.Others))
		}
		out = append(out, p, part{Table: t, Folded: "By " + g.By + " as a table"})
	}
	return out
}
