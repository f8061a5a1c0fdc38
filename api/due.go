package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
)

// Due is the answer of /v1/due.
type Due struct {
	RequestID string     `json:"request_id"`
	At        string     `json:"at" format:"date-time"`
	Steps     []DueItem  `json:"steps" nullable:"false" doc:"To be done now, by the time from which they could be"`
	Held      []HeldItem `json:"held" nullable:"false" doc:"Their time has come, and they may not be done now"`
}

// DueItem is something to do. recoup does none of it: whoever does reports it as events.
type DueItem struct {
	Step       stepWord   `json:"step"`
	CaseID     string     `json:"case_id"`
	CustomerID string     `json:"customer_id"`
	DecisionID *string    `json:"decision_id" doc:"null = no decision asks for it: nobody knows what came of an attempt"`
	AttemptKey string     `json:"attempt_key" doc:"case_id:n of the attempt to present, or that a notice or a status check is about. Post the attempt with this number as pending before the debit: the number is taken once"`
	AttemptNo  int32      `json:"attempt_no" minimum:"0"`
	AttemptID  *string    `json:"attempt_id,omitempty" doc:"Of a status check, where it is known"`
	Kind       *routeWord `json:"kind,omitempty" doc:"Of a link or nudge"`
	Amount     int64      `json:"amount_paise"`
	Rail       railWord   `json:"rail"`
	At         string     `json:"at" format:"date-time" doc:"It may be done from then on"`
	Until      *string    `json:"until" format:"date-time" doc:"And not from then on: its time has gone by, or the gate would refuse it (a peak window begins, the night), as far as is known now; null = no end"`
	DebitAt    *string    `json:"debit_at,omitempty" format:"date-time" doc:"Of a notice: the debit that it announces"`
}

// HeldItem is a step that the gate does not let be done now.
type HeldItem struct {
	DueItem
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

type dueInput struct {
	Step stepFilter `query:"step" doc:"Only steps of this kind"`
	At   string     `query:"at" format:"date-time" maxLength:"40" doc:"The list of a later time, as far as it is known now; absent = now"`
}

type stepFilter string

func (stepFilter) Schema(r huma.Registry) *huma.Schema { return stepWord("").Schema(r) }

func (s *Server) routeDue(api huma.API) {
	op := operation(http.MethodGet, "/v1/due", "due", "What is to be done now?",
		"The decisions that stand and whose time has come, each asked of the gate again; the notices and status checks that they need first; and status checks of attempts whose outcome nobody knows. "+
			"A step is not listed any more when its event is recorded, the case is paid or stopped, another decision is made, or its time has gone by. "+
			"While an outcome says that the case recovered, its debits and contacts are held with the rule reported_recovered.", BadQuery, NoLedger, LedgerAway, Busy, DeadlineExceeds)
	huma.Register(api, op, func(ctx context.Context, in *dueInput) (*struct{ Body Due }, error) {
		t := tenantOf(ctx)
		if t.desk == nil {
			return nil, problem(NoLedger, "")
		}
		var at data.Micros
		if in.At != "" {
			when, err := time.Parse(time.RFC3339Nano, in.At)
			if err != nil {
				return nil, faulty(BadQuery, []data.Fault{{Path: "query.at", Message: "expected RFC 3339 with an offset"}})
			}
			at = data.MicrosOf(when)
		}
		l, err := t.desk.Due(ctx, at)
		if errors.Is(err, data.ErrUsage) {
			return nil, faulty(BadQuery, []data.Fault{{Path: "query.at", Message: err.Error()}})
		}
		if err != nil {
			return nil, ledgerFault(err)
		}
		return &struct{ Body Due }{dueList(requestID(ctx), &l, in.Step)}, nil
	})
}

func dueList(requestID string, l *live.List, only stepFilter) Due {
	out := Due{RequestID: requestID, At: l.At.String(), Steps: []DueItem{}, Held: []HeldItem{}}
	for i := range l.Steps {
		if s := &l.Steps[i]; only == "" || string(only) == s.Kind.String() {
			out.Steps = append(out.Steps, dueStep(s))
		}
	}
	for i := range l.Held {
		if h := &l.Held[i]; only == "" || string(only) == h.Kind.String() {
			out.Held = append(out.Held, HeldItem{dueStep(&h.Step), h.Rule, h.Why})
		}
	}
	return out
}

func dueStep(s *live.Step) DueItem {
	return DueItem{Step: stepWord(s.Kind.String()), CaseID: s.CaseID, CustomerID: s.CustomerID, DecisionID: orNull(s.DecisionID), AttemptKey: s.AttemptKey,
		AttemptNo: s.AttemptNo, AttemptID: orNull(s.AttemptID), Kind: named[routeWord](s.Route), Amount: int64(s.Amount), Rail: railWord(s.Rail.String()),
		At: s.At.String(), Until: timeOrNull(s.Until), DebitAt: timeOrNull(s.DebitAt)}
}
