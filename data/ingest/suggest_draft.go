package ingest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// draft is a mapping under construction.
type draft struct {
	*survey
	used      map[string]bool
	entries   []draftEntry
	decided   []Decided
	undecided []Undecided
	notes     map[string]string // columns left out on purpose, and why

	ids, amount, occurred, status, customer *examined
	code                                    string   // of the column of currencies
	needsZone                               []string // fields whose texts have no offset
}

// draftEntry is a key of the mapping with the comments above it.
type draftEntry struct {
	section  string // "" = top, "source" or "fields"
	key      string
	value    []string // the first line stands behind the key, the others below it, indented
	comments []string
}

// the order of the draft: sections, and keys within them.
var draftOrder = []string{"table", "currency", "source", "fields", "case", "attempt_no", "known_at"}

func (d *draft) put(section, key string, value ...string) *draftEntry {
	d.entries = append(d.entries, draftEntry{section: section, key: key, value: value})
	return &d.entries[len(d.entries)-1]
}

// decide answers what the file answers. The order matters: a column that has a
// use is not asked about again.
func (d *draft) decide() {
	d.notes = map[string]string{}
	d.put("", "table", "attempts")
	d.decideSource()
	d.decideIDs()
	d.decideStatus()
	d.decideTimes()
	d.decideAmount()
	d.decideCustomer()
	d.decideRail()
	d.decideCurrency()
	d.decideReason()
	d.decideTexts()
	d.decideCase()
	d.decideNumber()
	d.decideZone()
}

// answer records a decision; an assumption is commented in the draft.
func (d *draft) answer(e *draftEntry, field string, sure Confidence, why string, from ...string) {
	if from == nil {
		from = []string{}
	}
	for _, f := range from {
		d.used[f] = true
	}
	d.decided = append(d.decided, Decided{field, from, why, sure})
	if sure == Assumed {
		e.comments = append(e.comments, "CHECK: "+why)
	}
}

// ask records a question at its place.
func (d *draft) ask(e *draftEntry, field, question string, choices ...string) {
	if choices == nil {
		choices = []string{}
	}
	d.undecided = append(d.undecided, Undecided{field, question, choices})
	e.comments = append(e.comments, "DECIDE: "+question)
	for _, c := range choices {
		e.comments = append(e.comments, "    "+c)
	}
}

// unused are the columns without a use.
func (d *draft) unused() []Unused {
	out := []Unused{}
	for _, c := range d.columns {
		switch why := d.notes[c.name()]; {
		case d.used[c.name()]:
		case why != "":
			out = append(out, Unused{c.name(), why})
		case c.filled == 0:
			out = append(out, Unused{c.name(), "empty"})
		default:
			out = append(out, Unused{c.name(), "no field of the log fits its name and content"})
		}
	}
	return append(out, d.unread...)
}

// fieldOrder is the order of the fields that every attempt has; the others
// follow as they were found.
var fieldOrder = []string{"attempt_id", "occurred_at", "amount_paise", "customer_id", "status", "reason", "rail"}

func (d *draft) sort() {
	place := func(e draftEntry) int {
		if i := slices.Index(fieldOrder, e.key); i >= 0 {
			return i
		}
		return len(fieldOrder)
	}
	slices.SortStableFunc(d.entries, func(a, b draftEntry) int { return place(a) - place(b) })
}

// yaml is the draft as a text.
func (d *draft) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Drafted from %d rows of %s.\n", d.rows, oneLine(d.path))
	switch n := len(d.undecided); n {
	case 0:
	case 1:
		b.WriteString("# A question is open: answer the DECIDE below; until then this file is refused.\n")
	default:
		fmt.Fprintf(&b, "# %d questions are open: answer each DECIDE below; until then this file is refused.\n", n)
	}
	d.sort()
	for _, top := range draftOrder {
		open := false
		for i := range d.entries {
			e := &d.entries[i]
			switch {
			case e.section == "" && e.key == top:
				e.write(&b, "")
			case e.section == top:
				if !open {
					b.WriteString(top + ":\n")
					open = true
				}
				e.write(&b, "  ")
			}
		}
	}
	return b.String()
}

func (e *draftEntry) write(b *strings.Builder, indent string) {
	for _, c := range e.comments {
		fmt.Fprintf(b, "%s# %s\n", indent, oneLine(c))
	}
	b.WriteString(indent + e.key + ":")
	for i, v := range e.value {
		if i == 0 && v != "" {
			b.WriteString(" " + v)
		}
		if i > 0 {
			b.WriteString("\n" + indent + "  " + v)
		}
	}
	b.WriteString("\n")
}

// oneLine keeps a comment a comment.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return ' '
		}
		return r
	}, s)
}

// scalarOf writes a text as a YAML scalar that reads back as that very text.
func scalarOf(s string) string {
	bare := s != "" && !strings.Contains("0123456789-.", s[:1])
	for i := range len(s) {
		c := s[i]
		bare = bare && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '/' && i > 0)
	}
	if bare && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}, strings.ToLower(s)) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// list is a flow list of scalars.
func list(names []string) string {
	var s []string
	for _, n := range names {
		s = append(s, scalarOf(n))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// from is {from: column, key: value, ...}.
func from(column string, more ...string) string {
	s := "{from: " + scalarOf(column)
	for i := 0; i+1 < len(more); i += 2 {
		s += ", " + more[i] + ": " + scalarOf(more[i+1])
	}
	return s + "}"
}

// open is the value of an unanswered key, which Load refuses.
const open = `"?"`
