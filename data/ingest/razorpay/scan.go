package razorpay

import (
	"strconv"

	"recoup/data"
)

// maxDepth and maxKeys of an object are far beyond any webhook; keys are
// compared one by one.
const (
	maxDepth = 100
	maxKeys  = 512
)

// kind is what stands at a wanted place.
type kind uint8

const (
	absent kind = iota
	null
	text
	number
	other // a truth, a list, an object
)

// cell is a value at a wanted place; b is good while the line is.
type cell struct {
	kind kind
	b    []byte // a text without quotes and escapes, else as it stands
}

// keySeen is a key of an object, and where its value stands.
type keySeen struct {
	name     []byte
	from, to int
}

// scanner reads one JSON value strictly (RFC 8259): UTF-8, nothing behind it, and
// no key twice in an object at any depth, unless the same value stands there to
// the byte (a documented sample has that). The values that the tree wants go to
// cells, the rest is only checked. Its faults never show what was found, which
// may be personal.
type scanner struct {
	b       []byte
	i       int
	cells   [slots]cell
	keys    []keySeen // of the objects around, innermost last
	scratch []byte    // texts without their escapes
	ids     [][]byte  // payload.*.entity.id of any event, in their order
}

func (s *scanner) start(b []byte) { s.b, s.i, s.keys = b, 0, s.keys[:0] }

// forget empties all cells.
func (s *scanner) forget() {
	s.cells, s.ids = [slots]cell{}, s.ids[:0]
}

func broken(message string) *data.Fault { return &data.Fault{Message: message} }

const errShort = "not JSON: it ends too early"

// end checks that nothing follows.
func (s *scanner) end() *data.Fault {
	if s.blanks(); s.i < len(s.b) {
		return broken("not JSON: something stands behind its end, at byte " + strconv.Itoa(s.i+1))
	}
	return nil
}

func (s *scanner) blanks() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\r' || s.b[s.i] == '\n') {
		s.i++
	}
}

// value reads any value; n is what is wanted of it, nil = nothing.
func (s *scanner) value(n *node, depth int) *data.Fault {
	if s.i == len(s.b) {
		return broken(errShort)
	}
	if depth > maxDepth {
		return broken("not JSON that a webhook has: nested deeper than " + strconv.Itoa(maxDepth))
	}
	at, start := s.b[s.i], s.i
	k, b := other, []byte(nil)
	switch {
	case at == '{':
		if fault := s.object(n, depth); fault != nil {
			return fault
		}
	case at == '[':
		if fault := s.list(depth); fault != nil {
			return fault
		}
	case at == '"':
		t, fault := s.text(n != nil && n.slot != unwanted)
		if fault != nil {
			return fault
		}
		k, b = text, t
	case at == '-' || at-'0' <= 9:
		if fault := s.number(); fault != nil {
			return fault
		}
		k = number
	case s.word("null"):
		k = null
	case s.word("true"), s.word("false"):
	default:
		return s.unexpected("a value")
	}
	if n != nil && n.slot != unwanted {
		if k != text {
			b = s.b[start:s.i]
		}
		s.cells[n.slot] = cell{k, b}
	}
	return nil
}

func (s *scanner) word(w string) bool {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return false
	}
	s.i += len(w)
	return true
}

func (s *scanner) unexpected(what string) *data.Fault {
	return broken("not JSON: " + what + " is expected at byte " + strconv.Itoa(s.i+1))
}

func (s *scanner) list(depth int) *data.Fault {
	s.i++
	for first := true; ; first = false {
		if s.blanks(); first && s.i < len(s.b) && s.b[s.i] == ']' {
			s.i++
			return nil
		}
		if fault := s.value(nil, depth+1); fault != nil {
			return fault
		}
		if more, fault := s.next(']'); !more {
			return fault
		}
	}
}

// next reads what follows a member: a comma, or the end.
func (s *scanner) next(end byte) (more bool, fault *data.Fault) {
	if s.blanks(); s.i == len(s.b) {
		return false, broken(errShort)
	}
	switch s.b[s.i] {
	case ',':
		s.i++
		return true, nil
	case end:
		s.i++
		return false, nil
	}
	return false, s.unexpected("a comma or the end")
}

func (s *scanner) object(n *node, depth int) *data.Fault {
	s.i++
	if s.blanks(); s.i < len(s.b) && s.b[s.i] == '}' {
		s.i++
		return nil
	}
	base := len(s.keys)
	defer func() { s.keys = s.keys[:base] }()
	for {
		key, twin, fault := s.key(base)
		if fault != nil {
			return fault
		}
		at := len(s.keys)
		s.keys = append(s.keys, keySeen{name: key, from: s.i})
		if fault := s.member(n.child(key), depth); fault != nil {
			return fault
		}
		k := &s.keys[at]
		if k.to = s.i; twin >= 0 {
			if t := s.keys[twin]; string(s.b[t.from:t.to]) != string(s.b[k.from:k.to]) {
				return s.twice()
			}
		}
		if more, fault := s.next('}'); !more {
			return fault
		}
	}
}

func (s *scanner) twice() *data.Fault {
	return broken("a key is there twice in one object, at byte " + strconv.Itoa(s.i+1))
}

// key reads a key and its colon; keys of the same object begin at base. twin is
// the place of the same key, -1 if it is new.
func (s *scanner) key(base int) (name []byte, twin int, fault *data.Fault) {
	if s.blanks(); s.i == len(s.b) {
		return nil, 0, broken(errShort)
	}
	if s.b[s.i] != '"' {
		return nil, 0, s.unexpected("a key")
	}
	if name, fault = s.text(true); fault != nil {
		return nil, 0, fault
	}
	if len(s.keys)-base == maxKeys {
		return nil, 0, broken("not JSON that a webhook has: over " + strconv.Itoa(maxKeys) + " keys in one object")
	}
	twin = -1
	for i := base; i < len(s.keys); i++ {
		if k := s.keys[i].name; len(k) == len(name) && string(k) == string(name) {
			twin = i
		}
	}
	if s.blanks(); s.i == len(s.b) || s.b[s.i] != ':' {
		return nil, 0, s.unexpected("a colon")
	}
	s.i++
	s.blanks()
	return name, twin, nil
}

// member reads the value of a key. A fault is told with the path of the keys
// that the tree knows; others may be personal.
func (s *scanner) member(child *node, depth int) *data.Fault {
	fault := s.value(child, depth+1)
	if fault != nil && child != nil && child.name != "" {
		fault.Path = join(child.name, fault.Path)
	}
	if fault == nil && child == anyPart {
		if c := &s.cells[anyID]; c.kind == text {
			s.ids = append(s.ids, c.b)
		}
		s.cells[anyID] = cell{}
	}
	return fault
}

func join(path, rest string) string {
	if path == "" {
		return rest
	}
	if rest == "" {
		return path
	}
	return path + "." + rest
}
