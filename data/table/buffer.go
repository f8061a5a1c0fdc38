package table

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// maxRecord bounds one record, so that a quote that is never closed cannot ask
// for memory for the whole file.
const maxRecord = 64 << 20

var errLong = errors.New("too long")

// buffer is a window on a file: buf[at:end] is read and not used up.
type buffer struct {
	src     io.Reader
	buf     []byte
	at, end int
	eof     bool
}

// fill reads more bytes behind those that are not used up; errLong where they
// are as many as a record may have.
func (r *buffer) fill() error {
	if r.at > 0 {
		r.end = copy(r.buf, r.buf[r.at:r.end])
		r.at = 0
	}
	if r.end == len(r.buf) {
		if r.end >= maxRecord {
			return errLong
		}
		grown := make([]byte, max(256<<10, 2*len(r.buf)))
		copy(grown, r.buf)
		r.buf = grown
	}
	n, err := r.src.Read(r.buf[r.end:])
	r.end += n
	if err == io.EOF {
		r.eof = true
		return nil
	}
	return err
}

// skipBOM drops a UTF-8 byte order mark at the start.
func skipBOM(r io.Reader) (io.Reader, error) {
	head := make([]byte, len(bom))
	n, err := io.ReadFull(r, head)
	if err == nil && string(head) == bom {
		return r, nil
	}
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	return io.MultiReader(bytes.NewReader(head[:n]), r), nil
}

// shown is a value as it stands in a message: valid UTF-8, cut short.
func shown(b []byte) string {
	cut := b[:min(len(b), 80)]
	for len(cut) < len(b) && len(cut) > 0 && !utf8.RuneStart(b[len(cut)]) {
		cut = cut[:len(cut)-1]
	}
	s := string(bytes.ToValidUTF8(cut, []byte("\uFFFD")))
	if len(cut) < len(b) {
		s += "..."
	}
	return s
}
