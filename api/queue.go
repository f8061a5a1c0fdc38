package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
)

// Queue is the answer of /v1/queue.
type Queue struct {
	RequestID   string           `json:"request_id"`
	At          string           `json:"at" format:"date-time"`
	Escalations []EscalationItem `json:"escalations" nullable:"false" doc:"Without a result, of cases still owed; the earliest deadline first"`
}

// EscalationItem is a case that a person is asked about.
type EscalationItem struct {
	DecisionID string      `json:"decision_id"`
	CaseID     string      `json:"case_id"`
	CustomerID string      `json:"customer_id"`
	Kind       *routeWord  `json:"kind" nullable:"true" doc:"human_review or merchant_alert"`
	Amount     int64       `json:"amount_paise"`
	Reason     reasonWord  `json:"reason" doc:"Of the failure"`
	Since      string      `json:"since" format:"date-time"`
	Owner      *string     `json:"owner" doc:"Who works on it; null = nobody yet"`
	Deadline   string      `json:"deadline" format:"date-time"`
	Late       bool        `json:"late" doc:"The deadline has gone by"`
	Result     *resultWord `json:"result" nullable:"true" doc:"null = open"`
	Note       *string     `json:"note"`
	Changes    int         `json:"changes" minimum:"0" doc:"How often a person changed it"`
}

// EscalationTaken is the answer to a change of an escalation.
type EscalationTaken struct {
	RequestID string `json:"request_id"`
	EscalationItem
}

type queueInput struct {
	DecisionID string `path:"decision_id" maxLength:"200"`
	RawBody    []byte `contentType:"application/json"`
}

func (s *Server) routeQueue(api huma.API) {
	list := operation(http.MethodGet, "/v1/queue", "queue", "Who is to be looked at by a person?", "", BadQuery, NoLedger, LedgerAway, Busy, DeadlineExceeds)
	huma.Register(api, list, func(ctx context.Context, _ *struct{}) (*struct{ Body Queue }, error) {
		t := tenantOf(ctx)
		if t.desk == nil {
			return nil, problem(NoLedger, "")
		}
		all, err := t.desk.Queue(ctx)
		if err != nil {
			return nil, ledgerFault(err)
		}
		now := t.desk.Now()
		out := Queue{RequestID: requestID(ctx), At: now.String(), Escalations: make([]EscalationItem, len(all))}
		for i := range all {
			out.Escalations[i] = escalationItem(&all[i], now)
		}
		return &struct{ Body Queue }{out}, nil
	})
	change := idempotent(operation(http.MethodPost, "/v1/queue/{decision_id}", "queue-change", "Record who works on an escalation, until when, and what came of it",
		"What is absent stays as it is. With a result the case leaves the queue; handed_back lets recoup decide again. Two people who change it at once: the second one gets a conflict.", append([]Code{Unknown}, recordingCodes...)...))
	huma.Register(api, change, func(ctx context.Context, in *queueInput) (*struct{ Body EscalationTaken }, error) {
		desk, refusal := s.recorder(tenantOf(ctx))
		if refusal != nil {
			return nil, refusal
		}
		c, faults := readChange(in.RawBody)
		if len(faults) > 0 {
			return nil, faulty(whatIsWrong(in.RawBody), faults)
		}
		id, now := requestID(ctx), desk.Now()
		var after live.Escalation
		e, done, err := desk.Resolve(ctx, in.DecisionID, c, func(e *live.Escalation) *ledger.Once {
			return once(ctx, func([]ledger.Receipt) any { after = *e; return EscalationTaken{id, escalationItem(&after, now)} })
		})
		if err != nil {
			return nil, ledgerFault(err)
		}
		if done.Replayed {
			return nil, replay(done)
		}
		return &struct{ Body EscalationTaken }{EscalationTaken{id, escalationItem(&e, now)}}, nil
	})
	least, owner, note := 1, maxOwner, maxNote
	describeRaw(api, change.Path, &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, MinProperties: &least, Properties: map[string]*huma.Schema{
		"owner":    {Type: huma.TypeString, MinLength: &least, MaxLength: &owner},
		"deadline": timeSchema(),
		"result":   resultWord("").Schema(nil),
		"note":     {Type: huma.TypeString, MinLength: &least, MaxLength: &note, Description: "Nothing personal: it is kept until the customer is erased"},
	}}, "somebody takes it", map[string]any{"owner": "asha", "deadline": "2026-02-03T18:00:00+05:30"})
}

// Limits of what people write.
const (
	maxOwner = 100
	maxNote  = 1000
)

var queueKeys = data.NewKeys("owner", "deadline", "result", "note")

// readChange reads what a person says about an escalation.
func readChange(body []byte) (c live.Change, faults []data.Fault) {
	r, faults := data.OpenJSON(body)
	if faults != nil {
		return c, faults
	}
	text := func(most int) string {
		s, ok := r.Text()
		if ok && (s == "" || len(s) > most) {
			r.Fault("", "expected a text of 1 to %d bytes", most)
		}
		return s
	}
	seen, ok := r.Object(queueKeys, func(i int) {
		switch i {
		case 0:
			c.Owner = text(maxOwner)
		case 1:
			c.Deadline, _ = r.Time()
		case 2:
			word, isText := r.Text()
			if !isText {
				return
			}
			var err error
			if c.Result, err = live.ParseResult(word); err != nil {
				r.Fault(word, "unknown: expected one of %v", words(live.ParseResult))
			}
		case 3:
			c.Note = text(maxNote)
		}
	})
	if ok && seen == 0 {
		r.Fault("", "nothing to change: give owner, deadline, result or note")
	}
	return c, r.Faults()
}

func escalationItem(e *live.Escalation, now data.Micros) EscalationItem {
	return EscalationItem{DecisionID: e.DecisionID, CaseID: e.CaseID, CustomerID: e.CustomerID, Kind: named[routeWord](e.Route), Amount: int64(e.Amount),
		Reason: reasonWord(e.Reason.String()), Since: e.Since.String(), Owner: orNull(e.Owner), Deadline: e.Deadline.String(), Late: e.Result == 0 && now > e.Deadline,
		Result: named[resultWord](e.Result), Note: orNull(e.Note), Changes: e.Changes}
}
