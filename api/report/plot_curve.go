package report

import (
	"fmt"
	"math"
)

// f0Curve draws the share of cases paid with nothing done, day by day: the
// model against Kaplan and Meier's estimate with its band.
func f0Curve(points []F0Point) drawing {
	const w, h = 900.0, 320.0
	s := newSVG(w, h)
	days, top := 1.0, 0.0
	for _, p := range points {
		days = max(days, float64(p.Day))
		for _, e := range []Estimate{p.Predicted, p.Observed} {
			if e.known() {
				top = max(top, *e.Value)
			}
			if e.ranged() {
				top = max(top, *e.Hi)
			}
		}
	}
	if top == 0 {
		return drawing{}
	}
	step := niceStep(top / 5)
	x := scale{0, days, 60, w - 20}
	y := scale{0, step * math.Ceil(top/step-1e-9), h - 54, 16}
	ticks := y.ticks(5)
	for _, v := range ticks {
		s.line("grid", x.from, y.at(v), x.to, y.at(v))
		s.text("t-tick", "end", x.from-8, y.at(v)+4, tick(v, stepOf(ticks)))
	}
	for d := 0.0; d <= days; d += max(1, math.Ceil(days/21)*3) {
		s.text("t-tick", "middle", x.at(d), y.from+18, fixed(d, 0))
	}
	s.line("axis", x.from, y.from, x.to, y.from)
	predicted, observed := []point{{x.at(0), y.at(0)}}, []point{{x.at(0), y.at(0)}}
	band, back := []point{{x.at(0), y.at(0)}}, []point(nil)
	for _, p := range points {
		px := x.at(float64(p.Day))
		if p.Observed.ranged() {
			band = append(band, point{px, y.at(*p.Observed.Hi)})
			back = append(back, point{px, y.at(*p.Observed.Lo)})
		}
		if p.Observed.known() {
			observed = append(observed, point{px, y.at(*p.Observed.Value)})
		}
		if p.Predicted.known() {
			predicted = append(predicted, point{px, y.at(*p.Predicted.Value)})
		}
	}
	for i := len(back) - 1; i >= 0; i-- {
		band = append(band, back[i])
	}
	if len(back) > 0 {
		s.path("band", band, true)
	}
	s.path("curve-b", observed, false)
	s.path("curve-a", predicted, false)
	s.text("t-axis", "middle", (x.from+x.to)/2, h-10, "days after the failure, nothing done")
	s.turned("t-axis", 14, (y.from+y.to)/2, "share paid")
	s.line("curve-a", x.from+16, 26, x.from+40, 26)
	s.text("t-label", "start", x.from+46, 30, "model")
	s.line("curve-b", x.from+106, 26, x.from+130, 26)
	s.text("t-label", "start", x.from+136, 30, "observed (Kaplan–Meier), 95 % band")
	last := points[len(points)-1]
	return s.picture(fmt.Sprintf("Share paid with nothing done by day %d: model %s, observed %s.", last.Day, estimate(last.Predicted), estimate(last.Observed)))
}
