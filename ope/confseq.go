package ope

import (
	"math"

	"recoup/data"
)

// Peek is what a confidence sequence says after t terms. Unlike an interval it may be
// looked at as often as one likes: the chance that it ever misses is at most alpha.
type Peek struct {
	T      int     `json:"t"`
	Lambda float64 `json:"lambda"` // the bet on term t
	Centre float64 `json:"centre"`
	Margin float64 `json:"margin"`
	Lower  float64 `json:"lower"` // centre -+ margin within the range
	Upper  float64 `json:"upper"`

	// The largest lower and the smallest upper bound so far. They cross when the mean moves.
	RunningLower float64 `json:"running_lower"`
	RunningUpper float64 `json:"running_upper"`
}

// maxBet is the largest bet that is usual: half of what would risk all.
const maxBet = 0.5

// ConfidenceSequence bounds the running mean of x, terms in [lo, hi] in the order in
// which they became known, at every length: predictable plug-in empirical Bernstein
// (Waudby-Smith and Ramdas 2024, theorem 2). It stays valid where the logger learns
// from its own log and under any rule of stopping, and pays for that with width.
// cap in (0, 1) is the largest bet; 0 = 0.5. alpha is in (0, 1).
func ConfidenceSequence(x []float64, lo, hi, alpha, cap float64) ([]Peek, error) {
	if cap == 0 {
		cap = maxBet
	}
	switch {
	case !(hi > lo) || notNumber(hi-lo):
		return nil, data.Faultf(data.ErrUsage, "ope: confidence sequence: range [%v, %v]: two finite numbers, the smaller first", lo, hi)
	case !(alpha > 0 && alpha < 1):
		return nil, data.Faultf(data.ErrUsage, "ope: confidence sequence: alpha %v: between 0 and 1", alpha)
	case !(cap > 0 && cap < 1):
		return nil, data.Faultf(data.ErrUsage, "ope: confidence sequence: largest bet %v: between 0 and 1", cap)
	}
	l, scale := math.Log(2/alpha), hi-lo
	mu, variance := 0.5, 0.25 // of the terms before
	low, high := 0.0, 1.0
	var bets, won, spent, all, squares sum
	out := make([]Peek, 0, len(x))
	for i, v := range x {
		if !(v >= lo && v <= hi) {
			return nil, data.Faultf(data.ErrContract, "ope: confidence sequence: term %d is %v, outside the stated range [%v, %v]", i+1, v, lo, hi)
		}
		t, y := float64(i+1), (v-lo)/scale
		bet := min(math.Sqrt(2*l/(variance*t*math.Log(1+t))), cap)
		bets.add(bet)
		won.add(bet * y)
		spent.add((y - mu) * (y - mu) * (-math.Log1p(-bet) - bet))
		all.add(y)
		mu = (0.5 + all.value()) / (t + 1)
		squares.add((y - mu) * (y - mu))
		variance = (0.25 + squares.value()) / (t + 1)
		centre, margin := won.value()/bets.value(), (l+spent.value())/bets.value()
		down, up := max(0, centre-margin), min(1, centre+margin)
		low, high = max(low, down), min(high, up)
		out = append(out, Peek{T: i + 1, Lambda: bet, Centre: lo + scale*centre, Margin: scale * margin, Lower: lo + scale*down,
			Upper: lo + scale*up, RunningLower: lo + scale*low, RunningUpper: lo + scale*high})
	}
	return out, nil
}

// PeekFactor is how many standard errors an interval about a mean of t independent terms
// spans on either side if it may be looked at after every term: the asymptotic confidence
// sequence of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2021, "Time-uniform central
// limit theory and asymptotic confidence sequences", eq. 2,
//
//	sqrt(2 (t rho^2 + 1)/(t rho^2) log(sqrt(t rho^2 + 1)/alpha))
//
// with rho chosen so that it is tightest about after best terms (there eq. 26), which must
// not depend on the terms. Unlike ConfidenceSequence it needs no range of the terms, only
// finite variance, and is exact in the limit alone. t and best are at least 1, alpha is in
// (0, 1); else NaN.
func PeekFactor(t, best int, alpha float64) float64 {
	if t < 1 || best < 1 || !(alpha > 0 && alpha < 1) {
		return math.NaN()
	}
	l := -2 * math.Log(alpha)
	x := float64(t) * (l + math.Log(l+1)) / float64(best) // t rho^2
	return math.Sqrt(2 * (x + 1) / x * math.Log(math.Sqrt(x+1)/alpha))
}
