package report

import (
	"fmt"
	"strings"
)

// signals are the reasons of a light, in words.
var signals = map[string]string{
	"unsupported_mass":                  "it wants what the log never did there",
	"ess_below_100":                     "the weights are worth fewer than 100 rows",
	"ess_below_5pct":                    "the weights are worth less than 5 % of the rows",
	"mean_weight_z":                     "the mean weight is not 1: the propensities are not those the log was made with",
	"ess_below_10pct":                   "the weights are worth less than 10 % of the rows",
	"max_weight_share":                  "one row carries more than 5 % of the weight",
	"interval_wider_than_effect":        "the interval of the difference holds 0",
	"reward_model_worse_than_base_rate": "no reward model is better than the base rate",
	"few_clusters":                      "fewer than 100 customers carry it: intervals by customer are too narrow then",
	"ipw_and_dr_disagree":               "weighting alone and the doubly robust estimate contradict each other",
}

// Because says in words why a light is what it is.
func Because(why []string) string {
	var out []string
	for _, w := range why {
		if s, ok := signals[w]; ok {
			w = s
		}
		out = append(out, w)
	}
	return strings.Join(out, "; ")
}

// judgeLine says what a log tells of a policy, in one sentence.
func judgeLine(l Line) verdict {
	about := title(l.Policy)
	gain := estimate(l.Minus) + " rupees a case"
	switch {
	case l.Measured:
		return verdict{good, about, "Measured: " + estimate(l.Net) + " rupees a case, " + percent(l.Recovered) + " recovered."}
	case l.Alike == "incumbent":
		return verdict{weak, about, "Is the incumbent: it does what was done at every row, so the difference is 0 exactly."}
	case l.red():
		return verdict{open, about, "Cannot tell: " + Because(l.Why) + "."}
	case !l.Minus.ranged():
		return verdict{open, about, "Cannot tell" + because(l.Minus.Why) + "."}
	case l.Marks != "" && l.Policy != "oracle":
		return verdict{open, about, "Not to be believed: " + l.Marks + "; " + gain + " against what was done."}
	case l.Minus.sign() > 0:
		return verdict{good, about, "Brings more than what was done: " + gain + "."}
	case l.Minus.sign() < 0:
		return verdict{bad, about, "Brings less than what was done: " + gain + "."}
	}
	return verdict{weak, about, "Not distinguishable from what was done: " + gain + "."}
}

// title is a policy's name for people.
func title(policy string) string {
	s := strings.ReplaceAll(policy, "_", " ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// judgeSample says whether the arms can be compared.
func judgeSample(l Live) verdict {
	const about = "Assignment to the arms"
	said := verdict{open, about, ""}
	for _, s := range l.Sample {
		switch {
		case s.P == nil:
			if said.Says == "" {
				said.Says = "Not tested: " + s.Why + "."
			}
		case *s.P < .001:
			return verdict{bad, about, fmt.Sprintf("Sample-ratio mismatch: cases did not come into the arms as the shares say (p = %s). Nothing below compares arms.", number(*s.P))}
		default:
			said = verdict{good, about, fmt.Sprintf("As the shares say (p = %s).", number(*s.P))}
		}
	}
	return said
}
