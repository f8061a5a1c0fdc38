package compare

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"recoup/api/report"
	"recoup/data"
)

// write stores the report: JSON first, the pages from its bytes.
func (j *job) write(r *Report) ([]string, error) {
	return report.WritePaper(j.Dir, "report", r, paper)
}

// decode reads the report's JSON, and nothing that it does not know.
func decode(js []byte) (*Report, error) {
	var r Report
	if err := report.ReadStrict(js, &r, "compare"); err != nil {
		return nil, err
	}
	if r.Version != version || len(r.Shifts) == 0 {
		return nil, data.Faultf(data.ErrContract, "compare: report: version %d, this recoup reads %d: run the comparison again", r.Version, version)
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
