package report

import (
	"fmt"
	"math"
)

// weightHistogram draws the rows of a policy by log10 of their weight.
func weightHistogram(l *Line) drawing {
	top, all := int64(0), int64(0)
	for _, n := range l.LogWeights {
		top, all = max(top, n), all+n
	}
	if top == 0 {
		return drawing{}
	}
	const w, h = 900.0, 220.0
	s := newSVG(w, h)
	step := niceStep(float64(top) / 4)
	x := scale{-3.5, 3.5, 60, w - 20}
	y := scale{0, step * math.Ceil(float64(top)/step-1e-9), h - 46, 12}
	ticks := y.ticks(4)
	for _, v := range ticks {
		s.line("grid", x.from, y.at(v), x.to, y.at(v))
		s.text("t-tick", "end", x.from-8, y.at(v)+4, tick(v, stepOf(ticks)))
	}
	for i, n := range l.LogWeights {
		lo := -3.5 + float64(i)/2
		if n > 0 {
			s.rect("hist-a", x.at(lo)+1, y.at(float64(n)), x.at(lo+.5)-x.at(lo)-2, y.from-y.at(float64(n)), fmt.Sprintf("%s rows", count(n)))
		}
	}
	for v := -3; v <= 3; v++ {
		s.text("t-tick", "middle", x.at(float64(v)), y.from+16, setting(math.Pow(10, float64(v))))
	}
	s.line("axis", x.from, y.from, x.to, y.from)
	s.line("zero", x.at(0), y.from, x.at(0), y.to)
	s.text("t-axis", "middle", (x.from+x.to)/2, h-8, "weight")
	s.turned("t-axis", 14, (y.from+y.to)/2, "rows")
	return s.picture(fmt.Sprintf("Weights of %s: %s rows above 0, the largest weight is %s.", l.Policy, count(all), number(l.MaxWeight)))
}

// overlapBars draws, for each kind of action, the share of the rows that did it and
// the share that each policy wants.
func overlapBars(rows []Overlap) drawing {
	if len(rows) == 0 {
		return drawing{}
	}
	all := int64(0)
	for _, r := range rows {
		all += r.Logged
	}
	if all == 0 {
		return drawing{}
	}
	const w, left, bar, gap = 900.0, 190.0, 11.0, 10.0
	series := 1 + len(rows[0].Wanted)
	rowH := bar*float64(series) + gap
	h := rowH*float64(len(rows)) + 70
	s := newSVG(w, h)
	x := scale{0, 1, left, w - 60}
	classes := []string{"split split-0", "split split-1", "split split-2", "split split-3"}
	names := []string{"done"}
	for _, v := range rows[0].Wanted {
		names = append(names, "wanted by "+v.Policy)
	}
	for i, name := range names {
		s.rect(classes[i%4], left+float64(i)*170, 6, 12, 12, "")
		s.text("t-label", "start", left+18+float64(i)*170, 16, name)
	}
	for _, v := range x.ticks(5) {
		s.line("grid", x.at(v), 30, x.at(v), h-36)
		s.text("t-tick", "middle", x.at(v), h-20, fixed(100*v, 0)+" %")
	}
	for i, r := range rows {
		y := 30 + rowH*float64(i) + gap/2
		s.text("t-label", "end", left-10, y+bar*float64(series)/2+4, r.Kind)
		shares := []float64{float64(r.Logged) / float64(all)}
		for _, v := range r.Wanted {
			shares = append(shares, v.Rows/float64(all))
		}
		for k, v := range shares {
			s.rect(classes[k%4], left, y+bar*float64(k), x.at(v)-left, bar-1, fmt.Sprintf("%s, %s: %s %%", r.Kind, names[k], fixed(100*v, 1)))
		}
	}
	s.text("t-axis", "middle", (x.from+x.to)/2, h-4, "share of the rows")
	return s.picture("Share of the rows by kind of action: what was done, and what each policy wants.")
}

// sweepPlot draws the doubly robust value over clip and shrinkage.
func sweepPlot(l *Line) drawing {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range l.Sweep {
		if x.Value.ranged() {
			lo, hi = min(lo, *x.Value.Lo), max(hi, *x.Value.Hi)
		}
	}
	if !(hi > lo) {
		return drawing{}
	}
	const w, h = 900.0, 300.0
	s := newSVG(w, h)
	step := niceStep((hi - lo) / 5)
	y := scale{step * math.Floor(lo/step), step * math.Ceil(hi/step), h - 54, 30}
	x := scale{-.2, 4.6, 70, w - 30}
	ticks := y.ticks(5)
	for _, v := range ticks {
		s.line("grid", x.from, y.at(v), x.to, y.at(v))
		s.text("t-tick", "end", x.from-8, y.at(v)+4, tick(v, stepOf(ticks)))
	}
	for v := range 5 {
		s.text("t-tick", "middle", x.at(float64(v)), y.from+18, setting(math.Pow(10, float64(v))))
	}
	s.text("t-tick", "middle", x.at(4.45), y.from+18, "none")
	s.line("axis", x.from, y.from, x.to, y.from)
	for k, kind := range []string{"clip", "shrink"} {
		class := []string{"a", "b"}[k]
		var points []point
		for _, e := range l.Sweep {
			if e.Kind != kind && e.Kind != "none" || !e.Value.ranged() {
				continue
			}
			at := 4.45
			if e.Lambda != nil {
				at = math.Log10(max(1, *e.Lambda))
			}
			px := x.at(at) + []float64{-3, 3}[k]
			s.line("bar-"+class, px, y.at(*e.Value.Lo), px, y.at(*e.Value.Hi))
			s.dot("dot-"+class, px, y.at(*e.Value.Value), 4, fmt.Sprintf("%s: %s", kind, estimate(e.Value)))
			points = append(points, point{px, y.at(*e.Value.Value)})
		}
		if len(points) > 1 { // untamed stands first in the list, last in the picture
			points = append(points[1:], points[0])
		}
		s.path("curve-"+class, points, false)
		s.dot("dot-"+class, x.from+20+float64(k)*110, 14, 4, "")
		s.text("t-label", "start", x.from+30+float64(k)*110, 18, kind)
	}
	s.text("t-axis", "middle", (x.from+x.to)/2, h-10, "lambda, the weight where taming begins")
	s.turned("t-axis", 14, (y.from+y.to)/2, "net rupees a case")
	return s.picture(fmt.Sprintf("Doubly robust value of %s under every clip and shrinkage: from %s to %s rupees a case with intervals.", l.Policy, number(lo), number(hi)))
}
