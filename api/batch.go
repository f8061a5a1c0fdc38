package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"recoup/api/live"
	"recoup/data"
)

// Passed is the answer of /v1/decisions:batch.
type Passed struct {
	RequestID   string         `json:"request_id"`
	At          string         `json:"at" format:"date-time"`
	Decisions   []PassedOne    `json:"decisions" nullable:"false" doc:"By case_id"`
	Undecided   []PassedBy     `json:"undecided" nullable:"false" doc:"Cases that were named and that nothing can be decided about"`
	Decided     int            `json:"decided" minimum:"0" doc:"Open cases that have a decision of the day, a person, or an outcome that says recovered; they are not listed"`
	Left        int            `json:"left" minimum:"0" doc:"Cases that this pass had no room for: ask again"`
	PastHorizon int            `json:"past_horizon" minimum:"0" doc:"Open cases whose first failure is older than the horizon"`
	Escalated   int            `json:"escalated" minimum:"0"`
	Unattended  int            `json:"unattended" minimum:"0" doc:"Had the next best instead of a person: the people of the day are spent"`
	Stopped     *StoppedBefore `json:"stopped,omitempty" doc:"Where the circuit breaker ended the pass; absent = it did not"`
	Warnings    []string       `json:"warnings" nullable:"false"`
}

// PassedOne is one decision of a pass, in short; /v1/decisions/{decision_id} has the rest.
type PassedOne struct {
	CaseID     string     `json:"case_id"`
	DecisionID string     `json:"decision_id"`
	Standing   bool       `json:"standing" doc:"It was made before, and stands"`
	Action     actionWord `json:"action"`
	Kind       *routeWord `json:"kind,omitempty"`
	At         string     `json:"at" format:"date-time"`
	NoticeBy   *string    `json:"notice_by,omitempty" format:"date-time"`
	Arm        armWord    `json:"arm"`
	P          *float64   `json:"p" minimum:"0" maximum:"1"`
	EV         *int64     `json:"ev_paise"`
}

// PassedBy is a case without a decision.
type PassedBy struct {
	CaseID string `json:"case_id"`
	Why    string `json:"why"`
}

// StoppedBefore says where a circuit breaker ended a pass.
type StoppedBefore struct {
	CaseID string `json:"case_id" doc:"The first that was not decided"`
	Done   int    `json:"done" minimum:"0"`
	Of     int    `json:"of" minimum:"0"`
	Why    string `json:"why"`
}

// batchPath has a colon in it, which gin takes for the name of a parameter: the
// route's own guard holds it to the word.
const batchPath = "/v1/decisions:batch"

func (s *Server) routeBatch(api huma.API) {
	op := operation(http.MethodPost, batchPath, "decide-batch", "The day's pass: decide all open cases, or those named",
		"Decisions of earlier days are made anew; one of today stands, so that asking twice changes nothing. The day's people, the explorer's budget and the circuit breaker's limits are shared by all passes of a day, in the order of the case ids. "+
			"One pass takes 2000 cases.", append([]Code{NotFound}, recordingCodes...)...)
	op.Middlewares = append(op.Middlewares, func(c huma.Context, next func(huma.Context)) {
		if u := c.URL(); !strings.HasSuffix(u.Path, ":batch") {
			problem(NotFound, "").writeHuma(c)
			return
		}
		next(c)
	})
	huma.Register(api, op, func(ctx context.Context, in *rawBody) (*struct{ Body Passed }, error) {
		desk, refusal := s.recorder(tenantOf(ctx))
		if refusal != nil {
			return nil, refusal
		}
		cases, faults := readCases(in.RawBody)
		if len(faults) > 0 {
			return nil, faulty(whatIsWrong(in.RawBody), faults)
		}
		p, err := desk.Batch(ctx, cases)
		if err != nil {
			return nil, ledgerFault(err)
		}
		for i := range p.Answers {
			s.metrics.answered("batch", &p.Answers[i].Decision)
		}
		return &struct{ Body Passed }{passed(requestID(ctx), &p)}, nil
	})
	least, most := 1, live.MaxCases
	describeRaw(api, batchPath, &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"as_of"}, Properties: map[string]*huma.Schema{
		"as_of": {Type: huma.TypeString, Enum: []any{nowWord}},
		"cases": {Type: huma.TypeArray, MinItems: &least, MaxItems: &most, Items: &huma.Schema{Type: huma.TypeString, MinLength: &least}, Description: "Absent = all open ones"},
	}}, "all open cases", map[string]any{"as_of": nowWord})
}

var batchKeys = data.NewKeys("as_of", "cases")

// readCases reads {"as_of": "now", "cases": [...]}; nil = all.
func readCases(body []byte) (cases []string, faults []data.Fault) {
	r, faults := data.OpenJSON(body)
	if faults != nil {
		return nil, faults
	}
	seen, ok := r.Object(batchKeys, func(i int) {
		if i == 0 {
			if word, isText := r.Text(); isText && word != nowWord {
				r.Fault(word, "expected %q: a batch as of another time is recoup score's", nowWord)
			}
			return
		}
		cases = []string{}
		n, _ := r.Array(func(i int) {
			if i < live.MaxCases {
				cases = append(cases, readID(r))
			}
		})
		if n > live.MaxCases {
			r.Fault("", "%d cases: expected at most %d", n, live.MaxCases)
		}
		if n == 0 {
			r.Fault("", "empty: leave it out to decide all open cases")
		}
	})
	if ok {
		r.Missing(batchKeys, seen, 0b1)
	}
	return cases, r.Faults()
}

func passed(requestID string, p *live.Pass) Passed {
	out := Passed{RequestID: requestID, At: p.At.String(), Decisions: make([]PassedOne, len(p.Answers)), Undecided: []PassedBy{}, Decided: p.Decided, Left: p.Left,
		PastHorizon: p.PastHorizon, Escalated: p.Escalated, Unattended: p.Unattended, Warnings: append([]string{}, p.Warnings...)}
	for i := range p.Answers {
		d := &p.Answers[i].Decision
		c := candidate(&d.Allowed[d.Chosen])
		out.Decisions[i] = PassedOne{d.CaseID, d.ID, p.Answers[i].Standing, c.Action, c.Kind, c.At, c.NoticeBy, armWord(d.Arm.String()), c.P, c.EV}
	}
	for _, u := range p.Undecided {
		out.Undecided = append(out.Undecided, PassedBy{u.CaseID, u.Why})
	}
	if p.Stopped != nil {
		out.Stopped = &StoppedBefore{p.Stopped.Case, p.Stopped.Done, p.Stopped.Of, p.Stopped.Why}
	}
	return out
}

// writeHuma sends a problem from a middleware of an operation.
func (p *Problem) writeHuma(c huma.Context) {
	p.RequestID = requestID(c.Context())
	c.SetHeader("Content-Type", ProblemType)
	c.SetStatus(p.Status)
	_ = json.NewEncoder(c.BodyWriter()).Encode(p) // a caller that went away is no fault
}
