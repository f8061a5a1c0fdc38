package compare

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// colours of the hands, readable on light and dark ground.
var colours = map[string]string{Ladder: "#8a6d3b", Rules: "#9aa3ad", Tuned: "#c0392b", OwnDay: "#8e44ad", Anew: "#bcbd22", Calendar: "#59a14f", Flat: "#b07aa1", Cold: "#76b7b2", Bandit: "#2e86de", LogisticT: "#16a085", Model: "#e08e0b", Oracle: "#7f8c8d"}

// series is one line of a picture.
type series struct {
	name      string
	x, y      []float64
	low, high []float64 // nil = no intervals
}

// overPicture is recovery against the tuned rules by shift.
func (r *Report) overPicture() string {
	var all []series
	for h, l := range r.Shifts[0].Lines {
		if l.Hand == Rules { // far below: it would flatten the others
			continue
		}
		s := series{name: l.Hand}
		for i := range r.Shifts {
			if e := r.Shifts[i].Lines[h].Over; e.Value != nil && e.Lo != nil {
				s.x, s.y = append(s.x, r.Shifts[i].Shift), append(s.y, *e.Value*100)
				s.low, s.high = append(s.low, *e.Lo*100), append(s.high, *e.Hi*100)
			}
		}
		all = append(all, s)
	}
	return plot(all, "shift of the world", "points of recovery over the tuned rules, 95 % intervals; rules left out")
}

// regretPicture is the regret so far by month.
func (r *Report) regretPicture(at *Shift) string {
	var all []series
	for _, l := range at.Lines {
		if l.Hand == Oracle || l.Hand == Rules { // nothing; and it decides about fewer cases
			continue
		}
		s := series{name: l.Hand, x: []float64{0}, y: []float64{0}}
		for t, p := range l.Curve {
			if p.Lost.Value != nil {
				s.x, s.y = append(s.x, float64(t+1)), append(s.y, *p.Lost.Value)
			}
		}
		all = append(all, s)
	}
	return plot(all, fmt.Sprintf("month, at shift %g", at.Shift), "regret so far, cases a world")
}

// plot draws lines with a legend.
func plot(all []series, xName, yName string) string {
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, s := range all {
		for i := range s.x {
			x0, x1 = min(x0, s.x[i]), max(x1, s.x[i])
			y0, y1 = min(y0, s.y[i]), max(y1, s.y[i])
			if s.low != nil {
				y0, y1 = min(y0, s.low[i]), max(y1, s.high[i])
			}
		}
	}
	if !(x1 > x0) || !(y1 > y0) {
		return ""
	}
	const left, right, top, bottom = 50.0, 600.0, 26.0, 330.0
	px := func(v float64) float64 { return left + (v-x0)/(x1-x0)*(right-left) }
	py := func(v float64) float64 { return bottom - (v-y0)/(y1-y0)*(bottom-top) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 780 380" role="img" aria-label="%s by %s">`+"\n", html.EscapeString(yName), html.EscapeString(xName))
	step := nice((y1 - y0) / 6)
	for v := math.Ceil(y0/step) * step; v <= y1; v += step {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%.1f" y="%.1f">%g</text>`+"\n", left, py(v), right, py(v), left-6, py(v)+4, math.Round(v*1e6)/1e6+0)
	}
	step = nice((x1 - x0) / 6)
	for v := math.Ceil(x0/step) * step; v <= x1+step/1e6; v += step {
		fmt.Fprintf(&b, `<text class="tick" text-anchor="middle" x="%.1f" y="%.1f">%g</text>`+"\n", px(v), bottom+18, math.Round(v*1e6)/1e6+0)
	}
	fmt.Fprintf(&b, `<line class="zero" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", left, py(0), right, py(0))
	fmt.Fprintf(&b, `<text x="%.1f" y="14">%s</text><text text-anchor="middle" x="%.1f" y="%.1f">%s</text>`+"\n", left, html.EscapeString(yName), (left+right)/2, bottom+40, html.EscapeString(xName))
	for k, s := range all {
		if len(s.x) == 0 {
			continue
		}
		dx := (float64(k) - float64(len(all)-1)/2) * 3 // side by side
		if s.low == nil {
			dx = 0
		}
		fmt.Fprintf(&b, `<g stroke="%s" fill="none" stroke-width="2"><polyline points="`, colours[s.name])
		for i := range s.x {
			fmt.Fprintf(&b, "%.1f,%.1f ", px(s.x[i])+dx, py(s.y[i]))
		}
		b.WriteString(`"/>`)
		for i := range s.low {
			fmt.Fprintf(&b, `<line stroke-width="1.3" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, px(s.x[i])+dx, py(s.low[i]), px(s.x[i])+dx, py(s.high[i]))
		}
		y := top + 20*float64(k)
		fmt.Fprintf(&b, `<line x1="620" y1="%.1f" x2="644" y2="%.1f"/></g><text x="650" y="%.1f">%s</text>`+"\n", y, y, y+4, html.EscapeString(s.name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// nice is the smallest of 1, 2, 5 times a power of ten that is not below v.
func nice(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= v {
			return m * p
		}
	}
	return 10 * p
}
