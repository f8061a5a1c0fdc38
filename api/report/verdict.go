package report

import "fmt"

// tone colours a verdict.
type tone string

const (
	good tone = "good"
	weak tone = "weak"
	bad  tone = "bad"
	open tone = "open" // not assessed
)

// verdict is a sentence computed from intervals.
type verdict struct {
	Tone  tone
	About string
	Says  string
}

// weakSkill is the share of the constant forecast's error below which a model
// is called weak even when the interval proves it better than the base rate.
// A convention of this report; retry logs with little but a decline code
// reach 0.05, credit scores 0.15 to 0.2.
const weakSkill = .10

// rare is the base rate under which a Brier score says little by itself: a
// forecast that doubles and halves a rate of 0.02 at the right times removes
// about 0.01 of the error.
const rare = .05

// judge compares a model with the base rate.
func judge(about string, m Model) verdict {
	if m.NotAssessed != "" {
		return verdict{open, about, "Not assessed: " + m.NotAssessed}
	}
	t := m.All
	if t.NotAssessed != "" {
		return verdict{open, about, "Not assessed on the test slice: " + t.NotAssessed}
	}
	d := t.OverBase
	if !d.ranged() {
		return verdict{open, about, "The gain over the base rate could not be measured" + because(d.Why) + "."}
	}
	tail := fmt.Sprintf(" Brier points (n = %s, %s customers).", count(d.N), count(t.Customers))
	ranks := ""
	if auc := t.Calibrated["roc_auc"]; auc.known() {
		ranks = " ROC AUC " + estimate(auc) + "."
	}
	if base := m.BaseRates.Test; base.known() && *base.Value < rare {
		ranks += " Of an event this rare even the best forecast removes little of the error."
	}
	switch skill := t.Calibrated["brier_skill_train"]; {
	case d.sign() < 0:
		return verdict{bad, about, "Worse than the base rate: " + estimate(d) + tail + ranks}
	case d.sign() == 0:
		return verdict{bad, about, "Not distinguishable from the base rate: the gain is " + estimate(d) + tail + ranks}
	case !skill.known():
		return verdict{good, about, "Better than the base rate by " + estimate(d) + tail + ranks}
	case *skill.Value < weakSkill:
		return verdict{weak, about, "Weak, but better than the base rate by " + estimate(d) + tail +
			" It removes " + percent(skill) + " of the constant forecast's error; under " + setting(100*weakSkill) + "\u00a0% is called weak here." + ranks}
	default:
		return verdict{good, about, "Better than the base rate by " + estimate(d) + tail + " It removes " + percent(skill) + " of the constant forecast's error." + ranks}
	}
}

// judgeCalibration sets the ECE beside its noise floor.
func judgeCalibration(about string, m Model) verdict {
	if m.NotAssessed != "" || m.All.NotAssessed != "" {
		return verdict{}
	}
	ece, floor := m.All.Calibrated["ece_mass"], m.All.Calibrated["ece_noise_floor"]
	if !ece.known() || !floor.known() {
		return verdict{open, about, "Calibration could not be measured" + because(ece.Why+floor.Why) + "."}
	}
	says := fmt.Sprintf("ECE %s, noise floor %s: ", estimate(ece), estimate(floor))
	v := verdict{good, about, ""}
	switch e, f := *ece.Value, *floor.Value; {
	case e <= f:
		v.Says = says + "no miscalibration beyond noise."
	case e < 2*f:
		v.Says = says + "under twice what a perfectly calibrated forecast would show."
	default:
		v.Tone, v.Says = bad, says+"miscalibrated beyond noise."
	}
	if slope := m.All.Calibrated["cox_slope"]; slope.ranged() && (*slope.Lo > 1 || *slope.Hi < 1) {
		if v.Tone == good {
			v.Tone = weak
		}
		v.Says += " The Cox slope is " + estimate(slope) + ": " + map[bool]string{true: "not confident enough", false: "too confident"}[*slope.Lo > 1] + "."
	}
	return v
}

// judgeDecision says what became of the challenger.
func judgeDecision(d Decision) verdict {
	v := verdict{good, "Decision", ""}
	switch d.Outcome {
	case Promoted:
		v.Says = "Promoted: " + d.Why
	case Kept:
		v.Tone, v.Says = weak, "Not promoted: "+d.Why
	default:
		v.Tone, v.Says = open, "No decision: "+d.Why
	}
	return v
}

// judgeCeiling says how much of what can be known the model has found.
func judgeCeiling(about string, c Ceiling) verdict {
	switch {
	case c.NotAssessed != "":
		return verdict{open, about, "Not assessed: " + c.NotAssessed}
	case !c.Captured.known():
		return verdict{open, about, "The share captured could not be measured" + because(c.Captured.Why) + "."}
	}
	return verdict{map[bool]tone{true: good, false: weak}[*c.Captured.Value >= .6], about,
		"Captured " + percent(c.Captured) + " of the improvement over the base rate that is possible at all."}
}

// judgeHazard says whether a failed retry changes the customer's own paying.
func judgeHazard(r Recovery) verdict {
	const about = "Hazard after a failed retry"
	switch {
	case r.NotAssessed != "":
		return verdict{open, about, "Not assessed: " + r.NotAssessed}
	case !r.Ratio.ranged():
		return verdict{open, about, "Could not be measured" + because(r.Ratio.Why) + "."}
	case *r.Ratio.Lo <= 1 && 1 <= *r.Ratio.Hi:
		return verdict{good, about, "Not distinguishable from the hazard before: ratio " + estimate(r.Ratio) + ". P(recover by T | retry) = F0 + q (1 - F0) may stand."}
	}
	return verdict{weak, about, "Differs from the hazard before: ratio " + estimate(r.Ratio) + ". P(recover by T | retry) = F0 + q (1 - F0) assumes a ratio of 1."}
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}
