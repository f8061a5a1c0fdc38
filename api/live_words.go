package api

import (
	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
)

// The words about the present, each from its vocabulary.

type (
	stepWord    string
	statusWord  string
	resultWord  string
	attemptWord string
	reasonWord  string
)

func (stepWord) Schema(huma.Registry) *huma.Schema   { return wordSchema(live.ParseStepKind) }
func (statusWord) Schema(huma.Registry) *huma.Schema { return wordSchema(live.ParseStatus) }
func (resultWord) Schema(huma.Registry) *huma.Schema { return wordSchema(live.ParseResult) }
func (reasonWord) Schema(huma.Registry) *huma.Schema { return enum(reasonNames()) }
func (attemptWord) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for a := ledger.Intended; a <= ledger.Refunded; a++ {
		s.Enum = append(s.Enum, attemptWords[a])
	}
	return s
}

// attemptWords name the states of an attempt.
var attemptWords = map[ledger.AttemptState]string{ledger.Intended: "intended", ledger.Unknown: "unknown", ledger.Failed: "failed",
	ledger.Captured: "captured", ledger.Refunded: "refunded"}

// Place is where an entry of the ledger is.
type Place struct {
	Seq     int64  `json:"seq" minimum:"1" doc:"In the tenant's chain"`
	KnownAt string `json:"known_at" format:"date-time" doc:"When it was recorded: a time as as_of from then on sees it"`
}

func place(seq int64, knownAt data.Micros) *Place { return &Place{seq, knownAt.String()} }

// Taken says where a row that was sent is now.
type Taken struct {
	EventID   string `json:"event_id" doc:"Given by the row's content where it had none"`
	Duplicate bool   `json:"duplicate" doc:"It was there before; the place is that of the first"`
	Place
}

func taken(eventID string, r ledger.Receipt) Taken {
	return Taken{eventID, r.Duplicate, Place{r.Seq, r.KnownAt.String()}}
}

// takenRows are the places of rows; none where the answer is given again.
func takenRows(rows []data.AnyRow, receipts []ledger.Receipt) []Taken {
	out := make([]Taken, 0, len(receipts))
	for i, r := range receipts {
		out = append(out, taken(rows[i].EventID, r))
	}
	return out
}
