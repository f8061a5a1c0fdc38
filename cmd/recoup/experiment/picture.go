package experiment

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// forest draws the net differences, rupees a case, each with its interval.
func forest(pairs []Pair) string {
	lo, hi := 0.0, 0.0
	for _, p := range pairs {
		if e := p.Difference.Net; e.Lo != nil && e.Hi != nil {
			lo, hi = math.Min(lo, *e.Lo/100), math.Max(hi, *e.Hi/100)
		}
	}
	if hi == lo {
		return ""
	}
	const left, right, rowHeight = 190.0, 760.0, 30.0
	x := func(v float64) float64 { return left + (v-lo)/(hi-lo)*(right-left-20) + 10 }
	height := rowHeight*float64(len(pairs)) + 40
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 780 %.0f" role="img" aria-label="Net difference in rupees a case, with 95 %% intervals">`+"\n", height)
	step := nice((hi - lo) / 6)
	for v := math.Ceil(lo/step) * step; v <= hi; v += step {
		fmt.Fprintf(&b, `<line class="grid" x1="%.2f" y1="8" x2="%.2f" y2="%.2f"/><text class="tick" text-anchor="middle" x="%.2f" y="%.2f">%s</text>`+"\n",
			x(v), x(v), height-30, x(v), height-14, html.EscapeString(fmt.Sprintf("%g", math.Round(v*100)/100+0)))
	}
	fmt.Fprintf(&b, `<line class="zero" x1="%.2f" y1="8" x2="%.2f" y2="%.2f"/>`+"\n", x(0), x(0), height-30)
	for i, p := range pairs {
		y, e := 22+rowHeight*float64(i), p.Difference.Net
		fmt.Fprintf(&b, `<text text-anchor="end" x="%.2f" y="%.2f">%s</text>`+"\n", left-8, y+4, html.EscapeString(p.A+" - "+p.B))
		if e.Lo == nil || e.Hi == nil {
			continue
		}
		fmt.Fprintf(&b, `<line class="bar" x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f"/><circle class="dot" cx="%.2f" cy="%.2f" r="4"><title>%s</title></circle>`+"\n",
			x(*e.Lo/100), y, x(*e.Hi/100), y, x(*e.Value/100), y, html.EscapeString(rupees(e)))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// nice is the smallest of 1, 2, 5 times a power of ten that is not below v.
func nice(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*p >= v {
			return m * p
		}
	}
	return 10 * p
}
