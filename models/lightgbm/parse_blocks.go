package lightgbm

import (
	"bytes"
	"fmt"
	"strconv"
)

// treeText is the text of one tree, from "Tree=" to its last blank line.
type treeText struct {
	tree int
	line int // of "Tree="
	text []byte
}

// blocks cuts the trees apart by tree_sizes, and checks that each begins and ends where
// it should: a lost or added byte shows here.
func (h *header) blocks(text []byte) ([]treeText, error) {
	n := items(h.sizes.value)
	switch {
	case n == 0:
		return nil, h.sizes.faultWay("train it for at least one round", "no trees: every row would get the same score")
	case n > MaxTrees:
		return nil, h.sizes.faultWay("train a smaller model", "%d trees, at most %d are read", n, MaxTrees)
	}
	blocks := make([]treeText, 0, n)
	at, line := h.start, h.line
	err := h.sizes.each(func(i int, v []byte) error {
		size, err := h.sizes.integer(v, 1, MaxBytes)
		if err != nil {
			return err
		}
		head := "Tree=" + strconv.Itoa(i)
		here := field{line: line, tree: -1, key: head}
		if err := begins(text[at:], head, here, n); err != nil {
			return err
		}
		if int(size) > len(text)-at {
			return cut(text, at, here)
		}
		b := text[at : at+int(size)]
		if !bytes.HasSuffix(b, []byte("\n\n\n")) || bytes.Contains(b[:len(b)-3], []byte("\n\n")) {
			return here.fault("tree_sizes (line %d) says that it has %d bytes, but it does not end there with two blank lines", h.sizes.line, size)
		}
		blocks = append(blocks, treeText{tree: i, line: line, text: b})
		at, line = at+int(size), line+bytes.Count(b, newline)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text[at:], []byte("end of trees\n")) {
		end := field{line: line, tree: -1, key: "end of trees"}
		return nil, end.fault("not here, after the %d trees that tree_sizes (line %d) counts, but %s", n, h.sizes.line, nextLine(text[at:]))
	}
	h.end = at
	return blocks, nil
}

// begins checks the first line of a tree.
func begins(text []byte, head string, here field, n int) error {
	if bytes.HasPrefix(text, []byte(head+"\n")) {
		return nil
	}
	return here.fault("tree_sizes has %d trees, so this one should begin here, but here is %s", n, nextLine(text))
}

// cut says where a file ends that ends in a tree.
func cut(text []byte, at int, here field) error {
	rest := bytes.TrimRight(text[at:], "\n")
	start := bytes.LastIndexByte(rest, '\n') + 1
	last := here.line + bytes.Count(rest, newline)
	key, _, _ := bytes.Cut(rest[start:], []byte{'='})
	if i := bytes.Index(rest, []byte("\nend of trees")); i >= 0 {
		return here.fault("tree_sizes counts more bytes than the file has: the tree ends before that")
	}
	return &Fault{Line: last, Key: string(key[:min(len(key), 60)]), Tree: -1, Cause: fmt.Sprintf("the file ends here, inside %s, before end of trees: it was cut", here.key)}
}

func nextLine(text []byte) string {
	if len(text) == 0 {
		return "the end of the file: it was cut"
	}
	line, _, _ := bytes.Cut(text, newline)
	return clipped(line)
}
