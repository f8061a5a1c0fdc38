package selftest

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Criterion is something that must hold for the estimates to be trusted.
type Criterion struct {
	Name  string `json:"criterion"`
	Bar   string `json:"bar"`
	Found string `json:"found"`
	Pass  *bool  `json:"pass"` // nil = too little was played to say
	Why   string `json:"not_assessed,omitempty"`
}

func (c Criterion) sentence() string {
	switch {
	case c.Pass == nil:
		return fmt.Sprintf("Not assessed: %s (%s). %s.", c.Name, c.Why, c.Found)
	case *c.Pass:
		return fmt.Sprintf("Holds: %s (%s). %s.", c.Name, c.Bar, c.Found)
	}
	return fmt.Sprintf("Does not hold: %s (%s). %s.", c.Name, c.Bar, c.Found)
}

// fewestLogs is how many a verdict on coverage needs.
const fewestLogs = 20

// band is between which counts of n intervals the truth must be held, for a true
// coverage of 95 %: 93 to 97 % of a thousand or more and 180 to 197 of 200; between the
// two what 200 may stray by narrows as the root of the count; of fewer all that is as likely as one in a thousand on its side.
func band(n int) (lo, hi int) {
	switch x := float64(n); {
	case n >= 1000:
		return int(math.Ceil(.93 * x)), int(math.Floor(.97 * x))
	case n >= 200:
		narrow := math.Sqrt(200 / x)
		return int(math.Ceil((.95 - max(.02, .05*narrow)) * x)), int(math.Floor((.95 + max(.02, .035*narrow)) * x))
	}
	below := 0.0
	lo, hi = -1, n
	for k := range n + 1 {
		lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
		below += math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(.95) + float64(n-k)*math.Log(.05))
		if lo < 0 && below >= .001 {
			lo = k
		}
		if below >= .999 {
			return lo, k
		}
	}
	return lo, hi
}

func yes(b bool) *bool { return &b }

// criteria are the verdicts, in the order of a reader's questions.
func criteria(r *Report) []Criterion {
	return []Criterion{greenCovers(r), errorsSmall(r), redWarns(r), armsAgree(r), weeksFollow(r), sequencesCover(r), oneStepOff(r), worldsAlike(r), learnedCovers(r)}
}

// greenCovers: intervals of green logs hold the truth as often as they say.
func greenCovers(r *Report) Criterion {
	c := Criterion{Name: "green 95 % intervals by customer hold the truth", Bar: "93 to 97 % of 1,000 logs, 180 to 197 of 200, for every target and unit"}
	pass, worst, logs := true, 0.0, 0
	for i := range r.Coverage {
		v := &r.Coverage[i]
		n := v.Green.Logs
		if n < fewestLogs {
			continue
		}
		lo, hi := band(n)
		pass = pass && v.Green.Covered >= lo && v.Green.Covered <= hi
		logs += n
		if off := math.Abs(float64(v.Green.Covered)/float64(n) - .95); c.Found == "" || off > worst {
			worst = off
			c.Found = fmt.Sprintf("Farthest from 95 %% is %s, %s: %d of %d, %.1f %% (allowed %d to %d)", v.Target, v.Unit, v.Green.Covered, n, 100*float64(v.Green.Covered)/float64(n), lo, hi)
		}
	}
	if logs == 0 {
		c.Why, c.Found = fmt.Sprintf("no target has %d green logs", fewestLogs), "More or larger logs are needed"
		return c
	}
	c.Pass = yes(pass)
	return c
}

// errorsSmall: errors are no larger than standard errors promise.
func errorsSmall(r *Report) Criterion {
	const most = 1.15
	c := Criterion{Name: "errors are as small as the standard errors say", Bar: "median |DR - truth| at most 1.15 x 0.6745 x the mean standard error, for every target with green logs"}
	pass, worst, fewest := true, 0.0, math.MaxInt
	for i := range r.Coverage {
		v := &r.Coverage[i]
		if v.Green.Logs < fewestLogs || v.MedianRatio == nil {
			continue
		}
		fewest = min(fewest, v.Green.Logs)
		pass = pass && *v.MedianRatio <= most
		if *v.MedianRatio > worst {
			worst = *v.MedianRatio
			c.Found = fmt.Sprintf("The largest ratio is %.3f, of %s, %s", worst, v.Target, v.Unit)
		}
	}
	switch {
	case worst == 0:
		c.Why, c.Found = "no target has enough green logs", "More or larger logs are needed"
	case fewest < 200 && !pass:
		c.Why = fmt.Sprintf("a median of %d logs strays by more than the margin", fewest)
	default:
		c.Pass = yes(pass)
	}
	return c
}

// redWarns: what the logs cannot tell is red, and where intervals fail the light says so.
func redWarns(r *Report) Criterion {
	c := Criterion{Name: "red lights stand where intervals fail", Bar: "targets that the logs cannot tell are red in every log; no target's logs that are not red hold the truth too seldom"}
	var bad []string
	red, logs := Counted{}, 0
	for i := range r.Coverage {
		v := &r.Coverage[i]
		n := v.notRed()
		logs += n.Logs
		if slices.Contains(mustBeRed, v.Target) {
			red.Logs, red.Covered = red.Logs+v.Red.Logs, red.Covered+v.Red.Covered
			if n.Logs > 0 {
				bad = append(bad, fmt.Sprintf("%s, %s is not red in %d logs", v.Target, v.Unit, n.Logs))
			}
			continue
		}
		if lo, _ := band(n.Logs); n.Logs >= fewestLogs && n.Covered < lo {
			bad = append(bad, fmt.Sprintf("%s, %s: %d of %d logs that are not red", v.Target, v.Unit, n.Covered, n.Logs))
		}
	}
	if len(bad) == 0 {
		c.Found = fmt.Sprintf("Of what must be red, %d of %d intervals hold the truth, and all are red", red.Covered, red.Logs)
	} else {
		c.Found = "Not so: " + strings.Join(bad, "; ")
	}
	c.Pass = yes(len(bad) == 0)
	return c
}

// armsAgree: each arm as the others tell it.
func armsAgree(r *Report) Criterion {
	c := Criterion{Name: "each logged arm is worth what the others say", Bar: "|z| below 5 over all logs, or red in every log"}
	pass, said := true, []string{}
	for _, a := range r.Arms {
		switch {
		case a.Red == a.Logs && a.Arm == "explorer":
			said = append(said, a.Arm+": the others cannot tell, and say so in every log")
		case a.Z == nil:
			pass = false
			said = append(said, a.Arm+": nothing to compare")
		default:
			pass = pass && math.Abs(*a.Z) < 5
			said = append(said, fmt.Sprintf("%s: z %.2f", a.Arm, *a.Z))
		}
	}
	c.Pass, c.Found = yes(pass), capital(strings.Join(said, "; "))
	return c
}

// weeksFollow: a week's estimate moves with what was realised.
func weeksFollow(r *Report) Criterion {
	const least = .8
	c := Criterion{Name: "weekly estimates follow what was realised", Bar: "correlation over the weeks at least 0.8 for DR"}
	pass, said := true, []string{}
	for _, w := range r.Weeks {
		if w.DR == nil {
			c.Why = "too few weeks with cases enough"
			said = append(said, fmt.Sprintf("%s: %d weeks that both sides have cases in", w.Arm, w.Weeks))
			continue
		}
		pass = pass && *w.DR >= least
		said = append(said, fmt.Sprintf("%s %.2f over %d weeks", w.Arm, *w.DR, w.Weeks))
	}
	if c.Found = capital(strings.Join(said, "; ")); c.Why == "" {
		c.Pass = yes(pass)
	}
	return c
}

// sequencesCover: a policy over three attempts is valued as one.
func sequencesCover(r *Report) Criterion {
	c := Criterion{Name: "sequential DR holds the truth of a policy over three attempts", Bar: "as often as a 95 % interval does"}
	pass, said := true, []string{}
	for _, s := range r.Sequences {
		lo, _ := band(s.Sequence.Logs)
		pass = pass && s.Sequence.Covered >= lo
		said = append(said, fmt.Sprintf("%s: %d of %d logs (at least %d)", s.Unit, s.Sequence.Covered, s.Sequence.Logs, lo))
	}
	c.Pass, c.Found = yes(pass), capital(strings.Join(said, "; "))
	return c
}

// oneStepOff: and one decision of it alone is not.
func oneStepOff(r *Report) Criterion {
	c := Criterion{Name: "the one-step estimate of that policy is visibly off", Bar: "its mean over the logs misses the truth by more than 3 standard errors"}
	pass, said := true, []string{}
	for _, s := range r.Sequences {
		if s.OneStepZ == nil || s.MeanOneStep == nil {
			c.Why, c.Found = "no log tells", "Nothing to compare"
			return c
		}
		pass = pass && math.Abs(*s.OneStepZ) > 3
		said = append(said, fmt.Sprintf("%s: %s against %s, z %.1f; off by more than 3 SE in %d of %d logs", s.Unit, number(s.MeanOneStep, s.Unit), number(&s.Truth, s.Unit), *s.OneStepZ, s.Off, s.OneStep.Logs))
	}
	c.Pass, c.Found = yes(pass), capital(strings.Join(said, "; "))
	return c
}

// worldsAlike: the truth comes from worlds like those of the logs.
func worldsAlike(r *Report) Criterion {
	c := Criterion{Name: "the worlds of the roll-outs are like those of the logs", Bar: "|z| below 5 for what the logger itself earned"}
	pass, said := true, []string{}
	for _, l := range r.Loggers {
		if l.Z == nil {
			c.Why, c.Found = "too few worlds", "Nothing to compare"
			return c
		}
		pass = pass && math.Abs(*l.Z) < 5
		said = append(said, fmt.Sprintf("%s: %s in the logs, %s in the roll-outs, z %.1f", l.Unit, number(l.Logs.Value, l.Unit), number(l.Rolls.Value, l.Unit), *l.Z))
	}
	c.Pass, c.Found = yes(pass), capital(strings.Join(said, "; "))
	return c
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// notes say what a reader must know.
func notes(r *Report) []string {
	return []string{
		"A value is that of one decision: the first of a case by the target, the rest of the case and all other cases as the logger goes on. Only the sequences value whole policies.",
		fmt.Sprintf("The logger is a pool: explorer %g, rules %g, ladder inside the gate %g, one arm for a case. Each case is decided after each failure.", explorerShare, rulesShare, controlShare),
		"Which arm goes on depends on what was chosen; roll-outs draw it from its probability given the choice.",
		"The truth is an estimate too. Its standard error stands beside it; where it is not much smaller than that of one log, coverage comes out a little too low.",
		"Intervals are by customer, and wider where that is too narrow: an outage moves all customers of a bank at once, so the variance of what rows of one bank and week share is added (Cameron, Gelbach and Miller 2011).",
		"The reward model knows class and kind of option alone, cross-fitted by customer in five parts.",
		"The rewards of arms and weeks are whether a case was paid before its second decision: this does not depend on how an arm goes on.",
	}
}
