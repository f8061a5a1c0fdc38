package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"recoup/data"
)

// Tagged changes how a JSONL file delivers text: with a quotation mark before
// it, so that the text 12 differs from the number 12 and the text true from
// the truth. Any path can then be asked for, and one that no line has is null
// everywhere; the columns are not looked up at Open, which saves a pass. It
// changes nothing in other formats.
func (f *File) Tagged() bool { return f.o.Tagged && f.format == JSONL }

// openJSONL finds the columns: every path of keys to a value that is no object.
func (f *File) openJSONL() error {
	if f.charset != nil {
		return f.fault("JSONL is UTF-8, and the encoding named is %s: convert the file", f.o.Encoding)
	}
	if f.o.Tagged {
		return nil
	}
	r, err := f.openLines(nil)
	if err != nil {
		return err
	}
	defer r.close()
	seen := map[string]bool{}
	var name []byte
	r.parser.leaf = func(path []string) {
		name = name[:0]
		for i, key := range path {
			if i > 0 {
				name = append(name, '.')
			}
			name = append(name, key...)
		}
		if !seen[string(name)] {
			s := string(name)
			seen[s] = true
			f.columns = append(f.columns, Column{Name: s, Kind: data.String, Type: "json"})
		}
	}
	for {
		_, _, err := r.next()
		if err == io.EOF {
			return nil
		}
		if _, bad := err.(*badRecord); bad && f.o.Reject == nil || !bad && err != nil {
			return f.fault("%w", err)
		}
	}
}

// lineFile is a JSONL file being read.
type lineFile struct {
	buffer
	file   io.Closer
	line   int
	parser *lineParser
}

func (f *File) openLines(columns []data.Column) (*lineFile, error) {
	file, err := f.source()
	if err != nil {
		return nil, err
	}
	src, err := skipBOM(file)
	if err != nil {
		file.Close()
		return nil, f.fault("%w", err)
	}
	var paths []string
	for _, c := range columns {
		paths = append(paths, c.Name)
	}
	return &lineFile{buffer: buffer{src: src}, file: file, parser: newLineParser(paths)}, nil
}

func (r *lineFile) close() { r.file.Close() }

func (r *lineFile) next() (line int, cells []cell, err error) {
	for {
		text, err := r.cut()
		if err != nil {
			return 0, nil, err
		}
		r.line++
		if len(bytes.TrimLeft(text, " \t\r")) == 0 {
			continue
		}
		if fault := r.parser.parse(text); fault != nil {
			return 0, nil, &badRecord{Reject{Line: r.line, Column: strings.Clone(fault.column), Value: shown(text), Reason: fault.reason}}
		}
		return r.line, r.parser.cells, nil
	}
}

// cut is the next line without its end.
func (r *lineFile) cut() ([]byte, error) {
	for searched := 0; ; {
		if k := bytes.IndexByte(r.buf[r.at+searched:r.end], '\n'); k >= 0 {
			text := r.buf[r.at : r.at+searched+k]
			r.at += searched + k + 1
			return text, nil
		}
		if r.eof {
			if r.at == r.end {
				return nil, io.EOF
			}
			text := r.buf[r.at:r.end]
			r.at = r.end
			return text, nil
		}
		searched = r.end - r.at
		if err := r.fill(); err == errLong {
			return nil, fmt.Errorf("line %d is longer than %d MiB", r.line+1, maxRecord>>20)
		} else if err != nil {
			return nil, err
		}
	}
}
