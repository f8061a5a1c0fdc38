package models

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// forestText is a LightGBM file of made-up trees with four leaves each on some inputs.
func forestText(inputs []Input, trees int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	var names, infos, sizes []string
	for _, in := range inputs {
		names = append(names, in.Name)
		if !in.Category() {
			infos = append(infos, "[-100:100]")
			continue
		}
		codes := "-1"
		for k := range in.Levels {
			codes += fmt.Sprintf(":%d", k)
		}
		infos = append(infos, codes)
	}
	var body bytes.Buffer
	for i := range trees {
		t := treeText(i, inputs, rng)
		sizes = append(sizes, fmt.Sprint(len(t)))
		body.WriteString(t)
	}
	return fmt.Appendf(nil, "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=%d\nobjective=binary sigmoid:1\nfeature_names=%s\nfeature_infos=%s\ntree_sizes=%s\n\n%send of trees\n\nfeature_importances:\n\nparameters:\n[boosting: gbdt]\n[objective: binary]\n\nend of parameters\n\npandas_categorical:null\n",
		len(inputs)-1, strings.Join(names, " "), strings.Join(infos, " "), strings.Join(sizes, " "), body.String())
}

func treeText(number int, inputs []Input, rng *rand.Rand) string {
	var features, thresholds, kinds, boundaries, sets, leaves []string
	boundaries = []string{"0"}
	for range 3 {
		f := rng.IntN(len(inputs))
		features = append(features, fmt.Sprint(f))
		if n := len(inputs[f].Levels); n > 0 {
			thresholds, kinds = append(thresholds, fmt.Sprint(len(sets))), append(kinds, "1")
			sets = append(sets, fmt.Sprint(1+rng.IntN(1<<min(n, 20))))
			boundaries = append(boundaries, fmt.Sprint(len(sets)))
		} else {
			thresholds, kinds = append(thresholds, fmt.Sprint(rng.Float64()*100-20)), append(kinds, "2")
		}
	}
	for range 4 {
		leaves = append(leaves, fmt.Sprint(rng.Float64()-0.5))
	}
	cats := ""
	if len(sets) > 0 {
		cats = fmt.Sprintf("cat_boundaries=%s\ncat_threshold=%s\n", strings.Join(boundaries, " "), strings.Join(sets, " "))
	}
	j := func(s []string) string { return strings.Join(s, " ") }
	return fmt.Sprintf("Tree=%d\nnum_leaves=4\nnum_cat=%d\nsplit_feature=%s\nsplit_gain=3 2 1\nthreshold=%s\ndecision_type=%s\nleft_child=1 -1 -3\nright_child=2 -2 -4\nleaf_value=%s\nleaf_weight=1 1 1 1\nleaf_count=9 9 9 9\ninternal_value=0 0 0\ninternal_weight=4 2 2\ninternal_count=36 18 18\n%sis_linear=0\nshrinkage=0.1\n\n\n",
		number, len(sets), j(features), j(thresholds), j(kinds), j(leaves), cats)
}
