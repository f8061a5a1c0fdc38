package data

import "strings"

// Fault is one thing wrong with a document from outside: where, what was found
// and what was expected. A document is read to its end, so that all its faults
// are reported at once.
type Fault struct {
	Path    string `json:"path"`            // e.g. "events[3].rail"; "" = the document as a whole
	Value   string `json:"value,omitempty"` // what stands there, cut short; "" where it may hold personal details
	Message string `json:"message"`         // what is wrong and what was expected
}

func (f Fault) String() string {
	var b strings.Builder
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Message)
	if f.Value != "" {
		b.WriteString(", found " + f.Value)
	}
	return b.String()
}
