package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"recoup/data"
)

// Code says what went wrong, for programs: it is stable.
type Code string

// The codes of problems. What each means, its status and its title are in Codes.
const (
	NotJSON         Code = "not-json"
	DuplicateKey    Code = "duplicate-key"
	BadQuery        Code = "bad-query"
	Invalid         Code = "invalid-request"
	Undecidable     Code = "undecidable"
	NotFound        Code = "not-found"
	WrongMethod     Code = "method-not-allowed"
	BodyTimeout     Code = "body-timeout"
	TooLarge        Code = "body-too-large"
	WrongType       Code = "unsupported-media-type"
	WrongHost       Code = "misdirected-host"
	Internal        Code = "internal"
	Busy            Code = "busy"
	DeadlineExceeds Code = "deadline-exceeded"
	NoKey           Code = "unauthenticated"
	NoScope         Code = "forbidden"
	Conflict        Code = "conflict"
	Reused          Code = "idempotency-reused"
	BadOnceKey      Code = "bad-idempotency-key"
	BadSignature    Code = "bad-signature"
	ReadOnly        Code = "read-only"
	NoLedger        Code = "no-ledger"
	LedgerAway      Code = "ledger-unavailable"
	Unknown         Code = "unknown"
	StaleWebhook    Code = "stale-webhook"
	TooMany         Code = "too-many-strangers"
	Impossible      Code = "impossible"
)

// CodeInfo documents a code.
type CodeInfo struct {
	Code   Code
	Status int
	Title  string
	Means  string // what the caller should do
}

// Codes lists every code, by status.
func Codes() []CodeInfo {
	return []CodeInfo{
		{NotJSON, 400, "The body is not one JSON value", "Send one JSON object in UTF-8 and nothing after it."},
		{DuplicateKey, 400, "A key stands twice in one object", "Send every key once: which of two values is meant cannot be known."},
		{BadOnceKey, 400, "The Idempotency-Key header cannot be used", "Send 1 to 255 visible ASCII characters, e.g. a UUID, once."},
		{NoKey, 401, "No valid key", "Send Authorization: Bearer and a key that recoup keys add printed."},
		{BadSignature, 401, "The signature does not fit the body", "Sign the raw body with a secret that the tenant has, in X-Razorpay-Signature."},
		{NoScope, 403, "The key may not do this", "detail names the scope that it lacks."},
		{ReadOnly, 403, "The server is for reading only", "It takes nothing and records nothing."},
		{NotFound, 404, "No such path", "See /openapi.json."},
		{Unknown, 404, "Nothing of that name is known", "detail says what: a case, decision or escalation."},
		{WrongMethod, 405, "The path exists, with another method", "The Allow header names them."},
		{BodyTimeout, 408, "The body did not arrive in time", "Send it again, faster."},
		{Conflict, 409, "It contradicts what is recorded", "detail says what; nothing of the request was recorded."},
		{Impossible, 409, "It cannot be done as things are", "detail says why; nothing was changed."},
		{TooLarge, 413, "The body is too large", "Send the events of one case and its customer, not the whole log."},
		{WrongType, 415, "The body is of another media type", "Send Content-Type: application/json, not compressed."},
		{WrongHost, 421, "The Host header names another server", "Call by IP address or localhost, or start the server with that name."},
		{BadQuery, 422, "A query parameter is unknown or wrong", "errors names each."},
		{Invalid, 422, "The request is not valid", "errors lists every fault with its place."},
		{Undecidable, 422, "The case cannot be decided", "detail says why, e.g. it is paid, or its events contradict each other."},
		{Reused, 422, "The Idempotency-Key came with another request before", "Send a new key with a new request, and the same request with the same key."},
		{StaleWebhook, 422, "The webhook was made over 15 days ago", "Bring old events in with recoup ingest --webhooks."},
		{TooMany, 429, "Too many callers without a valid key or signature", "Try again after Retry-After seconds, with a key."},
		{Internal, 500, "Internal error", "The log of the server has the cause under the request id."},
		{NoLedger, 501, "The server keeps no ledger", "Start it with a ledger (recoup serve --ledger): it records nothing."},
		{Busy, 503, "Too many requests at once", "Try again after Retry-After seconds."},
		{LedgerAway, 503, "The ledger cannot be written or read now", "Nothing was recorded. Try again after Retry-After seconds."},
		{DeadlineExceeds, 503, "The request took too long", "Try again; the server is overloaded."},
	}
}

func (c Code) info() CodeInfo {
	all := Codes()
	if i := slices.IndexFunc(all, func(i CodeInfo) bool { return i.Code == c }); i >= 0 {
		return all[i]
	}
	return Internal.info()
}

// ProblemType is the media type of a Problem.
const ProblemType = "application/problem+json"

// Problem is what went wrong (RFC 9457).
type Problem struct {
	Type      string         `json:"type" doc:"urn:recoup:problem: and the code"`
	Code      Code           `json:"code" doc:"What went wrong, for programs"`
	Title     string         `json:"title" doc:"The code in words; always the same"`
	Status    int            `json:"status" doc:"HTTP status"`
	Detail    string         `json:"detail,omitempty" doc:"What went wrong this time"`
	RequestID string         `json:"request_id" doc:"As in the header X-Request-Id and in the server's log"`
	Errors    []ProblemFault `json:"errors,omitempty" nullable:"false" doc:"Every fault of the request"`
}

// ProblemFault is one fault of a request.
type ProblemFault struct {
	Location string `json:"location" doc:"Where: a path such as events[3].rail, or query.class; empty = the body as a whole"`
	Message  string `json:"message" doc:"What is wrong and what was expected"`
	Value    string `json:"value,omitempty" doc:"What stands there, cut short; absent where it may be personal"`
}

func problem(code Code, detail string) *Problem {
	i := code.info()
	return &Problem{Type: "urn:recoup:problem:" + string(code), Code: code, Title: i.Title, Status: i.Status, Detail: detail}
}

// faulty is a problem that lists faults.
func faulty(code Code, faults []data.Fault) *Problem {
	p := problem(code, "")
	for _, f := range faults {
		p.Errors = append(p.Errors, ProblemFault{Location: f.Path, Message: f.Message, Value: f.Value})
	}
	return p
}

// The methods below let a handler return a Problem as its error: huma sends it as it is.

func (p *Problem) Error() string               { return cmp.Or(p.Detail, p.Title) }
func (p *Problem) GetStatus() int              { return p.Status }
func (p *Problem) ContentType(_ string) string { return ProblemType }

// GetHeaders says when to come again, where that helps.
func (p *Problem) GetHeaders() http.Header {
	if p.Status != http.StatusServiceUnavailable && p.Status != http.StatusTooManyRequests {
		return nil
	}
	return http.Header{"Retry-After": {"1"}}
}

// write sends a problem outside huma.
func (p *Problem) write(w http.ResponseWriter, requestID string) {
	p.RequestID = requestID
	w.Header().Set("Content-Type", ProblemType)
	maps.Copy(w.Header(), p.GetHeaders())
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // a caller that went away is no fault
}
