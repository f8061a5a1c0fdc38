package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSONReader reads one JSON text strictly: every key must be known, in its own
// case and only once. It reads on after a fault, so that all of them are told.
//
// The text has been found well formed beforehand, so the reader walks without
// looking for errors of grammar; the texts it gives share the body's memory.
type JSONReader struct {
	text   string
	at     int
	path   []segment
	faults []Fault
	more   int // faults beyond maxFaults
}

// segment is a step of a path: a key, or an index where key is "".
type segment struct {
	key   string
	index int
}

// maxFaults is how many faults are told; further ones are counted.
const maxFaults = 100

// OpenJSON checks that the body is one well-formed JSON value in UTF-8, nested
// no deeper than encoding/json allows (10,000).
func OpenJSON(body []byte) (*JSONReader, []Fault) {
	if !utf8.Valid(body) {
		return nil, []Fault{{Message: "not UTF-8"}}
	}
	if text := string(body); validJSON(text) || json.Valid(body) {
		return &JSONReader{text: text}, nil
	}
	var none json.RawMessage
	err := json.Unmarshal(body, &none)
	message := fmt.Sprintf("not JSON: %v", err)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := min(int(syntax.Offset), len(body))
		message += fmt.Sprintf(" (line %d, byte %d)", 1+strings.Count(string(body[:at]), "\n"), at)
	}
	return nil, []Fault{{Message: message}}
}

// Faults are all that was found wrong, in the order of the text; nil = nothing.
func (r *JSONReader) Faults() []Fault {
	if r.more > 0 {
		return append(r.faults[:len(r.faults):len(r.faults)], Fault{Message: fmt.Sprintf("and %d more faults", r.more)})
	}
	return r.faults
}

// Fault says what is wrong with the value the reader stands at; found is "" where
// it may hold personal details.
func (r *JSONReader) Fault(found, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.more++
		return
	}
	r.faults = append(r.faults, Fault{r.where(), short(found), fmt.Sprintf(format, args...)})
}

// At is Fault for something below the value the reader is in: a key, or a path
// such as rows[3].at.
func (r *JSONReader) At(path, found, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.more++
		return
	}
	if where := r.where(); where != "" {
		path = where + "." + path
	}
	r.faults = append(r.faults, Fault{path, short(found), fmt.Sprintf(format, args...)})
}

func (r *JSONReader) where() string {
	var b strings.Builder
	for _, s := range r.path {
		switch {
		case s.key == "":
			fmt.Fprintf(&b, "[%d]", s.index)
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(plainKey(s.key))
	}
	return b.String()
}

// plainKey is a key as it stands in a path: quoted where it could mislead.
func plainKey(k string) string {
	for _, c := range k {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return strconv.Quote(short(k))
		}
	}
	return short(k)
}

// short cuts a text for people.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// Keys is the closed set of an object's keys, at most 64.
type Keys struct{ names []string }

// NewKeys makes a set; entry i of a visit is names[i].
func NewKeys(names ...string) *Keys { return &Keys{names} }

// find looks from guess on first: keys mostly come in their order, some left out.
func (k *Keys) find(key string, guess int) (int, bool) {
	for i := guess; i < len(k.names); i++ {
		if k.names[i] == key {
			return i, true
		}
	}
	for i := range min(guess, len(k.names)) {
		if k.names[i] == key {
			return i, true
		}
	}
	return 0, false
}

// Object visits the keys of the object the reader stands at and tells unknown
// and repeated ones; what visit does not read is passed over. seen has a bit for
// every key that was there. ok = it is an object.
func (r *JSONReader) Object(keys *Keys, visit func(i int)) (seen uint64, ok bool) {
	if r.kind() != '{' {
		r.Wrong("an object")
		return 0, false
	}
	r.at++
	for guess := 0; !r.ends('}'); {
		key := r.key()
		r.path = append(r.path, segment{key: key})
		start := r.at
		i, known := keys.find(key, guess)
		switch {
		case !known:
			r.unknown(key, keys)
		case seen>>i&1 == 1:
			r.Fault("", "key twice")
		default:
			seen |= 1 << i
			guess = i + 1
			visit(i)
		}
		if r.at == start {
			r.skip()
		}
		r.path = r.path[:len(r.path)-1]
	}
	return seen, true
}

func (r *JSONReader) unknown(key string, keys *Keys) {
	for _, n := range keys.names {
		if strings.EqualFold(n, key) {
			r.Fault("", "unknown key: expected %s, in this case", n)
			return
		}
	}
	r.Fault("", "unknown key: expected one of %s", strings.Join(keys.names, ", "))
}

// Missing tells the keys of a visit that were not there, of those needed (bits).
func (r *JSONReader) Missing(keys *Keys, seen, needed uint64) {
	for miss := needed &^ seen; miss != 0; miss &= miss - 1 {
		r.At(keys.names[bits.TrailingZeros64(miss)], "", "missing, but required")
	}
}

// Array visits the elements of the array the reader stands at. ok = it is an array.
func (r *JSONReader) Array(visit func(i int)) (n int, ok bool) {
	if r.kind() != '[' {
		r.Wrong("an array")
		return 0, false
	}
	r.at++
	for ; !r.ends(']'); n++ {
		r.path = append(r.path, segment{index: n})
		start := r.at
		visit(n)
		if r.at == start {
			r.skip()
		}
		r.path = r.path[:len(r.path)-1]
	}
	return n, true
}
