package lightgbm

import (
	"fmt"
	"math"
)

// categories reads the sets of the categorical splits.
func (t *Tree) categories(b treeText, l *treeLines) error {
	f := l[numCat]
	n, err := f.integer(f.value, 0, int64(len(t.Leaves)-1))
	if err != nil {
		return err
	}
	bounds, words := l[catBoundaries], l[catThreshold]
	if n == 0 {
		for _, f := range []field{bounds, words} {
			if f.line > 0 {
				return f.fault("num_cat=0 in line %d, so it should not be here", l[numCat].line)
			}
		}
		return nil
	}
	for _, k := range []treeKey{catBoundaries, catThreshold} {
		if l[k].line == 0 {
			return b.missing(k)
		}
	}
	if err := bounds.want(int(n)+1, fmt.Sprintf("num_cat=%d in line %d, and 1", n, f.line)); err != nil {
		return err
	}
	t.CatBoundaries, t.CatBits = make([]int32, n+1), make([]uint32, items(words.value))
	before := int64(0)
	err = bounds.each(func(i int, v []byte) error {
		x, err := bounds.integer(v, 0, math.MaxInt32)
		if err == nil && (x < before || i == 0 && x != 0) {
			err = bounds.fault("%s after %d: they begin at 0 and do not fall", v, before)
		}
		t.CatBoundaries[i], before = int32(x), x
		return err
	})
	if err != nil {
		return err
	}
	if int(before) != len(t.CatBits) {
		return bounds.fault("the last is %d, but cat_threshold (line %d) has %d words", before, words.line, len(t.CatBits))
	}
	return words.each(func(i int, v []byte) error {
		x, err := words.integer(v, 0, math.MaxUint32)
		t.CatBits[i] = uint32(x)
		return err
	})
}
