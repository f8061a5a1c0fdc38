package table

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// openArrow reads the schema and walks the heads of all messages, so that a
// file that is cut off is refused at once and the rows are known.
func (f *File) openArrow() error {
	r, err := f.reopen()
	if err != nil {
		return err
	}
	defer r.Close()
	m, err := f.messages(r)
	if err != nil {
		return f.fault("%w", err)
	}
	for {
		x, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return f.fault("%w", err)
		}
		m.at += x.body
	}
	if err := m.whole(); err != nil {
		return f.fault("%w", err)
	}
	if f.rows = m.rows; f.rows > 1<<14*f.size {
		return f.fault("%d rows in a file of %d bytes", f.rows, f.size)
	}
	f.codec = m.codec
	reader, err := f.arrowReader(r)
	if err != nil {
		return err
	}
	defer reader.Release()
	return f.arrowColumns(reader.Schema())
}

// messages begins before the first message.
func (f *File) messages(r *os.File) (m *messages, err error) {
	m = &messages{file: r, end: f.size, budget: &budget{Allocator: memory.DefaultAllocator, left: 64 << 20}}
	var head [8]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, errors.New("not an Arrow file: it is too short")
	}
	if string(head[:len(arrowMagic)]) == arrowMagic {
		m.footer, m.end, err = readIndex(r, f.size)
	}
	return m, err
}

// whole checks that nothing of a stream is missing and nothing left over.
func (m *messages) whole() error {
	switch {
	case m.seen[schemaMessage] == 0:
		return errors.New("not an Arrow file: there is no schema")
	case m.footer != nil:
	case !m.closed:
		return errors.New("the stream has no end mark, so nobody can tell whether it is whole: is the file cut off?")
	case m.at != m.end:
		return fmt.Errorf("%d bytes behind the end of the stream: are two streams put together?", m.end-m.at)
	}
	return nil
}

// arrowReader begins to read the records; the caller releases it.
func (f *File) arrowReader(r *os.File) (*arrowReader, error) {
	m, err := f.messages(r)
	if err != nil {
		return nil, f.fault("%w", err)
	}
	a := &arrowReader{messages: m}
	a.Reader, err = ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(m.budget), ipc.WithEnsureNativeEndian(true))
	if err != nil {
		if m.fault == nil {
			err = fmt.Errorf("its schema is not read: %w", err)
		}
		return nil, f.fault("%w", cmp.Or(m.fault, err))
	}
	return a, nil
}

// arrowReader is the library's reader and the messages it reads.
type arrowReader struct {
	*ipc.Reader
	messages *messages
}

// cause is the fault of the messages where there is one.
func (a *arrowReader) cause(err error) error {
	if a.messages.fault != nil {
		return a.messages.fault
	}
	return fmt.Errorf("a record does not decode: %w", err)
}

// record is the next record, good until the next call; io.EOF behind the last.
func (a *arrowReader) record() (arrow.Record, error) {
	a.messages.budget.left = 0 // set anew by each message
	rec, err := a.Read()
	if err == io.EOF || err == nil && rec == nil {
		return nil, io.EOF
	}
	if err != nil {
		return nil, a.cause(err)
	}
	return rec, nil
}
