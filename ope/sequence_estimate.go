package ope

import (
	"fmt"

	"recoup/data"
)

// Sequence is what logged episodes say about a target that takes every decision.
type Sequence struct {
	N          int       `json:"n"` // episodes
	Clusters   *int      `json:"clusters,omitempty"`
	Horizon    int       `json:"horizon"`
	Gamma      float64   `json:"gamma"`
	Actions    []string  `json:"actions"`
	Estimand   Estimand  `json:"estimand"`
	Level      float64   `json:"level"`
	MeanReturn float64   `json:"mean_reward"` // of the logger, discounted
	Steps      []Step    `json:"steps"`
	Light      Light     `json:"light"` // of the weights after the last step
	Estimators Estimates `json:"estimators"`
	Warnings   []Warning `json:"warnings"`
}

// Step is how far the weights carry at one step: an episode that has ended keeps its last.
type Step struct {
	Step   int     `json:"step"`
	Active int     `json:"active"` // episodes that have this step
	ESS    float64 `json:"ess"`
	Mean   float64 `json:"mean_weight"`
	Max    float64 `json:"max_weight"`
}

// EstimateEpisodes values the target as a policy over whole episodes: per-decision
// importance sampling (Precup, Sutton and Singh 2000), doubly robust (Jiang and Li
// 2016) and weighted doubly robust (Thomas and Brunskill 2016). gamma in [0, 1]
// discounts a step by gamma^(t-1). Weights are cumulative:
//
//	dm    = mean v_1
//	pdis  = mean Σ_t γ^(t-1) R_t r_t
//	wpdis = Σ_t γ^(t-1) Σ R_t r_t / Σ R_t
//	dr    = mean V_1,  V_t = v_t + ρ_t (r_t + γ V_(t+1) - q_t)
//	wdr   = Σ_t γ^(t-1) Σ [W_t (r_t - q_t) + W_(t-1) v_t],  W_t = R_t/Σ R_t
func EstimateEpisodes(e *Episodes, gamma, level float64) (*Sequence, error) {
	switch {
	case !(gamma >= 0 && gamma <= 1):
		return nil, data.Faultf(data.ErrUsage, "ope: gamma %v: in [0, 1]", gamma)
	case !(level > 0 && level < 1):
		return nil, data.Faultf(data.ErrUsage, "ope: level %v: between 0 and 1", level)
	}
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("ope: %w", err)
	}
	b, err := newBase(e.Rows)
	if err != nil {
		return nil, fmt.Errorf("ope: %w", err)
	}
	s := &Sequence{N: e.Len(), Horizon: e.Horizon(), Gamma: gamma, Actions: e.Rows.Actions, Estimand: WholePolicy, Level: level}
	if e.Cluster != nil {
		g := countGroups(e.Cluster)
		s.Clusters = &g
	}
	w := &walk{e: e, b: b, gamma: gamma}
	if err := w.run(); err != nil {
		return nil, fmt.Errorf("ope: %w", err)
	}
	s.Steps, s.MeanReturn = w.steps, mean(w.logged)
	last := weigh(w.r)
	last.addSupport(e.Rows)
	s.Light = last.light()
	figure := func(name string, ratio bool, v float64, psi []float64) Figure {
		f := Figure{Name: name, ratio: ratio, by: grouping{cluster: e.Cluster}}
		f.psi = func() []float64 { return append([]float64(nil), psi...) }
		f.settle(v, psi, level)
		return f
	}
	for _, name := range []string{"dm", "pdis", "wpdis", "dr", "wdr"} {
		switch {
		case name == "dm" && b.qbar == nil:
			s.Estimators = append(s.Estimators, Figure{Name: name, Reason: QMissing})
		case name != "dm" && w.dead > 0:
			s.Estimators = append(s.Estimators, Figure{Name: name, Reason: WeightsAllZero, Step: w.dead})
		case (name == "dr" || name == "wdr") && b.qbar == nil:
			s.Estimators = append(s.Estimators, Figure{Name: name, Reason: QMissing})
		case name == "wpdis":
			s.Estimators = append(s.Estimators, figure(name, true, w.wpdis.value(), w.psiWPDIS))
		case name == "wdr":
			s.Estimators = append(s.Estimators, figure(name, true, w.wdr.value(), w.psiWDR))
		default:
			v, psi := centre(map[string][]float64{"dm": w.v1, "pdis": w.pdis, "dr": w.backward()}[name])
			s.Estimators = append(s.Estimators, figure(name, false, v, psi))
		}
	}
	s.Warnings = nulls("estimators.", s.Estimators)
	return s, nil
}

// centre is the mean of z, and z less it.
func centre(z []float64) (float64, []float64) {
	m := mean(z)
	psi := make([]float64, len(z))
	for i, v := range z {
		psi[i] = v - m
	}
	return m, psi
}

// walk goes over the steps, all episodes at once.
type walk struct {
	e     *Episodes
	b     *base
	gamma float64

	r     []float64 // cumulative weights after the step
	steps []Step
	dead  int // first step at which all of them are 0; 0 = none

	logged, pdis, v1 []float64 // per episode
	wpdis, wdr       sum
	psiWPDIS, psiWDR []float64
}

func (w *walk) run() error {
	m := w.e.Len()
	w.r, w.logged, w.pdis = make([]float64, m), make([]float64, m), make([]float64, m)
	w.psiWPDIS, w.psiWDR = make([]float64, m), make([]float64, m)
	for j := range w.r {
		w.r[j] = 1
	}
	if w.b.qbar != nil {
		w.v1 = make([]float64, m)
		for j := range w.v1 {
			i, _ := w.e.row(j, 0)
			w.v1[j] = w.b.qbar[i]
		}
	}
	before, discount := make([]float64, m), 1.0
	for t := range w.e.Horizon() {
		copy(before, w.r)
		if !w.step(t, before, discount) {
			return refuse(Overflow, 0, "propensity", "the weights of step %d are beyond what can be judged", t+1)
		}
		discount *= w.gamma
	}
	return nil
}

// step does step t, from 0; before are the weights ahead of it. It fails where a
// weight is beyond what can be judged.
func (w *walk) step(t int, before []float64, discount float64) bool {
	b, st := w.b, Step{Step: t + 1}
	var all, ahead, sr, sc, sv sum
	for j := range w.r {
		i, ok := w.e.row(j, t)
		if ok {
			st.Active++
			w.r[j] *= b.w[i]
			reward := b.rows.Reward[i]
			w.logged[j] += discount * reward
			w.pdis[j] += discount * w.r[j] * reward
			sr.add(w.r[j] * reward)
			if b.qbar != nil {
				sc.add(w.r[j] * (reward - b.q[i]))
				sv.add(before[j] * b.qbar[i])
			}
		}
		all.add(w.r[j])
		ahead.add(before[j])
	}
	for _, r := range w.r {
		if !(r <= most) {
			return false
		}
	}
	f := weigh(w.r)
	st.ESS, st.Mean, st.Max = f.ESS, f.Mean, f.Max
	w.steps = append(w.steps, st)
	if f.Max == 0 && w.dead == 0 {
		w.dead = t + 1
	}
	if w.dead > 0 {
		return true
	}
	m := float64(len(w.r))
	meanR, meanC, meanV := sr.value()/all.value(), sc.value()/all.value(), sv.value()/ahead.value()
	w.wpdis.add(discount * meanR)
	w.wdr.add(discount * (meanC + meanV))
	for j := range w.r {
		var reward, q, v float64 // of an episode that has ended: all 0
		if i, ok := w.e.row(j, t); ok {
			reward = b.rows.Reward[i]
			if b.qbar != nil {
				q, v = b.q[i], b.qbar[i]
			}
		}
		w.psiWPDIS[j] += discount * w.r[j] * (reward - meanR) / (all.value() / m)
		w.psiWDR[j] += discount * (w.r[j]*(reward-q-meanC)/(all.value()/m) + before[j]*(v-meanV)/(ahead.value()/m))
	}
	return true
}

// backward is V_1 of every episode.
func (w *walk) backward() []float64 {
	if w.b.qbar == nil {
		return nil
	}
	out := make([]float64, w.e.Len())
	for j := range out {
		v := 0.0
		for t := w.e.Steps(j) - 1; t >= 0; t-- {
			i, _ := w.e.row(j, t)
			v = w.b.qbar[i] + w.b.w[i]*(w.b.rows.Reward[i]+w.gamma*v-w.b.q[i])
		}
		out[j] = v
	}
	return out
}
