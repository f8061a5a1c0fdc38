package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"text/tabwriter"

	"recoup/data"
	"recoup/data/ingest"
	"recoup/data/table"
)

type tableCmd struct {
	File    string `arg:"" help:"A CSV or JSONL file, perhaps packed with gzip or zstd; a Parquet or Arrow IPC file; or a folder of Parquet files."`
	Mapping string `help:"Mapping file (YAML): show the rows it makes of the file." placeholder:"M"`
	CSV     bool   `name:"csv" help:"With --mapping: print the rows as CSV, a column per field; times are µs since 1970 UTC, money is in paise."`
	Rejects string `help:"With --mapping: where rows that cannot be read are written, as CSV." placeholder:"R"`
	JSON    bool   `name:"json" help:"Print what was found as JSON."`
}

func (c *tableCmd) Run(ctx context.Context, e *env) error {
	if c.Mapping == "" {
		if c.CSV || c.Rejects != "" {
			return data.Faultf(data.ErrUsage, "table: --csv and --rejects need --mapping")
		}
		return c.describe(e)
	}
	if c.CSV && c.JSON {
		return data.Faultf(data.ErrUsage, "table: --csv and --json exclude each other")
	}
	m, err := ingest.Load(c.Mapping)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.stdout)
	rows := csv.NewWriter(out)
	use := func([]string) error { return nil }
	if c.CSV {
		use = rows.Write
		rows.Write(m.FieldNames())
	}
	bad := &rejects{path: c.Rejects, always: true}
	defer bad.abort()
	aside := func(r table.Reject) { bad.add(c.File, r) }
	if c.Rejects == "" {
		aside = func(table.Reject) {}
	}
	s, err := ingest.Show(ctx, m, c.File, use, aside)
	if err != nil { // nothing of a refused file is shown
		return err
	}
	if c.Rejects != "" {
		if _, err := bad.close(nil); err != nil {
			return err
		}
	}
	switch {
	case c.CSV:
		rows.Flush()
		if err := rows.Error(); err != nil {
			return err
		}
	case c.JSON:
		return e.printJSON(s)
	default:
		fmt.Fprintf(out, "%s (%s): %d records read, %d put aside, %d duplicates\n", s.File, s.Format, s.Read, s.Rejected, s.Duplicates)
	}
	return out.Flush()
}

// columnInfo is what describe says about a column.
type columnInfo struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // how recoup reads it
	Type    string `json:"type"` // as stored
	Content string `json:"content"`
	Nulls   int64  `json:"nulls"`
	Levels  int    `json:"levels"` // different words; -1 = more than are counted
}

func (c *tableCmd) describe(e *env) error {
	f, err := table.Open(c.File, table.Options{})
	if err != nil {
		return err
	}
	readable, about := []string{}, map[string]table.Column{}
	for _, col := range f.Described() {
		about[col.Name] = col
		if col.Bad == "" && !col.Twice {
			readable = append(readable, col.Name)
		}
	}
	profiles, err := f.Profile(readable...)
	if err != nil {
		return err
	}
	found := struct {
		File        string       `json:"file"`
		Format      string       `json:"format"`
		Compression string       `json:"compression,omitempty"`
		Delimiter   string       `json:"delimiter,omitempty"`
		Rows        int64        `json:"rows"`
		Columns     []columnInfo `json:"columns"`
		Unread      []string     `json:"unread"` // columns that recoup does not read, and why
	}{File: c.File, Format: f.Format().String(), Compression: f.Compression(), Rows: max(f.Rows(), 0), Unread: []string{}}
	if d := f.Delimiter(); d != 0 {
		found.Delimiter = string(d)
	}
	for _, p := range profiles {
		found.Rows = p.Rows
		info := columnInfo{p.Name, about[p.Name].Kind.String(), about[p.Name].Type, p.Content.String(), p.Nulls, len(p.Levels)}
		if p.Many {
			info.Levels = -1
		}
		found.Columns = append(found.Columns, info)
	}
	for _, col := range f.Described() {
		switch {
		case col.Bad != "":
			found.Unread = append(found.Unread, col.Name+": "+col.Bad)
		case col.Twice:
			found.Unread = append(found.Unread, col.Name+": there twice")
		}
	}
	if c.JSON {
		return e.printJSON(found)
	}
	how := found.Format
	if found.Compression != "" {
		how += " (" + found.Compression + ")"
	}
	by := map[byte]string{0: "", ',': ", between commas", ';': ", between semicolons", '\t': ", between tabs", '|': ", between bars"}[f.Delimiter()]
	fmt.Fprintf(e.stdout, "%s: %s, %d rows, %d columns%s\n", found.File, how, found.Rows, len(found.Columns), by)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "column\tread as\tstored as\tcontent\tnulls\tlevels")
	for _, i := range found.Columns {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\n", i.Name, i.Kind, i.Type, i.Content, i.Nulls, i.Levels)
	}
	for _, u := range found.Unread {
		fmt.Fprintf(w, "%s\n", u)
	}
	return w.Flush()
}
