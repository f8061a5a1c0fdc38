package score

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"recoup/data"
	"recoup/features"
)

// PolicyDiff is what two policies make of the same failures: where the sets of
// allowed candidates differ, and by which rule.
type PolicyDiff struct {
	OldID, NewID string
	Decisions    int // failures that left a case owed
	Changed      int // with another allowed set
	Closed       int // candidates that the old one allowed and the new one refuses
	Opened       int // the reverse
	Moved        int // candidates that the other policy does not consider: its slots are others
	Rules        []RuleDiff
	Examples     []DiffExample // the first ones, by time
}

// RuleDiff counts decisions and candidates of a rule.
type RuleDiff struct {
	Rule      string
	Decisions int
	Closed    int // refused by this rule of the new policy
	Opened    int // refused by this rule of the old policy
}

// DiffExample is a decision that changed.
type DiffExample struct {
	CaseID     string
	At         data.Micros
	Old, New   int // allowed retries, links, nudges and escalations
	First      data.Candidate
	NewRefuses bool   // the first candidate that differs: the new policy refuses it; else the old one
	Rule       string // by this rule; "" = it does not consider it
}

const diffExamples = 5

// DiffPolicies replays a log up to as_of and asks both policies at each failure.
// progress may be nil.
func DiffPolicies(ctx context.Context, l *data.Log, before, after *Policy, asOf data.Cursor, progress func(done, total int64)) (PolicyDiff, error) {
	d := PolicyDiff{OldID: before.id, NewID: after.id, Rules: []RuleDiff{}, Examples: []DiffExample{}}
	byRule := map[string]*RuleDiff{}
	err := features.Replay(ctx, l, asOf, progress, func(s *features.State, caseID string, t data.Micros) error {
		f, err := s.Facts(caseID, t)
		if err != nil {
			return err
		}
		d.compare(before, after, &f, t, byRule)
		return nil
	})
	for _, r := range byRule {
		d.Rules = append(d.Rules, *r)
	}
	slices.SortFunc(d.Rules, func(a, b RuleDiff) int {
		return cmp.Or(cmp.Compare(b.Decisions, a.Decisions), cmp.Compare(a.Rule, b.Rule))
	})
	return d, err
}

// compare counts what differs at one failure.
func (d *PolicyDiff) compare(before, after *Policy, f *features.Facts, t data.Micros, byRule map[string]*RuleDiff) {
	var o, n Decision
	so, sn := situationOf(before, f, t), situationOf(after, f, t)
	so.candidates(&o, nil)
	sn.candidates(&n, nil)
	d.Decisions++
	x := DiffExample{CaseID: f.CaseID, At: t, Old: len(o.Allowed) - 1, New: len(n.Allowed) - 1}
	seen := map[string]bool{}
	note := func(c data.Candidate, by *situation, refusals []Refusal, opened bool) {
		rule := refuser(by, refusals, c)
		if x.First == (data.Candidate{}) {
			x.First, x.NewRefuses, x.Rule = c, !opened, rule
		}
		if rule == "" {
			d.Moved++
			return
		}
		r := byRule[rule]
		if r == nil {
			r = &RuleDiff{Rule: rule}
			byRule[rule] = r
		}
		if !seen[rule] {
			seen[rule] = true
			r.Decisions++
		}
		if opened {
			d.Opened++
			r.Opened++
		} else {
			d.Closed++
			r.Closed++
		}
	}
	for _, c := range only(o.Allowed, n.Allowed) {
		note(c, &sn, n.Refusals, false)
	}
	for _, c := range only(n.Allowed, o.Allowed) {
		note(c, &so, o.Refusals, true)
	}
	if x.First != (data.Candidate{}) {
		d.Changed++
		if len(d.Examples) < diffExamples {
			d.Examples = append(d.Examples, x)
		}
	}
}

// only are the candidates of a that b has not. Both are in order.
func only(a, b []Choice) (out []data.Candidate) {
	j := 0
	for i := range a {
		for j < len(b) && before(&b[j], &a[i]) {
			j++
		}
		if j == len(b) || before(&a[i], &b[j]) {
			out = append(out, data.Candidate{Action: a[i].Action, At: a[i].At})
		}
	}
	return out
}

func before(a, b *Choice) bool {
	return cmp.Or(cmp.Compare(a.Action, b.Action), cmp.Compare(a.At, b.At)) < 0
}

// refuser is the rule that refuses a candidate which a policy does not allow; ""
// = none does: the policy does not consider that time.
func refuser(s *situation, refusals []Refusal, c data.Candidate) string {
	for i := range refusals {
		if r := &refusals[i]; r.Action == c.Action && (r.At == 0 || r.At == c.At) {
			return r.Rule
		}
	}
	if r, refused := s.refusesAt(c); refused {
		return r.Rule
	}
	return ""
}

type diffJSON struct {
	OldID     string         `json:"old_policy_id"`
	NewID     string         `json:"new_policy_id"`
	Decisions int            `json:"decisions"`
	Changed   int            `json:"changed"`
	Closed    int            `json:"newly_refused"`
	Opened    int            `json:"newly_allowed"`
	Moved     int            `json:"other_times"` // at times that the other policy does not consider
	Rules     []ruleDiffJSON `json:"rules"`
	Examples  []exampleJSON  `json:"examples"`
}

type ruleDiffJSON struct {
	Rule      string `json:"rule"`
	Decisions int    `json:"decisions"`
	Closed    int    `json:"newly_refused"`
	Opened    int    `json:"no_longer_refused"`
}

type exampleJSON struct {
	CaseID    string `json:"case_id"`
	At        string `json:"at"`
	Old       int    `json:"old_candidates"`
	New       int    `json:"new_candidates"`
	Action    string `json:"action"` // of the first candidate that differs
	ActionAt  string `json:"action_at"`
	RefusedBy string `json:"refused_by"` // new or old
	Rule      string `json:"rule"`       // "" = that policy does not consider the time
}

// MarshalJSON writes the difference by its words, times as RFC 3339 in UTC.
func (d PolicyDiff) MarshalJSON() ([]byte, error) {
	out := diffJSON{d.OldID, d.NewID, d.Decisions, d.Changed, d.Closed, d.Opened, d.Moved, []ruleDiffJSON{}, []exampleJSON{}}
	for _, r := range d.Rules {
		out.Rules = append(out.Rules, ruleDiffJSON(r))
	}
	for _, x := range d.Examples {
		out.Examples = append(out.Examples, exampleJSON{x.CaseID, x.At.String(), x.Old, x.New, x.First.Action.String(), x.First.At.String(), either(x.NewRefuses, "new", "old"), x.Rule})
	}
	return json.Marshal(out)
}
