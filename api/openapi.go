package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
)

// describe registers the routes of the API with gin and huma, and prints their
// description once.
func (s *Server) describe(g *gin.Engine) error {
	api := humagin.NewWithGroup(g, g.Group("", s.query, s.jsonBody), s.humaConfig("recoup", about))
	s.routeDecisions(api)
	s.routeWebhooks(api)
	s.routeLists(api)
	s.routeHealth(api)
	var err error
	s.spec, err = described(api.OpenAPI())
	for path, status := range map[string]func() int{"/livez": func() int { return http.StatusOK }, "/readyz": func() int { return s.ready().Status }} {
		g.HEAD(path, func(c *gin.Context) { c.Status(status()) }) // balancers ask this way
	}
	g.GET("/openapi.json", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", s.spec) })
	return err
}

// humaConfig is what both listeners' APIs are made with.
func (s *Server) humaConfig(title, about string) huma.Config {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.Schema(reflect.TypeFor[Problem](), true, "")
	return huma.Config{
		OpenAPI: &huma.OpenAPI{OpenAPI: "3.1.0", Components: &huma.Components{Schemas: registry, SecuritySchemes: securitySchemes()},
			Info:    &huma.Info{Title: title, Version: "1", Description: about, License: &huma.License{Name: "Apache 2.0", Identifier: "Apache-2.0"}},
			Servers: []*huma.Server{{URL: "/", Description: "The server that gave this description"}}},
		// No CreateHooks: no $schema link made of the Host header. No DocsPath: no page
		// that loads scripts from elsewhere. No OpenAPIPath: the bytes are made once, by described.
		Formats:                      s.formats(),
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{s.transform},
	}
}

// described prints a description when all its routes are there.
func described(o *huma.OpenAPI) ([]byte, error) {
	schemas := o.Components.Schemas.Map()
	for _, unused := range []string{"ErrorModel", "ErrorDetail"} { // huma's own error; ours is Problem
		delete(schemas, unused)
	}
	for _, schema := range schemas {
		nullWords(schema)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		return nil, fmt.Errorf("api: openapi: %w", err)
	}
	return b.Bytes(), nil
}

// nullWords lets a closed list of words be null where its field may be: JSON
// Schema asks for the null in the list, too.
func nullWords(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Nullable && len(s.Enum) > 0 && s.Enum[len(s.Enum)-1] != nil {
		s.Enum = append(s.Enum, nil)
	}
	for _, p := range s.Properties {
		nullWords(p)
	}
	for _, p := range s.OneOf {
		nullWords(p)
	}
	nullWords(s.Items)
}

// OpenAPI is the description of the API: OpenAPI 3.1 in JSON, the same bytes for
// every server of this program.
func (s *Server) OpenAPI() []byte { return s.spec }

// formats are the one format of answers; "json" is that of problem+json.
func (s *Server) formats() map[string]huma.Format {
	f := huma.Format{Marshal: s.marshal, Unmarshal: json.Unmarshal}
	return map[string]huma.Format{"application/json": f, "json": f}
}

// Describe is the description of the API without a server.
func Describe() ([]byte, error) {
	s := &Server{cfg: Default(), metrics: newMetrics()}
	if _, err := s.routes(); err != nil {
		return nil, err
	}
	return s.spec, nil
}

// operation is what the routes have in common: the problems that each can answer.
func operation(method, path, id, summary, description string, codes ...Code) huma.Operation {
	op := huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description,
		// The body is read by score.ParseRequest, which reports all faults at once;
		// huma describes it. jsonBody bounds it: huma's own limit is off.
		SkipValidateBody: true, MaxBodyBytes: -1, BodyReadTimeout: 0, Responses: map[string]*huma.Response{}, Security: []map[string][]string{}} // none, said aloud
	codes = append(codes, WrongHost, Internal)
	if scope, open := needs(method, path); !open {
		codes = append(codes, NoKey, NoScope, TooMany)
		op.Security = []map[string][]string{{"key": {}}}
		op.Description = strings.TrimSpace(op.Description + " Needs a key with the scope " + scope.String() + ".")
	}
	describeCodes(&op, codes...)
	return op
}

// describeCodes adds problems that an operation can answer.
func describeCodes(op *huma.Operation, codes ...Code) {
	for _, info := range Codes() {
		if !slices.Contains(codes, info.Code) {
			continue
		}
		status := strconv.Itoa(info.Status)
		r := op.Responses[status]
		if r == nil {
			r = &huma.Response{Content: map[string]*huma.MediaType{ProblemType: {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}}}}
			op.Responses[status] = r
		}
		r.Description = strings.TrimSpace(r.Description + "\n" + string(info.Code) + ": " + info.Title + ". " + info.Means)
	}
}

// transform rewrites the errors that huma makes itself and gives every problem
// its request id. Of an error that no handler expected the caller learns nothing.
func (s *Server) transform(ctx huma.Context, _ string, v any) (any, error) {
	switch e := v.(type) {
	case *Problem:
		e.RequestID = requestID(ctx.Context())
	case *huma.ErrorModel:
		return s.ofHuma(ctx.Context(), ctx.Operation().Path, e), nil
	}
	return v, nil
}

func (s *Server) ofHuma(ctx context.Context, route string, e *huma.ErrorModel) *Problem {
	p := problem(BadQuery, "")
	switch e.Status {
	case http.StatusUnprocessableEntity:
		for _, d := range e.Errors {
			p.Errors = append(p.Errors, ProblemFault{Location: d.Location, Message: d.Message})
		}
		if slices.ContainsFunc(p.Errors, func(f ProblemFault) bool { return strings.HasPrefix(f.Location, "body") }) {
			faults := p.Errors
			p = problem(Invalid, "")
			p.Errors = faults
		}
		slices.SortFunc(p.Errors, func(a, b ProblemFault) int { return strings.Compare(a.Location, b.Location) }) // huma goes over a map
	case http.StatusBadRequest: // a body that is empty, or no JSON
		p = problem(NotJSON, "")
	default:
		var causes []string
		for _, d := range e.Errors {
			causes = append(causes, d.Message)
		}
		s.parts.Log.Error("internal error", "route", route, "request_id", requestID(ctx), "status", e.Status, "cause", causes)
		p = problem(Internal, "")
	}
	p.RequestID = requestID(ctx)
	return p
}

// buffers hold bodies and answers, and are used again: some 12 KiB for 57 candidates.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// marshal writes an answer whole: its length is known to the caller, and one
// that cannot be encoded is an internal error before the first byte leaves, not a
// 200 with an excuse.
func (s *Server) marshal(w io.Writer, v any) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	var err error
	if r, ok := v.(*replayedAnswer); ok {
		err = r.writeTo(b)
	} else {
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		err = enc.Encode(v)
	}
	rw, ok := w.(http.ResponseWriter)
	if !ok {
		return fmt.Errorf("api: %T is no answer's writer", w)
	}
	if err != nil {
		id := rw.Header().Get(idHeader)
		s.parts.Log.Error("internal error", "request_id", id, "cause", err.Error())
		problem(Internal, "").write(rw, id)
		return nil
	}
	rw.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, err = rw.Write(b.Bytes())
	return err
}

const about = `recoup decides what to do about a failed recurring payment: it returns P(recover | state, action, time) for every action that the gate allows, with its expected value.

Send the events of one case and its customer with the time the decision is made as of; nothing known later is looked at. Times are RFC 3339 with an offset, or integer microseconds since 1970 UTC; money is integer paise. Keys are case-sensitive, unknown and duplicate keys are refused, and every fault of a request is reported at once.

Errors are application/problem+json (RFC 9457) with a stable code. X-Request-Id is returned, and accepted where it is 1 to 64 of A-Z a-z 0-9 . _ -`
