package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// arrowMagic begins and ends the file format; what lies between is found by the
// footer alone.
const arrowMagic = "ARROW1"

// arrowIndex is what the footer of a file says.
type arrowIndex struct {
	schema []byte // as a message
	blocks []arrowBlock
}

// arrowBlock is where a message is.
type arrowBlock struct {
	kind           byte
	at, head, body int64
}

// readIndex reads the footer and says where it begins.
func readIndex(file io.ReaderAt, size int64) (x *arrowIndex, at int64, err error) {
	tail := make([]byte, 4+len(arrowMagic))
	if size < 8+int64(len(tail)) {
		return nil, 0, errors.New("not an Arrow file: it is too short")
	}
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	if string(tail[4:]) != arrowMagic {
		return nil, 0, fmt.Errorf("no Arrow footer: the file ends in %q, not %s; is it cut off?", tail[4:], arrowMagic)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n < 8 || n > size-8-int64(len(tail)) {
		return nil, 0, fmt.Errorf("the footer claims %d bytes of a file of %d", n, size)
	}
	at = size - int64(len(tail)) - n
	b := make([]byte, n)
	if _, err := file.ReadAt(b, at); err != nil {
		return nil, 0, err
	}
	damaged := errors.New("the footer is damaged")
	footer, ok := flatRoot(b)
	if !ok {
		return nil, 0, damaged
	}
	schema, ok := footer.table(1)
	if !ok {
		return nil, 0, damaged
	}
	x = &arrowIndex{schema: schemaAsMessage(b, schema.at)}
	for i, kind := range []byte{dictionaryMessage, recordMessage} {
		from, n, ok := footer.vector(2+i, 24)
		if !ok {
			return nil, 0, damaged
		}
		for k := range n {
			p := b[from+24*k:]
			block := arrowBlock{kind, int64(binary.LittleEndian.Uint64(p)), int64(int32(binary.LittleEndian.Uint32(p[8:]))), int64(binary.LittleEndian.Uint64(p[16:]))}
			if block.at < 8 || block.head < 0 || block.body < 0 || block.at > at || block.head > at-block.at || block.body > at-block.at-block.head {
				return nil, 0, fmt.Errorf("the footer has a record of %d bytes at %d, in a file whose records end at %d", block.head+block.body, block.at, at)
			}
			x.blocks = append(x.blocks, block)
		}
	}
	return x, at, nil
}

// schemaAsMessage puts the head of a message before a footer, which leads to
// the schema in it: the first message of the file format is nobody's to read.
func schemaAsMessage(footer []byte, schema int) []byte {
	const before = 32
	b := make([]byte, before, before+len(footer))
	at := binary.LittleEndian
	at.PutUint32(b, 16)                           // the root
	for i, x := range []uint16{12, 12, 4, 6, 8} { // its fields: version, kind, head; no body
		at.PutUint16(b[4+2*i:], x)
	}
	at.PutUint32(b[16:], 12) // the fields' places, back from here
	at.PutUint16(b[20:], 4)
	b[22] = schemaMessage
	at.PutUint32(b[24:], uint32(before+schema-24))
	return append(b, footer...)
}

// indexed is the next message of the file format.
func (m *messages) indexed() (x message, err error) {
	if m.seen[schemaMessage] == 0 {
		x.meta = slices.Clone(m.footer.schema)
		return x, m.check(&x)
	}
	k := m.seen[dictionaryMessage] + m.seen[recordMessage]
	if k == len(m.footer.blocks) {
		return x, io.EOF
	}
	block := m.footer.blocks[k]
	m.at = block.at
	if x.meta, err = m.readHead(block.at + block.head); err != nil {
		if err == io.EOF {
			err = errors.New("there is no record where the footer says")
		}
		return x, err
	}
	m.at = block.at + block.head
	if err := m.check(&x); err != nil {
		return x, err
	}
	if x.kind != block.kind || x.body != block.body {
		return x, errors.New("there is another record than the footer says")
	}
	return x, nil
}
