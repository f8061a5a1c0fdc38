package ingest

import (
	"context"

	"recoup/data"
)

// Confidence says how firm the ground is that an answer of Suggest stands on.
type Confidence string

// The confidences. What is below Certain carries a comment in the draft.
const (
	Certain Confidence = "certain" // the content of the column leaves nothing else
	Likely  Confidence = "likely"  // name and content agree
	Assumed Confidence = "assumed" // customary, and the file does not contradict: look at it
)

// Decided is a part of the mapping that the file answered.
type Decided struct {
	Field      string     `json:"field"` // a field, or a key such as currency or source.zone
	From       []string   `json:"from"`  // columns; empty for a constant
	Why        string     `json:"why"`
	Confidence Confidence `json:"confidence"`
}

// Undecided is a part that only somebody who knows the file can answer. The
// draft has a DECIDE comment at its place, and Load refuses the draft until it
// is answered.
type Undecided struct {
	Field    string   `json:"field"`
	Question string   `json:"question"`
	Choices  []string `json:"choices"` // lines that would answer it; empty where none can be named
}

// Unused is a column that the draft does not read.
type Unused struct {
	Column string `json:"column"`
	Why    string `json:"why"`
}

// Trial is what the draft makes of the whole file, when nothing is undecided.
type Trial struct {
	Read     int64       `json:"read"`
	Rejected int64       `json:"rejected"`
	Reasons  []TrialFail `json:"reasons"` // commonest first, at most ten
}

// TrialFail is why rows would be put aside.
type TrialFail struct {
	Column string `json:"column"`
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
	Line   int    `json:"line"`  // of the first one
	Value  string `json:"value"` // of the first one
}

// Suggestion is a drafted mapping for a file of attempts, and how it came about.
type Suggestion struct {
	File      string      `json:"file"`
	Format    string      `json:"format"`
	Rows      int64       `json:"rows_looked_at"`
	Whole     bool        `json:"whole_file"` // false: the file goes on behind the rows looked at
	Decided   []Decided   `json:"decided"`
	Undecided []Undecided `json:"undecided"`
	Unused    []Unused    `json:"unused"`
	Trial     *Trial      `json:"trial"`
	Mapping   string      `json:"mapping"` // YAML
}

// Suggest drafts a mapping for a table of attempts from the names of its
// columns and, above all, from what stands in them. It looks at the first
// 200,000 rows, fewer of a wide file. Load accepts the draft if and only if
// Undecided is empty; then the draft is tried on the whole file. The same file
// gives the same draft.
func Suggest(ctx context.Context, path string) (*Suggestion, error) {
	s, err := look(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(s.columns) == 0 && len(s.unread) > 0 {
		return nil, data.Faultf(data.ErrContract, "ingest: %s: no column can be read; %s is %s", path, s.unread[0].Column, s.unread[0].Why)
	}
	if s.rows == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "ingest: %s: no record that can be read: there is nothing to draft a mapping from", path)
	}
	d := &draft{survey: s, used: map[string]bool{}}
	d.decide()
	out := &Suggestion{File: path, Format: s.file.Format().String(), Rows: int64(s.rows), Whole: s.whole,
		Decided: d.decided, Undecided: d.undecided, Unused: d.unused(), Mapping: d.yaml()}
	if len(out.Undecided) > 0 {
		return out, nil
	}
	m, err := Parse("draft", []byte(out.Mapping))
	if err != nil {
		return nil, err
	}
	out.Trial, err = m.try(ctx, path)
	return out, err
}
