package ope

import (
	"fmt"
	"math"

	"recoup/data"
)

// Estimand is what a number is an estimate of.
type Estimand string

// What is estimated.
const (
	OneDecision Estimand = "one decision by the target, the rest by the logger"
	WholePolicy Estimand = "every decision of an episode by the target"
)

// Options of Estimate. The zero value asks for the standard methods and 95 %.
type Options struct {
	Methods []Method // nil = Standard()
	Level   float64  // of the intervals, in (0, 1); 0 = 0.95
}

func (o Options) filled() (Options, error) {
	if o.Methods == nil {
		o.Methods = Standard()
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	if !(o.Level > 0 && o.Level < 1) {
		return o, data.Faultf(data.ErrUsage, "ope: level %v: between 0 and 1", o.Level)
	}
	seen := map[string]bool{}
	for _, m := range o.Methods {
		if err := m.check(); err != nil {
			return o, err
		}
		if seen[m.Name] {
			return o, data.Faultf(data.ErrUsage, "ope: method %s: named twice", m.Name)
		}
		seen[m.Name] = true
	}
	return o, nil
}

// Result is what the logged rows say about a target.
type Result struct {
	N          int      `json:"n"`
	Clusters   *int     `json:"clusters,omitempty"` // nil = the rows do not say whose they are
	Actions    []string `json:"actions"`
	Estimand   Estimand `json:"estimand"`
	Level      float64  `json:"level"` // of the intervals
	MeanReward float64  `json:"mean_reward"`

	Weights    Weights   `json:"weights"`
	Light      Light     `json:"light"`
	Estimators Estimates `json:"estimators"`

	// MinusMeanReward are dm, ipw, snipw, dr and sndr less the logged mean reward on
	// the same rows, paired: the target against the incumbent, where the log is its own.
	MinusMeanReward Estimates `json:"minus_mean_reward"`

	Adaptive *Adaptive `json:"adaptive,omitempty"` // nil = the logger is not known to have learned from this log

	Pooled *Pooled `json:"pooled,omitempty"` // nil = the rows do not say who logged them

	Warnings []Warning `json:"warnings"`

	base    *base
	methods []Method // of Estimators, in their order
}

// Estimate judges a target on logged rows. The error is a *Refusal where the rows
// cannot be trusted, and Is data.ErrUsage where the options make no sense.
func Estimate(r *Rows, o Options) (*Result, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	b, err := newBase(r)
	if err != nil {
		return nil, fmt.Errorf("ope: %w", err)
	}
	res := &Result{N: r.Len(), Actions: r.Actions, Estimand: OneDecision, Level: o.Level, MeanReward: mean(r.Reward), base: b, methods: o.Methods}
	if r.Cluster != nil {
		res.Clusters = &b.groups
	}
	res.Weights = weigh(b.w)
	res.Weights.addSupport(r)
	res.Light = res.Weights.light()
	none := b.noWeight(res.Weights.UnsupportedMass)
	for _, m := range o.Methods {
		e := b.estimate(m, none, o.Level)
		res.Estimators = append(res.Estimators, e)
		if e.Value != nil && m.againstMean() {
			res.MinusMeanReward = append(res.MinusMeanReward, e.minusMean(b, o.Level))
		}
	}
	res.Adaptive = b.adaptive(o.Level)
	if r.Logger != nil {
		res.Pooled = b.pool(none, o.Level)
	}
	res.Warnings = res.warnings(o.Methods)
	return res, nil
}

// Value is one estimate of one method and nothing else, for callers that need it
// often; nil where it cannot be computed.
func Value(r *Rows, m Method) (*float64, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	b, err := newBase(r)
	if err != nil {
		return nil, fmt.Errorf("ope: %w", err)
	}
	if m.NeedsQ() && b.qbar == nil || m.NeedsWeights() && allZero(b.w) {
		return nil, nil
	}
	v, ok := b.value(m)
	if !ok {
		return nil, nil
	}
	return &v, nil
}

// noWeight is why no weighted method has a value; "" when some weight is above 0.
func (b *base) noWeight(unsupported float64) Reason {
	switch {
	case !allZero(b.w):
		return ""
	case math.Abs(unsupported-1) <= 1e-9:
		return NoOverlap
	}
	return WeightsAllZero
}

func allZero(w []float64) bool {
	for _, v := range w {
		if v != 0 {
			return false
		}
	}
	return true
}

// againstMean says which methods are set against the logged mean.
func (m Method) againstMean() bool {
	return m.Shape == AsIs && m.Family != Replay
}
