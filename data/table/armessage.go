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

// The kinds of messages.
const (
	schemaMessage     = 1
	dictionaryMessage = 2
	recordMessage     = 3
)

// maxArrowRecord bounds a record, unpacked: one is in memory at a time.
const maxArrowRecord = 2 << 30

// messages reads the messages of a file one by one, each a head (FlatBuffers)
// and a body; it is an ipc.MessageReader. What a message claims is checked
// before it is read.
type messages struct {
	file   io.ReaderAt
	at     int64          // the next message, or the body of this one
	end    int64          // where messages end
	footer *arrowIndex    // where the file format has them; nil = a stream
	closed bool           // the end mark of a stream was seen
	seen   [4]int         // by kind
	words  map[int64]bool // the dictionaries seen
	grown  int64          // bytes of them
	rows   int64          // of the records seen
	codec  string         // of the last record; "" = not packed
	unpack unpacker
	budget *budget
	last   *ipc.Message
	fault  error // why the last message could not be read
}

// message is the head of a message.
type message struct {
	meta []byte
	head flat
	kind byte
	body int64
}

// next reads a head; io.EOF at the end.
func (m *messages) next() (x message, err error) {
	if m.footer != nil {
		return m.indexed()
	}
	if m.closed || m.at == m.end {
		return x, io.EOF
	}
	if x.meta, err = m.readHead(m.end); err != nil {
		return x, err
	}
	return x, m.check(&x)
}

// readHead reads the length of a head and the head.
func (m *messages) readHead(end int64) ([]byte, error) {
	var b [4]byte
	length := func() (int64, error) {
		if end-m.at < 4 {
			return 0, errors.New("the last message is cut off")
		}
		_, err := m.file.ReadAt(b[:], m.at)
		m.at += 4
		return int64(int32(binary.LittleEndian.Uint32(b[:]))), err
	}
	size, err := length()
	if err == nil && size == -1 { // a mark; before Arrow 0.15 there was none
		size, err = length()
	}
	switch {
	case err != nil:
		return nil, err
	case size == 0:
		m.closed = true
		return nil, io.EOF
	case size < 8 || size > end-m.at:
		return nil, fmt.Errorf("a message's head claims %d bytes where %d are left: is the file cut off?", size, end-m.at)
	}
	meta := make([]byte, size)
	_, err = m.file.ReadAt(meta, m.at)
	m.at += size
	return meta, err
}

// check takes a head apart and looks at what it claims.
func (m *messages) check(x *message) error {
	root, ok := flatRoot(x.meta)
	if !ok {
		return errFlat
	}
	x.kind, x.body = root.byte(1), root.int64(3)
	if x.head, ok = root.table(2); !ok || x.body < 0 {
		return errFlat
	}
	switch first := m.seen[schemaMessage] == 0; {
	case x.body > m.end-m.at:
		return fmt.Errorf("a record claims %d bytes where %d are left: is the file cut off?", x.body, m.end-m.at)
	case x.body > maxArrowRecord:
		return fmt.Errorf("a record of %d MiB: write the file in smaller records", x.body>>20)
	case x.kind < schemaMessage || x.kind > recordMessage:
		return fmt.Errorf("a message of kind %d, which no table has", x.kind)
	case first != (x.kind == schemaMessage):
		return errors.New("a stream has one schema, which comes first")
	}
	m.seen[x.kind]++
	switch x.kind {
	case schemaMessage:
		return checkSchema(x.head)
	case dictionaryMessage:
		return m.checkWords(x.head)
	}
	n := x.head.int64(0)
	if n < 0 || n > math.MaxInt32 {
		return fmt.Errorf("a record of %d rows", n)
	}
	if err := checkBuffers(x.head); err != nil {
		return err
	}
	m.rows += n
	if c, ok := x.head.table(3); ok {
		m.codec = [...]string{"lz4", "zstd"}[min(c.byte(0), 1)]
	}
	return nil
}

// checkWords: a stream may replace a dictionary, a file whose records stand in
// any order may not.
func (m *messages) checkWords(head flat) error {
	data, ok := head.table(1)
	if !ok {
		return errFlat
	}
	if err := checkBuffers(data); err != nil {
		return err
	}
	id := head.int64(0)
	if m.footer != nil && m.words[id] && head.byte(2) == 0 {
		return errors.New("a dictionary is replaced, which only a stream can do")
	}
	if m.words == nil {
		m.words = map[int64]bool{}
	}
	m.words[id] = true
	return nil
}

// Message is the next message for the library, unpacked.
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
		if _, err = m.file.ReadAt(body, m.at); err == nil {
			body, err = m.unpacked(&x, body)
		}
		if err != nil {
			m.fault = err
			return nil, err
		}
	}
	m.at += x.body
	if x.kind == dictionaryMessage { // one that grows is put together anew
		m.grown += int64(len(body))
	}
	m.budget.left = max(m.budget.left, 1<<20+2*(int64(len(body)+len(x.meta))+m.grown))
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
// record claims: it copies the buffers of a body, each rounded up.
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
