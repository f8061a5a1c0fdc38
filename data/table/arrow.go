package table

import (
	"encoding/binary"
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
	m, blocks, err := f.messages(r)
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
	if err := m.whole(blocks); err != nil {
		return f.fault("%w", err)
	}
	if f.rows = m.rows; f.rows > 1<<14*f.size {
		return f.fault("%d rows in a file of %d bytes", f.rows, f.size)
	}
	reader, err := f.arrowReader(r)
	if err != nil {
		return err
	}
	defer reader.Release()
	return f.arrowColumns(reader.Schema())
}

// messages begins at the first message. blocks are how many dictionaries and
// records a footer states; nil for a stream.
func (f *File) messages(r *os.File) (m *messages, blocks *[2]int, err error) {
	m = &messages{file: r, end: f.size, budget: &budget{Allocator: memory.DefaultAllocator, left: 64 << 20}}
	var head [8]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, nil, errors.New("not an Arrow file: it is too short")
	}
	if string(head[:len(arrowMagic)]) != arrowMagic {
		return m, nil, nil
	}
	tail := make([]byte, 4+len(arrowMagic))
	if f.size < 8+int64(len(tail)) {
		return nil, nil, errors.New("not an Arrow file: it is too short")
	}
	if _, err := r.ReadAt(tail, f.size-int64(len(tail))); err != nil {
		return nil, nil, err
	}
	if string(tail[4:]) != arrowMagic {
		return nil, nil, fmt.Errorf("no Arrow footer: the file ends in %q, not %s; is it cut off?", tail[4:], arrowMagic)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n < 8 || n > f.size-8-int64(len(tail)) {
		return nil, nil, fmt.Errorf("the footer claims %d bytes of a file of %d", n, f.size)
	}
	b := make([]byte, n)
	m.at, m.end = 8, f.size-int64(len(tail))-n
	if _, err := r.ReadAt(b, m.end); err != nil {
		return nil, nil, err
	}
	footer, ok := flatRoot(b)
	if !ok {
		return nil, nil, errors.New("the footer is damaged")
	}
	blocks = new([2]int)
	for i := range blocks {
		if _, blocks[i], ok = footer.vector(2+i, 24); !ok {
			return nil, nil, errors.New("the footer is damaged")
		}
	}
	return m, blocks, nil
}

// whole checks that nothing is missing and nothing left over.
func (m *messages) whole(blocks *[2]int) error {
	switch {
	case m.seen[schemaMessage] == 0:
		return errors.New("not an Arrow file: there is no schema")
	case blocks != nil && (blocks[0] != m.seen[dictionaryMessage] || blocks[1] != m.seen[recordMessage]):
		return fmt.Errorf("the footer states %d records and %d dictionaries, and %d and %d are there",
			blocks[1], blocks[0], m.seen[recordMessage], m.seen[dictionaryMessage])
	case blocks == nil && !m.closed:
		return errors.New("the stream has no end mark, so nobody can tell whether it is whole: is the file cut off?")
	case blocks == nil && m.at != m.end:
		return fmt.Errorf("%d bytes behind the end of the stream: are two streams put together?", m.end-m.at)
	}
	return nil
}

// arrowReader begins to read the records; the caller releases it.
func (f *File) arrowReader(r *os.File) (*arrowReader, error) {
	m, _, err := f.messages(r)
	if err != nil {
		return nil, f.fault("%w", err)
	}
	a := &arrowReader{messages: m}
	a.Reader, err = ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(m.budget), ipc.WithEnsureNativeEndian(true))
	if err != nil {
		return nil, f.fault("%w", a.cause(err))
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
