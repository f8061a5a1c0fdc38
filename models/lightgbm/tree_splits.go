package lightgbm

import (
	"math"
	"strconv"
)

// splits reads the nodes. Their children are checked by structure.
func (t *Tree) splits(m *Model, l *treeLines) error {
	n := len(t.Leaves) - 1
	if n == 0 {
		return nil
	}
	t.Nodes = make([]Node, n)
	f := l[splitFeature]
	err := f.each(func(i int, v []byte) error {
		j, err := f.integer(v, 0, int64(len(m.Names)-1))
		t.Nodes[i].Feature = int32(j)
		return err
	})
	if err != nil {
		return err
	}
	f = l[splitGain]
	err = f.each(func(i int, v []byte) error {
		if g, _ := strconv.ParseFloat(string(v), 64); g > 0 { // its form was checked with its length
			m.Splits[t.Nodes[i].Feature]++
			m.Gains[t.Nodes[i].Feature] += g
		}
		return nil
	})
	if err != nil {
		return err
	}
	f = l[decisionType]
	err = f.each(func(i int, v []byte) error {
		d, err := f.integer(v, 0, 15)
		if err != nil {
			return err
		}
		if d>>2 == 3 {
			return f.fault("%s: missing type 3 does not exist", v)
		}
		t.Nodes[i].DefaultLeft, t.Nodes[i].Missing, t.Nodes[i].Category = d&2 != 0, Missing(d>>2), -1
		if d&1 != 0 {
			t.Nodes[i].Category = 0
		}
		return t.kinds(m, l, i)
	})
	if err != nil {
		return err
	}
	if err := t.thresholds(l); err != nil {
		return err
	}
	for _, k := range []treeKey{leftChild, rightChild} {
		f := l[k]
		err := f.each(func(i int, v []byte) error {
			c, err := f.integer(v, math.MinInt32, math.MaxInt32)
			if k == leftChild {
				t.Nodes[i].Left = int32(c)
			} else {
				t.Nodes[i].Right = int32(c)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// kinds checks that a split takes its feature for what feature_infos says it is.
func (t *Tree) kinds(m *Model, l *treeLines, i int) error {
	node := t.Nodes[i]
	want := Numeric
	if node.Category >= 0 {
		want = Categorical
		if t.CatBoundaries == nil {
			return l[decisionType].fault("split %d is categorical, but num_cat=0", i)
		}
	}
	if got := m.Kinds[node.Feature]; got != want {
		return l[splitFeature].fault("split %d (decision_type in line %d) takes feature %d, %s, for %v, but feature_infos says it is %v",
			i, l[decisionType].line, node.Feature, clipped([]byte(m.Names[node.Feature])), want, got)
	}
	return nil
}

// thresholds reads them: of a categorical split it is the index of its set.
func (t *Tree) thresholds(l *treeLines) error {
	f := l[threshold]
	return f.each(func(i int, v []byte) (err error) {
		node := &t.Nodes[i]
		if node.Category < 0 {
			node.Threshold, err = f.number(v)
			return err
		}
		k, err := f.integer(v, 0, int64(len(t.CatBoundaries)-2))
		node.Category = int32(k)
		return err
	})
}
