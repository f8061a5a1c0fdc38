package features

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"recoup/data"
)

// WriteArrow copies a table to an Arrow IPC stream: the same columns, texts as
// strings, timestamps in microseconds UTC, no nulls. The table's own metadata
// travels in the schema under its keys.
func WriteArrow(w io.Writer, t *data.FrameFile) (err error) {
	schema := arrowSchema(t)
	out := ipc.NewWriter(w, ipc.WithSchema(schema))
	defer func() {
		if cerr := out.Close(); err == nil {
			err = cerr
		}
	}()
	for frame, err := range t.Frames() {
		if err != nil {
			return err
		}
		if err := writeRecord(out, schema, frame); err != nil {
			return fmt.Errorf("features: arrow stream: rows from %d: %w", frame.First, err)
		}
	}
	return nil
}

var arrowKinds = map[data.Kind]arrow.DataType{
	data.Float64: arrow.PrimitiveTypes.Float64, data.Int64: arrow.PrimitiveTypes.Int64, data.Bool: arrow.FixedWidthTypes.Boolean,
	data.String: arrow.BinaryTypes.String, data.Timestamp: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
}

func arrowSchema(t *data.FrameFile) *arrow.Schema {
	var fields []arrow.Field
	for _, c := range t.Columns() {
		fields = append(fields, arrow.Field{Name: c.Name, Type: arrowKinds[c.Kind]})
	}
	var keys, values []string
	for _, k := range []string{"fingerprint", "log", "as_of_us", "until_us"} {
		if v, ok := t.Meta(k); ok {
			keys, values = append(keys, k), append(values, v)
		}
	}
	meta := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &meta)
}

func writeRecord(w *ipc.Writer, schema *arrow.Schema, f *data.Frame) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Reserve(f.N)
	for i := range f.Columns {
		c := &f.Columns[i]
		switch b := b.Field(i).(type) {
		case *array.Float64Builder:
			b.AppendValues(c.F, nil)
		case *array.Int64Builder:
			b.AppendValues(c.I, nil)
		case *array.TimestampBuilder:
			for _, v := range c.I {
				b.UnsafeAppend(arrow.Timestamp(v))
			}
		case *array.BooleanBuilder:
			for _, v := range c.I {
				b.UnsafeAppend(v != 0)
			}
		case *array.StringBuilder:
			for _, code := range c.Codes {
				b.Append(c.Dict[code])
			}
		}
	}
	record := b.NewRecord()
	defer record.Release()
	return w.Write(record)
}
