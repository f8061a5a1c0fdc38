package report

import (
	"bytes"
	"fmt"
	"strings"
)

// Markdown renders the JSON of a report as text: the same sections, sentences
// and tables as the HTML, and the words of each picture in place of it.
func Markdown(js []byte) ([]byte, error) {
	r, err := Decode(js)
	if err != nil {
		return nil, err
	}
	return layout(r).markdown(), nil
}

// markdown prints a page as text.
func (p page) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", p.Title, plain(p.Lead))
	for _, v := range p.Verdicts {
		fmt.Fprintf(&b, "- **%s**: %s\n", v.About, plain(v.Says))
	}
	if len(p.Tiles) > 0 {
		t := &table{Head: []string{"number", "value", ""}, Words: 3}
		for _, tile := range p.Tiles {
			t.Rows = append(t.Rows, []string{tile.Label, tile.Value, tile.Note})
		}
		markdownTable(&b, t)
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", plain(s.Title))
		for _, part := range s.Parts {
			markdownPart(&b, part)
		}
	}
	return b.Bytes()
}

func markdownPart(b *bytes.Buffer, p part) {
	if p.Heading != "" {
		fmt.Fprintf(b, "\n### %s\n", plain(p.Heading))
	}
	if p.Text != "" {
		fmt.Fprintf(b, "\n%s\n", plain(p.Text))
	}
	if p.Beside != "" {
		fmt.Fprintf(b, "\n[%s.md](%s.md)\n", p.Beside, p.Beside)
	}
	if p.Figure != nil {
		fmt.Fprintf(b, "\n**%s** (picture in the HTML). %s\n", plain(p.Figure.Title), plain(strings.TrimSpace(p.Figure.Alt+" "+p.Figure.Guide)))
	}
	if p.Table != nil {
		markdownTable(b, p.Table)
	}
	if len(p.List) > 0 {
		b.WriteString("\n")
	}
	for _, l := range p.List {
		fmt.Fprintf(b, "- %s\n", plain(l))
	}
}

func markdownTable(b *bytes.Buffer, t *table) {
	if t.Caption != "" {
		fmt.Fprintf(b, "\n%s\n", plain(t.Caption))
	}
	head := t.Head
	if head == nil && len(t.Rows) > 0 {
		head = make([]string, len(t.Rows[0]))
	}
	b.WriteString("\n|")
	for _, h := range head {
		b.WriteString(" " + cell(h) + " |")
	}
	b.WriteString("\n|")
	for i := range head {
		b.WriteString(map[bool]string{true: " --- |", false: " ---: |"}[i < t.Words])
	}
	b.WriteString("\n")
	for j, r := range t.Rows {
		b.WriteString("|")
		for i, c := range r {
			if i == 0 && t.Notes != nil && t.Notes[j] != "" {
				c += " (" + t.Notes[j] + ")"
			}
			b.WriteString(" " + cell(c) + " |")
		}
		b.WriteString("\n")
	}
}

// plain keeps text from being read as Markdown or HTML.
func plain(s string) string {
	return strings.NewReplacer("\n", " ", `\`, `\\`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`").Replace(s)
}

// cell is plain, and keeps its column.
func cell(s string) string { return strings.ReplaceAll(plain(s), "|", `\|`) }
