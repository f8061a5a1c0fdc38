package bandit

import (
	"math"
	"strconv"
	"strings"

	"recoup/data"
)

// Arm is the Beta posterior of one arm's chance of success. Both are > 0: with a
// prior of Beta(a, b), Alpha is a and the successes, Beta is b and the failures.
type Arm struct {
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// Mean is the posterior's mean.
func (a Arm) Mean() float64 { return a.Alpha / (a.Alpha + a.Beta) }

// Narrowed are the arms with the same means and about share times the deviations, for a
// share in (0, 1]: each counts as if 1/share^2 as much had been seen, up to the most that
// an arm may hold. See Normal.Narrowed.
func Narrowed(arms []Arm, share float64) ([]Arm, error) {
	if err := checkShare(share); err != nil {
		return nil, err
	}
	out := make([]Arm, len(arms))
	for k, a := range arms {
		by := min(1/float64(share*share), maxCount/max(a.Alpha, a.Beta))
		out[k] = Arm{float64(by * a.Alpha), float64(by * a.Beta)}
	}
	return out, nil
}

func checkShare(share float64) error {
	if !(share > 0 && share <= 1) {
		return refuse(OutOfRange, "share %v: expected above 0, at most 1", share)
	}
	return nil
}

// What alpha and beta may be. Below, one tail of the logit is thousands of units
// long and a posterior is no longer one that anybody has; above, float64 has too
// few digits for the integrals.
const (
	minCount = 1e-3
	maxCount = 1e9
)

// Why arms, or a distribution over them, are refused.
const (
	NoArms        = "no_arms"
	MalformedArm  = "malformed_arm"
	NotFinite     = "not_finite"
	NotPositive   = "not_positive"
	OutOfRange    = "out_of_range"
	IllegalIndex  = "illegal_index"
	NoLegalArm    = "no_legal_arm"
	NoLegalMass   = "no_legal_mass"
	FloorNegative = "floor_negative"
	FloorTooLarge = "floor_too_large"
	ProbNegative  = "probability_negative"
)

// check says what is wrong with an arm; k is its index.
func (a Arm) check(k int) error {
	for _, v := range []float64{a.Alpha, a.Beta} {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return refuse(NotFinite, "arm %d: %v,%v: expected finite numbers", k, a.Alpha, a.Beta)
		case v <= 0:
			return refuse(NotPositive, "arm %d: %v,%v: expected numbers above 0", k, a.Alpha, a.Beta)
		case v < minCount || v > maxCount:
			return refuse(OutOfRange, "arm %d: %v,%v: expected %v to %v", k, a.Alpha, a.Beta, minCount, maxCount)
		}
	}
	return nil
}

func refuse(reason, format string, args ...any) error {
	return data.Faultf(data.ErrUsage, "bandit: %s: "+format, append([]any{reason}, args...)...)
}

// ParseArms reads alpha,beta;alpha,beta;... The whole is refused for one bad arm.
func ParseArms(text string) ([]Arm, error) {
	if strings.TrimSpace(text) == "" {
		return nil, refuse(NoArms, "expected alpha,beta;alpha,beta, such as 3,9;50,200")
	}
	var out []Arm
	for k, part := range strings.Split(text, ";") {
		pair := strings.Split(part, ",")
		if len(pair) != 2 {
			return nil, refuse(MalformedArm, "arm %d: %q: expected two numbers, alpha,beta", k, part)
		}
		var v [2]float64
		for i, s := range pair {
			var err error
			if v[i], err = strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil && !math.IsInf(v[i], 0) {
				return nil, refuse(MalformedArm, "arm %d: %q is no number: expected alpha,beta", k, s)
			}
		}
		a := Arm{v[0], v[1]}
		if err := a.check(k); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}
