package selftest

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// coverPicture draws, for each target and unit, the share of intervals of logs that are
// not red which hold the truth, with Wilson's interval; of red ones where all are red.
func coverPicture(lines []Cover) string {
	const left, right, rowHeight = 210.0, 760.0, 26.0
	lo := .9
	for i := range lines {
		if e, _ := shown(&lines[i]); e.Logs > 0 {
			lo = min(lo, math.Floor(*e.share().Lo*10)/10)
		}
	}
	x := func(v float64) float64 { return left + (v-lo)/(1-lo)*(right-left) }
	height := rowHeight*float64(len(lines)) + 44
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 790 %.0f" role="img" aria-label="Share of intervals that hold the truth, by target and unit">`+"\n", height)
	step := .01
	if lo < .9 {
		step = .1
	}
	for k := 0; lo+float64(float64(k)*step) < 1+step/2; k++ {
		v := lo + float64(float64(k)*step)
		fmt.Fprintf(&b, `<line class="grid" x1="%.2f" y1="8" x2="%.2f" y2="%.2f"/><text class="tick" text-anchor="middle" x="%.2f" y="%.2f">%.0f %%</text>`+"\n", x(v), x(v), height-30, x(v), height-14, 100*v)
	}
	fmt.Fprintf(&b, `<line class="zero" x1="%.2f" y1="8" x2="%.2f" y2="%.2f"/>`+"\n", x(.95), x(.95), height-30)
	for i := range lines {
		y, l := 22+float64(rowHeight*float64(i)), &lines[i]
		c, what := shown(l)
		fmt.Fprintf(&b, `<text text-anchor="end" x="%.2f" y="%.2f">%s</text>`+"\n", left-8, y+4, html.EscapeString(l.Target+", "+l.Unit+what))
		if c.Logs == 0 {
			continue
		}
		e := c.share()
		fmt.Fprintf(&b, `<line class="bar" x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f"/><circle class="dot" cx="%.2f" cy="%.2f" r="4"><title>%s</title></circle>`+"\n",
			x(*e.Lo), y, x(*e.Hi), y, x(*e.Value), y, html.EscapeString(c.text()))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// shown is what the picture shows of a line.
func shown(c *Cover) (Counted, string) {
	if n := c.notRed(); n.Logs > 0 {
		return n, ""
	}
	return c.Red, " (red)"
}
