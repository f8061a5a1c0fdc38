package pages

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/score"
)

// TestPlot: whatever candidates are worth, the picture is well formed, every
// mark lies within it, and the words name the extremes.
func TestPlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := score.Decision{Allowed: []score.Choice{{Action: data.Wait, At: now}}}
		n := rapid.IntRange(0, 30).Draw(t, "candidates")
		for range n {
			c := score.Choice{Action: rapid.SampledFrom(data.Actions()[1:]).Draw(t, "action"), At: now + data.Micros(rapid.Int64Range(0, int64(21*data.Day)).Draw(t, "at"))}
			c.EV = ptr(data.Paise(rapid.Int64Range(-1e13, 1e13).Draw(t, "ev")))
			d.Allowed = append(d.Allowed, c)
		}
		d.Chosen = rapid.IntRange(0, n).Draw(t, "chosen")
		svg, says := plot(&d)
		if n == 0 {
			if svg != "" || says != "" {
				t.Fatalf("nothing to show: %s", svg)
			}
			return
		}
		for dec := xml.NewDecoder(strings.NewReader(string(svg))); ; {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
		if strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "Inf") || strings.Count(string(svg), "<g class") != n {
			t.Fatalf("%d candidates: %s", n, svg)
		}
		first, last, least, best := extremes(d.Allowed[1:])
		a := axesOf(first.At, last.At, min(*least.EV, 0), max(*best.EV, 0))
		for _, c := range d.Allowed[1:] {
			if x, y := a.x(c.At), a.y(*c.EV); x < left || x > plotW-right || y < top-1 || y > plotH-below/2 || *c.EV < *least.EV || *c.EV > *best.EV {
				t.Fatalf("%v at %g, %g", c, x, y)
			}
		}
		if strings.Count(string(svg), "<text") > 30 {
			t.Fatalf("a crowd of labels: %s", svg)
		}
		if !strings.Contains(says, rupees(*best.EV)) || !strings.Contains(says, rupees(*least.EV)) {
			t.Fatal(says)
		}
	})
}
