package score

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// yamlFile is a policy file being read; faults collects all that is wrong in it,
// each with its line.
type yamlFile struct {
	path   string
	faults []error
}

func (y *yamlFile) fault(n ast.Node, format string, args ...any) {
	y.faultAt(lineOf(n), format, args...)
}

func (y *yamlFile) faultAt(line int, format string, args ...any) {
	y.faults = append(y.faults, fmt.Errorf("%s:%d: %s", y.path, line, fmt.Sprintf(format, args...)))
}

// A policy is a few pages, and flat. The parser's time grows with the square of
// length and depth.
const (
	maxPolicy = 128 << 10
	maxDepth  = 16
)

// root parses the one document of a text; nil with a fault when it cannot.
func (y *yamlFile) root(text []byte) (body ast.Node) {
	if len(text) > maxPolicy || deepest(text) > maxDepth {
		y.faultAt(1, "no policy: longer than %d KiB or nested deeper than %d", maxPolicy>>10, maxDepth)
		return nil
	}
	defer func() {
		if fault := recover(); fault != nil {
			y.faultAt(1, "not YAML: %v", fault)
			body = nil
		}
	}()
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		line, why := 1, err.Error()
		var at interface{ GetToken() *token.Token }
		if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
			line = at.GetToken().Position.Line
		}
		var told interface{ GetMessage() string }
		if errors.As(err, &told) {
			why = told.GetMessage()
		}
		y.faultAt(line, "not YAML: %s", why)
		return nil
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		y.faultAt(1, "expected one document of keys, found %d", len(file.Docs))
		return nil
	}
	return file.Docs[0].Body
}

func deepest(text []byte) (most int) {
	open := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			open++
			most = max(most, open)
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return most
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

// keys says what to do with each key of a mapping.
type keys map[string]func(ast.Node)

// mapping reads a mapping that has exactly the given keys; those after
// optional may be absent.
func (y *yamlFile) mapping(n ast.Node, what string, k keys, optional ...string) {
	var pairs []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		y.fault(n, "%s: expected keys and values", what)
		return
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		key, ok := scalar(p.Key)
		read, known := k[key]
		switch {
		case !ok:
			y.fault(p.Key, "%s: a key is no plain text", what)
		case seen[key]:
			y.fault(p.Key, "%s: key %s twice", what, key)
		case !known:
			y.fault(p.Key, "%s: unknown key %q: expected one of %s", what, key, strings.Join(slices.Sorted(maps.Keys(k)), ", "))
		default:
			read(p.Value)
		}
		seen[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(k)) {
		if !seen[key] && !slices.Contains(optional, key) {
			y.fault(n, "%s: key %s is missing", what, key)
		}
	}
}

// list reads the elements of a list that is not empty.
func (y *yamlFile) list(n ast.Node, what string, read func(ast.Node)) {
	s, ok := n.(*ast.SequenceNode)
	if !ok || len(s.Values) == 0 {
		y.fault(n, "%s: expected a list", what)
		return
	}
	for _, v := range s.Values {
		read(v)
	}
}

// scalar is the text of a value as it is written.
func scalar(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func (y *yamlFile) text(n ast.Node, what string) string {
	s, ok := scalar(n)
	if !ok || strings.TrimSpace(s) == "" {
		y.fault(n, "%s: expected a text", what)
	}
	return s
}

// whole reads a whole number in [lo, hi].
func (y *yamlFile) whole(n ast.Node, what string, lo, hi int64) int64 {
	s, _ := scalar(n)
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v < lo || v > hi {
		y.fault(n, "%s: %q: expected a whole number from %d to %d", what, s, lo, hi)
		return lo
	}
	return v
}

// yamlWord reads one of a closed list of words.
func yamlWord[W any](y *yamlFile, n ast.Node, what string, words map[string]W) (w W) {
	s, _ := scalar(n)
	w, ok := words[s]
	if !ok {
		y.fault(n, "%s: %q: expected one of %s", what, s, strings.Join(slices.Sorted(maps.Keys(words)), ", "))
	}
	return w
}
