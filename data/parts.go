package data

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// partOptions says how rows are cut into parts. A day of a busy table begins a
// part of its own; a quiet table goes on over the following days until a file
// is worth its footer: 365 days of ten tables are else 3650 files.
type partOptions struct {
	staging   string // where parts are written
	minRows   int64  // a part with fewer goes on on the next day
	maxRows   int64  // a part has no more
	groupRows int64  // rows of a row group; a multiple of batchRows
}

const (
	batchRows = 1 << 10   // rows handed to the column writers at once
	pageBytes = 256 << 10 // a decoded page stays in the cache
)

func defaultParts(staging string) partOptions {
	return partOptions{staging: staging, minRows: 1 << 17, maxRows: 1 << 20, groupRows: 1 << 17}
}

// partSink writes the parts of one table from rows in cursor order.
type partSink interface {
	// add takes the next row unless the log has it; seq is the row's if so.
	add(e entry, seq int64, known *seen) (added bool, err error)
	close() ([]File, error)
}

func writerOptions(schema *parquet.Schema) []parquet.WriterOption {
	return []parquet.WriterOption{
		schema,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.DataPageVersion(1),
		parquet.PageBufferSize(pageBytes),
		parquet.DataPageStatistics(false), // the column index has them
		parquet.CreatedBy("recoup", "1", ""),
	}
}

func (t *table[T]) newParts(o partOptions) partSink {
	return &parts[T]{table: t, o: o, rows: make([]T, 0, batchRows)}
}

type parts[T any] struct {
	*table[T]
	o       partOptions
	w       *parquet.GenericWriter[any]
	out     *partFile
	row     T
	rows    []T // decoded, not yet written
	scratch []parquet.Value
	file    File
	files   []File
}

// partFile is a part being written: its bytes are counted and hashed on the way.
type partFile struct {
	f    *os.File
	buf  *bufio.Writer
	hash hash.Hash
	n    int64
}

func (p *partFile) Write(b []byte) (int, error) {
	p.hash.Write(b)
	p.n += int64(len(b))
	return p.buf.Write(b)
}

func (p *parts[T]) add(e entry, seq int64, known *seen) (bool, error) {
	row, err := p.decode(e)
	if err != nil || p.repeats != nil && p.repeats(row, known) {
		return false, err
	}
	if p.out != nil && p.full(e.known) {
		if err := p.end(); err != nil {
			return false, err
		}
	}
	if p.out == nil {
		if err := p.begin(e.known, seq); err != nil {
			return false, err
		}
	}
	p.event(row).Seq = seq
	p.rows = append(p.rows, *row)
	p.file.Rows++
	p.file.Max = Cursor{e.known, seq}
	if len(p.rows) < batchRows {
		return true, nil
	}
	return true, p.flush()
}

// decode reads a row from its bytes, which have no seq.
func (p *parts[T]) decode(e entry) (*T, error) {
	r := record{s: string(e.rec)}
	for i, c := range p.columns {
		if i != seqColumn {
			c.get(&r, &p.row)
		}
	}
	if r.bad || r.s != "" {
		return nil, fmt.Errorf("data: %s: spilled row is damaged", p.name)
	}
	return &p.row, nil
}

// full reports whether a row known at a time begins a new part.
func (p *parts[T]) full(known Micros) bool {
	return p.file.Rows >= p.o.maxRows ||
		p.file.Rows >= p.o.minRows && known.UTCDate() != p.file.Max.KnownAt.UTCDate()
}

func (p *parts[T]) begin(known Micros, seq int64) error {
	f, err := os.CreateTemp(p.o.staging, p.name+"-*")
	if err != nil {
		return fmt.Errorf("data: %s: %w", p.name, err)
	}
	p.out = &partFile{f: f, buf: bufio.NewWriterSize(f, 256<<10), hash: sha256.New()}
	if p.w == nil {
		p.w = parquet.NewGenericWriter[any](p.out, writerOptions(p.schema())...)
	} else {
		p.w.Reset(p.out)
	}
	p.file = File{Table: p.name, Min: Cursor{known, seq}}
	return nil
}

// flush writes the batch, column by column.
func (p *parts[T]) flush() error {
	w := p.w.ColumnWriters()
	var err error
	for _, c := range p.columns {
		if p.scratch, err = c.write(w[:c.leaves()], p.rows, p.scratch[:0]); err != nil {
			return fmt.Errorf("data: %s: column %s: %w", p.name, c.columnName(), err)
		}
		w = w[c.leaves():]
	}
	p.rows = p.rows[:0]
	if p.file.Rows%p.o.groupRows == 0 {
		if err := p.w.Flush(); err != nil {
			return fmt.Errorf("data: %s: %w", p.name, err)
		}
	}
	return nil
}

// end finishes a part and gives it a name that says what is in it.
func (p *parts[T]) end() error {
	if err := p.flush(); err != nil {
		return err
	}
	o := p.out
	p.out = nil
	defer o.f.Close()
	if err := p.w.Close(); err != nil {
		return fmt.Errorf("data: %s: %w", p.name, err)
	}
	if err := o.buf.Flush(); err != nil {
		return fmt.Errorf("data: %s: %w", p.name, err)
	}
	p.file.Bytes, p.file.SHA256 = o.n, hex.EncodeToString(o.hash.Sum(nil))
	p.file.LastSeq = p.file.Max.Seq
	p.file.Path = fmt.Sprintf("%s/known_date=%s/part-%012d-%s.parquet", p.name, p.file.Min.KnownAt.UTCDate(), p.file.Min.Seq,
		p.file.SHA256[:8])
	staged := filepath.Join(p.o.staging, filepath.FromSlash(p.file.Path))
	if err := os.MkdirAll(filepath.Dir(staged), 0o755); err != nil {
		return fmt.Errorf("data: %s: %w", p.name, err)
	}
	if err := publish(o.f, staged); err != nil {
		return err
	}
	p.files = append(p.files, p.file)
	return nil
}

// close finishes the last part and lists them all.
func (p *parts[T]) close() ([]File, error) {
	if p.out == nil {
		return p.files, nil
	}
	err := p.end()
	return p.files, err
}
