package ingest

import (
	"encoding/csv"
	"io"
	"strconv"

	"recoup/data/table"
)

// Rejects writes rows put aside as CSV: line (row number in Parquet), column,
// value, reason, and the file where there are several.
type Rejects struct {
	w     *csv.Writer
	files bool
}

// NewRejects writes the header.
func NewRejects(w io.Writer, severalFiles bool) *Rejects {
	r := &Rejects{csv.NewWriter(w), severalFiles}
	r.write("line", "column", "value", "reason", "file")
	return r
}

// Add writes one.
func (r *Rejects) Add(file string, bad table.Reject) {
	r.write(strconv.Itoa(bad.Line), bad.Column, bad.Value, bad.Reason, file)
}

func (r *Rejects) write(line, column, value, reason, file string) {
	record := []string{line, column, value, reason}
	if r.files {
		record = append(record, file)
	}
	r.w.Write(record) // a failure stays, and Close reports it
}

// Close reports whether everything was written; it leaves the Writer open.
func (r *Rejects) Close() error {
	r.w.Flush()
	return r.w.Error()
}
