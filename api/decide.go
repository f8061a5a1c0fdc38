package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// rawBody is the body as it came: score.ParseRequest reads it.
type rawBody struct {
	RawBody []byte `contentType:"application/json"`
}

func (s *Server) routeDecisions(api huma.API) {
	codes := []Code{NotJSON, DuplicateKey, BodyTimeout, TooLarge, WrongType, BadQuery, Invalid, Undecidable, Unknown, NoLedger, LedgerAway, Busy, DeadlineExceeds}
	toScore := operation(http.MethodPost, "/v1/score", "score", "What is each allowed action worth?",
		"Scores every candidate that the gate allows: waiting, the grid of legal slots of the next days, links and nudges. Chooses nothing, and records nothing: with as_of now the events recorded before are looked at, and none are sent.", codes...)
	huma.Register(api, toScore, func(ctx context.Context, in *rawBody) (*struct{ Body Scored }, error) {
		d, err := s.score(ctx, in.RawBody)
		if err != nil {
			return nil, err
		}
		s.metrics.answered("score", d)
		return &struct{ Body Scored }{scored(requestID(ctx), d)}, nil
	})
	toDecide := idempotent(operation(http.MethodPost, "/v1/decide", "decide", "What is to be done?",
		"Scores as /v1/score does, chooses, and records the decision before it answers. With as_of now: the events that come with it are recorded first, then the case is decided on all that is known; a decision that stands "+
			"(its time has not gone by, no event of the case came, model, policy and gate are as they were) is given again. With a time as as_of: on the events of the request alone; that decision is recorded "+
			"apart, and nothing learns from it. The gate's rules and numbers are what recoup gate prints.", append([]Code{ReadOnly}, codes...)...))
	huma.Register(api, toDecide, func(ctx context.Context, in *rawBody) (*struct{ Body Decided }, error) {
		out, err := s.decide(ctx, in.RawBody)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Decided }{*out}, nil
	})
	describeBody(api.OpenAPI(), "/v1/score", "/v1/decide")
	s.routeBatch(api)
	s.routeEvents(api)
	s.routeOutcomes(api)
	s.routePromises(api)
	s.routeDue(api)
	s.routeQueue(api)
	s.routeTrail(api)
}

// answer decides for a request of its own events.
func (s *Server) answer(t *tenant, body []byte) (score.Decision, error) {
	r, faults := score.ParseRequest(body)
	if len(faults) > 0 {
		return score.Decision{}, faulty(whatIsWrong(body), faults)
	}
	d, err := t.engine().Answer(r)
	if errors.Is(err, data.ErrUsage) || errors.Is(err, data.ErrContract) {
		return d, problem(Undecidable, err.Error())
	}
	return d, err
}

// score answers /v1/score.
func (s *Server) score(ctx context.Context, body []byte) (*score.Decision, error) {
	t := tenantOf(ctx)
	switch {
	case ctx.Err() != nil: // the body took all the time there was
		return nil, problem(DeadlineExceeds, "")
	case !asksNow(body):
		d, err := s.answer(t, body)
		return &d, err
	case t.desk == nil:
		return nil, problem(NoLedger, "")
	}
	a, faults := readNow(body, s.parts.Replay)
	if len(a.events) > 0 {
		faults = append(faults, data.Fault{Path: "events", Message: "scoring records nothing: post them to /v1/events first"})
	}
	if len(faults) > 0 {
		return nil, faulty(whatIsWrong(body), faults)
	}
	d, err := t.desk.Score(ctx, a.caseID)
	return &d, ledgerFault(err)
}

// decide answers /v1/decide.
func (s *Server) decide(ctx context.Context, body []byte) (*Decided, error) {
	t := tenantOf(ctx)
	if ctx.Err() != nil { // the body took all the time there was
		return nil, problem(DeadlineExceeds, "")
	}
	if !asksNow(body) {
		return s.decideApart(ctx, t, body)
	}
	desk, refusal := s.recorder(t)
	if refusal != nil {
		return nil, refusal
	}
	a, faults := readNow(body, s.parts.Replay)
	if len(faults) > 0 {
		return nil, faulty(whatIsWrong(body), faults)
	}
	id := requestID(ctx)
	q := live.Question{CaseID: a.caseID, Events: a.events, Once: func(x *live.Answer) *ledger.Once {
		return once(ctx, func(r []ledger.Receipt) any {
			if len(r) == 1 {
				x.Seq, x.KnownAt = r[0].Seq, r[0].KnownAt
			}
			return decidedNow(id, &a, x)
		})
	}}
	x, err := desk.Decide(ctx, q)
	if err != nil {
		return nil, ledgerFault(err)
	}
	if x.Done.Replayed {
		return nil, replay(x.Done)
	}
	s.metrics.answered("decide", &x.Decision)
	out := decidedNow(id, &a, &x)
	return &out, nil
}

// apart is told with a decision on a request's own events.
const apart = "made from the events of the request alone (as_of is a time): recorded apart, so no list, report or training sees it; record events and ask with as_of now for a decision that counts"

// decideApart decides for a request of its own events, and records that where there is
// a ledger.
func (s *Server) decideApart(ctx context.Context, t *tenant, body []byte) (*Decided, error) {
	d, err := s.answer(t, body)
	if err != nil {
		return nil, err
	}
	out := decided(requestID(ctx), &d)
	if t.desk == nil || s.parts.ReadOnly {
		s.metrics.answered("decide", &d)
		return &out, nil
	}
	d.Warnings = append(d.Warnings, apart)
	out.Warnings = d.Warnings
	done, err := t.desk.Keep(ctx, &d, once(ctx, func([]ledger.Receipt) any { return out }))
	if err != nil {
		return nil, ledgerFault(err)
	}
	if done.Replayed {
		return nil, replay(done)
	}
	s.metrics.answered("decide", &d)
	return &out, nil
}

// decidedNow is the answer about the present.
func decidedNow(requestID string, a *asked, x *live.Answer) Decided {
	out := decided(requestID, &x.Decision)
	out.Standing, out.Entry, out.Events = &x.Standing, place(x.Seq, x.KnownAt), takenRows(a.events, x.Recorded)
	return out
}

// whatIsWrong tells the kinds of a faulty body apart: no JSON, a key twice, or
// JSON that is no request.
func whatIsWrong(body []byte) Code {
	switch {
	case !utf8.Valid(body) || !json.Valid(body):
		return NotJSON
	case repeatsKey(body):
		return DuplicateKey
	}
	return Invalid
}

// repeatsKey reports whether an object of a valid JSON text has a key twice.
func repeatsKey(body []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var open []map[string]bool // of each open value; nil for a list
	key := false               // the next token is a key or the end of an object
	for {
		t, err := dec.Token()
		if err != nil {
			return false
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			var keys map[string]bool
			if t == json.Delim('{') {
				keys = map[string]bool{}
			}
			open = append(open, keys)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		default:
			if name, ok := t.(string); ok && key {
				keys := open[len(open)-1]
				if keys[name] {
					return true
				}
				keys[name] = true
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}
