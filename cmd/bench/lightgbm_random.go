package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"recoup/data"
)

// The size of forest that times have been published for.
const (
	randomTrees   = 500
	randomLeaves  = 31
	randomColumns = 30
)

// randomForest writes a forest that nothing trained, grown at random leaves, and draws
// rows for it.
func randomForest(path string) (*forestModel, error) {
	dice := rand.New(rand.NewPCG(500, 31))
	m := &forestModel{name: "random 500 x 31 x 30", path: path, columns: randomColumns}
	for range forestRows {
		row := make([]float64, randomColumns)
		for j := range row {
			row[j] = dice.NormFloat64()
		}
		m.rows = append(m.rows, row)
	}
	var trees []string
	for i := range randomTrees {
		trees = append(trees, randomTree(dice, i))
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=%d\nobjective=binary sigmoid:1\nfeature_names=", randomColumns-1)
	text.WriteString(list(randomColumns, func(j int) string { return "x" + strconv.Itoa(j) }))
	text.WriteString("\nfeature_infos=" + list(randomColumns, func(int) string { return "[-6:6]" }))
	text.WriteString("\ntree_sizes=" + list(len(trees), func(i int) string { return strconv.Itoa(len(trees[i])) }) + "\n\n")
	text.WriteString(strings.Join(trees, "") + "end of trees\n")
	return m, data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err })
}

// randomTree is the text of a tree: a random leaf is split until there are enough. The
// split leaf keeps its number on the left, as LightGBM has it.
func randomTree(dice *rand.Rand, number int) string {
	const nodes = randomLeaves - 1
	var left, right [nodes]int
	place := []*int{nil} // by leaf: the child that names it; nil = the root
	for k := range nodes {
		leaf := dice.IntN(k + 1)
		left[k], right[k] = ^leaf, ^(k + 1)
		if p := place[leaf]; p != nil {
			*p = k
		}
		place[leaf] = &left[k]
		place = append(place, &right[k])
	}
	zeros := func(n int) string { return list(n, func(int) string { return "0" }) }
	text := func(int) string { return strconv.FormatFloat(dice.NormFloat64(), 'g', 17, 64) }
	return fmt.Sprintf("Tree=%d\nnum_leaves=%d\nnum_cat=0\nsplit_feature=%s\nsplit_gain=%s\nthreshold=%s\ndecision_type=%s\nleft_child=%s\nright_child=%s\n"+
		"leaf_value=%s\nleaf_weight=%s\nleaf_count=%s\ninternal_value=%s\ninternal_weight=%s\ninternal_count=%s\nis_linear=0\nshrinkage=1\n\n\n",
		number, randomLeaves, list(nodes, func(int) string { return strconv.Itoa(dice.IntN(randomColumns)) }), zeros(nodes), list(nodes, text),
		list(nodes, func(int) string { return "2" }), list(nodes, func(k int) string { return strconv.Itoa(left[k]) }),
		list(nodes, func(k int) string { return strconv.Itoa(right[k]) }), list(randomLeaves, text), zeros(randomLeaves), zeros(randomLeaves),
		zeros(nodes), zeros(nodes), zeros(nodes))
}

// list joins n texts by single blanks.
func list(n int, text func(int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = text(i)
	}
	return strings.Join(out, " ")
}

// writeRows writes rows as float64 after float64, and readRows reads them.
func writeRows(path string, rows [][]float64) error {
	return data.WriteFile(path, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, flatten(rows)) })
}

func readRows(path string, columns int) (rows [][]float64, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(text)%(8*columns) != 0 {
		return nil, fmt.Errorf("%s: %d bytes are no rows of %d columns", path, len(text), columns)
	}
	for len(text) > 0 {
		row := make([]float64, columns)
		for j := range row {
			row[j] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*j:]))
		}
		rows, text = append(rows, row), text[8*columns:]
	}
	return rows, nil
}
