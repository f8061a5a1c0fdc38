package ope

import (
	"bytes"
	"encoding/json"
	"math"
)

// Pooled are the estimates from rows of several loggers (Agarwal et al. 2017; Kallus,
// Saito and Uehara 2021).
type Pooled struct {
	Rows map[string]int `json:"rows_by_logger"`

	Naive    Pool `json:"naive"`    // each row by its own logger's propensity
	Balanced Pool `json:"balanced"` // by the mixture of the loggers: valid where one of them is deterministic, if another covers it
	Weighted Pool `json:"weighted"` // as naive, loggers of small variance counting more
}

// Pool is one way of pooling.
type Pool struct {
	IPW     PoolFigure   `json:"ipw"`
	DR      PoolFigure   `json:"dr"`
	Weights *PoolWeights `json:"weights,omitempty"`
}

// PoolWeights are the facts about the weights of a mixture.
type PoolWeights struct{ Weights }

// PoolFigure is an estimate with what only pools have.
type PoolFigure struct {
	Figure
	SEStratified       *float64           `json:"se_stratified,omitempty"` // each logger's number of rows taken as fixed
	SEStratifiedReason Reason             `json:"se_stratified_reason,omitempty"`
	LoggerWeight       map[string]float64 `json:"logger_weight,omitempty"`
}

// MarshalJSON leaves out what mixtures have no say about: support.
func (w *PoolWeights) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(w.Weights)
	if err != nil {
		return nil, err
	}
	if i := bytes.Index(b, []byte(`,"unsupported_mass"`)); i > 0 {
		b = append(b[:i:i], '}')
	}
	return b, nil
}

// pool does all three; none is why there is no weighted estimate.
func (b *base) pool(none Reason, level float64) *Pooled {
	r := b.rows
	rows := make([]int, countGroups(r.Logger))
	for _, k := range r.Logger {
		rows[k]++
	}
	p := &Pooled{Rows: map[string]int{}}
	for k, n := range rows {
		if n > 0 {
			p.Rows[r.LoggerName(k)] = n
		}
	}
	p.Naive = Pool{IPW: b.poolOf("ipw", b.w, nil, none, level), DR: b.poolOf("dr", b.w, nil, none, level)}
	if len(r.Behaviour) == 0 {
		p.Balanced = Pool{IPW: noPool("ipw", LoggerPolicyMissing), DR: noPool("dr", LoggerPolicyMissing)}
	} else {
		w, ok := b.mixtureWeights(rows)
		why := none
		if !ok && why == "" {
			why = Overflow
		}
		p.Balanced = Pool{IPW: b.poolOf("ipw", w, nil, why, level), DR: b.poolOf("dr", w, nil, why, level)}
		if ok {
			p.Balanced.Weights = &PoolWeights{weigh(w)}
		}
	}
	p.Weighted = Pool{IPW: b.weightedPool("ipw", rows, none, level), DR: b.weightedPool("dr", rows, none, level)}
	return p
}

// mixtureWeights are e(a)/Σ (n_k/n) b_k(a); not ok when one is beyond what can be judged.
func (b *base) mixtureWeights(rows []int) (out []float64, ok bool) {
	r := b.rows
	out = make([]float64, r.Len())
	for i := range out {
		j := r.At(i)
		var p sum
		for k, n := range rows {
			if n > 0 {
				p.add(float64(n) / float64(r.Len()) * r.Behaviour[k][j])
			}
		}
		if out[i] = r.Target[j] / p.value(); !(out[i] <= most) {
			return nil, false
		}
	}
	return out, true
}

// poolOf is the mean of factor w r, or of qbar + factor w (r - q); factor is that of
// the row's logger, nil = 1.
func (b *base) poolOf(name string, w, factor []float64, none Reason, level float64) PoolFigure {
	if name == "dr" && b.qbar == nil {
		return noPool(name, QMissing)
	}
	if none != "" {
		return noPool(name, none)
	}
	z := b.poolTerms(name, w, factor)
	e := PoolFigure{Figure: b.estimateOf(name, z, level)}
	e.SEStratified, e.SEStratifiedReason = stratified(z, b.rows.Logger)
	return e
}

func noPool(name string, why Reason) PoolFigure {
	return PoolFigure{Figure: Figure{Name: name, Reason: why}}
}

func (b *base) poolTerms(name string, w, factor []float64) []float64 {
	z := make([]float64, len(w))
	for i, v := range w {
		if factor != nil {
			v *= factor[b.rows.Logger[i]]
		}
		if name == "dr" {
			z[i] = b.qbar[i] + v*(b.rows.Reward[i]-b.q[i])
		} else {
			z[i] = v * b.rows.Reward[i]
		}
	}
	return z
}

// weightedPool gives logger k the factor n/(V_k Σ_j n_j/V_j), V_k the variance of its
// terms, so that the precise ones count more.
func (b *base) weightedPool(name string, rows []int, none Reason, level float64) PoolFigure {
	if name == "dr" && b.qbar == nil {
		return noPool(name, QMissing)
	}
	if none != "" {
		return noPool(name, none)
	}
	parts := byLogger(b.poolTerms(name, b.w, nil), b.rows.Logger, len(rows))
	v := make([]float64, len(rows))
	var all sum
	for k, z := range parts {
		if len(z) == 0 {
			continue
		}
		switch v[k] = variance(z, 0); {
		case notNumber(v[k]):
			return noPool(name, Overflow)
		case v[k] <= 0:
			return noPool(name, LoggerVarianceZero)
		}
		all.add(float64(len(z)) / v[k])
	}
	factor := make([]float64, len(rows))
	named := map[string]float64{}
	for k, z := range parts {
		if len(z) > 0 {
			factor[k] = float64(b.rows.Len()) / (v[k] * all.value())
			named[b.rows.LoggerName(k)] = factor[k]
		}
	}
	e := b.poolOf(name, b.w, factor, none, level)
	e.LoggerWeight = named
	return e
}

func byLogger(z []float64, logger []int32, loggers int) [][]float64 {
	parts := make([][]float64, loggers)
	for i, v := range z {
		parts[logger[i]] = append(parts[logger[i]], v)
	}
	return parts
}

// stratified is sqrt(Σ n_k var_k)/n, the factors taken as known.
func stratified(z []float64, logger []int32) (*float64, Reason) {
	var s sum
	for _, part := range byLogger(z, logger, countGroups(logger)) {
		switch len(part) {
		case 0:
		case 1:
			return nil, OneRow
		default:
			s.add(float64(len(part)) * variance(part, 1))
		}
	}
	se := number(math.Sqrt(s.value()) / float64(len(z)))
	if se == nil {
		return nil, Overflow
	}
	return se, ""
}
