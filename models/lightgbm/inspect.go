package lightgbm

import (
	"strconv"
	"strings"
)

// Summary is what Parse found, for people and programs that look a model over.
type Summary struct {
	SHA256      string           `json:"sha256"`
	Version     int              `json:"version"` // of the text: 2, 3 or 4
	Objective   string           `json:"objective"`
	Sigmoid     float64          `json:"sigmoid"`
	Average     bool             `json:"average_output"` // a random forest
	Trees       int              `json:"trees"`
	OneLeaf     int              `json:"one_leaf_trees"`
	LinearTrees int              `json:"linear_trees"`
	Leaves      int              `json:"leaves"` // of all trees
	Deepest     int              `json:"deepest"`
	Features    []FeatureSummary `json:"features"` // in the order of a row
	Levels      [][]any          `json:"pandas_categorical"`
	Warnings    []string         `json:"warnings"`
}

// FeatureSummary is one feature.
type FeatureSummary struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Range   string  `json:"range"`   // of the training data: [min:max], the categories, or none
	Splits  int     `json:"splits"`  // on it, of a gain above 0
	Gain    float64 `json:"gain"`    // of these splits
	Missing string  `json:"missing"` // what a missing value does: default way, right, as 0, or several of them
}

// Summary adds up what the model holds.
func (m *Model) Summary() Summary {
	s := Summary{SHA256: m.SHA256, Version: m.Version, Objective: m.Objective.Name, Sigmoid: m.Objective.Sigmoid, Average: m.Average,
		Trees: len(m.Trees), Levels: m.PandasLevels, Warnings: append([]string{}, m.Warnings...)}
	ways := make([][3]bool, len(m.Names))
	for i := range m.Trees {
		t := &m.Trees[i]
		s.Leaves += len(t.Leaves)
		s.Deepest = max(s.Deepest, t.depth())
		if len(t.Nodes) == 0 {
			s.OneLeaf++
		}
		if t.Linear != nil {
			s.LinearTrees++
		}
		for _, n := range t.Nodes {
			ways[n.Feature][n.wayOfMissing()] = true
		}
	}
	for j, name := range m.Names {
		f := FeatureSummary{Name: name, Kind: m.Kinds[j].String(), Range: m.Infos[j], Splits: m.Splits[j], Gain: m.Gains[j]}
		var told []string
		for k, way := range []string{"default way", "right", "as 0"} {
			if ways[j][k] {
				told = append(told, way)
			}
		}
		f.Missing = strings.Join(told, ", ")
		s.Features = append(s.Features, f)
	}
	return s
}

// wayOfMissing is 0 for the default way, 1 for a category's right, 2 for the way of 0.
func (n *Node) wayOfMissing() int {
	switch {
	case n.Category >= 0:
		return 1
	case n.Missing == MissingNone:
		return 2
	}
	return 0
}

// depth is the most splits that a row passes.
func (t *Tree) depth() int {
	if len(t.Nodes) == 0 {
		return 0
	}
	type place struct {
		node  int32
		depth int
	}
	deepest, stack := 0, []place{{0, 1}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		deepest = max(deepest, at.depth)
		for _, c := range [2]int32{t.Nodes[at.node].Left, t.Nodes[at.node].Right} {
			if c >= 0 {
				stack = append(stack, place{c, at.depth + 1})
			}
		}
	}
	return deepest
}

// Categories are the categories of feature i that the training data had, by feature_infos;
// nil where it is not categorical.
func (m *Model) Categories(i int) map[int64]bool {
	if m.Kinds[i] != Categorical {
		return nil
	}
	seen := map[int64]bool{}
	for s := range strings.SplitSeq(m.Infos[i], ":") {
		if c, err := strconv.ParseInt(s, 10, 64); err == nil && c >= 0 { // version 3 and later begin with -1
			seen[c] = true
		}
	}
	return seen
}

// TopCategory is the highest category of feature i in the training data; -1 = none.
func (m *Model) TopCategory(i int) int64 {
	top := int64(-1)
	for c := range m.Categories(i) {
		top = max(top, c)
	}
	return top
}
