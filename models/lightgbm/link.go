package lightgbm

import "math"

// Prob is the probability of a raw score: 1 / (1 + exp(-s raw)), of the mean over the
// trees for a random forest. It may differ from LightGBM's in the last digits, as the
// exponential functions of two libraries do.
func (m *Model) Prob(raw float64) float64 {
	if m.Average {
		raw /= float64(len(m.Trees))
	}
	return 1 / (1 + math.Exp(-m.Objective.Sigmoid*raw))
}

// String names the kind, as messages do.
func (k Kind) String() string {
	switch k {
	case Numeric:
		return "numeric"
	case Categorical:
		return "categorical"
	}
	return "unused"
}
