package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/data/ledger"
)

// RowTaken is the answer to one row.
type RowTaken struct {
	RequestID string `json:"request_id"`
	Taken
}

func (s *Server) routePromises(api huma.API) {
	op := idempotent(operation(http.MethodPost, "/v1/promises", "promises", "Record a promise to pay, kept or broken",
		"A row of the table promises. Nobody is dunned before a promise that was made is due.", recordingCodes...))
	huma.Register(api, op, func(ctx context.Context, in *rawBody) (*struct{ Body RowTaken }, error) {
		desk, refusal := s.recorder(tenantOf(ctx))
		if refusal != nil {
			return nil, refusal
		}
		row, faults := readRow(in.RawBody, "promises", s.parts.Replay)
		if len(faults) > 0 {
			return nil, faulty(whatIsWrong(in.RawBody), faults)
		}
		id := requestID(ctx)
		body := func(r []ledger.Receipt) RowTaken { return RowTaken{id, taken(row.EventID, r[0])} }
		done, err := desk.Record(ctx, []data.AnyRow{row}, once(ctx, func(r []ledger.Receipt) any { return body(r) }))
		if err != nil {
			return nil, ledgerFault(err)
		}
		if done.Replayed {
			return nil, replay(done)
		}
		return &struct{ Body RowTaken }{body(done.Receipts)}, nil
	})
	describeRaw(api, "/v1/promises", rowSchema("promises"), "to pay on Friday", map[string]any{"case_id": "inv-102", "occurred_at": "2026-02-02T11:00:00+05:30",
		"promised_for": "2026-02-06T18:00:00+05:30", "status": "made"})
}

// rowSchema is a row of a table as a body of its own: without the table, and without
// what the server states.
func rowSchema(table string, more ...rowColumn) *huma.Schema {
	for _, t := range rowTables() {
		if t.name == table {
			s := group(t.doc, append(append(postedColumns(), t.columns...), more...))
			return s
		}
	}
	return nil
}

// postedColumns are the columns of every table that a poster states.
func postedColumns() []rowColumn {
	var out []rowColumn
	for _, c := range eventColumns() {
		if c.name != "known_at" && c.name != "seq" {
			out = append(out, c)
		}
	}
	return out
}
