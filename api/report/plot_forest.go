package report

import (
	"fmt"
	"math"
)

// forestRow is one line of a forest plot.
type forestRow struct {
	Label string
	Value Estimate
	Note  string // at the right edge
}

// forest draws one dot with its interval a row, around a reference line at 0.
// An interval that leaves the picture ends in an arrow's place at the edge;
// the number at the right is always exact.
func forest(rows []forestRow, axis, alt string) drawing {
	const rowH, top, w, left, right = 22.0, 8.0, 900.0, 330.0, 240.0
	h := top + rowH*float64(len(rows)) + 46
	s := newSVG(w, h)
	x := forestScale(rows)
	x.from, x.to = left, w-right
	ticks := x.ticks(5)
	bottom := h - 40
	for _, v := range ticks {
		s.line("grid", x.at(v), top, x.at(v), bottom)
		s.text("t-tick", "middle", x.at(v), bottom+15, tick(v, stepOf(ticks)))
	}
	s.line("zero", x.at(0), top, x.at(0), bottom)
	s.text("t-axis", "middle", (x.from+x.to)/2, bottom+33, axis)
	for i, r := range rows {
		y := top + rowH*(float64(i)+.5)
		s.text("t-label", "end", left-10, y+4, short(r.Label, 42))
		s.text("t-note", "start", w-right+10, y+4, short(r.Note, 36))
		if !r.Value.known() {
			continue
		}
		tip := r.Label + ": " + estimate(r.Value)
		class := "a"
		if r.Value.ranged() {
			if r.Value.sign() == 0 {
				class = "mute"
			}
			s.line("bar-"+class, x.clamped(*r.Value.Lo), y, x.clamped(*r.Value.Hi), y)
		}
		s.dot("dot-"+class, x.clamped(*r.Value.Value), y, 4, tip)
	}
	return s.picture(alt)
}

// forestScale holds 0, every value, and the intervals up to three times the
// largest value, so that one wild interval does not flatten the rest.
func forestScale(rows []forestRow) scale {
	big := 0.0
	for _, r := range rows {
		big = max(big, r.Value.size())
	}
	if big == 0 {
		big = 1
	}
	lo, hi := 0.0, 0.0
	for _, r := range rows {
		if r.Value.known() {
			lo, hi = min(lo, *r.Value.Value), max(hi, *r.Value.Value)
		}
		if r.Value.ranged() {
			lo, hi = min(lo, max(*r.Value.Lo, -3*big)), max(hi, min(*r.Value.Hi, 3*big))
		}
	}
	if hi-lo == 0 {
		hi = 1
	}
	step := niceStep((hi - lo) / 6)
	return scale{lo: step * math.Floor(lo/step+1e-9), hi: step * math.Ceil(hi/step-1e-9)}
}

// short cuts a label that does not fit; the table beside the picture has it whole.
func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func nOf(e Estimate) string { return fmt.Sprintf("n = %s", count(e.N)) }
