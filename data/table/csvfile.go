package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"recoup/data"
)

// openCSV reads the header.
func (f *File) openCSV(head []byte, whole bool) error {
	f.delim = f.o.Delimiter
	if f.delim == 0 {
		sample := head
		if !whole { // the last line may be cut
			sample = head[:bytes.LastIndexByte(head, '\n')+1]
		}
		f.delim = sniffDelimiter(bytes.TrimPrefix(sample, []byte(bom)))
	}
	r, err := f.openRecords()
	if err != nil {
		return err
	}
	defer r.close()
	seen := map[string]bool{}
	for _, name := range r.header {
		if seen[name] {
			return f.fault("line %d: column %s is twice in the header", r.headerLine, name)
		}
		seen[name] = true
		f.columns = append(f.columns, Column{Name: name, Kind: data.String, Type: "text"})
	}
	return nil
}

// csvFile is a CSV file being read, behind its header.
type csvFile struct {
	csvReader
	file       io.Closer
	charset    *charset
	header     []string
	headerLine int
	pick       []int // the wanted columns, by place
	cells      []cell
	decoded    []byte
}

func (f *File) openRecords() (*csvFile, error) {
	file, err := f.source()
	if err != nil {
		return nil, err
	}
	src, err := skipBOM(file)
	if err != nil {
		file.Close()
		return nil, f.fault("%w", err)
	}
	r := &csvFile{csvReader: csvReader{buffer: buffer{src: src}, delim: f.delim}, file: file, charset: f.charset}
	rec, err := r.record()
	if err == io.EOF {
		err = errors.New("there is none: the file has nothing but empty lines")
	} else if err == nil {
		r.headerLine = rec.line
		err = r.valid(rec, nil)
	}
	if err != nil {
		file.Close()
		return nil, f.fault("header: %w", err)
	}
	for _, b := range rec.fields {
		if bytes.IndexByte(b, '\r') >= 0 {
			file.Close()
			return nil, f.fault("header: lines end in CR alone: save the file with LF or CRLF")
		}
		r.header = append(r.header, string(b))
	}
	return r, nil
}

func (r *csvFile) close() { r.file.Close() }

// want picks the columns that next delivers.
func (r *csvFile) want(columns []data.Column) {
	at := map[string]int{}
	for i, name := range r.header {
		at[name] = i
	}
	for _, c := range columns {
		r.pick = append(r.pick, at[c.Name])
	}
	r.cells = make([]cell, len(columns))
}

// next is the wanted cells of the next record.
func (r *csvFile) next() (line int, cells []cell, err error) {
	rec, err := r.record()
	if err != nil {
		return 0, nil, err
	}
	if len(rec.fields) != len(r.header) {
		return 0, nil, &badRecord{Reject{Line: rec.line, Value: shown(rec.raw),
			Reason: fmt.Sprintf("%d fields, not %d", len(rec.fields), len(r.header))}}
	}
	if err := r.valid(rec, r.header); err != nil {
		return 0, nil, err
	}
	for j, k := range r.pick {
		b := rec.fields[k]
		r.cells[j] = cell{text: b}
		if len(b) == 0 {
			r.cells[j].kind = cellNull
		}
	}
	return rec.line, r.cells, nil
}

// valid checks the encoding of every field and turns fields into UTF-8 in place.
func (r *csvFile) valid(rec csvRecord, names []string) error {
	if bytes.IndexByte(rec.raw, 0) >= 0 {
		for i, b := range rec.fields {
			if bytes.IndexByte(b, 0) >= 0 {
				return r.undecodable(rec, names, i, "a NUL byte: UTF-16 or not text at all; save the file as UTF-8")
			}
		}
	}
	if r.charset == nil {
		if utf8.Valid(rec.raw) {
			return nil
		}
		for i, b := range rec.fields {
			if !utf8.Valid(b) {
				return r.undecodable(rec, names, i, "not UTF-8: name the encoding in the mapping, or convert the file")
			}
		}
		return nil
	}
	if ascii(rec.raw) {
		return nil
	}
	r.decoded = r.decoded[:0]
	for i, b := range rec.fields {
		from, ok := len(r.decoded), false
		if r.decoded, ok = r.charset.decode(r.decoded, b); !ok {
			return r.undecodable(rec, names, i, "not in the encoding that is named")
		}
		rec.fields[i] = r.decoded[from:len(r.decoded):len(r.decoded)]
	}
	return nil
}

func (r *csvFile) undecodable(rec csvRecord, names []string, i int, why string) error {
	bad := &badRecord{Reject{Line: rec.line, Value: shown(rec.fields[i]), Reason: why}}
	if i < len(names) {
		bad.Column = strings.Clone(names[i])
	}
	return bad
}
