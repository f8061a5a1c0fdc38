package ingest

import (
	"strconv"

	"recoup/data"
	"recoup/data/table"
)

// cell is one value of a file, by what the file says it is.
type cell struct {
	kind cellKind
	s    string // text, numeral, other
	i    int64  // whole, instant, wall
	f    float64
}

type cellKind uint8

const (
	nullCell    cellKind = iota
	textCell             // text; a CSV cell
	numeralCell          // a JSON number, as written
	otherCell            // JSON true, false, list, object
	exactCell            // a decimal number, exact, with a point
	wholeCell            // a whole number
	floatCell            // a floating point number
	truthCell            // 0 or 1
	instantCell          // µs since 1970 UTC
	wallCell             // µs since 1970 on a wall clock without zone
)

// source is a column of the file, frame after frame.
type source struct {
	about  table.Column
	tagged bool // JSONL: texts begin with a quotation mark
	column *data.Column
}

func (s *source) at(i int) cell {
	c := s.column
	if c.Null(i) {
		return cell{}
	}
	switch c.Kind {
	case data.String:
		return s.text(c.Text(i))
	case data.Float64:
		return cell{kind: floatCell, f: c.F[i]}
	case data.Int64:
		return cell{kind: wholeCell, i: c.I[i]}
	case data.Bool:
		return cell{kind: truthCell, i: c.I[i]}
	}
	if s.about.Local {
		return cell{kind: wallCell, i: c.I[i]}
	}
	return cell{kind: instantCell, i: c.I[i]}
}

func (s *source) text(t string) cell {
	switch {
	case s.about.Exact:
		return cell{kind: exactCell, s: t}
	case !s.tagged:
		return cell{kind: textCell, s: t}
	case t[0] == '"':
		return cell{kind: textCell, s: t[1:]}
	case t[0] == '-' || t[0]-'0' <= 9:
		return cell{kind: numeralCell, s: t}
	}
	return cell{kind: otherCell, s: t}
}

// raw is the cell as a text: what values: lists, what a reject shows, and what
// a case is built by.
func (c cell) raw() string {
	switch c.kind {
	case floatCell:
		return strconv.FormatFloat(c.f, 'g', -1, 64)
	case wholeCell:
		return strconv.FormatInt(c.i, 10)
	case truthCell:
		return strconv.FormatBool(c.i == 1)
	case instantCell, wallCell:
		return data.Micros(c.i).String()
	}
	return c.s
}
