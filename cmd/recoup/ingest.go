package main

import (
	"context"
	"fmt"
	"path/filepath"

	"recoup/data"
	"recoup/data/ingest"
)

type ingestCmd struct {
	Files       []string `arg:"" optional:"" help:"CSV, JSONL, Parquet or Arrow IPC files (text may be packed with gzip or zstd), or folders of Parquet files; with --webhooks archives of Razorpay webhooks, JSONL."`
	Mapping     string   `help:"Mapping file (YAML): which column is which field." placeholder:"M"`
	Webhooks    bool     `help:"The files are Razorpay webhooks, one event a line: no mapping is needed."`
	IdentityKey string   `help:"File of at least 16 bytes that keys the hashes which stand for customers without an id (default: D/identity.key, made if it is not there)." placeholder:"FILE"`
	Suggest     string   `help:"Draft a mapping from this file's columns and what stands in them, and say what could not be decided; nothing is ingested." placeholder:"F"`
	Out         string   `help:"With --suggest: where the draft is written (default: standard output). A file that is there is not overwritten." placeholder:"M"`
	Dir         string   `help:"Folder of the log." placeholder:"D"`
	Rejects     string   `help:"Where rows that cannot be read are written, as CSV (default: D/rejects.csv, if there are any)." placeholder:"R"`
	JSON        bool     `name:"json" help:"Print the summary as JSON."`
}

func (c *ingestCmd) Run(ctx context.Context, e *env) error {
	switch {
	case c.Suggest != "":
		return c.suggest(ctx, e)
	case c.Out != "":
		return data.Faultf(data.ErrUsage, "ingest: --out is for --suggest: it says where the draft goes")
	case len(c.Files) == 0:
		return data.Faultf(data.ErrUsage, "ingest: no files: give the files to read, or --suggest F to draft a mapping for one")
	case c.Dir == "":
		return data.Faultf(data.ErrUsage, "ingest: no --dir D: the folder of the log")
	case c.Webhooks && c.Mapping != "":
		return data.Faultf(data.ErrUsage, "ingest: --webhooks with --mapping: webhooks have a shape of their own; leave --mapping out")
	case c.Webhooks:
		return c.webhooks(ctx, e)
	case c.Mapping == "":
		return data.Faultf(data.ErrUsage, "ingest: nothing says what the files are: give --mapping M (recoup ingest --suggest %s drafts one), or --webhooks for Razorpay webhooks", c.Files[0])
	case c.IdentityKey != "":
		return data.Faultf(data.ErrUsage, "ingest: --identity-key is for --webhooks: a mapping names the customers itself")
	}
	m, err := ingest.Load(c.Mapping)
	if err != nil {
		return err
	}
	o := ingest.Options{Files: c.Files, Mapping: m, Dir: c.Dir}
	if e.tty {
		o.Progress = func(file string, rows int64) { fmt.Fprintf(e.stderr, "\r%s: %d rows", filepath.Base(file), rows) }
	}
	bad := c.newRejects()
	o.Reject = bad.add
	s, err := ingest.Run(ctx, o)
	if e.tty {
		fmt.Fprint(e.stderr, "\r\x1b[K")
	}
	path, err := bad.close(err)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(struct {
			ingest.Summary
			Rejects string `json:"rejects"` // the file, "" = there are none
		}{s, path})
	}
	fmt.Fprintf(e.stdout, "%s: %d records read, %d put aside, %d duplicates, %d new events in %s\n", s.Table, s.Read, s.Rejected,
		s.Duplicates, s.Events, c.Dir)
	if s.Table == "attempts" {
		fmt.Fprintf(e.stdout, "cases: %d, of which %d failed at first\n", s.Cases, s.FirstFailed)
	}
	for _, a := range s.Assumptions {
		fmt.Fprintln(e.stdout, "assumed:", a)
	}
	if path != "" {
		fmt.Fprintf(e.stdout, "put aside: see %s\n", path)
	}
	return nil
}
