package table

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"recoup/data"
)

// maxPlaces is the most decimal places a number may have, on either side of the
// point: those of 256 bits are 77.
const maxPlaces = 100

// decoder appends values, none of them null, to the column that b builds.
type decoder func(b *builder, v *values) error

// kindOf is the physical type that the library reads a leaf as. It panics where a
// damaged or careless footer calls a leaf a list, a map or another group.
func kindOf(t parquet.Type) (k parquet.Kind, ok bool) {
	defer func() { ok = recover() == nil }()
	return t.Kind(), true
}

// describe says how a leaf is delivered and with which decoder; nil where it is Bad.
// e is the leaf as the footer has it, since the library knows no FLOAT16 and
// takes a type by its logical meaning alone.
func describe(c *parquet.Column, e *format.SchemaElement) (Column, decoder) {
	t := c.Type()
	read, ok := kindOf(t)
	if !ok {
		return Column{Kind: data.String, Type: t.String(), Bad: t.String() + ", which has no values of its own"}, nil
	}
	col := Column{Kind: data.String, Type: read.String()}
	logical := t.LogicalType()
	if logical != nil && logical.Value != nil {
		col.Type = logical.String()
	}
	if c.MaxRepetitionLevel() > 0 {
		col.Type = "list of " + col.Type
		col.Bad = "a list or a map, which is not a column of values"
		return col, nil
	}
	switch e.LogicalType.Value.(type) {
	case *format.NullType:
		col.Type = "NULL"
		return col, decodeNothing
	case *format.Float16Type:
		if parquet.Kind(e.Type.V) == parquet.FixedLenByteArray && e.TypeLength.V == 2 {
			col.Kind, col.Type = data.Float64, "FLOAT16"
			return col, decodeFloat16
		}
	}
	if kind := parquet.Kind(e.Type.V); read != kind {
		col.Bad = fmt.Sprintf("%s stored as %s, which it cannot be", col.Type, kind)
		return col, nil
	}
	if logical != nil && logical.Value != nil {
		switch l := logical.Value.(type) {
		case *format.StringType, *format.EnumType, *format.JsonType:
			col.Text = true
			return col, decodeText
		case *format.UUIDType:
			col.Text = true
			return col, decodeUUID
		case *format.IntType:
			col.Kind = data.Int64
			switch {
			case read == parquet.Int32 && l.IsSigned:
				return col, decodeInt32
			case read == parquet.Int32:
				return col, decodeUint32
			case l.IsSigned:
				return col, decodeInt64
			}
			return col, decodeUint64
		case *format.DecimalType:
			col.Exact = true
			if l.Scale < -maxPlaces || l.Scale > maxPlaces {
				col.Bad = fmt.Sprintf("a decimal number of %d places, which no number has", l.Scale)
				return col, nil
			}
			return col, decodeDecimal(read, int(l.Scale))
		case *format.DateType:
			return col, decodeDate
		case *format.TimeType:
			if per, ok := unit(l.Unit); ok {
				return col, decodeClock(read, per)
			}
		case *format.TimestampType:
			if per, ok := unit(l.Unit); ok {
				col.Kind, col.Local = data.Timestamp, !l.IsAdjustedToUTC
				return col, decodeTimestamp(per)
			}
		}
		col.Bad = "of a type that is not read"
		return col, nil
	}
	switch read {
	case parquet.Boolean:
		col.Kind = data.Bool
		return col, decodeBool
	case parquet.Int32:
		col.Kind = data.Int64
		return col, decodeInt32
	case parquet.Int64:
		col.Kind = data.Int64
		return col, decodeInt64
	case parquet.Float:
		col.Kind = data.Float64
		return col, decodeFloat
	case parquet.Double:
		col.Kind = data.Float64
		return col, decodeDouble
	case parquet.Int96: // Impala, Hive and Spark: a wall clock, whatever zone the writer had
		col.Kind, col.Local, col.Type = data.Timestamp, true, "INT96"
		return col, decodeInt96
	case parquet.ByteArray: // old Impala and Hive wrote texts without saying so
		col.Text = true
		return col, decodeText
	}
	col.Bad = fmt.Sprintf("bytes of fixed length (%d), which have no meaning here", t.Length())
	return col, nil
}

// unit is how many parts of a second a time counts.
func unit(u format.TimeUnit) (perSecond int64, ok bool) {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return 1e3, true
	case *format.MicroSeconds:
		return 1e6, true
	case *format.NanoSeconds:
		return 1e9, true
	}
	return 0, false
}
