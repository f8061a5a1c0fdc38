package experiment

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"recoup/data"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"svg": func(s string) template.HTML { return template.HTML(s) }}).Parse(pageText))

// write stores the report: JSON first, the pages from its bytes.
func (j *job) write(r *Report) ([]string, error) {
	js, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("experiment: report: %w", err)
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
	var files []string
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
		return nil, data.Faultf(data.ErrContract, "experiment: report: %w", err)
	}
	if r.Version != version {
		return nil, data.Faultf(data.ErrContract, "experiment: report: version %d, this recoup reads %d: run the experiment again", r.Version, version)
	}
	return &r, nil
}

const title = "The arms side by side"

func (r *Report) lead() string {
	return fmt.Sprintf("%s failed charges in %d simulated worlds: the same cases and dice for every arm.", count(r.Setting.Cases), r.Setting.Seeds)
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
			fmt.Fprintf(&b, "\n%s\n\n%s%s", t.Caption, line(t.Head), line(dashes(len(t.Head))))
			for _, row := range t.Rows {
				b.WriteString(line(row))
			}
		}
	}
	return b.Bytes(), nil
}

func line(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.ReplaceAll(c, "|", "\\|")
	}
	return "| " + strings.Join(out, " | ") + " |\n"
}

func dashes(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "---"
		if i > 0 {
			out[i] = "---:"
		}
	}
	return out
}

// String is the summary for a terminal: the sentences, the headline table and
// where the rest stands.
func (s *Summary) String() string {
	var b strings.Builder
	if s.Nothing {
		b.WriteString("Nothing to play: every world is there already.\n\n")
	}
	t := s.Report.headlineSection().Tables[0]
	b.WriteString(align(t, []int{0, 1, 2, 4, 5, 6, 7, 9, 11}))
	b.WriteString("\n" + t.Caption + "\n\n")
	for _, says := range s.Report.Says {
		b.WriteString(says + "\n")
	}
	b.WriteString("\nReport: " + strings.Join(s.Files, ", ") + "\n")
	return b.String()
}

// align sets some columns of a table side by side.
func align(t table, columns []int) string {
	rows := append([][]string{t.Head}, t.Rows...)
	width := map[int]int{}
	for _, row := range rows {
		for _, c := range columns {
			width[c] = max(width[c], len([]rune(row[c])))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, c := range columns {
			if pad := strings.Repeat(" ", width[c]-len([]rune(row[c]))); i == 0 {
				b.WriteString(row[c] + pad)
			} else {
				b.WriteString("  " + pad + row[c])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
