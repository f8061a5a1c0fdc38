package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
	"recoup/data/ingest"
	"recoup/data/table"
)

// rejects is the file of what was put aside. It is begun with the first reject
// and appears when the run is over: also of one that failed, as it says why.
type rejects struct {
	path   string
	always bool // asked for by name: it appears without rejects too
	files  bool // there are several
	draft  *data.Draft
	w      *ingest.Rejects
	err    error // the first
}

func (c *ingestCmd) newRejects() *rejects {
	return &rejects{path: cmp.Or(c.Rejects, filepath.Join(c.Dir, "rejects.csv")), always: c.Rejects != "", files: len(c.Files) > 1}
}

func (r *rejects) open() {
	if r.draft != nil || r.err != nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o755); err != nil {
		r.err = fmt.Errorf("ingest: %w", err)
		return
	}
	if r.draft, r.err = data.NewDraft(r.path); r.err == nil {
		r.w = ingest.NewRejects(r.draft, r.files)
	}
}

func (r *rejects) add(file string, bad table.Reject) {
	if r.open(); r.err == nil {
		r.w.Add(file, bad)
	}
}

// close makes the file appear and says where; "" = there are no rejects. failed
// is what the run ended with, and comes first.
func (r *rejects) close(failed error) (path string, err error) {
	if r.always && failed == nil {
		r.open()
	}
	if r.draft == nil {
		return "", cmp.Or(failed, r.err)
	}
	defer r.abort()
	err = r.w.Close()
	if err == nil {
		err = r.draft.Commit()
	}
	return r.path, cmp.Or(failed, err)
}

// abort takes a file that is not finished away.
func (r *rejects) abort() {
	if r.draft != nil {
		r.draft.Abort()
	}
}
