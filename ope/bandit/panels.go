package bandit

import (
	"math"
	"slices"
)

const (
	panelWidth = 1.5   // local standard deviations, and units of the logit
	flat       = 1e-17 // of n x(1-x): below, a density is exponential to the last digit
	mostPanels = 50_000
)

// panels divides the line where some density counts, left to right: the edges.
// No panel is wider than panelWidth allows any density that lives on it, and each
// begins or ends where a density does. nil = the arms ask for more than mostPanels.
func panels(ds []density) []float64 {
	var breaks []float64
	for i := range ds {
		breaks = append(breaks, ds[i].low, ds[i].high)
	}
	slices.Sort(breaks)
	breaks = slices.Compact(breaks)
	edges := []float64{breaks[0]}
	for _, end := range breaks[1:] {
		at := edges[len(edges)-1]
		for at < end {
			next := at + step(ds, at)
			if next > end || end-next < (next-at)/64 { // no slivers
				next = end
			}
			if len(edges) > mostPanels || next <= at {
				return nil
			}
			edges, at = append(edges, next), next
		}
	}
	return edges
}

// step is how far a panel that begins at s may reach.
func step(ds []density, s float64) float64 {
	most, sum, n := panelWidth, 0.0, 0.0
	for i := range ds {
		d := &ds[i]
		if s < d.low || s >= d.high {
			continue
		}
		most = min(most, panelWidth*d.width(s))
		n = max(n, d.n)
		if s < 0 {
			sum += d.a
		} else {
			sum += d.b
		}
	}
	if n == 0 {
		return math.Inf(1) // nobody lives here
	}
	for i := range ds { // toward the middle the widths shrink
		if d := &ds[i]; s >= d.low && s < d.high {
			most = min(most, panelWidth*d.width(s+most))
		}
	}
	// Far out every density is a pure exponential, and small counts make long tails.
	if limit := math.Log(n / flat); math.Abs(s) > limit && most == panelWidth {
		most = max(most, panelWidth/sum)
		if s < 0 {
			most = max(panelWidth, min(most, -limit-s))
		}
	}
	return most
}
