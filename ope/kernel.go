package ope

import (
	"fmt"
	"math"

	"recoup/data"
)

// Kernel says how much a logged time near the wanted one counts.
type Kernel string

// The kernels K(u), u = (wanted - logged)/bandwidth. All but gaussian are 0 for |u| >= 1.
const (
	Gaussian     Kernel = "gaussian"     // exp(-u²/2)/sqrt(2π)
	Epanechnikov Kernel = "epanechnikov" // 3/4 (1-u²)
	Triangular   Kernel = "triangular"   // 1-|u|
	Cosine       Kernel = "cosine"       // π/4 cos(πu/2)
)

func (k Kernel) at(u float64) float64 {
	if k == Gaussian {
		return math.Exp(-u*u/2) / math.Sqrt(2*math.Pi)
	}
	if math.Abs(u) >= 1 {
		return 0
	}
	switch k {
	case Epanechnikov:
		return .75 * (1 - u*u)
	case Triangular:
		return 1 - math.Abs(u)
	default:
		return math.Pi / 4 * math.Cos(math.Pi*u/2)
	}
}

// Times are n logged decisions whose action is a time. They suit a log whose times
// lie on no grid; a few legal slots with exact propensities are better judged as Rows.
type Times struct {
	Reward  []float64 // [n]
	Logged  []float64 // [n] the time taken, in any unit
	Eval    []float64 // [n] the time that the target would take, same unit
	Density []float64 // [n] of the logger at Logged, per unit of time; > 0
	Q       []float64 // [n] the reward model at Eval; nil = none
	Cluster []int32   // [n] the customer, from 0 without gaps; nil = unknown

	// From and To, [n] or nil, are the ends of what the logger could take at each row,
	// same unit; Logged and Eval lie between. With them the kernel's mass that falls
	// outside is given back: see EstimateTimes.
	From, To []float64
}

// KernelResult is what logged times say about a target.
type KernelResult struct {
	N          int           `json:"n"`
	Clusters   *int          `json:"clusters,omitempty"`
	Kernel     Kernel        `json:"kernel"`
	Bandwidth  float64       `json:"bandwidth"`
	Boundary   bool          `json:"boundary_corrected"` // each weight is over the kernel's mass within the row's window
	Estimand   Estimand      `json:"estimand"`
	Level      float64       `json:"level"`
	MeanReward float64       `json:"mean_reward"`
	Weights    KernelWeights `json:"weights"`
	Light      Light         `json:"light"`
	Estimators Estimates     `json:"estimators"`
	Warnings   []Warning     `json:"warnings"`
}

// KernelWeights are facts about the weights K(u)/(density bandwidth).
type KernelWeights struct {
	ESS     float64 `json:"ess"`
	Mean    float64 `json:"mean_weight"` // near 1 where the logger covers the target, less at the edge of a window
	Max     float64 `json:"max_weight"`
	Matched int     `json:"matched_rows"`
}

// EstimateTimes judges times by the logged ones near them (Kallus and Zhou 2018),
// k = K(u)/density:
//
//	kipw   = mean k r/h
//	ksnipw = Σ k r/Σ k
//	kdr    = mean q + k (r - q)/h
//
// Near the edge of what the logger could take, kernel mass is lost: kipw is biased
// low there, ksnipw is not. Where the rows say what could be taken (From, To), k is
// divided by the kernel's mass within (Jones 1993, "Simple boundary correction for
// kernel density estimation", local renormalisation): the mean weight is 1 again. What
// is then left is that times on one side alone are averaged, of the order of the
// bandwidth where rewards rise or fall with time, and not of its square.
func EstimateTimes(t *Times, k Kernel, h, level float64) (*KernelResult, error) {
	switch {
	case k != Gaussian && k != Epanechnikov && k != Triangular && k != Cosine:
		return nil, data.Faultf(data.ErrUsage, "ope: kernel %q: gaussian, epanechnikov, triangular or cosine", string(k))
	case !(h > 0) || math.IsInf(h, 1):
		return nil, data.Faultf(data.ErrUsage, "ope: bandwidth %v: above 0, in the unit of the times", h)
	case !(level > 0 && level < 1):
		return nil, data.Faultf(data.ErrUsage, "ope: level %v: between 0 and 1", level)
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("ope: %w", err)
	}
	n := len(t.Reward)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = k.at((t.Eval[i]-t.Logged[i])/h) / t.Density[i]
		if t.From != nil {
			weights[i] /= k.within((t.Eval[i]-t.To[i])/h, (t.Eval[i]-t.From[i])/h)
		}
		if !(weights[i]/h <= most) || !(weights[i] <= most) {
			return nil, fmt.Errorf("ope: %w", refuse(Overflow, i+1, "density", "%v: the weight is beyond what can be judged", t.Density[i]))
		}
	}
	res := &KernelResult{N: n, Kernel: k, Bandwidth: h, Boundary: t.From != nil, Estimand: OneDecision, Level: level, MeanReward: mean(t.Reward)}
	if t.Cluster != nil {
		g := countGroups(t.Cluster)
		res.Clusters = &g
	}
	f := weigh(weights)
	res.Weights = KernelWeights{ESS: f.ESS, Mean: f.Mean / h, Max: f.Max / h, Matched: f.Matched}
	f.MeanZ, f.MeanZReason = nil, "" // a kernel's mean weight is 1 in the limit only
	res.Light = f.light()
	res.Estimators = t.estimates(weights, h, level)
	res.Warnings = nulls("estimators.", res.Estimators)
	return res, nil
}

func (t *Times) estimates(k []float64, h, level float64) Estimates {
	if allZero(k) {
		return Estimates{{Name: "kipw", Reason: WeightsAllZero}, {Name: "ksnipw", Reason: WeightsAllZero}, {Name: "kdr", Reason: WeightsAllZero}}
	}
	// The rows as the plain methods know them: a weight, a reward, a prediction.
	b := &base{rows: &Rows{Reward: t.Reward, Cluster: t.Cluster}, by: grouping{cluster: t.Cluster}, w: make([]float64, len(k)), q: t.Q, qbar: t.Q}
	for i, v := range k {
		b.w[i] = v / h
	}
	return Estimates{
		b.estimate(Method{"kipw", Weighted, AsIs, 0}, "", level),
		b.estimate(Method{"ksnipw", Normalised, AsIs, 0}, "", level),
		b.estimate(Method{"kdr", DoublyRobust, AsIs, 0}, "", level),
	}
}

// Check refuses times that cannot be trusted: the error is a *Refusal.
func (t *Times) Check() error {
	n := len(t.Reward)
	if n == 0 {
		return refuse(NoRows, 0, "", "nothing was logged")
	}
	for _, s := range []struct {
		name string
		n    int
	}{{"Logged", len(t.Logged)}, {"Eval", len(t.Eval)}, {"Density", len(t.Density)},
		{"Q", lengthOr(len(t.Q), t.Q == nil, n)}, {"Cluster", lengthOr(len(t.Cluster), t.Cluster == nil, n)},
		{"From", lengthOr(len(t.From), t.From == nil && t.To == nil, n)}, {"To", lengthOr(len(t.To), t.From == nil && t.To == nil, n)}} {
		if s.n != n {
			return refuse(LengthsDiffer, 0, "", "%s has %d rows, Reward %d", s.name, s.n, n)
		}
	}
	for i := range n {
		switch d := t.Density[i]; {
		case !(math.Abs(t.Reward[i]) <= most):
			return badReward(i, t.Reward[i])
		case notNumber(t.Logged[i]):
			return refuse(TimeMissing, i+1, "t_logged", "%s: a number is expected", found(t.Logged[i]))
		case notNumber(t.Eval[i]):
			return refuse(TimeMissing, i+1, "t_eval", "%s: a number is expected", found(t.Eval[i]))
		case math.IsNaN(d):
			return refuse(DensityMissing, i+1, "density", "%s: the logger's density at the logged time is needed", found(d))
		case d <= 0:
			return refuse(DensityZero, i+1, "density", "%v: what was done had a density above 0", d)
		case notNumber(d):
			return refuse(DensityNotFinite, i+1, "density", "%v", d)
		case t.Q != nil && notNumber(t.Q[i]):
			return refuse(QMissing, i+1, "q_eval", "%s: give a prediction in every row, or no column", found(t.Q[i]))
		case t.Q != nil && math.Abs(t.Q[i]) > most:
			return tooLarge(i, "q_eval", t.Q[i])
		}
		if err := t.window(i); err != nil {
			return err
		}
	}
	return nil
}

// notNumber says whether v is NaN or infinite.
func notNumber(v float64) bool { return math.IsNaN(v - v) }
