package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data/ledger"
)

// Trail is the answer of /v1/decisions/{decision_id}: the decision as it was answered,
// what it rested on, and what came of it.
type Trail struct {
	Decided
	Status   *statusWord      `json:"status" nullable:"true" doc:"What became of it; null = it was made from a request's own events, and nothing becomes of it"`
	Why      *string          `json:"status_why"`
	Row      []RowNumber      `json:"row" nullable:"true" doc:"The feature row of what was decided, in the order of the schema; null = no model was asked"`
	Outcomes []OutcomeItem    `json:"outcomes" nullable:"false" doc:"Oldest first; a later one corrects the earlier"`
	Attempts []AttemptItem    `json:"attempts" nullable:"false" doc:"That bear its id"`
	Results  []EscalationItem `json:"escalation" nullable:"true" doc:"States of the escalation, oldest first; null = it asks no person"`
}

// RowNumber is a number of a feature row.
type RowNumber struct {
	Column *string `json:"column" doc:"null where this recoup builds other columns"`
	Value  float64 `json:"value" doc:"A category as the index of its level"`
}

// OutcomeItem is what came of a decision.
type OutcomeItem struct {
	Place
	AttemptID      *string `json:"attempt_id"`
	Recovered      bool    `json:"recovered"`
	RecoveredPaise int64   `json:"recovered_paise"`
	CostPaise      int64   `json:"cost_paise"`
	SettledAt      string  `json:"settled_at" format:"date-time"`
	WindowClosed   bool    `json:"window_closed"`
}

// AttemptItem is how far an attempt is known to be.
type AttemptItem struct {
	AttemptID string      `json:"attempt_id"`
	AttemptNo int32       `json:"attempt_no" minimum:"0"`
	State     attemptWord `json:"state" doc:"Only moves on; unknown is left by a status check alone"`
	Place
}

type trailInput struct {
	DecisionID string `path:"decision_id" maxLength:"200"`
}

func (s *Server) routeTrail(api huma.API) {
	op := operation(http.MethodGet, "/v1/decisions/{decision_id}", "decision", "Why was it decided, and what came of it?", "", BadQuery, Unknown, NoLedger, LedgerAway, Busy, DeadlineExceeds)
	huma.Register(api, op, func(ctx context.Context, in *trailInput) (*struct{ Body Trail }, error) {
		t := tenantOf(ctx)
		if t.desk == nil {
			return nil, problem(NoLedger, "")
		}
		x, err := t.desk.Trail(ctx, in.DecisionID)
		if err != nil {
			return nil, ledgerFault(err)
		}
		return &struct{ Body Trail }{trail(requestID(ctx), &x, t.desk)}, nil
	})
}

func trail(requestID string, x *live.Trail, d *live.Desk) Trail {
	out := Trail{Decided: decided(requestID, &x.Decision), Status: named[statusWord](x.Status), Why: orNull(x.Why), Outcomes: []OutcomeItem{}, Attempts: []AttemptItem{}}
	out.Entry = place(x.Entry.Seq, x.Entry.KnownAt)
	if x.Entry.Kind == ledger.Decision {
		standing := x.Status == live.Standing
		out.Standing = &standing
	}
	for i, v := range x.Row {
		n := RowNumber{Value: v}
		if x.Columns != nil {
			n.Column = &x.Columns[i]
		}
		out.Row = append(out.Row, n)
	}
	for _, o := range x.Outcomes {
		out.Outcomes = append(out.Outcomes, OutcomeItem{*place(o.Seq, o.KnownAt), orNull(o.AttemptID), o.Recovered, int64(o.RecoveredPaise), int64(o.CostPaise),
			o.SettledAt.String(), o.WindowClosed})
	}
	for _, a := range x.Attempts {
		out.Attempts = append(out.Attempts, AttemptItem{a.AttemptID, a.No, attemptWord(attemptWords[a.State]), *place(a.Seq, a.KnownAt)})
	}
	now := d.Now()
	for i := range x.Results {
		out.Results = append(out.Results, escalationItem(&x.Results[i], now))
	}
	return out
}
