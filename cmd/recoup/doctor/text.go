package doctor

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes the report for people, the worst first.
func (r *Report) Print(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s as of %s, %s\n\n", r.Dir, r.AsOf, r.Currency)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "table\trows\tfirst known\tlast known")
	for i := range r.Tables {
		if t := &r.Tables[i]; t.Rows > 0 {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", t.Table, t.Rows, t.First, t.Last)
		}
	}
	fmt.Fprintln(w, "\nmonth\trows\tfailed\tretries\tclosed\tcaptured")
	for _, m := range r.Months {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", m.Month, m.Rows, m.Failed, m.Retries, m.Mature, m.Captured)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n%-4s  %s: %s\n", f.Level, f.Check, f.What)
		if f.Why != "" {
			fmt.Fprintf(&b, "      why it matters: %s\n", f.Why)
		}
		if f.Do != "" {
			fmt.Fprintf(&b, "      what to do: %s\n", f.Do)
		}
	}
	b.WriteString("\n")
	for _, v := range r.Verdicts {
		yes := "no, because"
		if v.Yes {
			yes = "yes:"
		}
		fmt.Fprintf(&b, "%s: %s %s\n", v.Of, yes, v.Because)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
