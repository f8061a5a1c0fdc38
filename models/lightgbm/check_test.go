package lightgbm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shape is a random tree: its children, in LightGBM's numbers.
func shape(r *rand.Rand, leaves int) (left, right []int) {
	n := leaves - 1
	left, right = make([]int, n), make([]int, n)
	open := []*int{new(int)}
	for i := range n { // node i takes the place of an open end
		k := r.IntN(len(open))
		*open[k] = i
		open[k] = &left[i]
		open = append(open, &right[i])
	}
	for k, p := range open {
		*p = ^k
	}
	return left, right
}

// treeOf is the text of a model of one tree.
func treeOf(left, right []int) []byte {
	join := func(v []int) string { return strings.Trim(fmt.Sprint(v), "[]") }
	n := len(left)
	nums := func(s string, n int) string { return strings.TrimSpace(strings.Repeat(s+" ", n)) }
	b := "Tree=0\nnum_leaves=" + strconv.Itoa(n+1) + "\nnum_cat=0\nsplit_feature=" + nums("0", n) + "\nthreshold=" + nums("0.5", n) + "\ndecision_type=" + nums("2", n) +
		"\nleft_child=" + join(left) + "\nright_child=" + join(right) + "\nleaf_value=" + nums("1", n+1) + "\nshrinkage=1\n\n\n"
	return []byte("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=0\nobjective=binary sigmoid:1\nfeature_names=f\nfeature_infos=[0:1]\ntree_sizes=" +
		strconv.Itoa(len(b)) + "\n\n" + b + "end of trees\n")
}

// Every tree is taken, and with one child changed to any other number it is no tree.
func TestStructureProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		leaves := rapid.IntRange(2, 40).Draw(t, "leaves")
		left, right := shape(r, leaves)
		if _, err := Parse(treeOf(left, right)); err != nil {
			t.Fatal(err)
		}
		side := [][]int{left, right}[r.IntN(2)]
		i := r.IntN(len(side))
		other := r.IntN(2*leaves+6) - leaves - 3
		if other == side[i] {
			return
		}
		side[i] = other
		if _, err := Parse(treeOf(left, right)); err == nil {
			t.Fatalf("child %d changed to %d was taken", i, other)
		}
	})
}

// A tree whose nodes make a ring apart from the root is no tree, though each node is the
// child of one.
func TestStructureRing(t *testing.T) {
	if _, err := Parse(treeOf([]int{-1, 2, 1}, []int{-2, -3, -4})); err == nil || !strings.Contains(err.Error(), "only 1 of 3 splits") {
		t.Errorf("%v", err)
	}
}

// A lopsided tree of LightGBM's most leaves is taken, and one leaf more is not.
func TestMostLeaves(t *testing.T) {
	for _, n := range []int{MaxLeaves, MaxLeaves + 1} {
		left, right := make([]int, n-1), make([]int, n-1)
		for i := range left {
			left[i], right[i] = ^i, i+1
		}
		right[n-2] = ^(n - 1)
		if _, err := Parse(treeOf(left, right)); (err == nil) != (n == MaxLeaves) {
			t.Errorf("%d leaves: %v", n, err)
		}
	}
}

// Numbers have the forms that LightGBM writes, and a plus sign; nothing else is a number.
func TestNumbers(t *testing.T) {
	f := field{key: "threshold"}
	for s, want := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "1": 1, "+0.5": 0.5, "-1.25": -1.25, "1e-05": 1e-5, "1E5": 1e5, "1.0000000180025095e-35": ZeroEdge, "5e-324": 5e-324,
		"1.7976931348623157e+308": math.MaxFloat64, "inf": math.Inf(1), "-inf": math.Inf(-1), "1e-999": 0, "12345678901234567890": 12345678901234567890,
	} {
		if got, err := f.number([]byte(s)); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q: %v %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", "+", ".", ".5", "5.", "00", "01", "1e", "1e+", "e5", "0x1p-2", "1_000", "1,5", "nan", "NaN", "-nan", "Inf", "+inf", "infinity", "1e999", "-1e999", "1 ", " 1", "1\x00", "--1", "1.5.5", "١"} {
		if got, err := f.number([]byte(s)); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
	for _, s := range []string{"", "-", "+1", "1.0", "01", "-01", "-0", "00", "1e3", " 1", "0x1", "9223372036854775808"} {
		if got, err := f.integer([]byte(s), math.MinInt64, math.MaxInt64); err == nil {
			t.Errorf("%q is the integer %v", s, got)
		}
	}
	for _, n := range []int64{-3, 0, 7} {
		if got, err := f.integer([]byte(strconv.FormatInt(n, 10)), -3, 7); err != nil || got != n {
			t.Errorf("%d: %v %v", n, got, err)
		}
	}
	for _, s := range []string{"-4", "8"} {
		if _, err := f.integer([]byte(s), -3, 7); err == nil {
			t.Errorf("%s is taken for one from -3 to 7", s)
		}
	}
}

// What is taken for a decimal number is one to the standard library too, and what that
// writes is taken.
func TestDecimalsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789+-.eE_xp")), 1, 12, -1).Draw(t, "s")
		if _, err := strconv.ParseFloat(s, 64); isDecimal([]byte(s)) && err != nil && !strings.Contains(err.Error(), "range") {
			t.Fatalf("%q: %v", s, err)
		}
		x := rapid.Float64().Draw(t, "x")
		for _, format := range []byte{'g', 'e'} {
			if w := strconv.FormatFloat(x, format, 17, 64); !isDecimal([]byte(w)) {
				t.Fatalf("%s is refused", w)
			}
		}
	})
}
