package score

import (
	"encoding/json"
	"fmt"
	"math"

	"recoup/data"
)

// The JSON of a decision has the keys of the answer of /v1/decide, but for its
// request_id: words by their names, times as RFC 3339 in UTC, what is not there
// as null.

type decisionJSON struct {
	CaseID     string        `json:"case_id"`
	CustomerID string        `json:"customer_id"`
	AsOf       asOfJSON      `json:"as_of"`
	Amount     data.Paise    `json:"amount_paise"`
	Rail       string        `json:"rail"`
	Reason     string        `json:"reason"`
	Class      *string       `json:"class"`
	Gate       string        `json:"gate"`
	Arm        string        `json:"arm"`
	PolicyID   string        `json:"policy_id"`
	ModelID    *string       `json:"model_id"`
	ModelKind  *string       `json:"model_kind"`
	Schema     string        `json:"schema"`
	Horizon    float64       `json:"horizon_days"`
	Candidates []Choice      `json:"candidates"`
	Risk       Risk          `json:"risk"`
	Breaker    *string       `json:"breaker"`
	Warnings   []string      `json:"warnings"`
	DecisionID string        `json:"decision_id"`
	DecidedAt  string        `json:"decided_at"`
	Assigned   string        `json:"assigned"`
	ArmShare   float64       `json:"arm_share"`
	Fallback   *string       `json:"fallback"`
	Logger     string        `json:"logger"`
	Monitored  bool          `json:"monitored"`
	Decided    int           `json:"decided"`
	RunnerUp   *int          `json:"runner_up"`
	Margin     *data.Paise   `json:"margin_paise"`
	RowHash    *string       `json:"row_hash"`
	Chosen     int           `json:"chosen"`
	Choice     *Choice       `json:"choice"`
	Refusals   []refusalJSON `json:"refusals"`
}

type asOfJSON struct {
	KnownAt string `json:"known_at"`
	Seq     *int64 `json:"seq,omitempty"` // absent = all that was known at known_at
}

type refusalJSON struct {
	Rule   string  `json:"rule"`
	Action string  `json:"action"`
	At     *string `json:"at,omitempty"`
	Route  *string `json:"route,omitempty"`
	Why    string  `json:"why"`
}

// MarshalJSON writes the decision for people and programs.
func (d Decision) MarshalJSON() ([]byte, error) {
	if d.Chosen < 0 || d.Chosen >= len(d.Allowed) {
		return nil, fmt.Errorf("score: case %s: chosen %d of %d candidates", d.CaseID, d.Chosen, len(d.Allowed))
	}
	out := decisionJSON{CaseID: d.CaseID, CustomerID: d.CustomerID, AsOf: asOfJSON{KnownAt: d.AsOf.KnownAt.String()}, Amount: d.Amount,
		Rail: d.Rail.String(), Reason: d.Reason.String(), Class: wordOrNull(d.Class), Gate: d.Gate, Arm: d.Arm.String(), PolicyID: d.PolicyID,
		Schema: d.Schema, Horizon: float64(d.Horizon) / float64(data.Day), Candidates: d.Allowed, Warnings: d.Warnings, Chosen: d.Chosen,
		Choice: &d.Allowed[d.Chosen], Refusals: make([]refusalJSON, len(d.Refusals))}
	if d.AsOf.Seq != math.MaxInt64 {
		out.AsOf.Seq = &d.AsOf.Seq
	}
	out.DecisionID, out.DecidedAt, out.Assigned, out.ArmShare, out.Logger = d.ID, d.DecidedAt.String(), d.Assigned.String(), d.ArmShare, d.Logger
	out.Monitored, out.Decided, out.Margin, out.Risk = d.Monitored, d.Decided, d.Margin, d.Risk
	out.ModelID, out.ModelKind, out.Breaker, out.Fallback, out.RowHash = textOrNull(d.ModelID), textOrNull(d.ModelKind), textOrNull(d.Breaker), textOrNull(d.Fallback), textOrNull(d.RowHash)
	if d.RunnerUp >= 0 {
		out.RunnerUp = &d.RunnerUp
	}
	for i, r := range d.Refusals {
		out.Refusals[i] = refusalJSON{Rule: r.Rule, Action: r.Action.String(), Route: wordOrNull(r.Route), Why: r.Why}
		out.Refusals[i].At = timeOrNull(r.At)
	}
	return json.Marshal(out)
}

// MarshalJSON writes the candidate by its words.
func (c Choice) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Action      string      `json:"action"`
		Kind        *string     `json:"kind,omitempty"`
		At          string      `json:"at"`
		NoticeBy    *string     `json:"notice_by,omitempty"`
		PollFrom    *string     `json:"poll_from,omitempty"`
		P           *float64    `json:"p"`
		Uplift      *float64    `json:"uplift"`
		Cost        data.Paise  `json:"cost_paise"`
		Fatigue     data.Paise  `json:"fatigue_paise"`
		Later       data.Paise  `json:"later_paise"`
		Opportunity data.Paise  `json:"opportunity_paise"`
		EV          *data.Paise `json:"ev_paise"`
		Propensity  float64     `json:"propensity"`
		Mix         float64     `json:"mix"`
	}{c.Action.String(), wordOrNull(c.Kind), c.At.String(), timeOrNull(c.NoticeBy), timeOrNull(c.PollFrom), c.P, c.Uplift, c.Cost, c.Fatigue, c.Later,
		c.Opportunity, c.EV, c.Propensity, c.Mix})
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(at data.Micros) *string {
	if at == 0 {
		return nil
	}
	s := at.String()
	return &s
}

func wordOrNull[W interface {
	~uint8
	String() string
}](w W) *string {
	if w == 0 {
		return nil
	}
	s := w.String()
	return &s
}
