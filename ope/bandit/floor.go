package bandit

import "math"

// Selection is what an arm is drawn from.
type Selection struct {
	Probs    []float64 `json:"probs"`     // by arm; 0 for illegal ones, otherwise the true probability to be drawn; they sum to 1 within 1e-12
	SumError float64   `json:"sum_error"` // |sum - 1| of the integrals before they were divided by their sum
}

// Select is Thompson sampling among the legal arms with a floor. Illegal arms are
// no part of the integral: that is not the same as dropping them afterwards. legal
// may be nil: all are. A floor is each legal arm's least probability.
func Select(arms []Arm, legal []bool, floor float64) (Selection, error) {
	if len(arms) == 0 {
		return Selection{}, refuse(NoArms, "expected one arm or more")
	}
	for k, a := range arms {
		if err := a.check(k); err != nil {
			return Selection{}, err
		}
	}
	if legal == nil {
		legal = all(len(arms))
	}
	var among []Arm
	for k, a := range arms {
		if legal[k] {
			among = append(among, a)
		}
	}
	if len(among) == 0 {
		return Selection{}, refuse(NoLegalArm, "none of %d arms is legal", len(arms))
	}
	best, worst, err := Best(among)
	if err != nil {
		return Selection{}, err
	}
	p := make([]float64, len(arms))
	next := 0
	for k := range arms {
		if legal[k] {
			p[k] = best[next]
			next++
		}
	}
	p, err = Floored(p, legal, floor)
	return Selection{Probs: p, SumError: worst}, err
}

func all(n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = true
	}
	return out
}

// Floored is any proposal p (not negative, of any sum) made ready to be drawn from:
// illegal arms 0, the rest divided by their sum, then p' = (1 - K e) p + e on the K
// legal arms. p is left as it is; legal may be nil.
func Floored(p []float64, legal []bool, e float64) ([]float64, error) {
	if legal == nil {
		legal = all(len(p))
	}
	if len(legal) != len(p) {
		panic("bandit: as many marks as arms expected")
	}
	k, sum := 0, 0.0
	for i, v := range p {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return nil, refuse(NotFinite, "arm %d: probability %v", i, v)
		case v < 0:
			return nil, refuse(ProbNegative, "arm %d: probability %v: expected 0 or more", i, v)
		case legal[i]:
			k++
			sum += v
		}
	}
	n := float64(k)
	const slack = 1e-12 // of rounding in K e
	switch {
	case math.IsNaN(e) || math.IsInf(e, 0):
		return nil, refuse(NotFinite, "a floor of %v", e)
	case e < 0:
		return nil, refuse(FloorNegative, "a floor of %v: expected 0 or more", e)
	case k == 0:
		return nil, refuse(NoLegalArm, "none of %d arms is legal", len(p))
	case float64(n*e) > 1+slack:
		return nil, refuse(FloorTooLarge, "a floor of %v for each of %d arms is more than the whole: expected at most %v", e, k, 1/n)
	case !(sum > 0):
		return nil, refuse(NoLegalMass, "every legal arm has probability 0")
	case math.IsInf(sum, 0):
		return nil, refuse(NotFinite, "the proposal sums to %v", sum)
	}
	rest := max(0, 1-float64(n*e))
	out := make([]float64, len(p))
	for i, v := range p {
		if legal[i] {
			out[i] = float64(rest*(v/sum)) + e
		}
	}
	return out, nil
}
