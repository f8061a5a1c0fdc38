package report

import (
	"fmt"
	"math"
)

// reliability draws the curve of a test slice before and after calibration,
// each with Wilson bars and the histogram of its scores below.
func reliability(t Test) drawing {
	const (
		panelW, gap = 438.0, 24.0
		h           = 470.0
	)
	s := newSVG(2*panelW+gap, h)
	top := max(binTop(t.RawBins, t.RawHistogram, t.HistogramTop), binTop(t.Bins, t.Histogram, t.HistogramTop))
	reliabilityPanel(s, 0, panelW, "before calibration", "b", top, t.RawBins, t.RawHistogram, t.HistogramTop)
	reliabilityPanel(s, panelW+gap, panelW, "after calibration", "a", top, t.Bins, t.Histogram, t.HistogramTop)
	return s.picture(fmt.Sprintf("Reliability curve: %d bins before and %d bins after calibration, observed rate against mean forecast. %s",
		len(t.RawBins), len(t.Bins), binWords(t.Bins)))
}

func reliabilityPanel(s *svg, x0, w float64, title, series string, top float64, bins []Bin, hist []int64, histTop float64) {
	x := scale{0, top, x0 + 52, x0 + w - 18}
	y := scale{0, top, 330, 30}
	s.text("t-head", "middle", (x.from+x.to)/2, 16, title)
	ticks := x.ticks(5)
	for _, v := range ticks {
		s.line("grid", x.at(v), y.from, x.at(v), y.to)
		s.line("grid", x.from, y.at(v), x.to, y.at(v))
		s.text("t-tick", "end", x.from-6, y.at(v)+4, tick(v, stepOf(ticks)))
	}
	s.line("diag", x.at(0), y.at(0), x.at(top), y.at(top))
	var curve []point
	for _, b := range bins {
		if !b.Rate.known() {
			continue
		}
		px, tip := x.clamped(b.MeanP), fmt.Sprintf("forecast %s, observed %s, n = %s", number(b.MeanP), estimate(b.Rate), count(b.Rate.N))
		if b.Rate.ranged() {
			s.line("bar-"+series, px, y.clamped(*b.Rate.Lo), px, y.clamped(*b.Rate.Hi))
		}
		curve = append(curve, point{px, y.clamped(*b.Rate.Value)})
		s.dot("dot-"+series, px, y.clamped(*b.Rate.Value), 4, tip)
	}
	s.path("curve-"+series, curve, false)
	s.turned("t-axis", x0+12, (y.from+y.to)/2, "observed rate")

	width := histTop / float64(max(len(hist), 1))
	hy := scale{0, float64(maxCount(hist)), 422, 350}
	for i, n := range hist {
		from, to := width*float64(i), width*float64(i+1)
		if n == 0 || from >= top {
			continue
		}
		l, r := x.at(from), x.clamped(to)
		s.rect("hist-"+series, l+.75, hy.at(float64(n)), max(r-l-1.5, 1), hy.from-hy.at(float64(n)), fmt.Sprintf("%s rows with p in [%s, %s)", count(n), setting(round(from)), setting(round(to))))
	}
	s.line("axis", x.from, hy.from, x.to, hy.from)
	s.text("t-tick", "end", x.from-6, hy.to+8, count(maxCount(hist)))
	s.text("t-tick", "end", x.from-6, hy.from+4, "0")
	for _, v := range ticks {
		s.text("t-tick", "middle", x.at(v), hy.from+16, tick(v, stepOf(ticks)))
	}
	s.text("t-axis", "middle", (x.from+x.to)/2, hy.from+36, "forecast p; the bars count rows")
}

// binTop is the end of both axes: the next tenth above every mark, so that
// small rates are not squeezed into a corner.
func binTop(bins []Bin, hist []int64, histTop float64) float64 {
	top := 0.0
	for _, b := range bins {
		top = max(top, b.MeanP)
		if b.Rate.ranged() {
			top = max(top, *b.Rate.Hi)
		}
	}
	for i, n := range hist {
		if n > 0 {
			top = max(top, histTop*float64(i+1)/float64(len(hist)))
		}
	}
	for _, step := range []float64{.01, .02, .05, .1} {
		if top <= 10*step {
			return max(step*math.Ceil(top/step-1e-9), step)
		}
	}
	return 1
}

func maxCount(hist []int64) int64 {
	top := int64(1)
	for _, n := range hist {
		top = max(top, n)
	}
	return top
}

// round drops what a sum of floats leaves behind the sixth decimal.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// binWords says the curve for those who cannot see it.
func binWords(bins []Bin) string {
	in := 0
	for _, b := range bins {
		if b.Rate.ranged() && *b.Rate.Lo <= b.MeanP && b.MeanP <= *b.Rate.Hi {
			in++
		}
	}
	return fmt.Sprintf("After calibration the diagonal passes through the bars of %d of %d bins.", in, len(bins))
}
