package score

import (
	"encoding/csv"
	"io"
	"path/filepath"
	"strings"

	"recoup/data"
)

// batchFile is one of the files of a batch.
type batchFile struct {
	path       string
	candidates bool // one row a candidate; else one row a case
}

func (f *batchFile) csv() bool { return filepath.Ext(f.path) == ".csv" }

// batchFiles names the files of a batch.
func batchFiles(o BatchOptions) (out []batchFile) {
	base, kinds := o.Out, []string{".parquet", ".csv"}
	for _, k := range kinds {
		if strings.HasSuffix(o.Out, k) && o.Out != k {
			base, kinds = strings.TrimSuffix(o.Out, k), []string{k}
			break
		}
	}
	for _, k := range kinds {
		out = append(out, batchFile{base + k, false})
	}
	for _, k := range kinds {
		if o.Candidates {
			out = append(out, batchFile{base + "-candidates" + k, true})
		}
	}
	return out
}

// writeBatch opens the files, lets decide hand over the decisions, and makes each
// file appear; an error leaves those that have not appeared yet as they were.
func writeBatch(files []batchFile, decide func(write func(*Decision) error) error) error {
	return withSheets(files, nil, func(sheets []*sheet) error {
		return decide(func(d *Decision) error {
			for _, s := range sheets {
				if err := s.add(d); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// withSheets opens the files one within the other.
func withSheets(files []batchFile, open []*sheet, use func([]*sheet) error) error {
	if len(files) == 0 {
		return use(open)
	}
	f, s := files[0], newSheet(files[0].candidates)
	if f.csv() {
		return data.WriteFile(f.path, func(w io.Writer) error {
			s.write = csvWriter(csv.NewWriter(w), s.frame.Columns)
			if err := s.flush(); err != nil { // a file without a row has its header
				return err
			}
			if err := withSheets(files[1:], append(open, s), use); err != nil {
				return err
			}
			return s.flush()
		})
	}
	w, err := data.CreateFrames(f.path, s.frame.Columns, nil)
	if err != nil {
		return err
	}
	defer w.Abort() // nothing once it is closed
	s.write = w.Write
	if err := withSheets(files[1:], append(open, s), use); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	return w.Close()
}

// csvWriter writes frames as CSV: a header first, null as an empty field, times as
// RFC 3339 in UTC, numbers in their shortest form that comes back.
func csvWriter(w *csv.Writer, columns []data.Column) func(*data.Frame) error {
	record, headed := make([]string, len(columns)), false
	return func(f *data.Frame) error {
		if !headed {
			headed = true
			for i := range columns {
				record[i] = columns[i].Name
			}
			if err := w.Write(record); err != nil {
				return err
			}
		}
		for r := range f.N {
			for i := range f.Columns {
				record[i] = cell(&f.Columns[i], r)
			}
			if err := w.Write(record); err != nil {
				return err
			}
		}
		w.Flush()
		return w.Error()
	}
}
