package report

import "fmt"

// gains draws one bar a column, the longest first.
func gains(all []Gain) drawing {
	const rowH, top, w, left, right = 22.0, 8.0, 900.0, 330.0, 120.0
	s := newSVG(w, top+rowH*float64(len(all))+8)
	x := scale{0, 0, left, w - right}
	for _, g := range all {
		x.hi = max(x.hi, g.Share)
	}
	if !(x.hi > 0) {
		return drawing{}
	}
	for i, g := range all {
		y := top + rowH*(float64(i)+.5)
		share := fixed(100*g.Share, 1) + "\u00a0%"
		s.text("t-label", "end", left-10, y+4, short(g.Column, 42))
		s.rect("fill", left, y-6, x.at(g.Share)-left, 12, g.Column+": "+share)
		s.text("t-note", "start", x.at(g.Share)+8, y+4, share)
	}
	return s.picture(fmt.Sprintf("Bars of gain. Largest: %s, %s %%.", all[0].Column, fixed(100*all[0].Share, 1)))
}
