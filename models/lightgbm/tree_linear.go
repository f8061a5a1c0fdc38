package lightgbm

import (
	"bytes"
	"fmt"
)

// linear reads the linear models of the leaves, where the tree has such.
func (t *Tree) linear(m *Model, b treeText, l *treeLines) error {
	keys := []treeKey{leafConst, numFeatures, leafFeatures, leafCoeff}
	flag := l[isLinear]
	switch {
	case flag.line == 0 || string(flag.value) == "0":
		for _, k := range keys {
			if l[k].line > 0 {
				return l[k].fault("a line of a linear tree, but the tree does not say is_linear=1")
			}
		}
		return nil
	case string(flag.value) != "1":
		return flag.fault("%s is not 0 or 1", clipped(flag.value))
	}
	for _, k := range keys {
		if l[k].line == 0 {
			return b.missing(k)
		}
	}
	n := len(t.Leaves)
	counts, constants := l[numFeatures], l[leafConst]
	why := fmt.Sprintf("num_leaves=%d in line %d", n, l[numLeaves].line)
	if err := counts.want(n, why); err != nil {
		return err
	}
	if err := constants.want(n, why); err != nil {
		return err
	}
	t.Linear = make([]Linear, n)
	err := constants.each(func(i int, v []byte) (err error) {
		t.Linear[i].Const, err = constants.finite(v)
		return err
	})
	if err != nil {
		return err
	}
	ends, total := make([]int, n), 0
	err = counts.each(func(i int, v []byte) error {
		k, err := counts.integer(v, 0, int64(len(m.Names)))
		total += int(k)
		ends[i] = total
		return err
	})
	if err != nil {
		return err
	}
	return t.coefficients(m, l, ends, total)
}

// coefficients reads the features and factors of all leaves; leaf i has those up to ends[i].
// Unlike the other arrays these are divided by runs of blanks.
func (t *Tree) coefficients(m *Model, l *treeLines, ends []int, total int) error {
	names, factors := l[leafFeatures], l[leafCoeff]
	features, coef := bytes.Fields(names.value), bytes.Fields(factors.value)
	why := fmt.Sprintf("num_features in line %d", l[numFeatures].line)
	if len(features) != total {
		return names.fault("%d values, want %d (%s)", len(features), total, why)
	}
	if len(coef) != total {
		return factors.fault("%d values, want %d (%s)", len(coef), total, why)
	}
	js, cs := make([]int32, total), make([]float64, total)
	for i := range total {
		j, err := names.integer(features[i], 0, int64(len(m.Names)-1))
		if err != nil {
			return err
		}
		if m.Kinds[j] != Numeric {
			return names.fault("feature %d, %s, is %v by feature_infos, not numeric", j, clipped([]byte(m.Names[j])), m.Kinds[j])
		}
		js[i] = int32(j)
		if cs[i], err = factors.finite(coef[i]); err != nil {
			return err
		}
	}
	from := 0
	for i, end := range ends {
		t.Linear[i].Features, t.Linear[i].Coef = js[from:end:end], cs[from:end:end]
		from = end
	}
	return nil
}
