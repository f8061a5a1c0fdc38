package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/models"
	"recoup/score"
)

// Trail is the answer of /v1/decisions/{decision_id}: the decision as it was answered,
// what it rested on, and what came of it.
type Trail struct {
	Decided
	Status   *statusWord      `json:"status" nullable:"true" doc:"What became of it; null = it was made from a request's own events, and nothing becomes of it"`
	Why      *string          `json:"status_why"`
	Row      []RowNumber      `json:"row" nullable:"true" doc:"The feature row of what was decided, in the order of the schema; null = no model was asked"`
	Shares   []ColumnShare    `json:"contributions,omitempty" doc:"What the columns of the row add to the log-odds of the model that was asked, the largest first; absent where none are asked for, or the model is not here any more"`
	Outcomes []OutcomeItem    `json:"outcomes" nullable:"false" doc:"Oldest first; a later one corrects the earlier"`
	Attempts []AttemptItem    `json:"attempts" nullable:"false" doc:"That bear its id"`
	Results  []EscalationItem `json:"escalation" nullable:"true" doc:"States of the escalation, oldest first; null = it asks no person"`
}

// RowNumber is a number of a feature row.
type RowNumber struct {
	Column *string `json:"column" doc:"null where this recoup builds other columns"`
	Value  float64 `json:"value" doc:"A category as the index of its level"`
}

// ColumnShare is what a column adds to the log-odds: against the same row with this
// column as the training had it on average, a category against unknown.
type ColumnShare struct {
	Column  string  `json:"column"`
	Value   float64 `json:"value" doc:"A category as the index of its level"`
	Level   *string `json:"level,omitempty" doc:"Of a category"`
	LogOdds float64 `json:"log_odds"`
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
	Shares     int    `query:"contributions" minimum:"0" maximum:"100" doc:"How many columns to tell the contributions of"`
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
		out := trail(requestID(ctx), &x, t.desk)
		if in.Shares > 0 && x.Row != nil {
			out.Shares = t.shares(&x, in.Shares)
		}
		return &struct{ Body Trail }{out}, nil
	})
}

// shares are the largest contributions to what the decision's own model said; nil
// where it is not here any more.
func (t *tenant) shares(x *live.Trail, most int) []ColumnShare {
	b := t.engine().Model()
	if b == nil || string(b.ID) != x.Decision.ModelID {
		var err error
		if b, err = models.LoadFolder(t.registry.Path(models.ID(x.Decision.ModelID))); err != nil {
			return nil
		}
	}
	scorer := b.Cure
	if x.Decision.Allowed[x.Decision.Decided].Action == data.Retry {
		scorer = b.Attempt
	}
	if scorer == nil {
		return nil
	}
	all, err := score.Contributions(scorer, x.Row)
	if err != nil {
		return nil
	}
	var out []ColumnShare
	for _, c := range all[:min(most, len(all))] {
		out = append(out, ColumnShare{c.Column, c.Value, orNull(c.Level), c.LogOdds})
	}
	return out
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
