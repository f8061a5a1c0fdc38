package selftest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"recoup/api/report"
	"recoup/data"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"svg": func(s string) template.HTML { return template.HTML(s) }}).Parse(pageText))

const title = "Can the off-policy estimates be trusted?"

// write stores the report: JSON first, the pages from its bytes. Logs of another size
// have a report of their own.
func (j *job) write(r *Report) ([]string, error) {
	js, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("ope selftest: report: %w", err)
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
		ext string
		b   []byte
	}{{"json", js}, {"html", html}, {"md", md}} {
		path := filepath.Join(j.Dir, fmt.Sprintf("selftest-%d.%s", j.Cases, f.ext))
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
		return nil, data.Faultf(data.ErrContract, "ope selftest: report: %w", err)
	}
	if r.Version != version {
		return nil, data.Faultf(data.ErrContract, "ope selftest: report: version %d, this recoup reads %d: run the self-test again", r.Version, version)
	}
	return &r, nil
}

func (r *Report) lead() string {
	return fmt.Sprintf("%s simulated logs of %s failed charges each, judged as a team would judge its own, against what the policies are truly worth.", report.Count(int64(r.Setting.Seeds)), report.Count(int64(r.Setting.Cases)))
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
	}
	return out
}

// String is the summary for a terminal: the verdicts, the coverage, and where the rest
// stands.
func (s *Summary) String() string {
	var b strings.Builder
	if s.Nothing {
		b.WriteString("Nothing to play: every world is there already.\n\n")
	}
	for _, says := range s.Report.Says {
		b.WriteString(says + "\n")
	}
	b.WriteString("\nIntervals that hold the truth, by light:\n")
	for i := range s.Report.Coverage {
		c := &s.Report.Coverage[i]
		fmt.Fprintf(&b, "  %-11s %-11s green %s, amber %s, red %s\n", c.Target, c.Unit, c.Green.text(), c.Amber.text(), c.Red.text())
	}
	b.WriteString("\nReport: " + strings.Join(s.Files, ", ") + "\n")
	return b.String()
}
