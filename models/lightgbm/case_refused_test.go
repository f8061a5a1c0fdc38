package lightgbm

import (
	"bytes"
	"compress/gzip"
	"errors"
	"slices"
	"strings"
	"testing"
)

// refusals are the cases that a strict loader refuses: by id, what is done to which
// fixture, and what the error must name.
var refusals = []struct {
	id, from string
	make     func(*edited) []byte
	want     []string
}{
	{"H1 version v5", "tiny", func(e *edited) []byte { return e.head("version", "v5").text() }, []string{"line 2: version:", "v2, v3 and v4"}},
	{"H3 sigmoid 0", "tiny", func(e *edited) []byte { return e.head("objective", "binary sigmoid:0").text() }, []string{"line 7: objective:"}},
	{"H3 sigmoid nan", "tiny", func(e *edited) []byte { return e.head("objective", "binary sigmoid:nan").text() }, []string{"line 7: objective:"}},
	{"H3 sigmoid inf", "tiny", func(e *edited) []byte { return e.head("objective", "binary sigmoid:inf").text() }, []string{"line 7: objective:"}},
	{"H3 sigmoid negative", "tiny", func(e *edited) []byte { return e.head("objective", "binary sigmoid:-1").text() }, []string{"line 7: objective:"}},
	{"H4 no sigmoid", "tiny", func(e *edited) []byte { return e.head("objective", "binary").text() }, []string{"line 7: objective:", "sigmoid:SLOPE"}},
	{"H6 cross_entropy_lambda", "tiny", func(e *edited) []byte { return e.head("objective", "cross_entropy_lambda").text() }, []string{"line 7: objective:", "no probability", "objective=binary"}},
	{"H7 regression", "tiny", func(e *edited) []byte { return e.head("objective", "regression").text() }, []string{"line 7: objective:", "regression"}},
	{"H7 regression sqrt", "tiny", func(e *edited) []byte { return e.head("objective", "regression sqrt").text() }, []string{"line 7: objective:", "regression"}},
	{"H8 poisson", "tiny", func(e *edited) []byte { return e.head("objective", "poisson").text() }, []string{"line 7: objective:", "exponential"}},
	{"H8 tweedie", "tiny", func(e *edited) []byte { return e.head("objective", "tweedie tweedie_variance_power:1.5").text() }, []string{"line 7: objective:", "exponential"}},
	{"H9 huber", "tiny", func(e *edited) []byte { return e.head("objective", "huber").text() }, []string{"line 7: objective:"}},
	{"H9 lambdarank", "tiny", func(e *edited) []byte { return e.head("objective", "lambdarank").text() }, []string{"line 7: objective:", "ranking"}},
	{"H10 no objective", "tiny", func(e *edited) []byte { return e.drop("objective").text() }, []string{"objective:", "custom objective"}},
	{"H10 custom", "tiny", func(e *edited) []byte { return e.head("objective", "custom").text() }, []string{"line 7: objective:", "custom objective"}},
	{"H10 a new objective", "tiny", func(e *edited) []byte { return e.head("objective", "focal gamma:2").text() }, []string{"line 7: objective:", "unknown objective"}},
	{"H11 multiclass", "tiny", func(e *edited) []byte { return e.head("objective", "multiclass num_class:3").text() }, []string{"line 7: objective:", "several classes"}},
	{"H11 three classes", "tiny", func(e *edited) []byte { return e.head("num_class", "3").text() }, []string{"line 3: num_class:"}},
	{"H12 multiclassova", "tiny", func(e *edited) []byte { return e.head("objective", "multiclassova num_class:3 sigmoid:1").text() }, []string{"line 7: objective:", "several classes"}},
	{"H16 trees per iteration", "tiny", func(e *edited) []byte { return e.head("num_tree_per_iteration", "3").text() }, []string{"line 4: num_tree_per_iteration:"}},
	{"H18 a name twice", "tiny", func(e *edited) []byte { return e.head("feature_names", "amount amount retries").text() }, []string{"line 8: feature_names:", `"amount"`}},
	{"H18 a name not UTF-8", "tiny", func(e *edited) []byte { return e.head("feature_names", "amount days_late \xff").text() }, []string{"line 8: feature_names:", "UTF-8"}},
	{"H19 too few names", "tiny", func(e *edited) []byte { return e.head("feature_names", "amount days_late").text() }, []string{"line 8: feature_names:", "2 values, want 3"}},
	{"H19 too few infos", "tiny", func(e *edited) []byte { return e.head("feature_infos", "[0:1] [0:1]").text() }, []string{"line 9: feature_infos:", "2 values, want 3"}},
	{"H20 no magic", "tiny", func(e *edited) []byte { return e.text()[5:] }, []string{"line 1: tree"}},
	{"H20 leading blank", "tiny", func(e *edited) []byte { return append([]byte("\n"), e.text()...) }, []string{"line 1: tree"}},
	{"H20 two byte order marks", "tiny", func(e *edited) []byte { return append([]byte("\ufeff\ufeff"), e.text()...) }, []string{"line 1: tree"}},
	{"H20 empty", "tiny", func(e *edited) []byte { return nil }, []string{"line 1: tree", "empty"}},
	{"H22 unknown tree key", "tiny", func(e *edited) []byte { return e.after("shrinkage", "soft_split=1").text() }, []string{"line 48: soft_split (Tree=1):"}},
	{"H22 a tree line without =", "tiny", func(e *edited) []byte { return e.after("num_leaves", "threshold").text() }, []string{"line 33: threshold (Tree=1):"}},
	{"L2 a header key twice", "tiny", func(e *edited) []byte { return e.replaced("label_index=0\n", "label_index=0\nmax_feature_idx=2\n") }, []string{"line 7: max_feature_idx:", "twice"}},
	{"L2 unknown header key", "tiny", func(e *edited) []byte { return e.replaced("label_index=0\n", "label_index=0\nleaf_scale=2\n") }, []string{"line 6: leaf_scale"}},
	{"L2 not a number", "tiny", func(e *edited) []byte { return e.head("max_feature_idx", "2x").text() }, []string{"line 6: max_feature_idx:"}},
	{"L2 no version", "tiny", func(e *edited) []byte { return e.drop("version").text() }, []string{"version:", "no such line"}},
	{"L2 label_index", "tiny", func(e *edited) []byte { return e.head("label_index", "x").text() }, []string{"line 5: label_index:"}},
	{"L2 average_output with a value", "tiny", func(e *edited) []byte { return e.replaced("label_index=0\n", "label_index=0\naverage_output=1\n") }, []string{"line 6: average_output"}},
	{"L3 an info of no kind", "tiny", func(e *edited) []byte { return e.head("feature_infos", "[38.68:19274.73] [0:42 [0:5]").text() }, []string{"line 9: feature_infos:"}},
	{"L3 an info of letters", "tiny", func(e *edited) []byte { return e.head("feature_infos", "[38.68:19274.73] [0:42] many").text() }, []string{"line 9: feature_infos:"}},
	{"L3 a range upside down", "tiny", func(e *edited) []byte { return e.head("feature_infos", "[38.68:19274.73] [42:0] [0:5]").text() }, []string{"line 9: feature_infos:"}},
	{"L4 parameters not ended", "tiny", func(e *edited) []byte { t := e.text(); return t[:bytes.Index(t, []byte("[num_leaves:"))] }, []string{"line 87: end of parameters:", "cut"}},
	{"L4 an unknown part", "tiny", func(e *edited) []byte { return e.replaced("\nparameters:\n", "\nextra:\nx\n\nparameters:\n") }, []string{"line 76: extra"}},
	{"L4 a part twice", "tiny", func(e *edited) []byte { return append(e.text(), "pandas_categorical:[]\n"...) }, []string{"pandas_categorical:", "twice"}},
	{"L4 an importance of no feature", "tiny", func(e *edited) []byte { return e.replaced("\ndays_late=4\n", "\ndays_lane=4\n") }, []string{"feature_importances:", `"days_lane"`}},
	{"L4 an importance of no number", "tiny", func(e *edited) []byte { return e.replaced("\ndays_late=4\n", "\ndays_late=4.5\n") }, []string{"line 72: feature_importances:"}},
	{"L7 objective", "tiny", func(e *edited) []byte { return e.param("objective", "regression").text() }, []string{"line 78: objective (parameters):", "binary"}},
	{"L7 sigmoid", "tiny", func(e *edited) []byte { return e.param("sigmoid", "2").text() }, []string{"line 174: sigmoid (parameters):", "sigmoid:1"}},
	{"L7 linear_tree", "tiny_linear", func(e *edited) []byte { return e.param("linear_tree", "0").text() }, []string{"linear_tree (parameters):", "Tree=0"}},
	{"L7 num_class", "tiny", func(e *edited) []byte { return e.param("num_class", "2").text() }, []string{"num_class (parameters):"}},
	{"L7 random forest without average_output", "tiny", func(e *edited) []byte { return e.param("boosting", "rf").text() }, []string{"boosting (parameters):", "average_output"}},
	{"L7 average_output of no random forest", "rf", func(e *edited) []byte { return e.param("boosting", "gbdt").text() }, []string{"boosting (parameters):", "average_output"}},
	{"L7 not a parameter", "tiny", func(e *edited) []byte { return e.replaced("[max_depth: -1]", "max_depth: -1") }, []string{"parameters:", "[key: value]"}},
	{"L7 a parameter twice", "tiny", func(e *edited) []byte { return e.replaced("[max_depth: -1]", "[max_depth: -1]\n[max_depth: 3]") }, []string{"max_depth (parameters):", "twice"}},

	{"Z5 missing type 3", "tiny", func(e *edited) []byte { return e.value("decision_type", 0, "14").text() }, []string{"line 37: decision_type (Tree=1):", "missing type 3"}},
	{"Z7 threshold nan", "tiny", func(e *edited) []byte { return e.value("threshold", 1, "nan").text() }, []string{"line 36: threshold (Tree=1):"}},
	{"Z7 leaf nan", "tiny", func(e *edited) []byte { return e.value("leaf_value", 2, "nan").text() }, []string{"line 40: leaf_value (Tree=1):"}},
	{"Z7 leaf inf", "tiny", func(e *edited) []byte { return e.value("leaf_value", 2, "inf").text() }, []string{"line 40: leaf_value (Tree=1):", "finite"}},
	{"Z8 hexadecimal", "tiny", func(e *edited) []byte { return e.value("threshold", 0, "0x1p-2").text() }, []string{"line 36: threshold (Tree=1):"}},
	{"Z8 underscore", "tiny", func(e *edited) []byte { return e.value("threshold", 0, "1_000").text() }, []string{"line 36: threshold (Tree=1):"}},
	{"Z9 overflow", "tiny", func(e *edited) []byte { return e.value("threshold", 0, "1e999").text() }, []string{"line 36: threshold (Tree=1):", "inf"}},
	{"Z9 double blank", "tiny", func(e *edited) []byte { return e.value("threshold", 0, "8.5 ").text() }, []string{"line 36: threshold (Tree=1):", "one blank"}},
	{"Z9 leading blank", "tiny", func(e *edited) []byte { return e.value("threshold", 0, " 8.5").text() }, []string{"line 36: threshold (Tree=1):", "one blank"}},
	{"Z9 a blank for a value", "tiny", func(e *edited) []byte { return e.value("threshold", 0, "").text() }, []string{"line 36: threshold (Tree=1):", "a blank"}},

	{"C7 categorical bit without num_cat", "tiny", func(e *edited) []byte { return e.value("decision_type", 0, "1").text() }, []string{"line 37: decision_type (Tree=1):", "num_cat=0"}},
	{"C8 boundaries beyond the words", "tiny_category", func(e *edited) []byte { return e.value("cat_boundaries", 2, "11").text() }, []string{"line 48: cat_boundaries (Tree=1):"}},
	{"C8 boundaries falling", "tiny_category", func(e *edited) []byte { return e.value("cat_boundaries", 0, "5").text() }, []string{"line 48: cat_boundaries (Tree=1):"}},
	{"C8 a word beyond 32 bits", "tiny_category", func(e *edited) []byte { return e.value("cat_threshold", 0, "4294967296").text() }, []string{"line 49: cat_threshold (Tree=1):"}},
	{"C8 no boundaries", "tiny_category", func(e *edited) []byte { return e.untree("cat_boundaries").text() }, []string{"cat_boundaries (Tree=1):"}},
	{"C8 words without num_cat", "tiny_category", func(e *edited) []byte { return e.tree("num_cat", "0").text() }, []string{"cat_boundaries (Tree=1):", "num_cat=0"}},
	{"C8 index beyond num_cat", "tiny_category", func(e *edited) []byte { return e.value("threshold", splitOf(e, "1", "9"), "9").text() }, []string{"line 38: threshold (Tree=1):"}},
	{"C8 index of half", "tiny_category", func(e *edited) []byte { return e.value("threshold", splitOf(e, "1", "9"), "0.5").text() }, []string{"line 38: threshold (Tree=1):"}},
	{"C9 levels cut", "tiny", func(e *edited) []byte { return e.replaced("pandas_categorical:[]", `pandas_categorical:[["a", "b"`) }, []string{"line 201: pandas_categorical:", "JSON"}},
	{"C9 levels of another form", "tiny", func(e *edited) []byte {
		return e.replaced("pandas_categorical:[]", `pandas_categorical:[["a", ["b"]]]`)
	}, []string{"line 201: pandas_categorical:"}},
	{"L6 numeric split on a category", "tiny_category", func(e *edited) []byte { return e.value("split_feature", splitOf(e, "2", "10", "8", "0"), "1").text() }, []string{"line 36: split_feature (Tree=1):", "feature_infos"}},
	{"L6 split on an unused feature", "tiny", func(e *edited) []byte { return e.head("feature_infos", "[38.68:19274.73] none [0:5]").text() }, []string{"split_feature (Tree=0):", "unused"}},

	{"T1 a coefficient less", "tiny_linear", func(e *edited) []byte { return e.tree("leaf_coeff", "1  1  1 1  1 ").text() }, []string{"line 54: leaf_coeff (Tree=1):", "5 values, want 6"}},
	{"T1 a coefficient inf", "tiny_linear", func(e *edited) []byte { return e.tree("leaf_coeff", "inf  1  1 1  1 1 ").text() }, []string{"line 54: leaf_coeff (Tree=1):"}},
	{"T1 a feature out of range", "tiny_linear", func(e *edited) []byte { return e.tree("leaf_features", "17  1  1 2  1 2  ").text() }, []string{"line 53: leaf_features (Tree=1):"}},
	{"T1 a feature of no kind", "tiny_linear", func(*edited) []byte {
		return stump{names: "f0 f1", infos: "[0:1] none", more: "is_linear=1\nleaf_const=0 0\nnum_features=1 0\nleaf_features=1   \nleaf_coeff=2   \n"}.text()
	}, []string{"leaf_features (Tree=0):", "unused"}},
	{"T1 a constant inf", "tiny_linear", func(e *edited) []byte { return e.value("leaf_const", 0, "inf").text() }, []string{"leaf_const (Tree=1):", "finite"}},
	{"T1 counts too large", "tiny_linear", func(e *edited) []byte { return e.value("num_features", 0, "2000000000").text() }, []string{"line 52: num_features (Tree=1):"}},
	{"T1 no constants", "tiny_linear", func(e *edited) []byte { return e.untree("leaf_const").text() }, []string{"leaf_const (Tree=1):"}},
	{"T1 is_linear 2", "tiny_linear", func(e *edited) []byte { return e.tree("is_linear", "2").text() }, []string{"is_linear (Tree=1):"}},
	{"T1 linear lines in a plain tree", "tiny_linear", func(e *edited) []byte { return e.tree("is_linear", "0").text() }, []string{"leaf_const (Tree=1):"}},
	{"T3 no trees", "tiny", func(e *edited) []byte { e.trees = nil; return e.text() }, []string{"line 10: tree_sizes:"}},
	{"T4 num_leaves smaller", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "3").text() }, []string{"(Tree=1)", "num_leaves=3 in line 32"}},
	{"T4 num_leaves 1", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "1").text() }, []string{"(Tree=1)", "num_leaves=1 in line 32"}},
	{"T4 num_leaves larger", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "5").text() }, []string{"(Tree=1)", "num_leaves=5 in line 32"}},
	{"T4 num_leaves 0", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "0").text() }, []string{"line 32: num_leaves (Tree=1):"}},
	{"T5 leaf_value short", "tiny", func(e *edited) []byte { return e.tree("leaf_value", "0.1 0.2 0.3").text() }, []string{"line 40: leaf_value (Tree=1):", "3 values, want 4"}},
	{"T5 leaf_value long", "tiny", func(e *edited) []byte { return e.tree("leaf_value", "0.1 0.2 0.3 0.4 0.5").text() }, []string{"line 40: leaf_value (Tree=1):", "5 values, want 4"}},
	{"T5 leaf_weight short", "tiny", func(e *edited) []byte { return e.tree("leaf_weight", "1 2 3").text() }, []string{"leaf_weight (Tree=1):"}},
	{"T5 a count of half", "tiny", func(e *edited) []byte { return e.value("leaf_count", 1, "29.5").text() }, []string{"leaf_count (Tree=1):"}},
	{"T5 a count below 0", "tiny", func(e *edited) []byte { return e.value("internal_count", 1, "-1").text() }, []string{"internal_count (Tree=1):"}},
	{"T14 decision_type -0", "tiny", func(e *edited) []byte { return e.value("decision_type", 0, "-0").text() }, []string{"line 37: decision_type (Tree=1):"}},
	{"L7 a parameter of another name", "tiny", func(e *edited) []byte { return e.replaced("[max_depth: -1]", "[max\xffdepth: -1]") }, []string{"parameters:"}},
	{"T6 threshold short", "tiny", func(e *edited) []byte { return e.tree("threshold", "0.1 0.2").text() }, []string{"line 36: threshold (Tree=1):", "2 values, want 3"}},
	{"T6 no left_child", "tiny", func(e *edited) []byte { return e.untree("left_child").text() }, []string{"left_child (Tree=1):", "no such line"}},
	{"T6 no num_cat", "tiny", func(e *edited) []byte { return e.untree("num_cat").text() }, []string{"num_cat (Tree=1):"}},
	{"T7 split_feature too big", "tiny", func(e *edited) []byte { return e.value("split_feature", 0, "3").text() }, []string{"line 34: split_feature (Tree=1):"}},
	{"T7 split_feature negative", "tiny", func(e *edited) []byte { return e.value("split_feature", 0, "-1").text() }, []string{"line 34: split_feature (Tree=1):"}},
	{"T8 child too big", "tiny", func(e *edited) []byte { return e.value("right_child", 0, "9").text() }, []string{"line 39: right_child (Tree=1):", "split 9"}},
	{"T8 child beyond 32 bits", "tiny", func(e *edited) []byte { return e.value("right_child", 0, "4294967297").text() }, []string{"line 39: right_child (Tree=1):"}},
	{"T9 leaf too big", "tiny", func(e *edited) []byte { return e.value("left_child", 1, "-9").text() }, []string{"line 38: left_child (Tree=1):", "leaf 8"}},
	{"T9 the lowest child", "tiny", func(e *edited) []byte { return e.value("left_child", 1, "-2147483648").text() }, []string{"line 38: left_child (Tree=1):"}},
	{"T10 cycle to the root", "tiny", func(e *edited) []byte { return e.value("left_child", 1, "0").text() }, []string{"line 38: left_child (Tree=1):", "twice"}},
	{"T10 cycle to itself", "tiny", func(e *edited) []byte { return e.value("left_child", 1, "1").text() }, []string{"line 38: left_child (Tree=1):", "twice"}},
	{"T11 shared child", "tiny", func(e *edited) []byte { return e.value("right_child", 0, "1").value("left_child", 0, "1").text() }, []string{"left_child", "right_child", "(Tree=1):", "twice"}},
	{"T12 a leaf twice", "tiny", func(e *edited) []byte { return e.value("left_child", 2, "-1").text() }, []string{"line 38: left_child (Tree=1):", "leaf 0 is reached twice"}},
	{"T13 num_leaves 2e9", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "2000000000").text() }, []string{"line 32: num_leaves (Tree=1):", "131072"}},
	{"T13 num_leaves MaxInt64", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "9223372036854775807").text() }, []string{"line 32: num_leaves (Tree=1):"}},
	{"T13 num_leaves beyond int64", "tiny", func(e *edited) []byte { return e.tree("num_leaves", "99999999999999999999").text() }, []string{"line 32: num_leaves (Tree=1):"}},
	{"T14 no decision_type", "tiny", func(e *edited) []byte { return e.untree("decision_type").text() }, []string{"decision_type (Tree=1):"}},
	{"T14 decision_type negative", "tiny", func(e *edited) []byte { return e.value("decision_type", 0, "-2").text() }, []string{"line 37: decision_type (Tree=1):"}},
	{"T14 decision_type 16", "tiny", func(e *edited) []byte { return e.value("decision_type", 0, "16").text() }, []string{"line 37: decision_type (Tree=1):"}},
	{"T15 a key twice", "tiny", func(e *edited) []byte { return e.after("leaf_value", "leaf_value=1 2 3 4").text() }, []string{"line 41: leaf_value (Tree=1):", "line 40"}},
	{"T16 too many trees", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=", "tree_sizes="+strings.Repeat("9 ", MaxTrees)) }, []string{"line 10: tree_sizes:", "100003 trees"}},
	{"T16 max_feature_idx beyond all", "tiny", func(e *edited) []byte { return e.head("max_feature_idx", "268435456").text() }, []string{"feature_names:", "want 268435457"}},

	{"F1 CRLF", "tiny", func(e *edited) []byte { return bytes.ReplaceAll(e.text(), newline, []byte("\r\n")) }, []string{"line 1: line ends:", "CRLF", "binary mode"}},
	{"F2 sizes of fewer trees", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=558 563 555\n", "tree_sizes=558 563\n") }, []string{"end of trees:", "line 10"}},
	{"F3 sizes of more trees", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=558 563 555\n", "tree_sizes=558 563 555 555\n") }, []string{"Tree=3:", "tree_sizes has 4 trees"}},
	{"F3 a size off by one", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=558 ", "tree_sizes=559 ") }, []string{"Tree=0:", "tree_sizes"}},
	{"F3 a size beyond the file", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=558 ", "tree_sizes=99999 ") }, []string{"Tree=0:", "tree_sizes"}},
	{"F3 a size of nothing", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=558 ", "tree_sizes=0 ") }, []string{"line 10: tree_sizes:"}},
	{"F4 no sizes", "tiny", func(e *edited) []byte { return e.replaced("tree_sizes=558 563 555\n", "") }, []string{"tree_sizes:", "no such line"}},
	{"F5 cut in a leaf value", "tiny", func(e *edited) []byte { t := e.text(); return t[:bytes.LastIndex(t, []byte("leaf_value="))+30] }, []string{"line 59: leaf_value:", "cut"}},
	{"F6 cut before end of trees", "tiny", func(e *edited) []byte { t := e.text(); return t[:bytes.Index(t, []byte("end of trees"))] }, []string{"line 69: end of trees:", "cut"}},
	{"F7 cut between trees", "tiny", func(e *edited) []byte { t := e.text(); return t[:bytes.Index(t, []byte("Tree=2"))] }, []string{"line 50: Tree=2:", "cut"}},
	{"F7 cut in the header", "tiny", func(e *edited) []byte { t := e.text(); return t[:bytes.Index(t, []byte("feature_names"))] }, []string{"tree_sizes:", "ends in its header"}},
	{"F8 a blank line more", "tiny", func(e *edited) []byte { return e.replaced("\nTree=1\n", "\n\nTree=1\n") }, []string{"Tree=1:", "tree_sizes"}},
	{"F8 a blank line less", "tiny", func(e *edited) []byte { return e.replaced("\n\nTree=1\n", "\nTree=1\n") }, []string{"Tree=0:", "tree_sizes"}},
	{"F8 a blank line in a tree", "tiny", func(e *edited) []byte { return e.after("num_leaves", "").text() }, []string{"Tree=1:", "tree_sizes"}},
	{"F9 another tree number", "tiny", func(e *edited) []byte { return e.replaced("\nTree=1\n", "\nTree=7\n") }, []string{"line 31: Tree=1:", `"Tree=7"`}},
	{"F10 gzip", "tiny", func(e *edited) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(e.text())
		w.Close()
		return b.Bytes()
	}, []string{"first bytes:", "gunzip"}},
	{"F11 JSON", "tiny", func(e *edited) []byte { return []byte(`{"name":"tree","version":"v4"}`) }, []string{"line 1: tree", "JSON", "save_model"}},
}

// splitOf is the first split of tree 1 with one of the decision types.
func splitOf(e *edited, types ...string) int {
	for i, d := range strings.Split(treeValue(e, "decision_type"), " ") {
		if slices.Contains(types, d) {
			return i
		}
	}
	e.t.Fatalf("no split of type %v in tree 1", types)
	return 0
}

func treeValue(e *edited, key string) string {
	for _, line := range e.trees[1] {
		if v, ok := strings.CutPrefix(line, key+"="); ok {
			return v
		}
	}
	return ""
}

// Every case is refused by Parse itself, by a Fault that names the place and the way out.
func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.id, func(t *testing.T) {
			e := edit(t, c.from)
			if _, err := Parse(e.text()); err != nil {
				t.Fatalf("the fixture itself: %v", err)
			}
			text := c.make(edit(t, c.from))
			_, err := Parse(text)
			f := (*Fault)(nil)
			if !errors.As(err, &f) {
				t.Fatalf("%v, want a Fault", err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%v\ndoes not name %s", err, w)
				}
			}
			if cause, way, ok := strings.Cut(err.Error(), "; "); !ok || way == "" || cause == "" {
				t.Errorf("%v: no way out", err)
			}
			if _, err := Load(text, nil); !errors.As(err, &f) {
				t.Errorf("Load: %v", err)
			}
		})
	}
}
