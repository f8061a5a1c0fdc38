package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ingest/razorpay"
	"recoup/data/ledger"
)

// oldestWebhook is how long after it was made a webhook is taken: the provider sends
// for a day, and what comes much later is somebody else's copy.
const oldestWebhook = 15 * data.Day

type hookInput struct {
	Signature string `header:"X-Razorpay-Signature" maxLength:"128" doc:"HMAC-SHA256 of the body as it is, in hex"`
	EventID   string `header:"X-Razorpay-Event-Id" maxLength:"128" doc:"The event's id; absent = the SHA-256 of the body"`
	RawBody   []byte `contentType:"application/json"`
}

// HookTaken is the answer to a webhook.
type HookTaken struct {
	RequestID string         `json:"request_id"`
	Result    string         `json:"result" enum:"recorded,duplicate,kept,refused" doc:"recorded: its rows are events now; duplicate: it came before; kept: its type says nothing about a payment; refused: it is not as the provider documents, or contradicts what is recorded, and sending it again would not help"`
	Rows      int            `json:"rows" minimum:"0" doc:"That it means, by its own"`
	Errors    []ProblemFault `json:"errors,omitempty" nullable:"false" doc:"Why it is refused"`
}

func (s *Server) routeWebhooks(api huma.API) {
	op := operation(http.MethodPost, "/v1/webhooks/razorpay", "razorpay-webhook", "Take a webhook of Razorpay",
		"The signature says whose it is: that of a tenant's webhook secret, the new one or the old. The body is verified as it came, before it is read. "+
			"Every webhook that is signed is answered with 200 once it is durable, the duplicate and the unknown one too; but not one that was made over 15 days ago.",
		NotJSON, BodyTimeout, TooLarge, WrongType, BadQuery, BadSignature, StaleWebhook, TooMany, ReadOnly, NoLedger, LedgerAway, Busy, DeadlineExceeds)
	op.Security = []map[string][]string{{"webhook": {}}}
	huma.Register(api, op, func(ctx context.Context, in *hookInput) (*struct{ Body HookTaken }, error) {
		taken, err := s.webhook(ctx, in)
		if err != nil {
			return nil, err
		}
		taken.RequestID = requestID(ctx)
		s.metrics.webhooks.WithLabelValues(taken.Result).Inc()
		return &struct{ Body HookTaken }{taken}, nil
	})
	api.OpenAPI().Paths[op.Path].Post.RequestBody.Content["application/json"].Schema = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true,
		Description: "An event as the provider sends it"}
}

func (s *Server) webhook(ctx context.Context, in *hookInput) (HookTaken, error) {
	t := s.signer(in.RawBody, in.Signature)
	if t == nil {
		return HookTaken{}, s.stranger(BadSignature)
	}
	callOf(ctx).tenant = t
	desk, refusal := s.recorder(t)
	if refusal != nil {
		return HookTaken{}, refusal
	}
	now := desk.Now()
	if made := createdAt(in.RawBody); made != 0 && now-made > oldestWebhook {
		return HookTaken{}, problem(StaleWebhook, "made at "+made.String())
	}
	sum := sha256.Sum256(in.RawBody)
	hook := live.Hook{SHA256: hex.EncodeToString(sum[:])}
	hook.ID = cmp.Or(in.EventID, hook.SHA256)
	identity, err := t.identity()
	if err != nil {
		return HookTaken{}, err
	}
	parsed, faults, err := razorpay.Parse(in.RawBody, in.EventID, now, identity)
	if err != nil {
		return HookTaken{}, err
	}
	hook.Type, hook.Rows = parsed.Type, anyRows(&parsed.Rows)
	hook.Kept = len(hook.Rows) == 0
	if id := caseOf(hook.Rows); id != "" {
		line, err := desk.Case(ctx, id)
		if err != nil && !errors.Is(err, live.ErrUnknown) {
			return HookTaken{}, ledgerFault(err)
		}
		hook.Rows = placed(hook.Rows, &line)
	}
	duplicate, err := desk.Webhook(ctx, hook)
	if errors.Is(err, ledger.ErrConflict) {
		// Sent again it would conflict again. That it came is kept, without its rows.
		faults = []data.Fault{{Message: err.Error()}}
		hook.ID, hook.Rows, hook.Kept = hook.ID+" "+hook.SHA256[:16], nil, true
		duplicate, err = desk.Webhook(ctx, hook)
	}
	if err != nil {
		return HookTaken{}, ledgerFault(err)
	}
	taken := HookTaken{Result: "recorded", Rows: len(hook.Rows)}
	switch {
	case len(faults) > 0:
		taken.Result, taken.Errors = "refused", faulty(Invalid, faults).Errors
		s.parts.Log.Warn("webhook refused", "tenant", t.name, "request_id", requestID(ctx), "sha256", hook.SHA256, "faults", len(faults))
	case duplicate:
		taken.Result = "duplicate"
	case hook.Kept:
		taken.Result = "kept"
	}
	return taken, nil
}

// stranger is the answer to a caller who is nobody: 401, and 429 once they are many.
func (s *Server) stranger(code Code) *Problem {
	s.metrics.strangers.Inc()
	if !s.strangers.allow(s.parts.Now()) {
		return problem(TooMany, "")
	}
	return problem(code, "")
}

// anyRows lists rows of all tables.
func anyRows(r *razorpay.Rows) (all []data.AnyRow) {
	for i := range r.Attempts {
		all = append(all, data.AnyRow{Table: "attempts", Row: &r.Attempts[i], Event: &r.Attempts[i].Event})
	}
	for i := range r.CaseEvents {
		all = append(all, data.AnyRow{Table: "case_events", Row: &r.CaseEvents[i], Event: &r.CaseEvents[i].Event})
	}
	for i := range r.Subscriptions {
		all = append(all, data.AnyRow{Table: "subscriptions", Row: &r.Subscriptions[i], Event: &r.Subscriptions[i].Event})
	}
	for i := range r.Mandates {
		all = append(all, data.AnyRow{Table: "mandates", Row: &r.Mandates[i], Event: &r.Mandates[i].Event})
	}
	for i := range r.Notices {
		all = append(all, data.AnyRow{Table: "notices", Row: &r.Notices[i], Event: &r.Notices[i].Event})
	}
	for i := range r.Downtimes {
		all = append(all, data.AnyRow{Table: "downtimes", Row: &r.Downtimes[i], Event: &r.Downtimes[i].Event})
	}
	return all
}
