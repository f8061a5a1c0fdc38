package data

import (
	"fmt"
	"slices"
	"strings"
)

// Every typed word of the log is a small integer whose wire name is its index
// in a list. Index 0 is the null value and its name is "". The integers never
// leave the process, so a list may be extended but a name is never renamed.

func nameOf[E ~uint8](names []string, e E) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("invalid(%d)", e)
}

func parse[E ~uint8](kind string, names []string, s string) (E, error) {
	if i := slices.Index(names, s); i > 0 {
		return E(i), nil
	}
	return 0, fmt.Errorf("data: unknown %s %q: expected one of %s", kind, s, strings.Join(names[1:], ", "))
}

func values[E ~uint8](names []string) []E {
	out := make([]E, 0, len(names)-1)
	for i := 1; i < len(names); i++ {
		out = append(out, E(i))
	}
	return out
}
