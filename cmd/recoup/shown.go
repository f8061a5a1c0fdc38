package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotedOdd is a name out of a file as a line for people shows it: as it stands where
// every character of it can be seen, else quoted.
func quotedOdd(name string) string {
	if harmless(name) != name || name == "" || strings.ContainsAny(name, "\n\t") {
		return strconv.Quote(name)
	}
	return name
}

// quotedOdds are names with commas between them.
func quotedOdds(names []string) string {
	out := make([]string, len(names))
	for i, s := range names {
		out[i] = quotedOdd(s)
	}
	return strings.Join(out, ", ")
}

// harmless replaces what would command the reader's terminal or turn its text round
// (control and formatting characters but newline and tab, bytes that are no UTF-8) by
// escapes. Messages hold pieces of files that strangers wrote.
func harmless(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1, r < utf8.RuneSelf && unicode.IsControl(r) && r != '\n' && r != '\t':
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r >= utf8.RuneSelf && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}
