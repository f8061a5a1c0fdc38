package lightgbm

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// compared says what the made-up rows show of a forest that was compiled from another
// model than the text.
func compared(t *testing.T, text []byte, change func(m *Model)) error {
	t.Helper()
	m, blocks, err := parse(text)
	must(t, err)
	other, err := Parse(text)
	must(t, err)
	change(other)
	f, err := Compile(other)
	must(t, err)
	c, err := newComparison(m, f, blocks)
	must(t, err)
	row, h := make([]float64, len(m.Names)), newHostile(m)
	for i := range HostileRows {
		h.fill(row)
		if err := c.row("hostile", i, row); err != nil {
			return err
		}
	}
	return nil
}

// Small misreadings show on the made-up rows.
func TestMisreadingsShow(t *testing.T) {
	tiny, category, linear := readFixture(t, "tiny").text, readFixture(t, "tiny_category").text, readFixture(t, "tiny_linear").text
	if err := compared(t, tiny, func(*Model) {}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text   []byte
		change func(m *Model)
	}{
		"a threshold one ulp up":   {tiny, func(m *Model) { n := &m.Trees[2].Nodes[1]; n.Threshold = math.Nextafter(n.Threshold, 1e9) }},
		"a threshold one ulp down": {tiny, func(m *Model) { n := &m.Trees[1].Nodes[0]; n.Threshold = math.Nextafter(n.Threshold, 0) }},
		"missing by zero":          {tiny, func(m *Model) { m.Trees[0].Nodes[0].Missing, m.Trees[0].Nodes[0].DefaultLeft = MissingZero, false }},
		"missing by NaN":           {tiny, func(m *Model) { m.Trees[0].Nodes[1].Missing, m.Trees[0].Nodes[1].DefaultLeft = MissingNaN, false }},
		"another leaf":             {tiny, func(m *Model) { m.Trees[1].Leaves[3] += 1e-9 }},
		"a category":               {category, func(m *Model) { m.Trees[1].CatBits[0] ^= 1 << 5 }},
		"a coefficient":            {linear, func(m *Model) { m.Trees[1].Linear[2].Coef[0] *= 1 + 1e-9 }},
		"plain leaves":             {linear, func(m *Model) { m.Trees[1].Linear = nil }},
		"a tree less":              {tiny, func(m *Model) { m.Trees = m.Trees[:2] }},
	} {
		if err := compared(t, c.text, c.change); !errors.As(err, new(*MismatchError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Leaves reads the file on its own: where our reading of it is wrong in the walk and in
// the compiled form alike, leaves differs.
func TestLeavesIsASecondReading(t *testing.T) {
	m, blocks, err := parse(readFixture(t, "tiny").text)
	must(t, err)
	m.Trees[1].Leaves[0] += 1e-6
	f, err := Compile(m)
	must(t, err)
	c, err := newComparison(m, f, blocks)
	must(t, err)
	row, h := make([]float64, len(m.Names)), newHostile(m)
	for i := range HostileRows {
		h.fill(row)
		if err := c.row("hostile", i, row); err != nil {
			if e := (*MismatchError)(nil); !errors.As(err, &e) || e.By != "leaves" {
				t.Errorf("%v", err)
			}
			return
		}
	}
	t.Error("a wrong leaf value in both readings did not show")
}

// A panic of leaves is an error.
func TestSafely(t *testing.T) {
	if err := safely(func() error { panic("index out of range") }); err == nil || !strings.Contains(err.Error(), "leaves library") {
		t.Errorf("%v", err)
	}
	if err := safely(func() error { return nil }); err != nil {
		t.Errorf("%v", err)
	}
}

// The rows of one model are the same every time, and come to most of its splits on the
// threshold and just above it.
func TestHostileRows(t *testing.T) {
	for _, f := range fixtures(t) {
		m, err := Parse(f.text)
		must(t, err)
		a, b := newHostile(m), newHostile(m)
		x, y := make([]float64, len(m.Names)), make([]float64, len(m.Names))
		on, beside, splits := map[*Node]bool{}, map[*Node]bool{}, 0
		for range HostileRows {
			a.fill(x)
			b.fill(y)
			for j := range x {
				if !same(x[j], y[j]) {
					t.Fatalf("%s: two rows differ in column %d: %v, %v", f.name, j, x[j], y[j])
				}
			}
			for i := range m.Trees {
				tree := &m.Trees[i]
				for at := int32(0); at >= 0 && len(tree.Nodes) > 0; {
					n := &tree.Nodes[at]
					on[n] = on[n] || x[n.Feature] == n.Threshold
					beside[n] = beside[n] || x[n.Feature] == math.Nextafter(n.Threshold, math.Inf(1))
					if at = n.Right; tree.left(n, snapped(x[n.Feature])) {
						at = n.Left
					}
				}
			}
		}
		met := 0
		for i := range m.Trees {
			for k := range m.Trees[i].Nodes {
				if n := &m.Trees[i].Nodes[k]; n.Category < 0 {
					splits++
					if on[n] && (beside[n] || math.IsInf(n.Threshold, 0)) {
						met++
					}
				}
			}
		}
		if met*5 < splits*4 {
			t.Errorf("%s: rows come to %d of %d splits with the threshold and with one ulp more", f.name, met, splits)
		}
	}
}

func TestSummary(t *testing.T) {
	m, err := Parse(readFixture(t, "tiny").text)
	must(t, err)
	s := m.Summary()
	if s.Version != 4 || s.Objective != "binary" || s.Sigmoid != 1 || s.Trees != 3 || s.Leaves != 12 || s.Deepest != 3 || s.OneLeaf != 0 || s.LinearTrees != 0 || s.Average {
		t.Errorf("%+v", s)
	}
	days := s.Features[1]
	if days.Name != "days_late" || days.Kind != "numeric" || days.Range != "[0:42]" || days.Splits != 4 || math.Abs(days.Gain-(20.6642+9.77709+4.41412+5.19152)) > 1e-9 || days.Missing != "as 0" {
		t.Errorf("%+v", days)
	}
	for name, want := range map[string]string{"tiny_category": "right", "zero_as_missing": "default way", "linear": ""} {
		m, err := Parse(readFixture(t, name).text)
		must(t, err)
		s, found := m.Summary(), want == ""
		for _, f := range s.Features {
			found = found || f.Missing == want
		}
		if !found || name == "linear" && s.LinearTrees == 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	m, err = Parse(readFixture(t, "codes").text)
	must(t, err)
	if seen := m.Categories(5); !seen[300] || seen[-1] || m.TopCategory(5) != 300 || m.Categories(0) != nil || m.TopCategory(0) != -1 {
		t.Errorf("%v, top %d", seen, m.TopCategory(5))
	}
}
