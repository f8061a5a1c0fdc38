package live

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// decisionBody is the body of a decision's entry: its row of the log, what it rests
// on, and how it came about.
type decisionBody struct {
	Decision json.RawMessage `json:"decision"`
	besides
}

// besides is what the body of a decision's entry has beside the row.
type besides struct {
	score.Evidence
	After string `json:"after,omitempty"` // the decision before it about the case
	Pass  bool   `json:"pass,omitempty"`  // made by the day's pass
}

// decided is a decision of the book.
type decided struct {
	score.Decision
	row  []byte // feature row of what was decided; nil = no model was asked
	sum  string // of the rows of all candidates; "" = the same
	pass bool
}

// How long the row of a decision is in JSON, more or less: itself, each candidate,
// each refusal.
const rowStart, rowEach, rowRefusal = 1024, 192, 128

// writeDecision makes the body of a decision's entry, and what it reads back as.
func writeDecision(d *score.Decision, after string, pass bool) ([]byte, *decided, error) {
	v, err := d.Evidence()
	if err != nil {
		return nil, nil, err
	}
	row := d.Row()
	row.EventID, row.OccurredAt = d.ID, d.DecidedAt
	rest, err := json.Marshal(besides{v, after, pass})
	if err != nil {
		return nil, nil, fmt.Errorf("live: decision %s: %w", d.ID, err)
	}
	b := make([]byte, 0, len(rest)+rowStart+rowEach*len(row.Allowed)+rowRefusal*len(row.Refusals))
	b = appendRow(append(b, `{"decision":`...), data.AnyRow{Table: "decisions", Row: &row, Event: &row.Event}) // encoding/json would walk over it once more
	b = append(append(b, ','), rest[1:]...)
	return b, &decided{*d, v.Row, v.RowsSHA256, pass}, nil
}

// readDecision reads the entry of a decision or an answer.
func readDecision(e *ledger.Entry) (decided, error) {
	var b decisionBody
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return decided{}, data.Faultf(data.ErrContract, "live: entry %d (%s %s): %w", e.Seq, e.Kind, e.Key, err)
	}
	r, faults := data.OpenJSON(b.Decision)
	if len(faults) == 0 {
		row, _, ok := r.Row()
		if d, is := row.Row.(*data.Decision); ok && is {
			out, err := b.Evidence.Decision(d)
			return decided{out, b.Row, b.RowsSHA256, b.Pass}, err
		}
		faults = r.Faults()
	}
	return decided{}, data.Faultf(data.ErrContract, "live: entry %d (%s %s): its row is no decision: %v", e.Seq, e.Kind, e.Key, faults)
}

// numbers are a row of features out of its bytes.
func numbers(b []byte) []float64 {
	if b == nil {
		return nil
	}
	out := make([]float64, len(b)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.BigEndian.Uint64(b[8*i:]))
	}
	return out
}

// own are decisions on their way through the ledger, so that their entries need not be
// read again when they come back.
type own struct {
	mu  sync.Mutex
	all map[string]*decided
}

func (o *own) put(id string, d *decided) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[string]*decided{}
	}
	o.all[id] = d
}

// take gives the decision of an entry; nil = another process made it.
func (o *own) take(id string) *decided {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := o.all[id]
	delete(o.all, id)
	return d
}
