package nightly

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"recoup/data"
	"recoup/train"
)

// The columns that go with a score from the tables to the report.
var (
	attemptBeside = []string{"attempt_id", "case_id", "attempt_no", "at", "decided_at"}
	cureBeside    = []string{"case_id", "attempt_no", "day", "at"}
)

func (j *job) scoresPath(name string) string {
	return filepath.Join(j.run, "evaluate", name+"_scores.parquet")
}
func (j *job) predictionsPath() string { return filepath.Join(j.run, "predictions.csv") }

// contenderPath is where the predictions of another contender than the logistic one go.
func (j *job) contenderPath(model string) string {
	return filepath.Join(j.run, "predictions_"+model+".csv")
}

// writeScores keeps the test rows of a model: who, when, what came of it and
// what the model said.
func (j *job) writeScores(name string, s *train.Scored, beside []string) error {
	f := data.Frame{N: len(s.Y)}
	for _, c := range append([]string{"customer_id"}, beside...) {
		f.Columns = append(f.Columns, *s.Meta.Column(c))
	}
	w := s.W
	if w == nil {
		w = slices.Repeat([]float64{1}, len(s.Y))
	}
	f.Columns = append(f.Columns,
		data.Column{Name: "y", Kind: data.Float64, F: s.Y},
		data.Column{Name: "weight", Kind: data.Float64, F: w},
		data.Column{Name: "p_raw", Kind: data.Float64, F: s.Raw},
		data.Column{Name: "p", Kind: data.Float64, F: s.P})
	file, err := data.CreateFrames(j.path(j.scoresPath(name)), f.Columns, nil)
	if err != nil {
		return err
	}
	if err := file.Write(&f); err != nil {
		file.Abort()
		return err
	}
	return file.Close()
}

// readScores reads them back whole, in one frame.
func (j *job) readScores(name string) (*data.Frame, error) {
	f, err := data.OpenFrames(j.path(j.scoresPath(name)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var columns []string
	for _, c := range f.Columns() {
		columns = append(columns, c.Name)
	}
	return train.Concat(columns, f.Frames(columns...))
}

// writePredictions writes the test slice of an attempt model for people and
// other programs: at is microseconds since 1970, UTC.
func (j *job) writePredictions(path string, s *train.Scored) error {
	id, at := s.Meta.Column("attempt_id"), s.Meta.Column("at")
	return data.WriteFile(j.path(path), func(out io.Writer) error {
		w := bufio.NewWriter(out)
		fmt.Fprintln(w, "attempt_id,at,y,p_raw,p")
		for i := range s.Y {
			fmt.Fprintf(w, "%s,%d,%d,%s,%s\n", quote(id.Text(i)), at.I[i], int(s.Y[i]), number(s.Raw[i]), number(s.P[i]))
		}
		return w.Flush()
	})
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// quote is a CSV cell (RFC 4180).
func quote(s string) string {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
