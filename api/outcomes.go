package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/data/ledger"
)

func (s *Server) routeOutcomes(api huma.API) {
	op := idempotent(operation(http.MethodPost, "/v1/outcomes", "outcomes", "Record what came of a decision",
		"A row of the table outcomes; a correction is a further one. While the latest one of a decision says recovered, its case is neither debited nor contacted, and nothing is decided about it: to undo that, post one with recovered false. The night job learns from those whose window is closed. Where nobody knows what came of an attempt, say unknown: true: from then on a status check alone "+
			"says more, and /v1/due asks for one.", append([]Code{Unknown}, recordingCodes...)...))
	huma.Register(api, op, func(ctx context.Context, in *rawBody) (*struct{ Body RowTaken }, error) {
		desk, refusal := s.recorder(tenantOf(ctx))
		if refusal != nil {
			return nil, refusal
		}
		o, unknown, faults := readOutcome(in.RawBody, s.parts.Replay)
		if len(faults) > 0 {
			return nil, faulty(whatIsWrong(in.RawBody), faults)
		}
		id := requestID(ctx)
		body := func(r []ledger.Receipt) RowTaken { return RowTaken{id, taken(o.EventID, r[0])} }
		done, err := desk.Outcome(ctx, *o, unknown, once(ctx, func(r []ledger.Receipt) any { return body(r) }))
		if err != nil {
			return nil, ledgerFault(err)
		}
		if done.Replayed {
			return nil, replay(done)
		}
		return &struct{ Body RowTaken }{body(done.Receipts)}, nil
	})
	unknown := rowColumn{name: "unknown", kind: truthColumn, doc: "Nobody knows what came of the attempt: recovered is false then, and the window open"}
	describeRaw(api, "/v1/outcomes", rowSchema("outcomes", unknown), "a retry that captured", map[string]any{"decision_id": "dec_0123456789abcdef01234567",
		"attempt_id": "pay-103", "occurred_at": "2026-02-03T08:31:00+05:30", "recovered": true, "recovered_paise": 49900, "cost_paise": 150,
		"settled_at": "2026-02-03T08:31:00+05:30", "window_closed": true})
}

// readOutcome reads a row of outcomes, and whether it says that nobody knows.
func readOutcome(body []byte, replay bool) (o *data.Outcome, unknown bool, faults []data.Fault) {
	var head struct {
		Unknown json.RawMessage `json:"unknown"`
	}
	if bytes.Contains(body, []byte(`"unknown"`)) && json.Unmarshal(body, &head) == nil && head.Unknown != nil && !repeatsKey(body) {
		switch string(head.Unknown) {
		case "true":
			unknown = true
		case "false", "null":
		default:
			return nil, false, []data.Fault{{Path: "unknown", Message: "expected true or false"}}
		}
		var columns map[string]json.RawMessage
		if json.Unmarshal(body, &columns) == nil {
			if _, stated := columns["unknown"]; stated {
				delete(columns, "unknown")
				if rest, err := json.Marshal(columns); err == nil {
					body = rest
				}
			}
		}
	}
	row, faults := readRow(body, "outcomes", replay)
	if len(faults) > 0 {
		return nil, false, faults
	}
	o = row.Row.(*data.Outcome)
	fault := func(path, message string) { faults = append(faults, data.Fault{Path: path, Message: message}) }
	if o.Recovered && o.RecoveredPaise <= 0 {
		fault("recovered_paise", "recovered, so expected more than 0")
	}
	if !o.Recovered && o.RecoveredPaise != 0 {
		fault("recovered_paise", "not recovered, so expected 0")
	}
	if o.CostPaise < 0 {
		fault("cost_paise", "expected 0 or more")
	}
	if unknown && o.AttemptID == "" {
		fault("attempt_id", "missing: the attempt whose outcome nobody knows")
	}
	if unknown && (o.Recovered || o.WindowClosed) {
		fault("unknown", "nobody knows, so recovered and window_closed are false")
	}
	return o, unknown, faults
}
