package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// svg is a picture being drawn. Colours are classes, so that the page's light
// and dark themes apply; coordinates are written with two decimals, so that
// the same numbers are the same bytes.
type svg struct {
	w, h float64
	b    strings.Builder
}

func newSVG(w, h float64) *svg { return &svg{w: w, h: h} }

func xy(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&s.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, xy(x1), xy(y1), xy(x2), xy(y2))
}

func (s *svg) rect(class string, x, y, w, h float64, tip string) {
	fmt.Fprintf(&s.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s">%s</rect>`+"\n", class, xy(x), xy(y), xy(w), xy(h), tipOf(tip))
}

func (s *svg) dot(class string, x, y, r float64, tip string) {
	fmt.Fprintf(&s.b, `<circle class="%s" cx="%s" cy="%s" r="%s">%s</circle>`+"\n", class, xy(x), xy(y), xy(r), tipOf(tip))
}

func (s *svg) path(class string, points []point, closed bool) {
	if len(points) == 0 {
		return
	}
	var d strings.Builder
	for i, p := range points {
		d.WriteString([]string{"L", "M"}[b2i(i == 0)] + xy(p.x) + " " + xy(p.y))
	}
	if closed {
		d.WriteString("Z")
	}
	fmt.Fprintf(&s.b, `<path class="%s" d="%s"/>`+"\n", class, d.String())
}

// text writes t with its baseline at y; anchor is start, middle or end.
func (s *svg) text(class, anchor string, x, y float64, t string) {
	fmt.Fprintf(&s.b, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`+"\n", class, anchor, xy(x), xy(y), escape(t))
}

// turned writes t upwards along the left edge, its middle at (x, y).
func (s *svg) turned(class string, x, y float64, t string) {
	fmt.Fprintf(&s.b, `<text class="%s" text-anchor="middle" transform="translate(%s %s) rotate(-90)">%s</text>`+"\n", class, xy(x), xy(y), escape(t))
}

// drawing is a finished picture and its words, read out by screen readers and
// printed where pictures cannot be.
type drawing struct {
	SVG template.HTML
	Alt string
}

func (s *svg) picture(alt string) drawing {
	return drawing{template.HTML(fmt.Sprintf(`<svg role="img" aria-label="%s" viewBox="0 0 %s %s" width="%s">`+"\n%s</svg>",
		escape(alt), xy(s.w), xy(s.h), xy(s.w), s.b.String())), alt}
}

// escape makes text of what XML allows: control characters become U+FFFD.
func escape(s string) string {
	return template.HTMLEscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, s))
}

func tipOf(tip string) string {
	if tip == "" {
		return ""
	}
	return "<title>" + escape(tip) + "</title>"
}

type point struct{ x, y float64 }

// scale maps [lo, hi] to pixels [from, to].
type scale struct{ lo, hi, from, to float64 }

func (c scale) at(v float64) float64 {
	return c.from + float64((v-c.lo)/(c.hi-c.lo)*(c.to-c.from))
}

// clamped keeps marks inside the picture.
func (c scale) clamped(v float64) float64 { return c.at(min(max(v, c.lo), c.hi)) }

// ticks are at most n+2 round numbers within the scale.
func (c scale) ticks(n int) []float64 {
	step := niceStep((c.hi - c.lo) / float64(n))
	var out []float64
	for i := math.Ceil(c.lo/step - 1e-9); float64(i*step) <= c.hi+float64(1e-9*step); i++ {
		out = append(out, float64(i*step))
	}
	return out
}

// niceStep is the smallest 1, 2 or 5 times a power of ten that is not below v.
func niceStep(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= v*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// tick labels the ticks of a scale with as many decimals as their step needs.
func tick(v, step float64) string {
	return fixed(v, max(0, int(math.Ceil(-math.Log10(step)-1e-9))))
}

func stepOf(ticks []float64) float64 {
	if len(ticks) < 2 {
		return 1
	}
	return ticks[1] - ticks[0]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
