package table

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth of nested JSON: far beyond any record, far below the stack.
const maxDepth = 200

// lineParser reads one JSON object (RFC 8259), strictly: UTF-8, no key twice in
// an object at any depth, no NaN, nothing behind it. encoding/json keeps the
// last of two equal keys.
type lineParser struct {
	b       []byte
	i       int
	wants   []want
	cells   []cell
	depths  []int               // at which level a cell was found; 0 = not yet
	leaf    func(path []string) // called for every value that is no object; nil: nobody asks
	path    []string            // keys around the value, for leaf
	keys    [][]byte            // keys of the objects around, innermost last
	scratch []byte              // unescaped texts of this line
}

// want is a column that may be in an object: the path from there.
type want struct {
	column int
	rest   string
}

func newLineParser(paths []string) *lineParser {
	p := &lineParser{cells: make([]cell, len(paths)), depths: make([]int, len(paths))}
	for i, s := range paths {
		p.wants = append(p.wants, want{i, s})
	}
	return p
}

// fault is why a line cannot be read.
type jsonFault struct{ column, reason string }

func (f *jsonFault) Error() string { return f.reason }

func notJSON(format string, args ...any) *jsonFault {
	return &jsonFault{"", "not JSON: " + fmt.Sprintf(format, args...)}
}

// parse fills cells from a line; they are good while the line is and until the
// next call.
func (p *lineParser) parse(line []byte) *jsonFault {
	p.b, p.i, p.scratch, p.keys, p.path = line, 0, p.scratch[:0], p.keys[:0], p.path[:0]
	for i := range p.cells {
		p.cells[i], p.depths[i] = cell{kind: cellNull}, 0
	}
	if !utf8.Valid(line) {
		return &jsonFault{"", "not UTF-8"}
	}
	p.blanks()
	if p.i < len(line) && line[p.i] != '{' {
		if fault := p.value(nil, 0); fault != nil {
			return fault
		}
		return &jsonFault{"", "not an object"}
	}
	if fault := p.value(p.wants, 1); fault != nil {
		return fault
	}
	if p.blanks(); p.i < len(line) {
		return notJSON("%q behind the object", shown(line[p.i:]))
	}
	return nil
}

func (p *lineParser) blanks() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\t' || p.b[p.i] == '\r' || p.b[p.i] == '\n') {
		p.i++
	}
}

// value reads any value; wants are the columns inside it if it is an object.
func (p *lineParser) value(wants []want, depth int) *jsonFault {
	if p.i == len(p.b) {
		return notJSON("the line ends too early")
	}
	if depth > maxDepth {
		return notJSON("nested deeper than %d", maxDepth)
	}
	switch c := p.b[p.i]; {
	case c == '{':
		return p.object(wants, depth)
	case c == '[':
		return p.list(depth)
	case c == '"':
		_, fault := p.text()
		return fault
	case c == '-' || c-'0' <= 9:
		return p.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(p.b[p.i:], []byte(word)) {
			p.i += len(word)
			return nil
		}
	}
	rest := p.b[p.i:]
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			return &jsonFault{"", word + " is not JSON"}
		}
	}
	return notJSON("unexpected %q", shown(rest[:min(len(rest), 12)]))
}

func (p *lineParser) list(depth int) *jsonFault {
	p.i++
	leaf := p.leaf
	p.leaf = nil // what is inside a list is no column
	defer func() { p.leaf = leaf }()
	for first := true; ; first = false {
		p.blanks()
		if p.i < len(p.b) && p.b[p.i] == ']' && first {
			p.i++
			return nil
		}
		if fault := p.value(nil, depth+1); fault != nil {
			return fault
		}
		if p.blanks(); p.i == len(p.b) {
			return notJSON("the line ends too early")
		}
		switch p.b[p.i] {
		case ',':
			p.i++
		case ']':
			p.i++
			return nil
		default:
			return notJSON("%q in a list", shown(p.b[p.i:p.i+1]))
		}
	}
}

func (p *lineParser) object(wants []want, depth int) *jsonFault {
	p.i++
	base := len(p.keys)
	defer func() { p.keys = p.keys[:base] }()
	var many map[string]bool // keys of a large object
	for first := true; ; first = false {
		if p.blanks(); p.i == len(p.b) {
			return notJSON("the line ends too early")
		}
		if p.b[p.i] == '}' && first {
			p.i++
			return nil
		}
		if p.b[p.i] != '"' {
			return notJSON("%q where a key is expected", shown(p.b[p.i:p.i+1]))
		}
		key, fault := p.text()
		if fault != nil {
			return fault
		}
		if p.twice(key, base, &many) {
			return &jsonFault{shown(key), "the key is there twice in one object"}
		}
		if p.blanks(); p.i == len(p.b) || p.b[p.i] != ':' {
			return notJSON("no colon behind key %q", shown(key))
		}
		p.i++
		p.blanks()
		if fault := p.member(string(key), wants, depth); fault != nil {
			return fault
		}
		if p.blanks(); p.i == len(p.b) {
			return notJSON("the line ends too early")
		}
		switch p.b[p.i] {
		case ',':
			p.i++
		case '}':
			p.i++
			return nil
		default:
			return notJSON("%q in an object", shown(p.b[p.i:p.i+1]))
		}
	}
}

// twice records a key of the object whose keys begin at base.
func (p *lineParser) twice(key []byte, base int, many *map[string]bool) bool {
	if *many != nil {
		if (*many)[string(key)] {
			return true
		}
		(*many)[string(key)] = true
		return false
	}
	for _, k := range p.keys[base:] {
		if bytes.Equal(k, key) {
			return true
		}
	}
	p.keys = append(p.keys, key)
	if n := len(p.keys) - base; n == 32 {
		*many = make(map[string]bool, 2*n)
		for _, k := range p.keys[base:] {
			(*many)[string(k)] = true
		}
	}
	return false
}

// member reads the value of a key and keeps it where a column wants it: a key
// of the column's very name wins over a path.
func (p *lineParser) member(key string, wants []want, depth int) *jsonFault {
	if p.i == len(p.b) {
		return notJSON("the line ends too early")
	}
	var inside []want
	var here []int
	for _, w := range wants {
		if w.rest == key {
			here = append(here, w.column)
		} else if len(w.rest) > len(key) && w.rest[len(key)] == '.' && strings.HasPrefix(w.rest, key) {
			inside = append(inside, want{w.column, w.rest[len(key)+1:]})
		}
	}
	start := p.i
	isObject := p.b[start] == '{'
	if p.leaf != nil {
		p.path = append(p.path, key)
		defer func() { p.path = p.path[:len(p.path)-1] }()
	}
	if len(here) == 0 || p.b[start] != '"' {
		if fault := p.value(inside, depth+1); fault != nil {
			return fault
		}
		for _, column := range here {
			p.found(column, depth, rawCell(p.b[start:p.i]))
		}
	} else {
		text, fault := p.text()
		if fault != nil {
			return fault
		}
		for _, column := range here {
			p.found(column, depth, cell{text, cellText})
		}
	}
	if p.leaf != nil && !isObject {
		p.leaf(p.path)
	}
	return nil
}

func (p *lineParser) found(column, depth int, c cell) {
	if p.depths[column] == 0 || depth < p.depths[column] {
		p.cells[column], p.depths[column] = c, depth
	}
}

func rawCell(b []byte) cell {
	switch {
	case string(b) == "null":
		return cell{kind: cellNull}
	case b[0] == '-' || b[0]-'0' <= 9:
		return cell{b, cellNumber}
	}
	return cell{b, cellOther}
}
