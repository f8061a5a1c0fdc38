package lightgbm

import (
	"fmt"
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
		b.WriteString(f.Key)
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
