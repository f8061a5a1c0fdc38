package razorpay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/data"
	"recoup/data/table"
)

// Options of a Run.
type Options struct {
	Files    []string
	Dir      string                              // the folder of the log
	Key      []byte                              // of the hashes that stand for customers without an id
	Reject   func(file string, bad table.Reject) // every line put aside, in the order of the files; nil = they are only counted
	Progress func(file string, lines int64)      // now and then; nil = nobody looks
}

// Summary counts what a run did. Lines = Rejected + Duplicates + the events by type.
type Summary struct {
	Files       []FileSummary    `json:"files"`
	Lines       int64            `json:"lines"`       // that are not blank
	Rejected    int64            `json:"rejected"`    // put aside
	Duplicates  int64            `json:"duplicates"`  // deliveries of an event that another line has
	Bare        int64            `json:"bare"`        // lines without a time of reception: known_at is their created_at
	Types       map[string]int64 `json:"types"`       // events by type
	Unknown     map[string]int64 `json:"unknown"`     // those of them whose type is not documented
	Kept        int64            `json:"kept"`        // events without a table, in the file of kept events
	Asides      map[string]int64 `json:"asides"`      // payments that are no attempts, by why
	Events      int64            `json:"events"`      // new in the log
	Rows        map[string]int64 `json:"rows"`        // new in the log, by table
	Repeated    int64            `json:"repeated"`    // rows that the log or another event had
	Currency    string           `json:"currency"`    // "" = the log has none yet
	Assumptions []string         `json:"assumptions"` // that the rows rest on
}

// FileSummary is the part of one file.
type FileSummary struct {
	File  string `json:"file"`
	Lines int64  `json:"lines"`
}

// KeptName is the file of kept events in the log's folder.
const KeptName = "webhooks-kept.jsonl"

// Run reads archives of webhooks and commits their rows to the log of o.Dir.
// Lines that cannot be read are put aside, the others go on. Running it again
// adds nothing; the order of lines and files does not show in what is written.
func Run(ctx context.Context, o Options) (s Summary, err error) {
	s = Summary{Types: map[string]int64{}, Unknown: map[string]int64{}, Asides: map[string]int64{}, Rows: map[string]int64{}, Assumptions: []string{}}
	if len(o.Files) == 0 {
		return s, data.Faultf(data.ErrUsage, "razorpay: no files")
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return s, fmt.Errorf("razorpay: %w", err)
	}
	spill, err := newSpill(o.Dir)
	if err != nil {
		return s, err
	}
	defer spill.close()
	for _, path := range o.Files {
		s.Files = append(s.Files, FileSummary{File: path})
	}
	err = readFiles(ctx, o.Files, o.Key, func(file int, r read) error {
		s.Files[file].Lines += int64(r.n)
		if o.Progress != nil {
			o.Progress(o.Files[file], s.Files[file].Lines)
		}
		return spill.add(r.records, r.n)
	})
	if err != nil {
		return s, err
	}
	w := &writing{Options: o, s: &s}
	defer w.abort()
	if err := w.settle(ctx, spill); err != nil {
		return s, err
	}
	if err := spill.each(w.record); err != nil {
		return s, err
	}
	return s, w.commit(ctx, spill)
}

// openLog opens the log of a folder; nil where there is none.
func openLog(dir string) (*data.Log, error) {
	if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data.OpenLog(dir)
}
