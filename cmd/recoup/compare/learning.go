package compare

import (
	"fmt"

	"recoup/api/report"
)

// learning is how the hands fare by month: at the first shift, at the one nearest to
// where bandits are to cross, and at the last.
func (r *Report) learning() report.Section {
	out := report.Section{ID: "learning", Title: "While they learn", Text: []string{
		"Regret so far, a world: what the choices until then have cost in recovered cases against the best slot of each. A line that bends is a hand that learns.",
		"The gain of a month is " + r.gainOf() + ". The window of a case is 21 days, so nothing that happens in a world teaches before its second month.",
	}}
	last := -1
	for _, i := range []int{0, r.nearest(.4), len(r.Shifts) - 1} {
		if i <= last {
			continue
		}
		last = i
		s := &r.Shifts[i]
		out.Pictures = append(out.Pictures, r.regretPicture(s))
		t := report.Table{Caption: fmt.Sprintf("Gain over the tuned rules by month at shift %g, points a case; the month from which on it is above 0, and that by which what was lost is made good", s.Shift), Head: []string{"hand"}}
		for m := range s.Lines[0].Curve {
			t.Head = append(t.Head, fmt.Sprintf("month %d", m+1))
		}
		t.Head = append(t.Head, "ahead from", "made good by")
		for _, l := range s.Lines {
			if l.Hand == Tuned {
				continue
			}
			row := []string{l.Hand}
			for _, p := range l.Curve {
				row = append(row, points(p.Gain))
			}
			t.Rows = append(t.Rows, append(row, month(l.Ahead), month(l.Even)))
		}
		out.Tables = append(out.Tables, t)
	}
	return out
}

func (r *Report) gainOf() string {
	if r.Setting.Attempts > 1 {
		return "what was paid of the cases that failed in it, less that under the tuned rules"
	}
	return "by the true chances of the slots chosen for the cases that failed in it (that of the rules, which choose in fewer cases, by what was paid)"
}

// nearest is the index of the shift nearest to one.
func (r *Report) nearest(to float64) int {
	best := 0
	for i, s := range r.Shifts {
		if abs(s.Shift-to) < abs(r.Shifts[best].Shift-to) {
			best = i
		}
	}
	return best
}

func abs(v float64) float64 { return max(v, -v) }

func month(m *int) string {
	if m == nil {
		return "none"
	}
	return fmt.Sprintf("month %d", *m)
}
