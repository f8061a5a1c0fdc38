package report

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var coordinate = regexp.MustCompile(` (?:x|y|x1|y1|x2|y2|cx|cy)="([^"]*)"`)

// checkPicture demands well-formed XML, words, and every mark inside the frame.
func checkPicture(t interface{ Errorf(string, ...any) }, d drawing, w, h float64) {
	if d.SVG == "" {
		return
	}
	if d.Alt == "" {
		t.Errorf("a picture without words")
	}
	dec := xml.NewDecoder(strings.NewReader(string(d.SVG)))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Errorf("%v", err)
			return
		}
	}
	for _, m := range coordinate.FindAllStringSubmatch(string(d.SVG), -1) {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil || v != v || v < -1 || v > max(w, h)+1 {
			t.Errorf("coordinate %q", m[1])
		}
	}
}

func drawnEstimate(rt *rapid.T, name string, lo, hi float64) Estimate {
	switch rapid.IntRange(0, 3).Draw(rt, name+" kind") {
	case 0:
		return Unknown("not measured")
	case 1:
		return Number(rapid.Float64Range(lo, hi).Draw(rt, name), 5)
	}
	v := rapid.Float64Range(lo, hi).Draw(rt, name)
	return Ranged(v, v-rapid.Float64Range(0, hi-lo).Draw(rt, name+" down"), v+rapid.Float64Range(0, hi-lo).Draw(rt, name+" up"), 5)
}

// Whatever the numbers, a picture is whole and nothing leaves it.
func TestPicturesHoldAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var rows []forestRow
		size := rapid.SampledFrom([]float64{1e-9, 1e-3, 1, 1e6}).Draw(rt, "size")
		for range rapid.IntRange(1, 6).Draw(rt, "rows") {
			rows = append(rows, forestRow{rapid.String().Draw(rt, "label"), drawnEstimate(rt, "value", -size, size), "<&\">"})
		}
		checkPicture(rt, forest(rows, "axis", "words"), 900, 200)

		c := Ceiling{BrierBase: drawnEstimate(rt, "base", 0, size), BrierRaw: drawnEstimate(rt, "raw", 0, size), Brier: drawnEstimate(rt, "cal", 0, size), BrierTrue: drawnEstimate(rt, "true", 0, size)}
		checkPicture(rt, ceiling(c), 900, 160)

		var curve []F0Point
		for d := range rapid.IntRange(1, 21).Draw(rt, "days") {
			curve = append(curve, F0Point{d + 1, drawnEstimate(rt, "predicted", 0, 1), drawnEstimate(rt, "observed", 0, 1)})
		}
		checkPicture(rt, f0Curve(curve), 900, 320)

		n := rapid.IntRange(1, 50).Draw(rt, "n")
		raw, p, y := make([]float64, n), make([]float64, n), make([]float64, n)
		top := rapid.SampledFrom([]float64{1e-6, .01, .3, 1}).Draw(rt, "top")
		for i := range n {
			raw[i], p[i] = rapid.Float64Range(0, top).Draw(rt, "raw"), rapid.Float64Range(0, top).Draw(rt, "p")
			y[i] = float64(rapid.IntRange(0, 1).Draw(rt, "y"))
		}
		var test Test
		if err := test.SetCurves(raw, p, y, nil); err != nil {
			rt.Fatal(err)
		}
		checkPicture(rt, reliability(test), 900, 470)
	})
}

func TestTimelineWithoutTimes(t *testing.T) {
	for _, s := range [][]Split{nil, {{Name: "train"}}, {{Name: "x", From: "2026-01-02T00:00:00Z", To: "2026-01-01T00:00:00Z"}}} {
		if d := timeline(s); d.SVG != "" {
			t.Errorf("%v drew %s", s, d.SVG)
		}
	}
}
