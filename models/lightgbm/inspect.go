package lightgbm

import (
	"strconv"
	"strings"
)

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
