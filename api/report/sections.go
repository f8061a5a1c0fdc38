package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"recoup/data"
)

//go:embed sections.html
var sectionsText string

var sectionsPage = template.Must(template.New("sections").Funcs(template.FuncMap{"svg": func(s string) template.HTML { return template.HTML(s) }}).Parse(sectionsText))

// Paper is what an experiment found, laid out: the same for HTML and Markdown.
type Paper struct {
	Title, Lead string
	Says        []string // what came out, in sentences
	Sections    []Section
}

// Section is a part of a Paper.
type Section struct {
	ID, Title string
	Text      []string
	Pictures  []string // SVG; HTML alone shows them
	Tables    []Table
}

// Table is a table of finished texts.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
}

// HTML is one file that needs nothing else.
func (p *Paper) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := sectionsPage.Execute(&b, p)
	return b.Bytes(), err
}

// Markdown is the same as text.
func (p *Paper) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", p.Title, p.Lead)
	for _, s := range p.Says {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, t := range s.Text {
			fmt.Fprintf(&b, "\n%s\n", t)
		}
		for _, t := range s.Tables {
			rule := make([]string, len(t.Head))
			for i := range rule {
				rule[i] = "---"
				if i > 0 {
					rule[i] = "---:"
				}
			}
			fmt.Fprintf(&b, "\n%s\n\n%s%s", t.Caption, tableLine(t.Head), tableLine(rule))
			for _, row := range t.Rows {
				b.WriteString(tableLine(row))
			}
		}
	}
	return b.Bytes()
}

func tableLine(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.ReplaceAll(c, "|", "\\|")
	}
	return "| " + strings.Join(out, " | ") + " |\n"
}

// WritePaper stores v as dir/name.json, and dir/name.html and dir/name.md made of these
// very bytes: lay reads them back and lays them out.
func WritePaper(dir, name string, v any, lay func(js []byte) (*Paper, error)) ([]string, error) {
	js, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("report: %s: %w", name, err)
	}
	js = append(js, '\n')
	p, err := lay(js)
	if err != nil {
		return nil, err
	}
	html, err := p.HTML()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, f := range []struct {
		ext string
		b   []byte
	}{{".json", js}, {".html", html}, {".md", p.Markdown()}} {
		path := filepath.Join(dir, name+f.ext)
		if err := data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(f.b); return err }); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// ReadStrict reads JSON into v, and nothing that v does not know; what names the file
// in the error.
func ReadStrict(js []byte, v any, what string) error {
	d := json.NewDecoder(bytes.NewReader(js))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return data.Faultf(data.ErrContract, "%s: report: %w", what, err)
	}
	return nil
}
