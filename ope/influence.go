package ope

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
)

// Figure is one number with what is known about its error. A nil number has its
// reason beside it.
type Figure struct {
	Name   string   `json:"-"`
	Value  *float64 `json:"value"`
	Reason Reason   `json:"reason,omitempty"`
	Step   int      `json:"step,omitempty"` // of a sequence: the first step at which every weight is 0

	SE              *float64 `json:"se,omitempty"`       // rows independent; the delta method for ratios
	SETerms         *float64 `json:"se_terms,omitempty"` // normaliser taken as known: what Open Bandit Pipeline reports
	SEReason        Reason   `json:"se_reason,omitempty"`
	SECluster       *float64 `json:"se_cluster,omitempty"` // clusters independent
	SEClusterReason Reason   `json:"se_cluster_reason,omitempty"`
	SEShared        *float64 `json:"se_shared,omitempty"` // clusters independent but for what they share; never below SECluster

	CI          *Interval `json:"ci,omitempty"`           // normal, from the first there is of SEShared, SECluster, SE
	CIBootstrap *Interval `json:"ci_bootstrap,omitempty"` // percentiles over whole clusters drawn again; nil = not drawn

	ratio bool
	psi   func() []float64 // centred terms, one a row
	by    grouping
}

// Interval is [low, high].
type Interval [2]float64

// Estimates are in the order of a report; in JSON they are an object by name.
type Estimates []Figure

// Find is the estimate of that name; nil when there is none.
func (e Estimates) Find(name string) *Figure {
	for i := range e {
		if e[i].Name == name {
			return &e[i]
		}
	}
	return nil
}

// MarshalJSON writes an object with the names in order.
func (e Estimates) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, x := range e {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(x.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Influence are the centred terms of the estimate, one a row: they sum to 0, and
// Influence()[i]/n is what row i pulls at the estimate. Nil where there is no value.
func (e *Figure) Influence() []float64 {
	if e.Value == nil || e.psi == nil {
		return nil
	}
	return e.psi()
}

// estimate computes one method; none is why weighted methods have no value.
func (b *base) estimate(m Method, none Reason, level float64) Figure {
	e := Figure{Name: m.Name}
	switch {
	case m.NeedsQ() && b.qbar == nil:
		e.Reason = QMissing
		return e
	case m.NeedsWeights() && none != "":
		e.Reason = none
		return e
	}
	v, ok := b.value(m)
	if !ok {
		e.Reason = NoMatch
		return e
	}
	n := b.rows.Len()
	e.ratio = m.Ratio()
	e.by = b.by
	e.psi = func() []float64 {
		psi := make([]float64, n)
		b.influence(m, v, psi)
		return psi
	}
	psi := e.psi()
	e.settle(v, psi, level)
	if e.SE != nil {
		b.rounds(m, psi)
		e.SETerms = number(math.Sqrt(variance(psi, 1) / float64(n)))
	}
	return e
}

// settle sets the value and its errors from the centred terms.
func (e *Figure) settle(v float64, psi []float64, level float64) {
	if e.Value = number(v); e.Value == nil {
		e.Reason = Overflow
		return
	}
	n := float64(len(psi))
	switch s := squares(psi); {
	case len(psi) < 2:
		e.SEReason = OneRow
	case e.ratio:
		e.SE = number(math.Sqrt(s) / n)
	default:
		e.SE = number(math.Sqrt(s / (n - 1) / n))
	}
	if e.SE == nil && e.SEReason == "" {
		e.SEReason = Overflow
	}
	e.SECluster, e.SEClusterReason = clusterSE(psi, e.by.cluster)
	e.SEShared = e.by.sharedSE(psi, e.SECluster)
	e.CI = e.normal(level)
}

// StandardError is the one that CI rests on; nil = there is none.
func (e *Figure) StandardError() *float64 { return cmp.Or(e.SEShared, e.SECluster, e.SE) }

// normal is the interval of the normal law; nil without a standard error.
func (e *Figure) normal(level float64) *Interval {
	se := e.StandardError()
	if se == nil || e.Value == nil {
		return nil
	}
	h := normalQuantile(level) * *se
	if notNumber(*e.Value-h) || notNumber(*e.Value+h) {
		return nil
	}
	return &Interval{*e.Value - h, *e.Value + h}
}

// normalQuantile is the z of a two-sided interval, 1.96 at 0.95.
func normalQuantile(level float64) float64 { return math.Sqrt2 * math.Erfinv(level) }

func squares(x []float64) float64 {
	var s sum
	for _, v := range x {
		s.add(v * v)
	}
	return s.value()
}

// number is nil for what is none.
func number(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}
