package selftest

import (
	"fmt"
	"strings"

	"recoup/api/report"
	"recoup/data"
)

const title = "Can the off-policy estimates be trusted?"

func (r *Report) lead() string {
	return fmt.Sprintf("%s simulated logs of %s failed charges each, judged as a team would judge its own, against what the policies are truly worth.", report.Count(int64(r.Setting.Seeds)), report.Count(int64(r.Setting.Cases)))
}

// write stores the report: JSON first, the pages from its bytes.
func (j *job) write(r *Report) ([]string, error) {
	return report.WritePaper(j.Dir, fmt.Sprintf("selftest-%d", j.Cases), r, paper)
}

// decode reads the report's JSON, and nothing that it does not know.
func decode(js []byte) (*Report, error) {
	var r Report
	if err := report.ReadStrict(js, &r, "ope selftest"); err != nil {
		return nil, err
	}
	if r.Version != version {
		return nil, data.Faultf(data.ErrContract, "ope selftest: report: version %d, this recoup reads %d: run the self-test again", r.Version, version)
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
