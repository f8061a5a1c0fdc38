package report

import (
	"fmt"
	"math"
)

// ceiling draws where a model stands between the base rate (left) and the best
// forecast anybody could make (right), by Brier score.
func ceiling(c Ceiling) drawing {
	const w, h, barY = 900.0, 160.0, 64.0
	s := newSVG(w, h)
	marks := []struct {
		label string
		e     Estimate
		class string
		up    bool
	}{
		{"base rate", c.BrierBase, "mute", true},
		{"before calibration", c.BrierRaw, "b", false},
		{"calibrated", c.Brier, "a", true},
		{"ceiling (p_true)", c.BrierTrue, "c", false},
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, m := range marks {
		if m.e.known() {
			lo, hi = min(lo, *m.e.Value), max(hi, *m.e.Value)
		}
	}
	if !(lo < hi) {
		return drawing{}
	}
	pad := .12 * (hi - lo)
	x := scale{hi + pad, lo - pad, 40, w - 40} // better to the right
	axis := scale{lo - pad, hi + pad, w - 40, 40}
	ticks := axis.ticks(6)
	s.line("axis", x.from, barY, x.to, barY)
	for _, v := range ticks {
		s.line("axis", x.at(v), barY-3, x.at(v), barY+3)
		s.text("t-tick", "middle", x.at(v), h-26, tick(v, stepOf(ticks)))
	}
	s.text("t-axis", "middle", w/2, h-8, "Brier score, better to the right")
	if c.BrierBase.known() && c.Brier.known() && c.BrierTrue.known() {
		a, b, t := x.at(*c.BrierBase.Value), x.at(*c.Brier.Value), x.at(*c.BrierTrue.Value)
		s.rect("track", min(a, t), barY-7, math.Abs(t-a), 14, "")
		s.rect("fill", min(a, b), barY-7, math.Abs(b-a), 14, "captured: "+percent(c.Captured))
	}
	for _, m := range marks {
		if !m.e.known() {
			continue
		}
		px, text, lead := x.at(*m.e.Value), barY-28, barY-22
		if !m.up { // two rows, since these two may lie close together
			text = barY + 32 + 17*float64(b2i(m.class == "c"))
			lead = text - 12
		}
		s.line("lead", px, barY, px, lead)
		s.dot("dot-"+m.class, px, barY, 5, m.label+": "+estimate(m.e))
		s.text("t-label", anchorFor(px, w), px, text, m.label+" "+number(*m.e.Value))
	}
	return s.picture(fmt.Sprintf("Brier scores: base rate %s, before calibration %s, calibrated %s, ceiling %s; captured %s.",
		estimate(c.BrierBase), estimate(c.BrierRaw), estimate(c.Brier), estimate(c.BrierTrue), percent(c.Captured)))
}

func anchorFor(x, w float64) string {
	switch {
	case x < 110:
		return "start"
	case x > w-110:
		return "end"
	}
	return "middle"
}
