package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/score"
)

// rawBody is the body as it came: score.ParseRequest reads it.
type rawBody struct {
	RawBody []byte `contentType:"application/json"`
}

func (s *Server) routeDecisions(api huma.API) {
	codes := []Code{NotJSON, DuplicateKey, BodyTimeout, TooLarge, WrongType, BadQuery, Invalid, Undecidable, Busy, DeadlineExceeds}
	toScore := operation(http.MethodPost, "/v1/score", "score", "What is each allowed action worth?",
		"Scores every candidate that the gate allows: waiting, the grid of legal slots of the next days, links and nudges. Chooses nothing.", codes...)
	huma.Register(api, toScore, func(ctx context.Context, in *rawBody) (*struct{ Body Scored }, error) {
		d, err := s.decide(ctx, "score", in.RawBody)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Scored }{scored(requestID(ctx), &d)}, nil
	})
	toDecide := operation(http.MethodPost, "/v1/decide", "decide", "What is to be done?",
		"Scores as /v1/score does, and chooses the candidate of the largest expected value. The gate's rules and numbers are what recoup gate prints; nothing is stored.", codes...)
	huma.Register(api, toDecide, func(ctx context.Context, in *rawBody) (*struct{ Body Decided }, error) {
		d, err := s.decide(ctx, "decide", in.RawBody)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Decided }{decided(requestID(ctx), &d)}, nil
	})
	describeBody(api.OpenAPI(), "/v1/score", "/v1/decide")
}

// Decide answers a body of /v1/decide for others in this process: the pages.
// Faults are what is wrong with the body.
func (s *Server) Decide(body []byte) (score.Decision, []data.Fault, error) {
	r, faults := score.ParseRequest(body)
	if len(faults) > 0 {
		return score.Decision{}, faults, nil
	}
	d, err := s.Engine().Answer(r)
	return d, nil, err
}

// decide answers a request of the API, and counts it.
func (s *Server) decide(ctx context.Context, operation string, body []byte) (score.Decision, error) {
	if ctx.Err() != nil { // the body took all the time there was
		return score.Decision{}, problem(DeadlineExceeds, "")
	}
	d, faults, err := s.Decide(body)
	switch {
	case len(faults) > 0:
		return d, faulty(whatIsWrong(body), faults)
	case errors.Is(err, data.ErrUsage) || errors.Is(err, data.ErrContract):
		return d, problem(Undecidable, err.Error())
	case err != nil:
		return d, err
	}
	s.metrics.answered(operation, &d)
	return d, nil
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
