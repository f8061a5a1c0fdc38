package lightgbm

import (
	"math"
	"strings"
	"testing"
)

// The cases of one split, f0 <= 0.5, with LightGBM's own probabilities of x = 0 and x = 1.
func TestTaken(t *testing.T) {
	for _, c := range []struct {
		id   string
		make stump
		p    [2]float64
	}{
		{"H1 v2", stump{version: "v2", infos: "[0:1]"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H1 v3", stump{version: "v3"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H1 v4, H2 sigmoid:1, H21 one feature", stump{}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H3 sigmoid:0.7", stump{objective: "binary sigmoid:0.7"}, [2]float64{0.45636131276292119, 0.62831618829536628}},
		{"H3 sigmoid:2", stump{objective: "binary sigmoid:2"}, [2]float64{0.37754066879814541, 0.81757447619364365}},
		{"H3 sigmoid:1.0", stump{objective: "binary sigmoid:1.0"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H5 cross_entropy", stump{objective: "cross_entropy"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H5 xentropy", stump{objective: "xentropy"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H17 H18 names", stump{names: "country=US a=b=c größe =", infos: "[0:1] [0:1] [0:1] none"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H18 tabs and no-break spaces", stump{names: "a\tb a\u00a0b"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"H22 parser and unknown parameters", stump{tail: "\nfeature_importances:\nf0=1\n\nparameters:\n[new: [1, 2]]\n\nend of parameters\n\nparser:\nanything: at all\n\nend of parser\n\npandas_categorical:null\n"},
			[2]float64{0.43782349911420193, 0.67917869917539297}},
		{"Z8 a plus sign", stump{threshold: "+0.5"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"no is_linear line", stump{more: "internal_count=2\n"}, [2]float64{0.43782349911420193, 0.67917869917539297}},
		{"L7 sigmoid to six digits", stump{objective: "binary sigmoid:0.123457", tail: "\nparameters:\n[objective: binary]\n[sigmoid: 0.123456789012345]\nend of parameters\n"},
			[2]float64{1 / (1 + math.Exp(0.25*0.123457)), 1 / (1 + math.Exp(-0.75*0.123457))}},
	} {
		t.Run(c.id, func(t *testing.T) {
			l, err := Load(c.make.text(), nil)
			must(t, err)
			for i, want := range c.p {
				row := make([]float64, len(l.Model.Names))
				row[0] = float64(i)
				raw, err := l.Model.Raw(row)
				must(t, err)
				if want2 := []float64{-0.25, 0.75}[i]; raw != want2 {
					t.Errorf("raw of %d: %v", i, raw)
				}
				if got := l.Model.Prob(raw); math.Abs(got-want) > 1e-15 {
					t.Errorf("p of %d: %v, want %v", i, got, want)
				}
				if got := l.Forest.Prob(raw); math.Abs(got-want) > 1e-15 {
					t.Errorf("the forest's p of %d: %v, want %v", i, got, want)
				}
			}
		})
	}
}

// H13: of a random forest raw is the sum, p the link of the mean.
func TestTakenForest(t *testing.T) {
	l, err := Load(stump{average: "average_output\n", leaves: "0.05 0.38333333333333336", trees: 3}.text(), nil)
	must(t, err)
	for i, want := range [][2]float64{{0.15, 0.5125}, {1.15, 0.5947}} {
		raw, err := l.Forest.Raw([]float64{float64(i)})
		must(t, err)
		if math.Abs(raw-want[0]) > 1e-15 || math.Abs(l.Model.Prob(raw)-want[1]) > 5e-5 {
			t.Errorf("raw %v p %v, want %v", raw, l.Model.Prob(raw), want)
		}
	}
}

// H20: one byte order mark is taken, and told.
func TestTakenMark(t *testing.T) {
	m, err := Parse(append([]byte("\ufeff"), stump{}.text()...))
	must(t, err)
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "byte order mark") {
		t.Errorf("warnings %q", m.Warnings)
	}
	plain, err := Parse(stump{}.text())
	must(t, err)
	if m.SHA256 == plain.SHA256 || len(plain.Warnings) > 0 {
		t.Errorf("the SHA-256 must be of the file's bytes; warnings %q", plain.Warnings)
	}
}

// Z1-Z4, Z6: where a value goes, by LightGBM's own answers; 1 = left. Snapped zeros,
// missing values, both zeros, both infinities.
func TestTakenMissing(t *testing.T) {
	const zt = ZeroEdge
	xs := []float64{math.NaN(), 0, math.Copysign(0, -1), 1e-36, -1e-36, 1e-35, -1e-35, zt, -zt, 2e-35, -2e-35, math.Inf(1), math.Inf(-1)}
	for _, c := range []struct{ name, threshold, decision, want string }{
		{"none, t=-zt", "-1.0000000180025095e-35", "0", "2 2 2 2 2 2 2 2 2 2 1 2 1"},
		{"none, t=zt", "1.0000000180025095e-35", "0", "1 1 1 1 1 1 1 1 1 2 1 2 1"},
		{"none with the default bit, t=zt", "1.0000000180025095e-35", "2", "1 1 1 1 1 1 1 1 1 2 1 2 1"},
		{"zero, right, t=0.5", "0.5", "4", "2 2 2 2 2 2 2 2 2 1 1 2 1"},
		{"zero, left, t=-0.5", "-0.5", "6", "1 1 1 1 1 1 1 1 1 2 2 2 1"},
		{"NaN, left, t=-0.5", "-0.5", "10", "1 2 2 2 2 2 2 2 2 2 2 2 1"},
		{"NaN, right, t=0.5", "0.5", "8", "2 1 1 1 1 1 1 1 1 1 1 2 1"},
		{"NaN, right, t=inf", "inf", "8", "2 1 1 1 1 1 1 1 1 1 1 1 1"},
		{"NaN, left, t=-inf", "-inf", "10", "1 2 2 2 2 2 2 2 2 2 2 2 1"},
	} {
		l, err := Load(stump{threshold: c.threshold, decision: c.decision, leaves: "1 2"}.text(), nil)
		must(t, err)
		for i, want := range strings.Fields(c.want) {
			raw, err := l.Forest.Raw(xs[i : i+1])
			must(t, err)
			if plain, _ := l.Model.Raw(xs[i : i+1]); raw != parsed(t, want) || plain != raw {
				t.Errorf("%s: %v goes to %v (%v by the walk), want %s", c.name, xs[i], raw, plain, want)
			}
		}
	}
}

// C1-C6: a set of categories 0, 3 and 40; left gives 1.
func TestTakenCategories(t *testing.T) {
	const sets = "cat_boundaries=0 2\ncat_threshold=9 256\n"
	for _, decision := range []string{"1", "9"} {
		l, err := Load(stump{infos: "-1:0:3:40", decision: decision, threshold: "0", leaves: "1 2", sets: sets}.text(), nil)
		must(t, err)
		for x, want := range map[float64]float64{
			0: 1, 3: 1, 40: 1, 1: 2, 39: 2, 41: 2, 63: 2, 64: 2, 1000: 2, math.NaN(): 2, -1: 2, -40: 2, -0.5: 1, 0.99: 1, 3.5: 1, 1e-36: 1, math.Copysign(0, -1): 1,
			math.MaxInt32: 2, math.MaxInt32 + 1: 2, 1 << 32: 2, 1<<32 + 3: 2, 1 << 53: 2, 1e300: 2, -1e300: 2, math.Inf(1): 2, math.Inf(-1): 2, math.MinInt32: 2,
		} {
			raw, err := l.Forest.Raw([]float64{x})
			must(t, err)
			if plain, _ := l.Model.Raw([]float64{x}); raw != want || plain != raw {
				t.Errorf("type %s: category %v goes to %v (%v by the walk), want %v", decision, x, raw, plain, want)
			}
		}
	}
}

// C6: a set of no category, which leaves refuses, sends everything right; leaves still
// checks it.
func TestTakenEmptySet(t *testing.T) {
	for _, sets := range []string{"cat_boundaries=0 0\ncat_threshold=\n", "cat_boundaries=0 1\ncat_threshold=0\n"} {
		l, err := Load(stump{infos: "-1:0", decision: "9", threshold: "0", leaves: "1 2", sets: sets}.text(), nil)
		must(t, err)
		for _, x := range []float64{math.NaN(), 0, 1, -1, math.Inf(-1), math.Inf(1)} {
			if raw, err := l.Forest.Raw([]float64{x}); err != nil || raw != 2 {
				t.Errorf("%v goes to %v %v, want 2", x, raw, err)
			}
		}
	}
}

// C10: what older LightGBM did with a missing category is told.
func TestTakenOldCategories(t *testing.T) {
	s := stump{infos: "0:3", decision: "1", threshold: "0", sets: "cat_boundaries=0 1\ncat_threshold=9\n", version: "v2"}
	m, err := Parse(s.text())
	must(t, err)
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "LightGBM 3.3") {
		t.Errorf("warnings %q", m.Warnings)
	}
	if s.version = "v4"; len(m.Warnings) == 1 {
		if m, err = Parse(s.text()); err != nil || len(m.Warnings) > 0 {
			t.Errorf("v4: %v, warnings %q", err, m.Warnings)
		}
	}
}

// T1: linear leaves; a missing value among a leaf's own features gives its plain value.
func TestTakenLinear(t *testing.T) {
	text := stump{names: "f0 f1", more: "is_linear=1\nleaf_const=0.1 0.2\nnum_features=1 2\nleaf_features=0  0 1  \nleaf_coeff=2  0.5 -1  \n"}.text()
	l, err := Load(text, []Golden{{Row: []float64{0, 1}, Raw: 0.1}})
	must(t, err)
	nan := math.NaN()
	for _, c := range []struct{ x, y, want float64 }{{0, 1, 0.1}, {1, 3, 0.2 + 0.5*1 - 3}, {nan, 1, -0.25}, {1, nan, 0.75}, {-1, nan, 0.1 - 2}} {
		raw, err := l.Forest.Raw([]float64{c.x, c.y})
		must(t, err)
		if plain, _ := l.Model.Raw([]float64{c.x, c.y}); math.Abs(raw-c.want) > 1e-15 || plain != raw {
			t.Errorf("(%v, %v): %v (%v by the walk), want %v", c.x, c.y, raw, plain, c.want)
		}
	}
}

// T2: a tree of one leaf, its arrays empty, is a constant.
func TestTakenOneLeaf(t *testing.T) {
	l, err := Load(readFixture(t, "one_leaf").text, nil)
	must(t, err)
	constants := 0
	for _, tree := range l.Model.Trees {
		if len(tree.Nodes) == 0 {
			constants++
			if len(tree.Leaves) != 1 {
				t.Errorf("a tree of no split has %d leaves", len(tree.Leaves))
			}
		}
	}
	if constants == 0 || constants == len(l.Model.Trees) {
		t.Errorf("%d of %d trees have one leaf", constants, len(l.Model.Trees))
	}
}

// F12: what was saved from a later round on cannot be refused by the file alone, but its
// importances are those of other trees.
func TestTakenWarnsOfImportances(t *testing.T) {
	e := edit(t, "tiny")
	e.trees = e.trees[1:]
	for i := range e.trees {
		e.trees[i][0] = "Tree=" + string(rune('0'+i))
	}
	m, err := Parse(e.text())
	must(t, err)
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "start_iteration") {
		t.Errorf("warnings %q", m.Warnings)
	}
	if m, err = Parse(edit(t, "tiny").text()); err != nil || len(m.Warnings) > 0 {
		t.Errorf("the file itself: %v %q", err, m.Warnings)
	}
}
