package models

import (
	"fmt"
	"math"
	"slices"

	"recoup/data"
)

// Metrics judges probabilities against outcomes: how well they rank and how far
// they can be taken at their word. Means are weighted. nil = not defined; Warnings
// says why. Sources: Brier 1950; Murphy 1973 and Stephenson 2008 (decomposition);
// Cox 1958; Spiegelhalter 1986; DeLong 1988; Kumar 2019 (debiased error);
// Dimitriadis, Gneiting & Jordan 2021 (corp).
type Metrics struct {
	N            int      `json:"n"`                // rows of weight > 0
	ZeroWeight   int      `json:"rows_weight_zero"` // left out
	WeightSum    float64  `json:"weight_sum"`
	BaseRate     float64  `json:"base_rate"`                   // mean outcome
	Brier        float64  `json:"brier"`                       // mean (p-y)^2
	SkillTest    *float64 `json:"brier_skill_test"`            // 1 - Brier / Brier of the base rate of these rows
	SkillTrain   *float64 `json:"brier_skill_train,omitempty"` // the same against the training rate: the deployable reference
	LogLoss      *float64 `json:"log_loss"`                    // not clipped
	Outside1e6   int      `json:"n_outside_1e6"`               // rows with p < 1e-6 or > 1-1e-6
	CertainWrong int      `json:"n_certain_and_wrong"`         // rows with p = 0 or 1 and the other outcome

	AUC              *float64  `json:"roc_auc"`           // ties count half
	AUCInterval      *Interval `json:"roc_auc_ci"`        // DeLong, 95 %
	AveragePrecision *float64  `json:"average_precision"` // over distinct p, no interpolation

	Bins         int     `json:"bins"`            // bins asked for
	ECEMass      float64 `json:"ece_mass"`        // expected calibration error, equal-count bins
	ECEMassBins  int     `json:"ece_mass_bins"`   // bins that exist
	ECEWidth     float64 `json:"ece_width"`       // the same with bins of equal width
	ECEWidthBins int     `json:"ece_width_bins"`  //
	NoiseFloor   float64 `json:"ece_noise_floor"` // ECEMass that a perfect forecast would show
	MCEMass      float64 `json:"mce_mass"`        // largest gap of an equal-count bin
	CalL2        float64 `json:"cal_l2_debiased"` // root mean squared calibration error, 15 equal-count bins, noise taken off

	// Brier = Reliability - Resolution + Uncertainty + WBV - WBC.
	Reliability float64 `json:"reliability"`
	Resolution  float64 `json:"resolution"`
	Uncertainty float64 `json:"uncertainty"`
	WBV         float64 `json:"wbv"` // variance of p within bins
	WBC         float64 `json:"wbc"` // twice the covariance of y and p within bins

	CoxIntercept *float64 `json:"cox_intercept"` // of logit P(y=1) = a + b logit p
	CoxSlope     *float64 `json:"cox_slope"`     // < 1: too extreme; > 1: too timid
	CITL         *float64 `json:"citl"`          // a with b = 1: calibration in the large
	SpiegelZ     *float64 `json:"spiegelhalter_z"`
	SpiegelP     *float64 `json:"spiegelhalter_p"` // two-sided

	// Further views, which gate nothing.
	ACEMass      float64  `json:"ace_mass"`       // mean gap of the equal-count bins, each counting the same
	ECESweep     float64  `json:"ece_sweep"`      // with as many bins as keep the rates rising (Roelofs 2022)
	ECESweepBins int      `json:"ece_sweep_bins"` //
	SmoothECE    float64  `json:"smece"`          // without bins (Blasiok & Nakkiran 2023)
	Hosmer       *float64 `json:"hosmer_lemeshow"`
	HosmerP      *float64 `json:"hosmer_lemeshow_p"`
	ICI          *float64 `json:"ici"` // mean distance of p from the loess curve (Austin & Steyerberg 2019)
	E50          *float64 `json:"e50"` // its median
	E90          *float64 `json:"e90"` // its 90 % quantile
	EMax         *float64 `json:"emax"`

	CorpMCB float64 `json:"corp_mcb"` // miscalibration that a monotone map would cure
	CorpDSC float64 `json:"corp_dsc"` // discrimination
	CorpUNC float64 `json:"corp_unc"`

	Warnings []Warning `json:"warnings"`
}

// Warning says why a measure is not defined, or what to doubt about it.
type Warning struct {
	Measure string `json:"measure"`
	Reason  string `json:"reason"`
}

// Interval is [lower, upper].
type Interval [2]float64

// z975 is the 97.5 % quantile of the normal distribution.
const z975 = 1.959963984540054

// MetricOptions vary Evaluate. The zero value is 10 bins and no training rate.
type MetricOptions struct {
	Bins      int      // 0 = 10
	TrainRate *float64 // base rate of the training rows, for SkillTrain
}

// Evaluate measures probabilities p in [0,1] against outcomes y, 0 or 1, with
// weights w >= 0 (nil = 1 each), all of one length. Nothing is changed or kept. A value out of range is an
// error that names its row, from 0; so is a set without a row of weight > 0.
func Evaluate(p, y, w []float64) (Metrics, error) { return MetricOptions{}.Evaluate(p, y, w) }

// Evaluate is the package's Evaluate with options.
func (o MetricOptions) Evaluate(p, y, w []float64) (Metrics, error) {
	k := o.Bins
	if k == 0 {
		k = 10
	}
	if k < 1 || k > 1000 {
		return Metrics{}, data.Faultf(data.ErrUsage, "models: evaluate: %d bins: 1 to 1000", k)
	}
	s, zero, err := newScores(p, y, w)
	if err != nil {
		return Metrics{}, err
	}
	sum := math.Ldexp(s.total, s.shift)
	if sum > math.MaxFloat64 {
		return Metrics{}, data.Faultf(data.ErrContract, "models: evaluate: the weights' sum is beyond float64")
	}
	m := Metrics{N: len(s.p), ZeroWeight: zero, WeightSum: sum, BaseRate: s.rate, Bins: k, Warnings: []Warning{}}
	m.simple(s, o.TrainRate)
	m.ranking(s)
	m.binned(s, k)
	m.more(s, k)
	m.ici(s)
	m.cox(s)
	m.spiegelhalter(s)
	m.corp(s)
	m.finite()
	return m, nil
}

func (m *Metrics) warn(reason string, measures ...string) {
	for _, k := range measures {
		m.Warnings = append(m.Warnings, Warning{k, reason})
	}
}

// scores are the rows of weight > 0 in ascending order of p, stable.
type scores struct {
	p, y, w []float64
	unit    bool    // all weights 1 because none were given
	shift   int     // w is in units of 2^shift, which brings the largest near 1: squares neither vanish nor overflow
	total   float64 // sum w
	rate    float64 // mean y
	n1, n0  int     // rows of each class
	w1, w0  float64 // weight of each class
	order   []int   // row of the caller
}

func newScores(p, y, w []float64) (*scores, int, error) {
	if len(p) != len(y) || w != nil && len(w) != len(p) {
		panic(fmt.Sprintf("models: evaluate: %d p, %d y, %d weights", len(p), len(y), len(w)))
	}
	s := &scores{unit: w == nil, order: make([]int, 0, len(p))}
	for i := range p {
		if w != nil && !(w[i] >= 0 && w[i] <= math.MaxFloat64) {
			return nil, 0, data.Faultf(data.ErrContract, "models: evaluate: row %d: weight %v", i, w[i])
		}
		if !(p[i] >= 0 && p[i] <= 1) {
			return nil, 0, data.Faultf(data.ErrContract, "models: evaluate: row %d: p %v is outside [0, 1]", i, p[i])
		}
		if y[i] != 0 && y[i] != 1 {
			return nil, 0, data.Faultf(data.ErrContract, "models: evaluate: row %d: y %v is neither 0 nor 1", i, y[i])
		}
		if w == nil || w[i] > 0 {
			s.order = append(s.order, i)
		}
	}
	if len(s.order) == 0 {
		return nil, 0, data.Faultf(data.ErrTooLittle, "models: evaluate: no row with weight > 0")
	}
	slices.SortStableFunc(s.order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	n := len(s.order)
	s.p, s.y, s.w = make([]float64, n), make([]float64, n), make([]float64, n)
	if w != nil {
		_, s.shift = math.Frexp(largestOf(w))
	}
	var w1, w0 Sum
	for k, i := range s.order {
		s.p[k], s.y[k], s.w[k] = p[i], y[i], 1
		if w != nil {
			s.w[k] = math.Ldexp(w[i], -s.shift)
		}
		if y[i] == 1 {
			s.n1++
			w1.Add(s.w[k])
		} else {
			s.n0++
			w0.Add(s.w[k])
		}
	}
	s.w1, s.w0 = w1.Value(), w0.Value()
	s.total = s.w1 + s.w0
	s.rate = s.w1 / s.total
	return s, len(p) - n, nil
}

// mean is the weighted mean of f over the rows.
func (s *scores) mean(f func(i int) float64) float64 {
	var t Sum
	for i := range s.p {
		t.Add(s.w[i] * f(i))
	}
	return t.Value() / s.total
}

// run is the end of the run of equal p that begins at row i.
func (s *scores) run(i int) int {
	j := i + 1
	for j < len(s.p) && s.p[j] == s.p[i] {
		j++
	}
	return j
}

// simple fills Brier, its skills and the log loss.
func (m *Metrics) simple(s *scores, trainRate *float64) {
	m.Brier = s.mean(func(i int) float64 { d := s.p[i] - s.y[i]; return d * d })
	if s.n1 > 0 && s.n0 > 0 {
		m.SkillTest = ptr(1 - m.Brier/(s.rate*(1-s.rate)))
	} else {
		m.warn("one class: the reference Brier is 0", "brier_skill_test")
	}
	if trainRate != nil {
		ref := s.mean(func(i int) float64 { d := *trainRate - s.y[i]; return d * d })
		if ref > 0 {
			m.SkillTrain = ptr(1 - m.Brier/ref)
		} else {
			m.warn("the training rate is always right: the reference Brier is 0", "brier_skill_train")
		}
	}
	for i, p := range s.p {
		if p < 1e-6 || p > 1-1e-6 {
			m.Outside1e6++
		}
		if p == 1-s.y[i] {
			m.CertainWrong++
		}
	}
	if m.CertainWrong > 0 {
		m.warn(fmt.Sprintf("infinite: %d rows with p exactly 0 or 1 and the other outcome", m.CertainWrong), "log_loss")
		return
	}
	m.LogLoss = ptr(s.mean(func(i int) float64 {
		return loss(s.p[i], s.y[i])
	}))
}

// loss is the log loss of one row.
func loss(p, y float64) float64 {
	if y == 1 {
		return -ln(p)
	}
	return -math.Log1p(-p)
}

// spiegelhalter fills the z of Spiegelhalter 1986.
func (m *Metrics) spiegelhalter(s *scores) {
	var num, v Sum
	for i, p := range s.p {
		u := s.w[i] * (1 - 2*p)
		num.Add(u * (s.y[i] - p))
		v.Add(u * u * p * (1 - p))
	}
	if !(v.Value() > 0) {
		m.warn("every p is 0, 1/2 or 1", "spiegelhalter_z", "spiegelhalter_p")
		return
	}
	z := num.Value() / math.Sqrt(v.Value())
	m.SpiegelZ, m.SpiegelP = ptr(z), ptr(math.Erfc(math.Abs(z)/math.Sqrt2))
}

func ptr(v float64) *float64 { return &v }
