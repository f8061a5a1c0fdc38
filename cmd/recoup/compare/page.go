package compare

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"recoup/data"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"svg": func(s string) template.HTML { return template.HTML(s) }}).Parse(pageText))

// write stores the report: JSON first, the pages from its bytes.
func (j *job) write(r *Report) (files []string, err error) {
	js, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("compare: report: %w", err)
	}
	js = append(js, '\n')
	html, err := HTML(js)
	if err != nil {
		return nil, err
	}
	md, err := Markdown(js)
	if err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		b    []byte
	}{{"report.json", js}, {"report.html", html}, {"report.md", md}} {
		path := filepath.Join(j.Dir, f.name)
		if err := writeFile(path, f.b); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// decode reads the report's JSON, and nothing that it does not know.
func decode(js []byte) (*Report, error) {
	d := json.NewDecoder(bytes.NewReader(js))
	d.DisallowUnknownFields()
	var r Report
	if err := d.Decode(&r); err != nil {
		return nil, data.Faultf(data.ErrContract, "compare: report: %w", err)
	}
	if r.Version != version || len(r.Shifts) == 0 {
		return nil, data.Faultf(data.ErrContract, "compare: report: version %d, this recoup reads %d: run the comparison again", r.Version, version)
	}
	return &r, nil
}

// HTML renders the JSON of a report as one file that needs nothing else.
func HTML(js []byte) ([]byte, error) {
	r, err := decode(js)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		Title, Lead string
		Says        []string
		Sections    []section
	}{title, r.lead(), r.Says, r.sections()})
	return b.Bytes(), err
}

// Markdown renders the JSON of a report as text: the same sections and tables.
func Markdown(js []byte) ([]byte, error) {
	r, err := decode(js)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", title, r.lead())
	for _, s := range r.Says {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	for _, s := range r.sections() {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, t := range s.Text {
			fmt.Fprintf(&b, "\n%s\n", t)
		}
		for _, t := range s.Tables {
			rule := make([]string, len(t.Head))
			for i := range rule {
				rule[i] = "---"
			}
			fmt.Fprintf(&b, "\n%s\n\n%s%s", t.Caption, line(t.Head), line(rule))
			for _, row := range t.Rows {
				b.WriteString(line(row))
			}
		}
	}
	return b.Bytes(), nil
}

// String is the summary for a terminal.
func (s *Summary) String() string {
	var b strings.Builder
	if s.Nothing {
		b.WriteString("Nothing to play: every world is there already.\n\n")
	}
	t := s.Report.sections()[0].Tables[0]
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	tw.Flush() // into memory
	fmt.Fprintf(&b, "\n%s\n\n", t.Caption)
	for _, says := range s.Report.Says {
		b.WriteString(says + "\n")
	}
	fmt.Fprintf(&b, "\nReport: %s\n", strings.Join(s.Files, ", "))
	return b.String()
}
