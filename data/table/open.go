package table

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"recoup/data"
)

// Format is how a file is laid out.
type Format uint8

// The formats.
const (
	CSV Format = iota + 1
	JSONL
	Parquet
	Arrow // IPC, as a file or as a stream
)

func (f Format) String() string { return [...]string{"", "csv", "jsonl", "parquet", "arrow"}[f] }

// Options say what the file does not say itself. The zero Options sniff
// everything and are strict.
type Options struct {
	Delimiter byte         // CSV: 0 = the one of , ; tab | that fits
	Encoding  string       // text: "" = utf-8; else a single-byte encoding such as latin-1
	Reject    func(Reject) // takes bad records in the order of the file; nil: the first one refuses the file
	Tagged    bool         // JSONL: see File.Tagged
}

// Reject is a record that could not be read.
type Reject struct {
	Line   int    // physical line on which it begins, from 1; the row number in Parquet and Arrow
	Column string // "" where the record as a whole is at fault
	Value  string // the text at fault, cut short
	Reason string
}

func (r Reject) String() string {
	s := fmt.Sprintf("line %d: ", r.Line)
	if r.Column != "" {
		s += "column " + r.Column + ": "
	}
	if r.Value != "" {
		return s + fmt.Sprintf("%q: %s", r.Value, r.Reason)
	}
	return s + r.Reason
}

// File is a table on disk. It holds no open file: each reading opens it anew,
// and fails if its size or time changed since Open. Safe for concurrent use.
type File struct {
	path    string
	o       Options
	format  Format
	columns []Column
	size    int64
	changed time.Time
	packing packing // text files
	delim   byte
	charset *charset

	parts []part      // Parquet
	arrow []arrowLeaf // Arrow
	rows  int64       // Arrow
	codec string      // Parquet, Arrow: how the values are packed; "" = not at all
}

// Column is what a file says about one of its columns.
type Column struct {
	Name  string
	Kind  data.Kind // how Frames delivers it: text files String, others by their types
	Type  string    // as stored, e.g. "text", "DECIMAL(12,2)"
	Local bool      // a Timestamp without zone: µs on a wall clock nobody named
	Exact bool      // a decimal number, delivered as text
	Twice bool      // Parquet, Arrow: another column has this name, so it cannot be asked for
	Text  bool      // text by the type of the file, also where it looks like a number
	Bad   string    // Parquet, Arrow: why it cannot be read; "" = it can
}

// Open looks at a file and says what its columns are. Errors name the file and,
// where there is one, the line; a file that breaks its own format Is
// data.ErrContract.
func Open(path string, o Options) (*File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, data.Faultf(data.ErrUsage, "table: %s: there is no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	f := &File{path: path, o: o, size: info.Size(), changed: info.ModTime()}
	if info.IsDir() {
		return f, f.openFolder()
	}
	if !info.Mode().IsRegular() {
		return nil, data.Faultf(data.ErrUsage, "table: %s: a pipe or a device; files are read more than once: save it to a file first", path)
	}
	if info.Size() == 0 {
		return nil, f.fault("the file is empty")
	}
	if f.charset, err = charsetOf(o.Encoding); err != nil {
		return nil, f.fault("%v", err)
	}
	head, whole, err := f.head()
	if err != nil {
		return nil, err
	}
	if f.format, err = formatOf(path, f.packing, head); err != nil {
		return nil, f.fault("%v", err)
	}
	switch f.format {
	case CSV:
		err = f.openCSV(head, whole)
	case JSONL:
		err = f.openJSONL()
	case Parquet:
		err = f.openParquet()
	case Arrow:
		err = f.openArrow()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// head is the beginning of the file, unpacked; whole says that there is no more.
func (f *File) head() (head []byte, whole bool, err error) {
	for {
		r, err := f.source()
		if err != nil {
			return nil, false, err
		}
		head = make([]byte, 64<<10)
		n, err := io.ReadFull(r, head)
		r.Close()
		whole = err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !whole {
			return nil, false, f.fault("%w", err)
		}
		head = head[:n]
		if f.packing == unpacked {
			if f.packing = packingOf(head); f.packing != unpacked {
				continue
			}
		}
		if n == 0 {
			return nil, false, f.fault("the file is empty: it unpacks to nothing")
		}
		return head, whole, nil
	}
}

// Path is the path given to Open.
func (f *File) Path() string { return f.path }

// Format is the format that was found.
func (f *File) Format() Format { return f.format }

// typed says whether the file states the types of its columns, and rows have
// numbers instead of lines.
func (f *File) typed() bool { return f.format == Parquet || f.format == Arrow }

// Delimiter separates the fields of a CSV file; 0 for other formats.
func (f *File) Delimiter() byte { return f.delim }

// Compression says how the file is packed, e.g. "gzip", or "snappy, zstd" for
// the codecs in a Parquet file; "" = it is not.
func (f *File) Compression() string {
	if f.typed() {
		return f.codec
	}
	return f.packing.String()
}

// Described is what the file says about its columns, in its order.
func (f *File) Described() []Column { return slices.Clone(f.columns) }

// Columns are the names and kinds of the file's columns, in its order.
func (f *File) Columns() []data.Column {
	out := make([]data.Column, len(f.columns))
	for i, c := range f.columns {
		out[i] = data.Column{Name: c.Name, Kind: c.Kind}
	}
	return out
}

// Frames streams columns by name, all of them where none is named, each in the
// kind that Columns states. See FramesAs.
func (f *File) Frames(columns ...string) iter.Seq2[*data.Frame, error] {
	want := f.Columns()
	if len(columns) > 0 {
		want = make([]data.Column, len(columns))
		for i, name := range columns {
			want[i] = data.Column{Name: name, Kind: data.String}
			if c := f.column(name); c != nil {
				want[i].Kind = c.Kind
			}
		}
	}
	return f.FramesAs(want...)
}

// FramesAs streams columns by name and kind. Text is read as Float64 where that
// is the kind asked for, and then a cell that is no finite number ends the
// stream with an error that names its line; a null stays null. Numbers of
// Parquet and Arrow become Float64 alike. Every other change of kind is an error.
//
// Frames hold at most ChunkRows rows; where they are cut depends on the file
// alone. A frame and what is in it belong to the caller. In a String column the
// level beside a null is "". After an error the stream ends.
func (f *File) FramesAs(columns ...data.Column) iter.Seq2[*data.Frame, error] {
	return func(yield func(*data.Frame, error) bool) {
		if err := f.check(columns); err != nil {
			yield(nil, err)
			return
		}
		switch f.format {
		case Parquet:
			f.parquetFrames(columns, yield)
		case Arrow:
			f.arrowFrames(columns, yield)
		default:
			f.textFrames(columns, yield)
		}
	}
}

// check refuses columns that the file does not have, and conversions that would
// change values.
func (f *File) check(columns []data.Column) error {
	var faults []error
	for _, w := range columns {
		c := f.column(w.Name)
		switch {
		case c == nil && f.format == JSONL && f.o.Tagged: // a path that no line may have
		case c == nil:
			faults = append(faults, f.fault("no column %s: the file has %s", w.Name, f.names()))
		case c.Twice:
			faults = append(faults, f.fault("column %s is there twice", w.Name))
		case c.Bad != "":
			faults = append(faults, f.fault("column %s is %s", w.Name, c.Bad))
		case w.Kind == c.Kind:
		case w.Kind == data.Float64 && (!f.typed() || c.Exact || c.Kind == data.Int64 || c.Kind == data.Bool):
		default:
			faults = append(faults, f.fault("column %s is %s (%s), not %s", w.Name, c.Kind, c.Type, w.Kind))
		}
	}
	return errors.Join(faults...)
}

func (f *File) column(name string) *Column {
	for i := range f.columns {
		if f.columns[i].Name == name {
			return &f.columns[i]
		}
	}
	return nil
}

func (f *File) names() string {
	var s []string
	for _, c := range f.columns {
		s = append(s, c.Name)
	}
	if len(s) > 20 {
		s = append(s[:20], fmt.Sprintf("and %d more", len(f.columns)-20))
	}
	return strings.Join(s, ", ")
}

// reopen opens the file for one more reading of the same bytes.
func (f *File) reopen() (*os.File, error) {
	r, err := os.Open(f.path)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	info, err := r.Stat()
	if err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.changed)) {
		err = f.fault("the file changed while it was read: copy it and read the copy")
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (f *File) fault(format string, args ...any) error {
	return data.Faultf(data.ErrContract, "table: %s: %w", f.path, fmt.Errorf(format, args...))
}
