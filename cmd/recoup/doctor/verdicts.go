package doctor

import (
	"fmt"
	"strings"
)

// verdicts sum the findings up: what can be done with the log.
func (e *exam) verdicts(r *Report) []Verdict {
	stopped := func(checks ...string) string {
		for _, f := range r.Findings {
			for _, c := range checks {
				if f.Level == Stop && f.Check == c {
					return f.What
				}
			}
		}
		return ""
	}
	training := Verdict{Of: "training", Yes: true, Because: "every slice of a night has enough rows: recoup nightly --dir " + r.Dir + " --as-of " + r.Suggested}
	if why := stopped("log", "status", "retries to learn from"); why != "" {
		training.Yes, training.Because = false, why
	}
	cure := Verdict{Of: "cure model", Yes: true, Because: fmt.Sprintf("%d days of waiting, on %d of them somebody paid", r.Periods.Rows, r.Periods.Positives)}
	switch p := r.Periods; {
	case !training.Yes:
		cure.Yes, cure.Because = false, "there is no training"
	case p.Rows == 0:
		cure.Yes, cure.Because = false, "no failed case waits for a whole day"
	case p.Positives == 0:
		cure.Yes, cure.Because = false, "nobody pays without a new attempt"
	case p.Why != "":
		cure.Yes, cure.Because = false, cause(p.Why)
	}
	ope := Verdict{Of: "off-policy evaluation", Yes: true, Because: fmt.Sprintf("%d decisions were drawn with known chances, %d have matured", e.decisions.drawn, e.decisions.closed)}
	switch why := stopped("propensities", "decisions", "outcomes"); {
	case e.decisions.rows == 0:
		ope.Yes, ope.Because = false, "no decisions with propensities are in the log"
	case why != "":
		ope.Yes, ope.Because = false, why
	}
	return []Verdict{training, cure, ope, e.gateVerdict()}
}

// gateVerdict says what a replay of the gate can show.
func (e *exam) gateVerdict() Verdict {
	v := Verdict{Of: "replay of the gate"}
	c := &e.attempts
	switch unknown := c.notReported + c.noReason; {
	case c.failed == 0:
		v.Because = "no attempt failed"
	case unknown == c.failed:
		v.Because = "no failure has a reason: every one would go to people"
	default:
		v.Yes, v.Because = true, fmt.Sprintf("%d failures with a reason", c.failed-unknown)
		var blind []string
		for _, t := range []struct{ table, rules string }{{"mandates", "mandates"}, {"notices", "notices"}, {"downtimes", "downtimes"}, {"polls", "status polls"}} {
			if e.table(t.table).Rows == 0 {
				blind = append(blind, t.rules)
			}
		}
		if blind != nil {
			v.Because += "; rules about " + strings.Join(blind, ", ") + " see nothing"
		}
	}
	return v
}
