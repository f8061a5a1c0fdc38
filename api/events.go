package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/data/ledger"
)

// EventsTaken is the answer of /v1/events.
type EventsTaken struct {
	RequestID  string  `json:"request_id"`
	Recorded   int     `json:"recorded" minimum:"0"`
	Duplicates int     `json:"duplicates" minimum:"0" doc:"Event ids, and statuses of an attempt, that were there before. More than 0 for a pending attempt: somebody has recorded it already, so do not debit, unless you repeat your own request whose answer was lost"`
	Events     []Taken `json:"events" nullable:"false" doc:"In the order of the request"`
}

// recordingCodes are the problems of every route that records.
var recordingCodes = []Code{NotJSON, DuplicateKey, BodyTimeout, TooLarge, WrongType, BadQuery, Invalid, ReadOnly, NoLedger, LedgerAway, Busy, DeadlineExceeds}

func (s *Server) routeEvents(api huma.API) {
	op := idempotent(operation(http.MethodPost, "/v1/events", "events", "Record what happened",
		"Rows of any table but decisions and outcomes, all of them or none. They count for every answer about now from then on. An attempt with status pending, posted before its debit, is the right to make it. "+
			"Give each debit a fresh attempt_id of your own. duplicates above 0 means that somebody has already recorded this: do not debit, unless you are repeating your own request whose answer was lost. "+
			"Where initiator is recoup or a decision_id is given, a pending attempt is a conflict, and says why, when it must not be made now: its case is paid, is reported as recovered, has ended or is not known to be owed; another attempt of it is pending, or nobody knows what came of one; "+
			"attempt_no is not the next one, which /v1/due names; decision_id is unknown, about another case, no retry, or does not stand any more; the gate refuses the retry now; the end of the attempt is known already. "+
			"Not so where the end of the attempt is told in the same request. An attempt_id or attempt_no that is another attempt's, and a status that came before with another amount_paise or decision_id, are conflicts, too.", recordingCodes...))
	huma.Register(api, op, func(ctx context.Context, in *rawBody) (*struct{ Body EventsTaken }, error) {
		desk, refusal := s.recorder(tenantOf(ctx))
		if refusal != nil {
			return nil, refusal
		}
		rows, faults := readEvents(in.RawBody, s.parts.Replay)
		if len(faults) > 0 {
			return nil, faulty(whatIsWrong(in.RawBody), faults)
		}
		id := requestID(ctx)
		done, err := desk.Record(ctx, rows, once(ctx, func(r []ledger.Receipt) any { return eventsTaken(id, rows, r) }))
		if err != nil {
			return nil, ledgerFault(err)
		}
		if done.Replayed {
			return nil, replay(done)
		}
		return &struct{ Body EventsTaken }{eventsTaken(id, rows, done.Receipts)}, nil
	})
	describeRaw(api, "/v1/events", &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"events"},
		Properties: map[string]*huma.Schema{"events": {Ref: "#/components/schemas/Rows"}}}, "a failed charge", map[string]any{"events": exampleEvents()})
}

func eventsTaken(requestID string, rows []data.AnyRow, receipts []ledger.Receipt) EventsTaken {
	out := EventsTaken{RequestID: requestID, Events: takenRows(rows, receipts)}
	for _, e := range out.Events {
		if e.Duplicate {
			out.Duplicates++
		} else {
			out.Recorded++
		}
	}
	return out
}

// exampleEvents are those of the example, as they are sent to be recorded.
func exampleEvents() []any { return Example()["events"].([]any) }

// describeRaw puts the schema and an example of a body into the description that is
// read by no struct.
func describeRaw(api huma.API, path string, body *huma.Schema, summary string, example any) {
	api.OpenAPI().Paths[path].Post.RequestBody.Content["application/json"] = &huma.MediaType{Schema: body,
		Examples: map[string]*huma.Example{summary: {Summary: summary, Value: example}}}
}
