package ope

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

// FileKind is what a file of logged rows holds.
type FileKind uint8

// The kinds of files.
const (
	RowFile     FileKind = iota + 1 // one decision a row: reward, action, propensity, e_<action>
	EpisodeFile                     // one step of an episode a row: also episode and step
	TimeFile                        // retry time as a number: reward, t_logged, t_eval, density
)

// File is a table of logged rows: CSV, JSONL, Parquet or Arrow. Columns are found
// by name, unknown ones are ignored, and one bad value refuses the file: rows are
// never dropped.
type File struct {
	path   string
	table  *table.File
	head   []string
	broken *table.Reject // the first record that could not be read
}

// Open looks at a file. The error is a *Refusal where the file breaks its own form.
func Open(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, fmt.Errorf("ope: %s: %w", path, refuse(NoRows, 0, "", "the file is empty"))
	}
	f := &File{path: path}
	t, err := table.Open(path, table.Options{Reject: func(r table.Reject) {
		if f.broken == nil {
			f.broken = &r
		}
	}})
	if err != nil {
		if strings.Contains(err.Error(), "twice in the header") {
			return nil, fmt.Errorf("ope: %w: %w", refuse(DuplicateColumn, 0, "", "every column needs a name of its own"), err)
		}
		return nil, err
	}
	f.table = t
	for _, c := range t.Described() {
		if c.Twice {
			return nil, fmt.Errorf("ope: %s: %w", path, refuse(DuplicateColumn, 0, c.Name, "every column needs a name of its own"))
		}
		f.head = append(f.head, c.Name)
	}
	return f, nil
}

// Kind says what the columns make of the file.
func (f *File) Kind() FileKind {
	switch {
	case f.has("episode") || f.has("step"):
		return EpisodeFile
	case f.has("t_logged") || f.has("t_eval"):
		return TimeFile
	}
	return RowFile
}

// Path is the path given to Open.
func (f *File) Path() string { return f.path }

func (f *File) has(column string) bool { return slices.Contains(f.head, column) }

// need refuses a file that lacks a column.
func (f *File) need(columns ...string) error {
	for _, c := range columns {
		if !f.has(c) {
			return refuse(ColumnMissing, 0, c, "there are %s", f.headShort())
		}
	}
	return nil
}

func (f *File) headShort() string {
	if len(f.head) <= 12 {
		return listed(f.head)
	}
	return fmt.Sprintf("%s and %d more", listed(f.head[:12]), len(f.head)-12)
}

// chunks gives the named columns piece by piece, each checked to have all its records.
func (f *File) chunks(columns []string, do func(*chunk) error) error {
	var want []data.Column
	kinds := f.table.Columns()
	for _, name := range columns {
		i := slices.Index(f.head, name)
		want = append(want, data.Column{Name: name, Kind: kinds[i].Kind})
	}
	rows, before := 0, 0 // read; read and before the broken record
	for frame, err := range f.table.FramesAs(want...) {
		if err != nil {
			return err
		}
		if f.broken != nil {
			for before < rows+frame.N && frame.Lines != nil && frame.Lines[before-rows] < f.broken.Line {
				before++
			}
			if before < rows+frame.N {
				break
			}
		}
		if err := do(&chunk{frame: frame, first: rows}); err != nil {
			return err
		}
		rows += frame.N
		before = rows
	}
	if b := f.broken; b != nil {
		reason, row := BadRecord, before+1
		if f.table.Format() == table.Parquet || f.table.Format() == table.Arrow {
			row = b.Line
		}
		if strings.Contains(b.Reason, " fields, not ") {
			reason = RaggedRow
		}
		return refuse(reason, row, b.Column, "%v", *b)
	}
	if rows == 0 {
		return refuse(NoRows, 0, "", "there is a header and nothing below it")
	}
	return nil
}

// named puts the file's name before a refusal; errors of the table have it.
func (f *File) named(err error) error {
	var r *Refusal
	if errors.As(err, &r) {
		return fmt.Errorf("ope: %s: %w", f.path, err)
	}
	return err
}
