package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// document is a YAML text being read; faults collects all that is wrong in it.
type document struct {
	path   string
	faults []error
}

// node is a value of the document and the line it stands on.
type node struct {
	ast.Node
	line int
}

func (d *document) fault(line int, format string, args ...any) {
	d.faults = append(d.faults, fmt.Errorf("%s:%d: %s", d.path, line, fmt.Sprintf(format, args...)))
}

// A mapping is a page; the parser's time grows with the square of length and
// depth, and a deep text must not keep the job busy.
const (
	maxText  = 128 << 10
	maxDepth = 50
)

// root parses a text of one document; YAML includes JSON.
func (d *document) root(text []byte) (n node, ok bool) {
	if len(text) > maxText || depth(text) > maxDepth {
		d.fault(1, "no mapping: it is longer than %d KiB or nested deeper than %d", maxText>>10, maxDepth)
		return node{}, false
	}
	defer func() {
		if fault := recover(); fault != nil {
			d.fault(1, "not YAML: %v", fault)
			ok = false
		}
	}()
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		line := 1
		var at interface{ GetToken() *token.Token }
		if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
			line = at.GetToken().Position.Line
		}
		var told interface{ GetMessage() string }
		text := err.Error()
		if errors.As(err, &told) {
			text = told.GetMessage()
		}
		d.fault(line, "not YAML: %s", text)
		return node{}, false
	}
	if len(file.Docs) == 0 || len(file.Docs) == 1 && file.Docs[0].Body == nil {
		d.fault(1, "nothing in it: expected the keys of a mapping, such as table and fields")
		return node{}, false
	}
	if len(file.Docs) > 1 {
		d.fault(1, "expected one document of keys, found %d", len(file.Docs))
		return node{}, false
	}
	return at(file.Docs[0].Body), true
}

// depth is how deep brackets are nested, wherever they stand.
func depth(text []byte) (deepest int) {
	open := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			open++
			deepest = max(deepest, open)
		case ']', '}':
			open = max(open-1, 0)
		}
	}
	return deepest
}

func at(n ast.Node) node {
	line := 1
	if n != nil && n.GetToken() != nil && n.GetToken().Position != nil {
		line = n.GetToken().Position.Line
	}
	return node{n, line}
}

// entry is a key with its value, in the order of the text.
type entry struct {
	key   string
	line  int
	value node
}

// entries of a mapping; what names it in faults. Keys outside allowed are
// faults; nil allows every key.
func (d *document) entries(n node, what string, allowed ...string) []entry {
	var pairs []*ast.MappingValueNode
	switch m := n.Node.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		d.fault(n.line, "%s: expected keys and values", what)
		return nil
	}
	var out []entry
	seen := map[string]bool{}
	for _, p := range pairs {
		k := at(p.Key)
		key, ok := scalar(p.Key)
		switch {
		case !ok:
			d.fault(k.line, "%s: a key is no plain text", what)
		case seen[key]:
			d.fault(k.line, "%s: key %s twice", what, key)
		case allowed != nil && !slices.Contains(allowed, key):
			d.fault(k.line, "%s: unknown key %q: expected one of %s", what, key, strings.Join(allowed, ", "))
		default:
			seen[key] = true
			out = append(out, entry{key, k.line, at(p.Value)})
		}
	}
	return out
}

// text of a scalar as it is written; null and lists are faults.
func (d *document) text(n node, what string) string {
	if s, ok := scalar(n.Node); ok {
		return s
	}
	d.fault(n.line, "%s: expected a text", what)
	return ""
}

// texts is one text or a list of them.
func (d *document) texts(n node, what string) []string {
	list, ok := n.Node.(*ast.SequenceNode)
	if !ok {
		return []string{d.text(n, what)}
	}
	var out []string
	for _, v := range list.Values {
		out = append(out, d.text(at(v), what))
	}
	if len(out) == 0 {
		d.fault(n.line, "%s: the list is empty", what)
	}
	return out
}

// truth is true or false.
func (d *document) truth(n node, what string) bool {
	b, ok := n.Node.(*ast.BoolNode)
	if !ok {
		d.fault(n.line, "%s: expected true or false", what)
		return false
	}
	return b.Value
}

func isNull(n ast.Node) bool {
	_, ok := n.(*ast.NullNode)
	return ok || n == nil
}

// scalar is the text of a value as it is written, so that 007 stays 007.
func scalar(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}
