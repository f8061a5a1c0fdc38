package table

import (
	"bytes"
	"fmt"
	"io"
)

// csvReader cuts a CSV file (RFC 4180, LF or CRLF) into records, counting
// physical lines. encoding/csv stops at a bad record and says nothing of an open quote's beginning.
type csvReader struct {
	buffer
	delim   byte
	line    int // lines before buf[at]
	fields  [][]byte
	scratch []byte
}

// csvRecord is valid until the next call of record.
type csvRecord struct {
	line   int
	raw    []byte
	fields [][]byte
}

// badRecord is a record that can be put aside; the reader stands behind it.
type badRecord struct{ Reject }

func (b *badRecord) Error() string { return b.String() }

// openQuote is the one fault after which nothing more can be read.
type openQuote struct {
	line int
	long bool
}

func (e *openQuote) Error() string {
	if e.long {
		return fmt.Sprintf("line %d: the record is longer than %d MiB: is a quote not closed?", e.line, maxRecord>>20)
	}
	return fmt.Sprintf("line %d: a quote is not closed", e.line)
}

// record returns the next record, io.EOF, a *badRecord or what ends the reading.
func (r *csvReader) record() (csvRecord, error) {
	for {
		nl := bytes.IndexByte(r.buf[r.at:r.end], '\n')
		if nl < 0 && !r.eof {
			if err := r.fill(); err != nil {
				return csvRecord{}, r.refill(err)
			}
			continue
		}
		next := r.at + nl + 1
		line := r.buf[r.at:r.end]
		if nl >= 0 {
			line = r.buf[r.at : r.at+nl]
		} else {
			if len(line) == 0 {
				return csvRecord{}, io.EOF
			}
			next = r.end
		}
		if bytes.IndexByte(line, '"') >= 0 {
			rec, more, err := r.quoted()
			if !more {
				return rec, err
			}
			if err := r.fill(); err != nil {
				return csvRecord{}, r.refill(err)
			}
			continue
		}
		line = trimCR(line)
		r.at = next
		r.line++
		if len(line) == 0 {
			continue
		}
		r.fields = split(r.fields[:0], line, r.delim)
		return csvRecord{r.line, line, r.fields}, nil
	}
}

// refill explains why no more bytes came.
func (r *csvReader) refill(err error) error {
	if err == errLong {
		return &openQuote{r.line + 1, true}
	}
	return err
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}

func split(dst [][]byte, line []byte, delim byte) [][]byte {
	start := 0
	for i, c := range line {
		if c == delim {
			dst = append(dst, line[start:i])
			start = i + 1
		}
	}
	return append(dst, line[start:])
}

// quoted reads a record that has a quote on its first line; more says that the
// buffer does not hold it whole.
func (r *csvReader) quoted() (rec csvRecord, more bool, err error) {
	buf, i := r.buf[:r.end], r.at
	first, lines := r.line+1, 0
	r.fields, r.scratch = r.fields[:0], r.scratch[:0]
	bad := false
	for done := false; !done; {
		if i < len(buf) && buf[i] == '"' {
			value, after, ok := r.quotedField(buf, i+1)
			if !ok {
				if !r.eof {
					return rec, true, nil
				}
				return rec, false, &openQuote{first, false}
			}
			lines += bytes.Count(buf[i:after], []byte{'\n'})
			r.fields = append(r.fields, value)
			i = after
			switch {
			case i == len(buf):
				done = true
			case buf[i] == r.delim:
				i++
			case buf[i] == '\n':
				done = true
			case buf[i] == '\r' && i+1 == len(buf):
				if !r.eof {
					return rec, true, nil
				}
				i, done = i+1, true
			case buf[i] == '\r' && buf[i+1] == '\n':
				i, done = i+1, true
			default: // text after the closing quote: give the line up
				k := bytes.IndexByte(buf[i:], '\n')
				if k < 0 && !r.eof {
					return rec, true, nil
				}
				if k < 0 {
					k = len(buf) - i
				}
				i, bad, done = i+k, true, true
			}
			continue
		}
		start := i
		for i < len(buf) && buf[i] != r.delim && buf[i] != '\n' {
			i++
		}
		switch {
		case i == len(buf) && !r.eof:
			return rec, true, nil
		case i == len(buf) || buf[i] == '\n':
			r.fields = append(r.fields, trimCR(buf[start:i]))
			done = true
		default:
			r.fields = append(r.fields, buf[start:i])
			i++
		}
	}
	rec = csvRecord{first, buf[r.at:i], r.fields}
	if i < len(buf) { // the line end
		i++
	}
	r.at = i
	r.line += lines + 1
	if bad {
		return rec, false, &badRecord{Reject{Line: first, Value: shown(rec.raw), Reason: "text after a closing quote"}}
	}
	return rec, false, nil
}

// quotedField reads from behind the opening quote to behind the closing one;
// not ok where the buffer ends before that is certain.
func (r *csvReader) quotedField(buf []byte, start int) (value []byte, after int, ok bool) {
	doubled := false
	for j := start; ; {
		k := bytes.IndexByte(buf[j:], '"')
		if k < 0 {
			return nil, 0, false
		}
		j += k
		switch {
		case j+1 < len(buf) && buf[j+1] == '"':
			doubled = true
			j += 2
		case j+1 == len(buf) && !r.eof:
			return nil, 0, false
		case !doubled:
			return buf[start:j], j + 1, true
		default:
			from := len(r.scratch)
			for s := buf[start:j]; len(s) > 0; {
				k := bytes.IndexByte(s, '"')
				if k < 0 {
					r.scratch = append(r.scratch, s...)
					break
				}
				r.scratch = append(r.scratch, s[:k+1]...)
				s = s[k+2:]
			}
			return r.scratch[from:len(r.scratch):len(r.scratch)], j + 1, true
		}
	}
}
