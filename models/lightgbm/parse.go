package lightgbm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// What a file may be at most: real models stay far below, and nothing is allocated
// before its length was compared with these.
const (
	MaxBytes  = 256 << 20
	MaxTrees  = 100_000
	MaxLeaves = 131_072    // of a tree: LightGBM's own limit
	MaxNodes  = 20_000_000 // of all trees
)

// Parse reads a model text of LightGBM 2 to 4 (version v2, v3 or v4) and checks all that
// the file alone can tell, by the list of the package comment. The error is a *Fault.
// Nothing of text is kept. Time and memory are linear in its length.
func Parse(text []byte) (*Model, error) {
	m, _, err := parse(text)
	return m, err
}

// parse gives the texts of the trees too.
func parse(text []byte) (*Model, []treeText, error) {
	sum := sha256.Sum256(text)
	m := &Model{SHA256: hex.EncodeToString(sum[:])}
	text, err := m.opened(text)
	if err != nil {
		return nil, nil, err
	}
	h, err := m.header(text)
	if err != nil {
		return nil, nil, err
	}
	blocks, err := h.blocks(text)
	if err != nil {
		return nil, nil, err
	}
	m.Trees = make([]Tree, len(blocks))
	nodes := 0
	for i, b := range blocks {
		if m.Trees[i], err = m.tree(b); err != nil {
			return nil, nil, err
		}
		if nodes += len(m.Trees[i].Nodes); nodes > MaxNodes {
			return nil, nil, &Fault{Line: b.line, Key: fmt.Sprintf("Tree=%d", i), Tree: -1, Cause: fmt.Sprintf("more than %d splits", MaxNodes), Way: "train a smaller model"}
		}
	}
	last := blocks[len(blocks)-1]
	if err := m.tail(text[h.end:], last.line+bytes.Count(last.text, newline), h); err != nil {
		return nil, nil, err
	}
	m.warn()
	return m, blocks, nil
}

var newline = []byte{'\n'}

// opened looks at the first bytes: is this a model text at all?
func (m *Model) opened(text []byte) ([]byte, error) {
	first := field{line: 1, tree: -1, key: "tree (first line)"}
	switch {
	case len(text) > MaxBytes:
		return nil, &Fault{Tree: -1, Cause: fmt.Sprintf("%d bytes, at most %d are read", len(text), MaxBytes), Way: "train a smaller model"}
	case len(text) == 0:
		return nil, first.fault("the file is empty")
	case bytes.HasPrefix(text, []byte{0x1f, 0x8b}):
		return nil, &Fault{Line: 1, Key: "first bytes", Tree: -1, Cause: "gzip data, not model text", Way: "unpack it with gunzip"}
	case bytes.HasPrefix(text, []byte("{")):
		return nil, first.fault("JSON, as Booster.dump_model makes it, which no longer holds the model exactly")
	}
	if b, found := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); found {
		text = b
		m.Warnings = append(m.Warnings, "the file begins with a byte order mark, which LightGBM does not write: it went through an editor")
	}
	if at := bytes.IndexByte(text, '\r'); at >= 0 {
		return nil, &Fault{Line: bytes.Count(text[:at], newline) + 1, Key: "line ends", Tree: -1,
			Cause: "a carriage return (CRLF): the bytes of the trees are no longer those that tree_sizes counts", Way: Export + " (in binary mode)"}
	}
	if !bytes.HasPrefix(text, []byte("tree\n")) {
		line, _, _ := bytes.Cut(text, newline)
		return nil, first.fault("%s where \"tree\" should be: not a LightGBM model text, or its beginning is lost", clipped(line))
	}
	return text, nil
}
