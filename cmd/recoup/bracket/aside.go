package bracket

import (
	"fmt"

	"recoup/api/report"
)

// fallbackSays warns of the decisions that another arm answered, or that were only
// monitored: how many, of how many cases, and to which side leaving them out of the
// estimates pulls; "" = there is none.
func (l *Log) fallbackSays() string {
	if l.Counts.Fallback == 0 {
		return ""
	}
	out := fmt.Sprintf("%s decisions of %s cases were answered by another arm than their own, or only monitored: what was measured counts their cases in the arm that they were given, the estimates leave them out",
		report.Count(int64(l.Counts.Fallback)), report.Count(int64(l.Counts.FellBack)))
	var n, net, paid [2]float64
	for i := range l.Given {
		d, k := &l.Given[i], 0
		if d.Aside {
			k = 1
		}
		n[k], net[k], paid[k] = n[k]+1, net[k]+d.Net(), paid[k]+bit(d.Recovered)
	}
	switch {
	case n[1] == 0:
		return out + "; none of these cases, its window closed, begins with one"
	case n[0] == 0:
		return out + "; every case begins with one, so nothing is left to estimate from"
	}
	side := "as lucky as"
	left, rest := net[1]/n[1], net[0]/n[0]
	if left < rest {
		side = "luckier than"
	} else if left > rest {
		side = "unluckier than"
	}
	return out + fmt.Sprintf(". The %s cases that begin with one brought %s rupees a case (%.1f %% recovered), the other %s brought %s (%.1f %%): the estimates rest on cases %s all",
		report.Count(int64(n[1])), report.Rupees(left), 100*paid[1]/n[1], report.Count(int64(n[0])), report.Rupees(rest), 100*paid[0]/n[0], side)
}

// customersOf counts the customers of decisions.
func customersOf(decisions []Decision) int64 {
	seen := map[string]struct{}{}
	for i := range decisions {
		seen[decisions[i].CustomerID] = struct{}{}
	}
	return int64(len(seen))
}
