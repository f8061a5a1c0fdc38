package table

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/parquet-go/parquet-go"

	"recoup/data"
)

// arrowLeaf is a column of an Arrow file that holds values.
type arrowLeaf struct {
	Column
	path []int // places from the record down through structs
	of   arrow.DataType
}

// arrowColumns describes the columns of a schema; a dot reaches into a struct.
func (f *File) arrowColumns(s *arrow.Schema) error {
	if e := s.Endianness(); !s.IsNativeEndian() {
		return f.fault("numbers in %v byte order, which are not read", e)
	}
	f.walkArrow(s.Fields(), "", nil)
	at := map[string]int{}
	kept := f.arrow[:0]
	for _, l := range f.arrow { // the column of that very name wins over a path
		if k, ok := at[l.Name]; ok {
			kept[k].Twice = true
			continue
		}
		at[l.Name] = len(kept)
		kept = append(kept, l)
	}
	f.arrow = kept
	for _, l := range kept {
		f.columns = append(f.columns, l.Column)
	}
	return nil
}

func (f *File) walkArrow(fields []arrow.Field, prefix string, path []int) {
	for i, field := range fields {
		here := append(slices.Clone(path), i)
		if t, ok := field.Type.(*arrow.StructType); ok {
			f.walkArrow(t.Fields(), prefix+field.Name+".", here)
			continue
		}
		l := arrowLeaf{path: here, of: field.Type}
		l.Column, _, _ = describeArrow(field.Type)
		l.Name = prefix + field.Name
		f.arrow = append(f.arrow, l)
	}
}

// describeArrow says how a column is delivered; nil functions where it is Bad.
func describeArrow(t arrow.DataType) (c Column, load loader, decode decoder) {
	c = Column{Kind: data.String, Type: t.String()}
	switch t := t.(type) {
	case *arrow.NullType:
		return c, loadNothing, decodeNothing
	case *arrow.BooleanType:
		c.Kind = data.Bool
		return c, loadBool, decodeBool
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type, *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type:
		c.Kind = data.Int64
		return c, loadWhole(t.ID()), decodeInt64
	case *arrow.Uint64Type:
		c.Kind = data.Int64
		return c, loadWhole(arrow.INT64), decodeUint64
	case *arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type:
		c.Kind = data.Float64
		return c, loadFloat(t.ID()), decodeDouble
	case arrow.DecimalType:
		c.Exact = true
		if s := t.GetScale(); s < -maxPlaces || s > maxPlaces {
			c.Bad = fmt.Sprintf("a decimal number of %d places, which no number has", s)
			return c, nil, nil
		}
		return c, loadDecimal(t.(arrow.FixedWidthDataType).BitWidth() / 8), decodeDecimal(parquet.FixedLenByteArray, int(t.GetScale()))
	case *arrow.Date32Type:
		c.Type = "DATE"
		return c, loadDays, decodeDate
	case *arrow.Date64Type:
		c.Type = "DATE"
		return c, loadDate64, decodeDate
	case *arrow.Time32Type:
		c.Type = fmt.Sprintf("TIME(%s)", t.Unit)
		return c, loadWhole(arrow.INT32), decodeClock(parquet.Int64, perSecond(t.Unit))
	case *arrow.Time64Type:
		c.Type = fmt.Sprintf("TIME(%s)", t.Unit)
		return c, loadWhole(arrow.INT64), decodeClock(parquet.Int64, perSecond(t.Unit))
	case *arrow.TimestampType:
		c.Kind, c.Local = data.Timestamp, t.TimeZone == ""
		return c, loadWhole(arrow.INT64), decodeTimestamp(perSecond(t.Unit))
	case *arrow.StringType, *arrow.BinaryType:
		c.Text = true
		return c, loadText(4), decodeText
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		c.Text = true
		return c, loadText(8), decodeText
	case *arrow.StringViewType, *arrow.BinaryViewType:
		c.Text = true
		return c, loadViews, decodeText
	case *arrow.DictionaryType:
		return describeDictionary(t)
	case *arrow.ListType, *arrow.LargeListType, *arrow.FixedSizeListType, *arrow.ListViewType, *arrow.LargeListViewType, *arrow.MapType:
		c.Bad = "a list or a map, which is not a column of values"
		return c, nil, nil
	}
	c.Bad = "of a type that is not read: cast it before the file is written"
	return c, nil, nil
}

// describeDictionary: the column is what its dictionary is.
func describeDictionary(t *arrow.DictionaryType) (Column, loader, decoder) {
	c, load, decode := describeArrow(t.ValueType)
	_, nested := t.ValueType.(*arrow.DictionaryType)
	if nested || c.Bad != "" || load == nil || t.ValueType.ID() == arrow.NULL {
		c.Bad = "a dictionary of a type that is not read: cast it before the file is written"
		return c, nil, nil
	}
	if c.Type != "DATE" {
		c.Type = t.String()
	}
	return c, loadDictionary(t.IndexType.ID(), load), decode
}

func perSecond(u arrow.TimeUnit) int64 {
	return [...]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}[u]
}
