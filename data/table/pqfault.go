package table

import "recoup/data"

// place is a value at fault, by its place among those of the chunk that are
// not null, and by its row once the nulls are in.
type place struct {
	at         int
	value, why string
}

// fault notes that the value to come cannot be read; something stands for it
// until its row is put aside.
func (b *builder) fault(value, why string) {
	at := len(b.I)
	switch b.Kind {
	case data.Float64:
		at = len(b.F)
	case data.String:
		at = len(b.Codes)
	}
	b.faults = append(b.faults, place{at, value, why})
}

// byRow makes the places from the first one on count rows, of which levels says
// which are not null.
func (b *builder) byRow(first int, levels []byte, full byte) {
	value := b.rows
	for row, l := range levels {
		if l != full {
			continue
		}
		for first < len(b.faults) && b.faults[first].at == value {
			b.faults[first].at = b.rows + row
			first++
		}
		value++
	}
}

// faulty hands over the faults of the chunk; their lines are places in it.
func (b *builder) faulty(column string) (out []Reject) {
	for _, p := range b.faults {
		out = append(out, Reject{Line: p.at, Column: column, Value: p.value, Reason: p.why})
	}
	b.faults = b.faults[:0]
	return out
}
