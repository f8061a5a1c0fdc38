package table

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"recoup/data"
)

// part is one Parquet file of a table.
type part struct {
	path    string
	size    int64
	changed time.Time
	rows    int64
	codec   string // the codecs, by name; "" = none
	leaves  []leaf
	folders []folderValue // key=value folders it lies in
}

// leaf is a column of a part that holds values.
type leaf struct {
	Column
	index  int // among the leaves of the schema
	kind   parquet.Kind
	length int  // of bytes of fixed length
	levels byte // the definition level of a value that is not null
	decode decoder
}

func (p *part) leaf(name string) *leaf {
	for i := range p.leaves {
		if p.leaves[i].Name == name {
			return &p.leaves[i]
		}
	}
	return nil
}

// openParquet reads the footer.
func (f *File) openParquet() error {
	p, err := f.openPart(f.path, nil)
	if err != nil {
		return err
	}
	f.parts, f.codec = []part{p}, p.codec
	for _, l := range p.leaves {
		f.columns = append(f.columns, l.Column)
	}
	return nil
}

// Rows is the number of rows that a Parquet footer or the records of an Arrow
// file state; -1 for text files.
func (f *File) Rows() int64 {
	switch f.format {
	case Arrow:
		return f.rows
	case CSV, JSONL:
		return -1
	}
	n := int64(0)
	for _, p := range f.parts {
		n += p.rows
	}
	return n
}

func (f *File) openPart(path string, folders []folderValue) (part, error) {
	p := part{path: path, folders: folders}
	r, err := os.Open(path)
	if err != nil {
		return p, fmt.Errorf("table: %w", err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return p, fmt.Errorf("table: %w", err)
	}
	p.size, p.changed = info.Size(), info.ModTime()
	file, _, err := footer(r, p.size)
	if err != nil {
		return p, p.fault("%w", err)
	}
	p.rows = file.NumRows()
	total := int64(0)
	for _, g := range file.Metadata().RowGroups {
		if g.NumRows < 0 {
			return p, p.fault("the footer states %d rows in a row group", g.NumRows)
		}
		total += g.NumRows
		for i := range g.Columns {
			if g.Columns[i].FilePath != "" {
				return p, p.fault("its columns lie in other files (%s): name the folder, or those files", g.Columns[i].FilePath)
			}
		}
	}
	if total != p.rows {
		return p, p.fault("the footer states %d rows, and %d in its row groups", p.rows, total)
	}
	if p.rows > 1<<14*p.size { // writers cut pages long before
		return p, p.fault("the footer states %d rows in a file of %d bytes", p.rows, p.size)
	}
	var stored []*format.SchemaElement // the leaves as they are written down
	for i := range file.Metadata().Schema {
		if e := &file.Metadata().Schema[i]; e.Type.Valid {
			stored = append(stored, e)
		}
	}
	if len(stored) != leaves(file.Root()) {
		return p, p.fault("the footer states %d columns of values and has %d", leaves(file.Root()), len(stored))
	}
	p.walk(file.Root(), "", stored)
	p.names()
	p.codecs(file.Metadata())
	return p, nil
}

func (p *part) fault(text string, args ...any) error {
	return data.Faultf(data.ErrContract, "table: %s: %w", p.path, fmt.Errorf(text, args...))
}

// footer opens a Parquet file and says where its footer begins. What the footer
// claims is checked before anything of that size is allocated.
func footer(r *os.File, size int64) (file *parquet.File, at int64, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the footer cannot be read: %v", fault)
		}
	}()
	tail := make([]byte, 8)
	if size < 12 {
		return nil, 0, fmt.Errorf("not a Parquet file: %d bytes", size)
	}
	if _, err := r.ReadAt(tail, size-8); err != nil {
		return nil, 0, err
	}
	if string(tail[4:]) != "PAR1" {
		return nil, 0, fmt.Errorf("no Parquet footer: the file ends in %q, not PAR1; is it cut off?", tail[4:])
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n > size-12 {
		return nil, 0, fmt.Errorf("the footer claims %d bytes of a file of %d", n, size)
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, size-8-n); err != nil {
		return nil, 0, err
	}
	if _, err := checkThrift(b); err != nil {
		return nil, 0, fmt.Errorf("the footer cannot be read: %w", err)
	}
	file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
	return file, size - 8 - n, err
}

func leaves(node *parquet.Column) (n int) {
	for _, c := range node.Columns() {
		if c.Leaf() {
			n++
		} else {
			n += leaves(c)
		}
	}
	return n
}

// walk lists the leaves under a node; a dot reaches into a struct.
func (p *part) walk(node *parquet.Column, prefix string, stored []*format.SchemaElement) {
	for _, c := range node.Columns() {
		name := prefix + c.Name()
		if !c.Leaf() {
			p.walk(c, name+".", stored)
			continue
		}
		e := stored[c.Index()]
		l := leaf{index: c.Index(), kind: parquet.Kind(e.Type.V), levels: byte(c.MaxDefinitionLevel())}
		if l.kind == parquet.FixedLenByteArray {
			l.length = int(e.TypeLength.V)
		}
		l.Column, l.decode = describe(c, e)
		if l.kind == parquet.FixedLenByteArray && (l.length < 1 || l.length > 1<<15) {
			l.Bad = fmt.Sprintf("bytes of fixed length (%d), which is no length", l.length)
		}
		l.Name = name
		p.leaves = append(p.leaves, l)
	}
}

// names settles what a name means: the column of that very name wins over a
// path into a struct, and two columns of one name cannot be told apart.
func (p *part) names() {
	at := map[string]int{}
	kept := p.leaves[:0]
	for _, l := range p.leaves {
		k, ok := at[l.Name]
		if ok {
			kept[k].Twice = true
			continue
		}
		at[l.Name] = len(kept)
		kept = append(kept, l)
	}
	p.leaves = kept
}

// codecs refuses the columns packed or encrypted in a way that is not read.
func (p *part) codecs(m *format.FileMetaData) {
	var names []string
	for _, g := range m.RowGroups {
		for i := range g.Columns {
			name := strings.ToLower(g.Columns[i].MetaData.Codec.String())
			if name != "uncompressed" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	p.codec = strings.Join(names, ", ")
	for i := range p.leaves {
		l := &p.leaves[i]
		for _, g := range m.RowGroups {
			if l.index >= len(g.Columns) {
				continue
			}
			if c := &g.Columns[l.index]; c.CryptoMetadata.Value != nil {
				l.Bad = "encrypted: write the file without encryption"
			} else if codec := c.MetaData.Codec; !codecKnown(codec) {
				l.Bad = fmt.Sprintf("packed with %s, which is not read: write the file with zstd or snappy", codec)
			}
		}
	}
}
