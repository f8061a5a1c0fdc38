package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Arrow IPC: a stream of messages, each a head (FlatBuffers) and a body. The
// file format is the same stream between a magic word and a footer.

const arrowMagic = "ARROW1"

// The kinds of messages.
const (
	schemaMessage     = 1
	dictionaryMessage = 2
	recordMessage     = 3
)

// maxRecord of Arrow, unpacked: one record is in memory at a time.
const maxArrowRecord = 2 << 30

// messages reads the messages of a file one by one; it is an ipc.MessageReader.
// What a message claims is checked before it is read.
type messages struct {
	file    io.ReaderAt
	at, end int64 // the next message; where they end
	closed  bool  // the end mark was seen
	seen    [4]int
	rows    int64 // of the records seen
	budget  *budget
	last    *ipc.Message
	fault   error // why the last message could not be read
}

// message is the head of a message.
type message struct {
	meta []byte
	kind byte
	body int64
}

// next reads a head; io.EOF at the end.
func (m *messages) next() (x message, err error) {
	if m.closed || m.at == m.end {
		return x, io.EOF
	}
	var b [8]byte
	if m.end-m.at < 4 {
		return x, errors.New("the last message is cut off")
	}
	if _, err := m.file.ReadAt(b[:4], m.at); err != nil {
		return x, err
	}
	m.at += 4
	size := int64(int32(binary.LittleEndian.Uint32(b[:])))
	if size == -1 { // before Arrow 0.15 the length came first
		if m.end-m.at < 4 {
			return x, errors.New("the last message is cut off")
		}
		if _, err := m.file.ReadAt(b[:4], m.at); err != nil {
			return x, err
		}
		m.at += 4
		size = int64(int32(binary.LittleEndian.Uint32(b[:])))
	}
	if size == 0 {
		m.closed = true
		return x, io.EOF
	}
	if size < 8 || size > m.end-m.at {
		return x, fmt.Errorf("a message's head claims %d bytes where %d are left: is the file cut off?", size, m.end-m.at)
	}
	x.meta = make([]byte, size)
	if _, err := m.file.ReadAt(x.meta, m.at); err != nil {
		return x, err
	}
	m.at += size
	root, ok := flatRoot(x.meta)
	if !ok {
		return x, errFlat
	}
	x.kind, x.body = root.byte(1), root.int64(3)
	head, ok := root.table(2)
	if !ok || x.body < 0 {
		return x, errFlat
	}
	if x.body > m.end-m.at {
		return x, fmt.Errorf("a record claims %d bytes where %d are left: is the file cut off?", x.body, m.end-m.at)
	}
	if x.body > maxArrowRecord {
		return x, fmt.Errorf("a record of %d MiB: write the file in smaller records", x.body>>20)
	}
	return x, m.check(x.kind, head)
}

// check looks at what a message holds.
func (m *messages) check(kind byte, head flat) error {
	if first := m.seen[schemaMessage] == 0; first != (kind == schemaMessage) {
		return errors.New("a stream has one schema, which comes first")
	}
	switch kind {
	case schemaMessage:
		if err := checkSchema(head); err != nil {
			return err
		}
	case dictionaryMessage:
		if data, ok := head.table(1); !ok || data.int64(0) < 0 {
			return errFlat
		}
	case recordMessage:
		n := head.int64(0)
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("a record of %d rows", n)
		}
		m.rows += n
	default:
		return fmt.Errorf("a message of kind %d, which no table has", kind)
	}
	m.seen[kind]++
	return nil
}

// Message is the next message for the library.
func (m *messages) Message() (*ipc.Message, error) {
	x, err := m.next()
	if err != nil {
		if err != io.EOF {
			m.fault = err
		}
		return nil, err
	}
	body := make([]byte, x.body)
	if len(body) > 0 {
		if _, err := m.file.ReadAt(body, m.at); err != nil {
			m.fault = err
			return nil, err
		}
	}
	m.at += x.body
	m.budget.left = max(m.budget.left, min(maxArrowRecord, 64<<20+4096*(x.body+int64(len(x.meta)))))
	m.Release()
	m.last = ipc.NewMessage(memory.NewBufferBytes(x.meta), memory.NewBufferBytes(body))
	return m.last, nil
}

// Retain and Release are the library's; the last message is all there is to free.
func (m *messages) Retain() {}

func (m *messages) Release() {
	if m.last != nil {
		m.last.Release()
		m.last = nil
	}
}

// budget is an allocator that stops the library from allocating what a damaged
// record claims. A packed buffer may unpack to 4096 times its size and more
// where it is small.
type budget struct {
	memory.Allocator
	left int64
}

var errBudget = errors.New("a record claims more than it can hold")

func (b *budget) spend(n int) {
	if b.left -= int64(n); n < 0 || b.left < 0 {
		panic(errBudget)
	}
}

func (b *budget) Allocate(n int) []byte {
	b.spend(n)
	return b.Allocator.Allocate(n)
}

func (b *budget) Reallocate(n int, old []byte) []byte {
	if n > len(old) {
		b.spend(n)
	}
	return b.Allocator.Reallocate(n, old)
}
