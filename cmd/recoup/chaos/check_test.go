package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recoup/data/ledger"
)

// audit is what the answers so far say that the book has.
type audit struct {
	seq      int64             // of the last entry that was looked at
	answered map[string]string // "kind key" -> place
	outcomes map[string]bool   // ids
}

// count takes in what clients were told.
func (a *audit) count(s *site, all []told) {
	s.t.Helper()
	if a.answered == nil {
		a.answered, a.outcomes = map[string]string{}, map[string]bool{}
	}
	put := func(kind ledger.Kind, key string, p place) {
		name := kind.String() + " " + key
		if was, ok := a.answered[name]; ok && was != fmt.Sprint(p) {
			s.t.Errorf("%s was said to be at %s, and at %v", name, was, p)
		}
		a.answered[name] = fmt.Sprint(p)
	}
	for i := range all {
		var b struct {
			DecisionID string `json:"decision_id"`
			Entry      place
			Events     []struct {
				EventID string `json:"event_id"`
				place
			}
			EventID string `json:"event_id"`
			place
		}
		if err := json.Unmarshal(all[i].answer.body, &b); err != nil {
			s.t.Errorf("%s: %v: %s", all[i].path, err, all[i].answer.body)
		}
		for _, e := range b.Events {
			put(ledger.Event, e.EventID, e.place)
		}
		switch all[i].path {
		case "/v1/decide":
			if len(b.Events) == 0 { // its server died between the events and the decision
				a.somewhere(all[i].request.body)
			}
			put(ledger.Decision, b.DecisionID, b.Entry)
		case "/v1/outcomes":
			put(ledger.Outcome, b.EventID, b.place)
			a.outcomes[b.EventID] = true
		case "/v1/promises":
			put(ledger.Event, b.EventID, b.place)
		}
	}
}

// somewhere takes in the events of a question whose answer does not say where they are.
func (a *audit) somewhere(question string) {
	var b struct {
		Events []struct {
			EventID string `json:"event_id"`
		}
	}
	_ = json.Unmarshal([]byte(question), &b)
	for _, e := range b.Events {
		a.answered[ledger.Event.String()+" "+e.EventID] = somewhere
	}
}

const somewhere = "some place"

// place is where an answer says that something is.
type place struct {
	Seq     int64
	KnownAt string `json:"known_at"`
}

// balance checks that the entries since the last time are those that were answered for, each
// once and where it was said to be, and no others. Nothing may be under way.
func (a *audit) balance(s *site) (entries int) {
	s.t.Helper()
	found := s.entries(a.seq)
	for _, e := range found {
		if e.Seq != a.seq+1 {
			s.t.Errorf("entry %d follows %d", e.Seq, a.seq)
		}
		a.seq = e.Seq
		name := e.Kind.String() + " " + e.Key
		said, ok := a.answered[name]
		switch {
		case e.Kind == ledger.Event && a.outcomes[strings.TrimSuffix(e.Key, ":unknown")]: // nobody knows: a status check says so, in one job with its outcome
		case !ok:
			s.t.Errorf("entry %d (%s of %s) was never answered for, or is there twice", e.Seq, name, e.CaseID)
		case said != somewhere && said != fmt.Sprint(place{e.Seq, e.KnownAt.String()}):
			s.t.Errorf("%s is entry %d of %s, and was said to be %s", name, e.Seq, e.KnownAt, said)
		}
		delete(a.answered, name)
	}
	for _, name := range slices.Sorted(maps.Keys(a.answered)) {
		s.t.Errorf("%s: answered for at %s, and lost", name, a.answered[name])
	}
	return len(found)
}

// asIs asks for everything once more that clients were told: with its key it is the
// same bytes, without it is a duplicate in the same place, and a decision is found
// by its id as it was answered.
func asIs(c *client, all []told) {
	for i := range all {
		was := &all[i]
		if was.path == "/v1/decide" {
			foundByID(c, was)
			if was.key == "" {
				continue // what it would be now is another question
			}
		}
		r := was.request
		a := c.give(r)
		if r.key != "" {
			if !a.replayed || !bytes.Equal(a.body, was.answer.body) {
				c.t.Errorf("%s with key %s: %d (replayed: %t) %.500s, the first answer was %.500s", r.path, r.key, a.status, a.replayed, a.body, was.answer.body)
			}
			continue
		}
		if first, second := places(was.answer.body), places(a.body); first == "" || first != second || strings.Contains(string(a.body), `"duplicate":false`) {
			c.t.Errorf("%s again: %s, the first answer was %s", r.path, a.body, was.answer.body)
		}
	}
}

// places are the seqs and times in an answer.
func places(body []byte) string {
	var b struct {
		place
		Events []place
	}
	_ = json.Unmarshal(body, &b)
	if b.Seq == 0 && len(b.Events) == 0 {
		return ""
	}
	return fmt.Sprint(b)
}

// foundByID reads a decision by its id and compares, byte by byte, all that it was
// answered with but what is about the request and the moment.
func foundByID(c *client, was *told) {
	var first, now map[string]json.RawMessage
	if err := json.Unmarshal(was.answer.body, &first); err != nil {
		c.t.Errorf("%v: %s", err, was.answer.body)
		return
	}
	var id string
	_ = json.Unmarshal(first["decision_id"], &id)
	a := c.give(request{path: "/v1/decisions/" + id, want: 200})
	if err := json.Unmarshal(a.body, &now); err != nil {
		c.t.Errorf("%v: %s", err, a.body)
		return
	}
	for name, text := range first {
		if name != "request_id" && name != "standing" && name != "events" && !bytes.Equal(text, now[name]) {
			c.t.Errorf("decision %s: %s is %s, it was answered with %s", id, name, now[name], text)
		}
	}
}

// stands asks again about the cases whose last answer was a decision that stands.
func stands(c *client, all []told) (n int) {
	last := map[string]*told{} // by case
	for i := range all {
		var b struct {
			CaseID string `json:"case_id"`
		}
		if all[i].path == "/v1/decide" {
			_ = json.Unmarshal(all[i].answer.body, &b)
			last[b.CaseID] = &all[i]
		}
	}
	for caseID, was := range last {
		var first, now decision
		a := c.give(request{path: "/v1/decide", body: fmt.Sprintf(`{"as_of":"now","case_id":%q}`, caseID), want: anyStatus})
		if a.status == 422 {
			continue // paid
		}
		if err := json.Unmarshal(a.body, &now); err != nil {
			c.t.Errorf("%v: %s", err, a.body)
		}
		_ = json.Unmarshal(was.answer.body, &first)
		if now.DecisionID != first.DecisionID || !now.Standing {
			c.t.Errorf("case %s: decision %s stood, and after a restart it is %+v", caseID, first.DecisionID, now)
		}
		n++
	}
	return n
}
