package score

import "recoup/data"

// Evidence is what a decision rests on beside its row of the log: with the row it
// gives the whole decision again. Lists are one entry a candidate, in their order;
// nil = zero for all.
type Evidence struct {
	Amount      data.Paise        `json:"amount_paise"`
	Rail        string            `json:"rail"`
	Reason      string            `json:"reason,omitempty"`
	Assigned    string            `json:"assigned"`
	Fallback    string            `json:"fallback,omitempty"`
	ModelKind   string            `json:"model_kind,omitempty"` // "" = no model, or a decision from before that was kept
	Monitored   bool              `json:"monitored,omitempty"`
	Unanswered  bool              `json:"unanswered,omitempty"` // no model answered
	Answered    int               `json:"answered"`             // the candidate of the answer; the row's chosen is what was decided
	RunnerUp    int               `json:"runner_up"`            // -1 = none has a value
	Margin      *data.Paise       `json:"margin_paise,omitempty"`
	Horizon     data.Micros       `json:"horizon_us"`
	Risk        Risk              `json:"risk"`
	Breaker     string            `json:"breaker,omitempty"`
	Costs       []data.Paise      `json:"cost_paise,omitempty"`
	Fatigue     []data.Paise      `json:"fatigue_paise,omitempty"`
	Later       []data.Paise      `json:"later_paise,omitempty"`
	Opportunity []data.Paise      `json:"opportunity_paise,omitempty"`
	PollFrom    []data.Micros     `json:"poll_from_us,omitempty"`
	Whys        map[string]string `json:"whys,omitempty"` // of the refusals, by rule
	Warnings    []string          `json:"warnings,omitempty"`
	Row         []byte            `json:"row,omitempty"`         // feature row of what was decided: big-endian float64; nil = no model was asked
	RowsSHA256  string            `json:"rows_sha256,omitempty"` // of the rows of all candidates, see Rows
}

// Evidence is what the decision rests on.
func (d *Decision) Evidence() (Evidence, error) {
	v := Evidence{Amount: d.Amount, Rail: d.Rail.String(), Reason: d.Reason.String(), Assigned: d.Assigned.String(), Fallback: d.Fallback, ModelKind: d.ModelKind,
		Monitored: d.Monitored, Unanswered: d.unanswered, Answered: d.Chosen, RunnerUp: d.RunnerUp, Margin: d.Margin, Horizon: d.Horizon, Risk: d.Risk,
		Breaker: d.Breaker, Warnings: d.Warnings}
	v.Costs = column1(d.Allowed, func(c *Choice) data.Paise { return c.Cost })
	v.Fatigue = column1(d.Allowed, func(c *Choice) data.Paise { return c.Fatigue })
	v.Later = column1(d.Allowed, func(c *Choice) data.Paise { return c.Later })
	v.Opportunity = column1(d.Allowed, func(c *Choice) data.Paise { return c.Opportunity })
	v.PollFrom = column1(d.Allowed, func(c *Choice) data.Micros { return c.PollFrom })
	for _, r := range d.Refusals {
		if v.Whys == nil {
			v.Whys = map[string]string{}
		}
		v.Whys[r.Rule] = r.Why
	}
	if d.past == nil {
		return v, nil
	}
	all := make([]data.Candidate, len(d.Allowed))
	for i := range d.Allowed {
		all[i] = data.Candidate{Action: d.Allowed[i].Action, At: d.Allowed[i].At}
	}
	var err error
	v.Row, v.RowsSHA256, err = d.kept.rows(d.past, d.situation.LastFailure, all, d.Decided)
	return v, err
}

// Decision is the decision that the evidence and the row of the log tell of.
func (v *Evidence) Decision(r *data.Decision) (Decision, error) {
	d := Decision{ID: r.DecisionID, CaseID: r.CaseID, CustomerID: r.CustomerID, AsOf: r.AsOf, DecidedAt: r.DecidedAt, Amount: v.Amount, Class: r.Class,
		Gate: GateName, Arm: r.Arm, ArmShare: r.ArmShare, Fallback: v.Fallback, Logger: r.Logger, Monitored: v.Monitored, PolicyID: r.PolicyID,
		ModelID: r.ModelID, ModelKind: v.ModelKind, Schema: r.Schema, RowHash: r.RowHash, Horizon: v.Horizon, Chosen: v.Answered, Decided: int(r.Chosen), RunnerUp: v.RunnerUp,
		Margin: v.Margin, Risk: v.Risk, Breaker: v.Breaker, Warnings: v.Warnings, unanswered: v.Unanswered,
		Allowed: make([]Choice, len(r.Allowed)), Refusals: make([]Refusal, len(r.Refusals))}
	var err error
	if d.Rail, err = data.ParseRail(v.Rail); err != nil {
		return d, err
	}
	if v.Reason != "" {
		if d.Reason, err = data.ParseReason(v.Reason); err != nil {
			return d, err
		}
	}
	if d.Assigned, err = data.ParseArm(v.Assigned); err != nil {
		return d, err
	}
	if n := len(r.Allowed); v.Answered < 0 || v.Answered >= n || v.RunnerUp >= n || !fits(v.Costs, n) || !fits(v.Fatigue, n) || !fits(v.Later, n) ||
		!fits(v.Opportunity, n) || !fits(v.PollFrom, n) {
		return d, data.Faultf(data.ErrContract, "score: decision %s: its evidence is not of %d candidates", r.DecisionID, n)
	}
	if d.Warnings == nil {
		d.Warnings = []string{}
	}
	for i, o := range r.Allowed {
		c := &d.Allowed[i]
		*c = Choice{Action: o.Action, Kind: o.Kind, At: o.At, NoticeBy: o.NoticeBy, P: o.P, EV: o.EV, Propensity: o.Propensity, Mix: o.Mix,
			Cost: nth(v.Costs, i), Fatigue: nth(v.Fatigue, i), Later: nth(v.Later, i), Opportunity: nth(v.Opportunity, i), PollFrom: nth(v.PollFrom, i)}
		if wait := r.Allowed[0].P; o.P != nil && wait != nil {
			up := *o.P - *wait
			c.Uplift = &up
		}
	}
	for i, f := range r.Refusals {
		d.Refusals[i] = Refusal{Rule: f.Rule, Action: f.Action, At: f.At, Route: f.Route, Why: v.Whys[f.Rule]}
	}
	return d, nil
}

// column1 is a number of every candidate; nil = all are zero.
func column1[N ~int64](all []Choice, of func(*Choice) N) []N {
	var out []N
	for i := range all {
		if n := of(&all[i]); n != 0 {
			if out == nil {
				out = make([]N, len(all))
			}
			out[i] = n
		}
	}
	return out
}

func fits[N any](list []N, n int) bool { return list == nil || len(list) == n }

func nth[N any](list []N, i int) (n N) {
	if list != nil {
		n = list[i]
	}
	return n
}
