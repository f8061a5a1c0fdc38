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

// plot draws what every candidate is worth against its time, and says the same
// in words for those who do not see it. It is empty where no model spoke or
// nothing has a time.
func plot(d *score.Decision) (template.HTML, string) {
	var marks []score.Choice
	for _, c := range d.Allowed {
		if c.EV != nil && c.Action != data.Wait {
			marks = append(marks, c)
		}
	}
	if len(marks) == 0 {
		return "", ""
	}
	first, last, least, best := extremes(marks)
	a := axesOf(first.At, last.At, min(*least.EV, 0), max(*best.EV, 0)) // waiting is worth 0
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-labelledby="plot-says">`, plotW, plotH)
	a.worths(&b)
	a.days(&b)
	if c := d.Allowed[d.Chosen]; c.EV != nil && c.Action != data.Wait {
		fmt.Fprintf(&b, `<circle class="ring" cx="%s" cy="%s" r="9"/>`, xy(a.x(c.At)), xy(a.y(*c.EV)))
	}
	for _, c := range marks {
		b.WriteString(`<g class="` + c.Action.String() + `">` + shape(c.Action, a.x(c.At), a.y(*c.EV)) + "</g>")
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()), fmt.Sprintf("%d candidates from %s to %s are worth between %s and %s; waiting is worth nothing. The best is %s, %s.",
		len(marks), ist(first.At), ist(last.At), rupees(*least.EV), rupees(*best.EV), strings.ToLower(does(best.Action, best.Kind)), ist(best.At))
}

// extremes are the first, the last, the least worth and the best; of equals the
// one that stands first.
func extremes(all []score.Choice) (first, last, least, best score.Choice) {
	first, last, least, best = all[0], all[0], all[0], all[0]
	for _, c := range all[1:] {
		if c.At < first.At {
			first = c
		}
		if c.At > last.At {
			last = c
		}
		if *c.EV < *least.EV {
			least = c
		}
		if *c.EV > *best.EV {
			best = c
		}
	}
	return first, last, least, best
}

// axes are times from left to right and worths from bottom to top, in rupees
// (floats, for the picture alone).
type axes struct {
	from, to        data.Micros
	low, high, step float64
}

func axesOf(first, last data.Micros, least, best data.Paise) axes {
	a := axes{from: first - data.Hour, to: max(last, first-data.Hour+data.Day) + data.Hour, step: niceStep(float64(best-least) / 100)}
	a.high, a.low = math.Ceil(float64(best)/100/a.step)*a.step, math.Floor(float64(least)/100/a.step)*a.step
	if float64(least)/100 > -a.step/5 {
		a.low = 0 // a cost without an effect hangs a little below the line
	}
	if a.high == a.low {
		a.high += a.step
	}
	return a
}

func (a *axes) x(t data.Micros) float64 {
	return left + (plotW-left-right)*float64(t-a.from)/float64(a.to-a.from)
}

func (a *axes) y(worth data.Paise) float64 { return a.height(float64(worth) / 100) }

func (a *axes) height(rupees float64) float64 {
	return top + (plotH-top-below)*(a.high-rupees)/(a.high-a.low)
}

// worths draws a line a step, that of waiting stronger.
func (a *axes) worths(b *strings.Builder) {
	for i := 0; i <= int(math.Round((a.high-a.low)/a.step)); i++ {
		v := a.low + float64(i)*a.step
		class := "grid"
		if math.Abs(v) < a.step/2 {
			class = "zero"
		}
		fmt.Fprintf(b, `<line class="%s" x1="%g" x2="%g" y1="%s" y2="%s"/>`, class, left, plotW-right, xy(a.height(v)), xy(a.height(v)))
		fmt.Fprintf(b, `<text text-anchor="end" x="%g" y="%s">%s</text>`, left-8, xy(a.height(v)+4), tick(v, a.step))
	}
}

// days draws a line where a day of India begins, and names every so many.
func (a *axes) days(b *strings.Builder) {
	every := int64((a.to-a.from)/data.Day/8 + 1)
	for day := a.from.ISTDay() + 1; ; day++ {
		t := data.Micros(day)*data.Day - data.ISTOffset
		if t > a.to {
			return
		}
		fmt.Fprintf(b, `<line class="grid" x1="%s" x2="%s" y1="%g" y2="%g"/>`, xy(a.x(t)), xy(a.x(t)), top, plotH-below)
		if day%every == 0 {
			fmt.Fprintf(b, `<text text-anchor="middle" x="%s" y="%g">%s</text>`, xy(a.x(t)), plotH-below+22, t.Time().In(india).Format("2 Jan"))
		}
	}
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
