package table

import (
	"errors"
	"io"

	"recoup/data"
)

// ChunkRows is the most rows a frame has.
const ChunkRows = 16384

// chunkBytes ends a chunk early where records are long.
const chunkBytes = 8 << 20

// records is a text file being read record by record.
type records interface {
	// next is the line on which the next record begins and its wanted cells,
	// good until the next call; io.EOF at the end; *badRecord where the record can
	// be put aside.
	next() (line int, cells []cell, err error)
	close()
}

func (f *File) openText(columns []data.Column) (records, error) {
	if f.format == JSONL {
		return f.openLines(columns)
	}
	r, err := f.openRecords()
	if err != nil {
		return nil, err
	}
	r.want(columns)
	return r, nil
}

// each calls use for every record; bad ones are put aside or end it.
func (f *File) each(columns []data.Column, use func(line int, cells []cell) error) error {
	r, err := f.openText(columns)
	if err != nil {
		return err
	}
	defer r.close()
	for {
		line, cells, err := r.next()
		if bad, ok := err.(*badRecord); ok && f.o.Reject != nil {
			f.o.Reject(bad.Reject)
			continue
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return f.fault("%w", err)
		}
		if err := use(line, cells); err != nil {
			return err
		}
	}
}

var errStop = errors.New("stop")

// textFrames collects records into frames.
func (f *File) textFrames(columns []data.Column, yield func(*data.Frame, error) bool) {
	build := make([]*builder, len(columns))
	for j, c := range columns {
		build[j] = newBuilder(c, f.o.Tagged)
	}
	frame, bytes, first := &data.Frame{}, 0, int64(0)
	flush := func() error {
		frame.First, frame.N = first, len(frame.Lines)
		for _, b := range build {
			frame.Columns = append(frame.Columns, b.take())
		}
		first += int64(frame.N)
		full := frame
		frame, bytes = &data.Frame{Lines: make([]int, 0, full.N)}, 0
		if !yield(full, nil) {
			return errStop
		}
		return nil
	}
	err := f.each(columns, func(line int, cells []cell) error {
		frame.Lines = append(frame.Lines, line)
		for j, c := range cells {
			if err := build[j].add(c); err != nil {
				return f.fault("%v", Reject{line, columns[j].Name, shown(c.text), err.Error()})
			}
			bytes += len(c.text)
		}
		if len(frame.Lines) == ChunkRows || bytes >= chunkBytes {
			return flush()
		}
		return nil
	})
	if err == nil && len(frame.Lines) > 0 {
		err = flush()
	}
	if err != nil && err != errStop {
		yield(nil, err)
	}
}
