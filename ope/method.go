package ope

import (
	"fmt"
	"math"

	"recoup/data"
)

// Family is what is done with the weights.
type Family uint8

// The families of methods, with the term of one row (s = the shaped weight).
const (
	Direct     Family = iota + 1 // qbar: the reward model alone
	Weighted                     // r s
	Normalised                   // r w / mean(w)
	DoublyRobust
	NormalisedDR
	Replay // r m / mean(m), m = 1 where the target is certain of the logged action
)

// Shape is what tames a large weight before it is used, with its lambda.
type Shape uint8

// The shapes of a weight w.
const (
	AsIs        Shape = iota // w
	Clip                     // min(w, lambda)
	Switch                   // w where w <= lambda, else 0 (Wang, Agarwal and Dudik 2017)
	Shrink                   // lambda w/(w² + lambda): optimistic shrinkage (Su et al. 2020); 0 at lambda 0
	SubGaussian              // w/(1 - lambda + lambda w), lambda in [0, 1] (Metelli, Russo and Restelli 2021); 0 at w 0
)

// Method is one way of making an estimate from rows.
type Method struct {
	Name   string // as reports name it
	Family Family
	Shape  Shape
	Lambda float64 // of the shape: >= 0, +Inf leaves w as it is
}

// The methods that every result has unless Options say otherwise.
var standard = [...]Method{
	{"dm", Direct, AsIs, 0},
	{"ipw", Weighted, AsIs, 0},
	{"ipw_clip10", Weighted, Clip, 10},
	{"snipw", Normalised, AsIs, 0},
	{"dr", DoublyRobust, AsIs, 0},
	{"dr_clip10", DoublyRobust, Clip, 10},
	{"sndr", NormalisedDR, AsIs, 0},
	{"switch_dr_10", DoublyRobust, Switch, 10},
	{"dros_10", DoublyRobust, Shrink, 10},
	{"dros_100", DoublyRobust, Shrink, 100},
	{"sg_ipw_05", Weighted, SubGaussian, 0.05},
	{"sg_dr_05", DoublyRobust, SubGaussian, 0.05},
}

// Standard are the twelve methods of a result, in the order of reports.
func Standard() []Method { return append([]Method(nil), standard[:]...) }

// RM is the replay method (Li et al. 2011): it uses the rows where the target is
// certain of the logged action, and is for deterministic targets only.
func RM() Method { return Method{"rm", Replay, AsIs, 0} }

// NeedsQ says whether the method asks for a reward model.
func (m Method) NeedsQ() bool {
	return m.Family == Direct || m.Family == DoublyRobust || m.Family == NormalisedDR
}

// NeedsWeights says whether the method means nothing when every weight is 0.
func (m Method) NeedsWeights() bool { return m.Family != Direct }

// Ratio says whether the method divides by a mean of its own rows: its standard
// error is that of a ratio.
func (m Method) Ratio() bool {
	return m.Family == Normalised || m.Family == NormalisedDR || m.Family == Replay
}

// check refuses a method that has no meaning.
func (m Method) check() error {
	switch {
	case m.Name == "":
		return data.Faultf(data.ErrUsage, "ope: method: a method needs a name")
	case m.Family < Direct || m.Family > Replay || m.Shape > SubGaussian:
		return data.Faultf(data.ErrUsage, "ope: method %s: unknown family %d or shape %d", m.Name, m.Family, m.Shape)
	case math.IsNaN(m.Lambda) || m.Lambda < 0:
		return data.Faultf(data.ErrUsage, "ope: method %s: lambda %v: 0 or more", m.Name, m.Lambda)
	case m.Shape == SubGaussian && m.Lambda > 1:
		return data.Faultf(data.ErrUsage, "ope: method %s: lambda %v: sub-Gaussian weights need one in [0, 1]", m.Name, m.Lambda)
	case m.Shape != AsIs && m.Family != Weighted && m.Family != DoublyRobust:
		return data.Faultf(data.ErrUsage, "ope: method %s: only inverse weighting and the doubly robust estimate shape their weights", m.Name)
	}
	return nil
}

// shaped is the weight that the method uses in place of w.
func (m Method) shaped(w float64) float64 {
	switch m.Shape {
	case Clip:
		return min(w, m.Lambda)
	case Switch:
		if w > m.Lambda {
			return 0
		}
	case Shrink:
		switch {
		case m.Lambda == 0 || w == 0:
			return 0
		case math.IsInf(m.Lambda, 1):
			return w
		case w > 1e100: // w² may be beyond float64
			return m.Lambda / w
		}
		return m.Lambda * w / (w*w + m.Lambda)
	case SubGaussian:
		if w == 0 {
			return 0
		}
		return w / (1 - m.Lambda + m.Lambda*w)
	}
	return w
}

// String is the method's name, or what it does where it has none.
func (m Method) String() string {
	if m.Name != "" {
		return m.Name
	}
	return fmt.Sprintf("method %d/%d(%v)", m.Family, m.Shape, m.Lambda)
}
