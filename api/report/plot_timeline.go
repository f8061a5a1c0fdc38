package report

import (
	"fmt"
	"time"
)

// timeline draws the slices of time, oldest at the left; the gaps between them
// are the embargo.
func timeline(splits []Split) drawing {
	const w, h, y = 900.0, 84.0, 34.0
	type span struct {
		from, to time.Time
		Split
	}
	var spans []span
	for _, p := range splits {
		from, err1 := time.Parse(time.RFC3339Nano, p.From)
		to, err2 := time.Parse(time.RFC3339Nano, p.To)
		if err1 == nil && err2 == nil && from.Before(to) {
			spans = append(spans, span{from, to, p})
		}
	}
	if len(spans) == 0 {
		return drawing{}
	}
	s := newSVG(w, h)
	first, last := spans[0].from, spans[len(spans)-1].to
	x := scale{0, last.Sub(first).Hours(), 10, w - 10}
	for i, p := range spans {
		l, r := x.at(p.from.Sub(first).Hours()), x.at(p.to.Sub(first).Hours())
		s.rect(fmt.Sprintf("split split-%d", min(i, 4)), l, y, max(r-l, 1), 22, fmt.Sprintf("%s: %s to %s", p.Name, when(p.From), when(p.To)))
		s.text("t-label", "middle", (l+r)/2, y-8, p.Name)
	}
	s.text("t-tick", "start", x.from, y+40, first.UTC().Format("2 Jan 2006"))
	s.text("t-tick", "end", x.to, y+40, last.UTC().Format("2 Jan 2006"))
	return s.picture(fmt.Sprintf("Time line of %d slices from %s to %s.", len(spans), first.UTC().Format(time.DateOnly), last.UTC().Format(time.DateOnly)))
}
