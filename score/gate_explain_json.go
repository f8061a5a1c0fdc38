package score

import (
	"encoding/json"

	"recoup/data"
)

type verdictJSON struct {
	Rule    string           `json:"rule"`
	Why     string           `json:"why"`
	Source  string           `json:"source"`
	InForce bool             `json:"in_force"`
	Silent  bool             `json:"silent"` // it has nothing to go by
	Actions []string         `json:"actions_refused"`
	Times   []candidatesJSON `json:"times_refused"`
	Route   *string          `json:"route,omitempty"`
	Says    string           `json:"says"`
}

type candidatesJSON struct {
	Action string `json:"action"`
	N      int    `json:"refused"`
	Of     int    `json:"of"`
	First  string `json:"first"`
	Last   string `json:"last"`
}

type explanationJSON struct {
	CaseID     string        `json:"case_id"`
	CustomerID string        `json:"customer_id"`
	At         string        `json:"at"`
	Amount     data.Paise    `json:"amount_paise"`
	Rail       string        `json:"rail"`
	Reason     string        `json:"reason"`
	Class      *string       `json:"class"`
	Treated    *string       `json:"treated_as"` // the class, unless the mandate's state outranks it
	PolicyID   string        `json:"policy_id"`
	Rules      []verdictJSON `json:"rules"`
	Allowed    []allowedJSON `json:"allowed"`
	Refusals   []refusalJSON `json:"refusals"` // by the first rule that refuses
	Unchecked  []string      `json:"unchecked"`
}

type allowedJSON struct {
	Action   string  `json:"action"`
	Kind     *string `json:"kind,omitempty"`
	At       string  `json:"at"`
	NoticeBy *string `json:"notice_by,omitempty"`
	PollFrom *string `json:"poll_from,omitempty"`
}

// MarshalJSON writes the explanation by its words, times as RFC 3339 in UTC.
func (x Explanation) MarshalJSON() ([]byte, error) {
	f := &x.Facts
	out := explanationJSON{CaseID: f.CaseID, CustomerID: f.CustomerID, At: x.At.String(), Amount: f.Amount, Rail: f.Rail.String(), Reason: f.Reason.String(),
		Class: wordOrNull(f.Class), Treated: wordOrNull(x.Treated), PolicyID: x.PolicyID, Rules: []verdictJSON{}, Allowed: []allowedJSON{},
		Refusals: []refusalJSON{}, Unchecked: append([]string{}, x.Unchecked...)}
	for _, v := range x.Rules {
		row := verdictJSON{Rule: v.Rule, Why: v.Why, Source: v.Source, InForce: v.InForce, Silent: v.Silent, Actions: append([]string{}, namesOf(v.Actions)...),
			Times: []candidatesJSON{}, Route: wordOrNull(v.Route), Says: v.Says}
		for _, t := range v.Times {
			row.Times = append(row.Times, candidatesJSON{t.Action.String(), t.N, t.Of, t.First.String(), t.Last.String()})
		}
		out.Rules = append(out.Rules, row)
	}
	for _, c := range x.Allowed {
		out.Allowed = append(out.Allowed, allowedJSON{c.Action.String(), wordOrNull(c.Kind), c.At.String(), timeOrNull(c.NoticeBy), timeOrNull(c.PollFrom)})
	}
	for _, r := range x.Refusals {
		out.Refusals = append(out.Refusals, refusalJSON{Rule: r.Rule, Action: r.Action.String(), At: timeOrNull(r.At), Route: wordOrNull(r.Route), Why: r.Why})
	}
	return json.Marshal(out)
}
