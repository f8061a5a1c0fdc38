package experiment

import (
	"fmt"
	"strings"

	"recoup/api/report"
	"recoup/data"
)

const title = "The arms side by side"

func (r *Report) lead() string {
	return fmt.Sprintf("%s failed charges in %d simulated worlds: the same cases and dice for every arm.", count(r.Setting.Cases), r.Setting.Seeds)
}

// write stores the report: JSON first, the pages from its bytes.
func (j *job) write(r *Report) ([]string, error) {
	return report.WritePaper(j.Dir, "report", r, paper)
}

// decode reads the report's JSON, and nothing that it does not know.
func decode(js []byte) (*Report, error) {
	var r Report
	if err := report.ReadStrict(js, &r, "experiment"); err != nil {
		return nil, err
	}
	if r.Version != version {
		return nil, data.Faultf(data.ErrContract, "experiment: report: version %d, this recoup reads %d: run the experiment again", r.Version, version)
	}
	return &r, nil
}

// paper lays the JSON of a report out.
func paper(js []byte) (*report.Paper, error) {
	r, err := decode(js)
	if err != nil {
		return nil, err
	}
	return &report.Paper{Title: title, Lead: r.lead(), Says: r.Says, Sections: r.sections()}, nil
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
func align(t report.Table, columns []int) string {
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
