package lightgbm

import (
	"strings"
)

// objective reads what raw scores mean. Only those that make one probability of a
// row are taken.
func objective(f field) (Objective, error) {
	name, rest, _ := strings.Cut(string(f.value), " ")
	switch {
	case name == "binary":
		text, ok := strings.CutPrefix(rest, "sigmoid:")
		if !ok {
			return Objective{}, f.fault("%s: binary needs sigmoid:SLOPE after it", clipped(f.value))
		}
		s, err := f.finite([]byte(text))
		if err == nil && !(s > 0) {
			err = f.fault("%s: the slope of the sigmoid must be above 0", clipped(f.value))
		}
		return Objective{Name: "binary", Sigmoid: s}, err
	case (name == "cross_entropy" || name == "xentropy") && rest == "":
		return Objective{Name: "cross_entropy", Sigmoid: 1}, nil
	}
	return Objective{}, f.faultWay("train it with objective=binary (or cross_entropy for labels from 0 to 1)", "%s: %s", clipped(f.value), whyNot(name))
}

// whyNot says what keeps an objective's output from being a probability.
func whyNot(name string) string {
	switch name {
	case "cross_entropy_lambda", "xentlambda":
		return "its output log(1+exp(raw)) is no probability"
	case "regression", "regression_l1", "huber", "fair", "quantile", "mape":
		return "the output of a regression is no probability"
	case "poisson", "gamma", "tweedie":
		return "its link is the exponential, so its output is no probability"
	case "lambdarank", "rank_xendcg":
		return "the score of a ranking is no probability"
	case "multiclass", "multiclassova":
		return "several classes; one probability is wanted"
	case "none", "custom", "":
		return "a custom objective: what its raw scores mean is unknown"
	}
	return "unknown objective; binary sigmoid:SLOPE and cross_entropy are known"
}
