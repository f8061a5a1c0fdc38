package lightgbm

import (
	"bytes"
	"fmt"
)

// treeKey numbers the lines of a tree.
type treeKey int

const (
	numLeaves treeKey = iota
	numCat
	splitFeature
	splitGain
	threshold
	decisionType
	leftChild
	rightChild
	leafValue
	leafWeight
	leafCount
	internalValue
	internalWeight
	internalCount
	catBoundaries
	catThreshold
	isLinear
	leafConst
	numFeatures
	leafFeatures
	leafCoeff
	shrinkage
	nTreeKeys
)

var treeKeyNames = [nTreeKeys]string{
	"num_leaves", "num_cat", "split_feature", "split_gain", "threshold", "decision_type", "left_child", "right_child", "leaf_value", "leaf_weight", "leaf_count",
	"internal_value", "internal_weight", "internal_count", "cat_boundaries", "cat_threshold", "is_linear", "leaf_const", "num_features", "leaf_features", "leaf_coeff", "shrinkage",
}

// treeLines are the lines of one tree, by key.
type treeLines [nTreeKeys]field

// lines reads a block. Lines of another order are taken, unknown ones are not: a new
// kind of line may change the score.
func (b treeText) lines() (t treeLines, err error) {
	n := b.line
	for line := range bytes.SplitSeq(bytes.TrimRight(b.text, "\n"), newline) {
		if n++; n == b.line+1 {
			continue // Tree=
		}
		name, value, equals := bytes.Cut(line, []byte{'='})
		k := treeKey(0)
		for k < nTreeKeys && string(name) != treeKeyNames[k] {
			k++
		}
		f := field{line: n - 1, tree: b.tree, key: string(name[:min(len(name), 60)]), value: value}
		switch {
		case k == nTreeKeys || !equals:
			return t, f.faultWay("export it with a LightGBM from 2.2 to 4.7", "unknown line of a tree: it may change the score")
		case t[k].line > 0:
			return t, f.fault("the tree has it twice, first in line %d", t[k].line)
		}
		t[k] = f
	}
	for _, k := range []treeKey{numLeaves, numCat, splitFeature, threshold, decisionType, leftChild, rightChild, leafValue} {
		if t[k].line == 0 {
			return t, b.missing(k)
		}
	}
	return t, nil
}

func (b treeText) missing(k treeKey) error {
	return &Fault{Key: treeKeyNames[k], Tree: b.tree, Cause: fmt.Sprintf("the tree of line %d has no such line", b.line)}
}

// tree reads and checks one tree.
func (m *Model) tree(b treeText) (t Tree, err error) {
	lines, err := b.lines()
	if err != nil {
		return t, err
	}
	n, err := lines[numLeaves].integer(lines[numLeaves].value, 1, MaxLeaves)
	if err != nil {
		return t, err
	}
	if err := lines.lengths(int(n)); err != nil {
		return t, err
	}
	t.Leaves = make([]float64, n)
	f := lines[leafValue]
	err = f.each(func(i int, v []byte) (err error) {
		t.Leaves[i], err = f.finite(v)
		return err
	})
	if err != nil {
		return t, err
	}
	if err := t.categories(b, &lines); err != nil {
		return t, err
	}
	if err := t.splits(m, &lines); err != nil {
		return t, err
	}
	if err := t.structure(&lines); err != nil {
		return t, err
	}
	return t, t.linear(m, b, &lines)
}

// lengths checks every array against num_leaves, and those that scoring does not use
// for their numbers too.
func (l *treeLines) lengths(n int) error {
	split, leaf := fmt.Sprintf("num_leaves=%d in line %d, less 1", n, l[numLeaves].line), fmt.Sprintf("num_leaves=%d in line %d", n, l[numLeaves].line)
	for _, k := range []treeKey{splitFeature, threshold, decisionType, leftChild, rightChild} {
		if err := l[k].want(n-1, split); err != nil {
			return err
		}
	}
	if err := l[leafValue].want(n, leaf); err != nil {
		return err
	}
	for _, k := range []treeKey{splitGain, internalValue, internalWeight, internalCount, leafWeight, leafCount} {
		f, size, why, check := l[k], n-1, split, field.told
		if k == leafWeight || k == leafCount {
			size, why = n, leaf
		}
		if k == leafCount || k == internalCount {
			check = field.counted
		}
		if f.line == 0 || n == 1 && len(f.value) == 0 { // a tree of one leaf may have no leaf_weight and leaf_count
			continue
		}
		if err := check(f, size, why); err != nil {
			return err
		}
	}
	if f := l[shrinkage]; f.line > 0 {
		_, err := f.finite(f.value)
		return err
	}
	return nil
}
