package score

import (
	"fmt"
	"strings"

	"recoup/data"
	"recoup/features"
)

// Request is the body of a decision: {"as_of": T, "events": [rows], "case_id": "..."},
// read, ordered and folded. It is for one goroutine.
type Request struct {
	AsOf   data.Cursor
	CaseID string // the case to decide; found where the events hold one open case
	// Candidates are the only ones to consider, beside waiting; nil = all slots of the policy.
	Candidates []data.Candidate
	// Warnings say what was passed over: events after as_of, repeated events.
	Warnings []string

	state *features.State
}

// Limits of a request.
const (
	MaxBody       = 8 << 20 // bytes
	MaxEvents     = 10_000
	MaxCandidates = 1_000
)

var (
	requestKeys   = data.NewKeys("as_of", "events", "case_id", "candidates")
	candidateKeys = data.NewKeys("action", "at")
)

// parsed is a request while it is read.
type parsed struct {
	*data.JSONReader
	req    *Request
	exact  bool // as_of is a cursor
	events []event
}

// event is a row of the request.
type event struct {
	data.AnyRow
	hasSeq bool
	index  int // in the body
}

// ParseRequest reads a body. Every fault is reported at once; a request with
// faults is nil. as_of is needed: nothing after it counts.
func ParseRequest(body []byte) (*Request, []data.Fault) {
	if len(body) > MaxBody {
		return nil, []data.Fault{{Message: fmt.Sprintf("%d bytes: expected at most %d; send the events of one customer", len(body), MaxBody)}}
	}
	r, faults := data.OpenJSON(body)
	if faults != nil {
		return nil, faults
	}
	p := &parsed{JSONReader: r, req: &Request{}}
	seen, ok := r.Object(requestKeys, func(i int) {
		switch i {
		case 0:
			p.req.AsOf, p.exact, _ = r.AsOf()
		case 1:
			p.readEvents()
		case 2:
			p.readCaseID()
		case 3:
			p.readCandidates()
		}
	})
	if ok {
		r.Missing(requestKeys, seen, 0b11)
	}
	if len(r.Faults()) > 0 {
		return nil, r.Faults()
	}
	p.order()
	p.checkCandidates()
	if len(r.Faults()) > 0 {
		return nil, r.Faults()
	}
	p.fold()
	p.findCase()
	if len(r.Faults()) > 0 {
		return nil, r.Faults()
	}
	return p.req, nil
}

func (p *parsed) readEvents() {
	n, _ := p.Array(func(i int) {
		if i >= MaxEvents {
			return
		}
		if row, hasSeq, ok := p.Row(); ok {
			p.events = append(p.events, event{row, hasSeq, i})
		}
	})
	if n > MaxEvents {
		p.Fault("", "%d events: expected at most %d; send the events of one customer", n, MaxEvents)
	}
}

func (p *parsed) readCaseID() {
	if id, ok := p.Text(); ok {
		if p.req.CaseID = id; id == "" {
			p.Fault("", "empty: leave the key out where the events hold one open case")
		}
	}
}

func (p *parsed) readCandidates() {
	p.req.Candidates = []data.Candidate{}
	n, _ := p.Array(func(i int) {
		if i >= MaxCandidates {
			return
		}
		var c data.Candidate
		seen, ok := p.Object(candidateKeys, func(i int) {
			if i == 1 {
				c.At, _ = p.Time()
				return
			}
			s, isText := p.Text()
			if !isText {
				return
			}
			var err error
			if c.Action, err = data.ParseAction(s); err != nil {
				p.Fault("", "%s", strings.TrimPrefix(err.Error(), "data: "))
			}
		})
		if ok {
			p.Missing(candidateKeys, seen, 0b11)
		}
		p.req.Candidates = append(p.req.Candidates, c)
	})
	if n > MaxCandidates {
		p.Fault("", "%d candidates: expected at most %d", n, MaxCandidates)
	}
}

func (p *parsed) checkCandidates() {
	seen := map[data.Candidate]bool{}
	for i, c := range p.req.Candidates {
		path := fmt.Sprintf("candidates[%d]", i)
		switch {
		case c.At < p.req.AsOf.KnownAt:
			p.At(path, c.At.String(), "at is before as_of, %s", p.req.AsOf.KnownAt)
		case c.Action == data.Wait && c.At != p.req.AsOf.KnownAt:
			p.At(path, c.String(), "waiting begins at as_of, and is always considered: leave it out")
		case seen[c]:
			p.At(path, c.String(), "the same candidate twice")
		}
		seen[c] = true
	}
}
