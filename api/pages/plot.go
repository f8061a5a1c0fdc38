package pages

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"recoup/data"
	"recoup/score"
)

// The plot's size in its own units, and the margins of the axes.
const (
	plotW, plotH            = 720.0, 270.0
	left, right, top, below = 78.0, 16.0, 14.0, 38.0
)

// mark is a candidate in the plot.
type mark struct {
	choice score.Choice
	chosen bool
}

// plot draws what every candidate is worth against its time, and says the same
// in words for those who do not see it. It is empty where no model spoke or
// nothing has a time.
func plot(d *score.Decision) (template.HTML, string) {
	var marks []mark
	for i, c := range d.Allowed {
		if c.EV != nil && c.Action != data.Wait {
			marks = append(marks, mark{c, i == d.Chosen})
		}
	}
	if len(marks) == 0 {
		return "", ""
	}
	lo, hi := data.Paise(0), data.Paise(0) // waiting is worth 0
	from, to := marks[0].choice.At, marks[0].choice.At
	best := marks[0]
	for _, m := range marks {
		lo, hi = min(lo, *m.choice.EV), max(hi, *m.choice.EV)
		from, to = min(from, m.choice.At), max(to, m.choice.At)
		if *m.choice.EV > *best.choice.EV {
			best = m
		}
	}
	from, to = from-data.Hour, max(to, from+data.Day)+data.Hour
	step := niceStep(float64(hi-lo) / 100) // floats for the picture alone
	yTop, yLow := math.Ceil(float64(hi)/100/step)*step, math.Floor(float64(lo)/100/step)*step
	if float64(lo)/100 > -step/5 {
		yLow = 0 // a cost without an effect hangs a little below the line
	}
	if yTop == yLow {
		yTop += step
	}
	x := func(t data.Micros) float64 {
		return left + (plotW-left-right)*float64(t-from)/float64(to-from)
	}
	y := func(rupees float64) float64 {
		return top + (plotH-top-below)*(yTop-rupees)/(yTop-yLow)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-labelledby="plot-says">`, plotW, plotH)
	for i := 0; i <= int(math.Round((yTop-yLow)/step)); i++ {
		v := yLow + float64(i)*step
		class := "grid"
		if math.Abs(v) < step/2 {
			class = "zero"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%g" x2="%g" y1="%s" y2="%s"/>`, class, left, plotW-right, xy(y(v)), xy(y(v)))
		fmt.Fprintf(&b, `<text text-anchor="end" x="%g" y="%s">%s</text>`, left-8, xy(y(v)+4), tick(v, step))
	}
	days := (to - from) / data.Day
	for day := from.ISTDay() + 1; ; day++ {
		t := data.Micros(day)*data.Day - data.ISTOffset
		if t > to {
			break
		}
		fmt.Fprintf(&b, `<line class="grid" x1="%s" x2="%s" y1="%g" y2="%g"/>`, xy(x(t)), xy(x(t)), top, plotH-below)
		if every := int64(days/8 + 1); day%every == 0 {
			fmt.Fprintf(&b, `<text text-anchor="middle" x="%s" y="%g">%s</text>`, xy(x(t)), plotH-below+22, t.Time().In(india).Format("2 Jan"))
		}
	}
	for _, m := range marks {
		px, py := x(m.choice.At), y(float64(*m.choice.EV)/100)
		if m.chosen {
			fmt.Fprintf(&b, `<circle class="ring" cx="%s" cy="%s" r="9"/>`, xy(px), xy(py))
		}
		b.WriteString(`<g class="` + m.choice.Action.String() + `">` + shape(m.choice.Action, px, py) + "</g>")
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()), fmt.Sprintf("%d candidates from %s to %s are worth between %s and %s; waiting is worth nothing. The best is %s, %s.",
		len(marks), ist(first(marks)), ist(last(marks)), rupees(least(marks)), rupees(*best.choice.EV), strings.ToLower(does(best.choice.Action, best.choice.Kind)), ist(best.choice.At))
}

func first(m []mark) data.Micros {
	t := m[0].choice.At
	for _, x := range m {
		t = min(t, x.choice.At)
	}
	return t
}

func last(m []mark) data.Micros {
	t := m[0].choice.At
	for _, x := range m {
		t = max(t, x.choice.At)
	}
	return t
}

func least(m []mark) data.Paise {
	v := *m[0].choice.EV
	for _, x := range m {
		v = min(v, *x.choice.EV)
	}
	return v
}

// shape tells actions apart without colour.
func shape(a data.Action, x, y float64) string {
	switch a {
	case data.PaymentLink:
		return fmt.Sprintf(`<rect x="%s" y="%s" width="10" height="10"/>`, xy(x-5), xy(y-5))
	case data.Nudge:
		return fmt.Sprintf(`<path d="M%s %sl4 7h-8z"/>`, xy(x), xy(y-4))
	case data.Escalate:
		return fmt.Sprintf(`<path d="M%s %sl5 5l-5 5l-5 -5z"/>`, xy(x), xy(y-5))
	}
	return fmt.Sprintf(`<circle cx="%s" cy="%s" r="4"/>`, xy(x), xy(y))
}

// xy is a coordinate with at most two decimals: the same numbers are the same
// bytes.
func xy(v float64) string {
	s := strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0")
	return strings.TrimSuffix(s, ".")
}

// niceStep is 1, 2 or 5 times a power of ten, so that a span has three to six
// steps; at least a paisa.
func niceStep(span float64) float64 {
	if span <= 0 {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(span/4)))
	for _, k := range []float64{1, 2, 5, 10} {
		if k*p >= span/6 {
			return max(k*p, .01)
		}
	}
	return 10 * p
}

func tick(v, step float64) string {
	decimals := 0
	if step < 1 {
		decimals = 2
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	if v < -step/2 {
		return "−₹" + s
	}
	return "₹" + s
}
