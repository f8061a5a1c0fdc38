package lightgbm

import (
	"fmt"
	"strconv"
	"strings"
)

// Fault says why a model was refused: where, what, and the way out.
type Fault struct {
	Line  int    // of the file, counted from 1; 0 = of no one line
	Key   string // of the file, or the part that is missing; "" = the file as a whole
	Tree  int    // -1 = in no tree
	Cause string
	Way   string // the way out; "" = Export
}

// Export is the way out of most faults.
const Export = "re-export it with Booster.save_model(\"model.txt\") and copy it byte for byte"

// Error has the form "lightgbm: line 36: threshold (Tree=1): cause; way out".
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString("lightgbm: ")
	if f.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", f.Line)
	}
	if f.Key != "" {
		b.WriteString(shownKey(f.Key))
		if f.Tree >= 0 {
			fmt.Fprintf(&b, " (Tree=%d)", f.Tree)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Cause + "; ")
	if f.Way == "" {
		b.WriteString(Export)
	}
	b.WriteString(f.Way)
	return b.String()
}

// shownKey is a key as a message shows it: one that LightGBM could have written as it
// stands, any other quoted. A file must not write on the reader's terminal.
func shownKey(key string) string {
	for i := range len(key) {
		switch c := key[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("_= ()", c) >= 0:
		default:
			return strconv.Quote(key)
		}
	}
	return key
}

// field is one "key=value" line.
type field struct {
	line  int // 0 = the key is not there
	tree  int // -1 = in the header
	key   string
	value []byte
}

func (f field) fault(format string, args ...any) *Fault {
	return &Fault{Line: f.line, Key: f.key, Tree: f.tree, Cause: fmt.Sprintf(format, args...)}
}

// faultWay is a fault with a way out of its own.
func (f field) faultWay(way, format string, args ...any) *Fault {
	e := f.fault(format, args...)
	e.Way = way
	return e
}

// clipped is a value as a message shows it.
func clipped(v []byte) string {
	if len(v) > 60 {
		return fmt.Sprintf("%q...", v[:60])
	}
	return fmt.Sprintf("%q", v)
}
