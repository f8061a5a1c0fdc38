package bracket

import (
	"strings"

	"recoup/data"
)

// Decision is a matured decision: its window has closed, and what came of it is
// known.
type Decision struct {
	ID, CaseID, CustomerID string
	At                     data.Micros // decided_at
	AsOf                   data.Cursor // what the logger knew
	Assigned               data.Arm    // whom the case was given to, whoever answered in the end
	Share                  float64     // the probability of that arm for this case
	PolicyID, Logger       string
	Class                  data.Class // 0 = none
	Rail                   data.Rail  // of the case, like Bank and Amount: from its original charge; 0 = not in the log
	Bank                   string
	Amount                 data.Paise
	Options                []data.Option // what was allowed, with propensities
	Chosen                 int
	No                     int         // of its case: 0 = the first decision
	Retries                int         // presented for the case by the decisions before it
	Anchor                 data.Micros // when the case was first decided after its latest attempt: a ladder counts from it

	Recovered bool        // paid within the horizon after the decision, by whatever road
	Paid      data.Paise  // what came in
	Cost      data.Paise  // of this decision and of those after it in its case, within the horizon
	Settled   data.Micros // when it was paid; else the end of the window
	AttemptID string      // of the retry that was presented; "" = none was
	Aside     bool        // another arm answered, or it was only monitored: measured, and no estimate rests on it
}

// Net is what the decision brought, in rupees: a reward, not money to be booked.
func (d *Decision) Net() float64 { return float64(d.Paid-d.Cost) / 100 }

// Mix is the probability, over the arms, of what was chosen; Given the same given
// the arm.
func (d *Decision) Mix() float64   { return d.Options[d.Chosen].Mix }
func (d *Decision) Given() float64 { return d.Options[d.Chosen].Propensity }

// Forced says that the gate left no choice, so that every policy that keeps to the
// gate does the same: a person must look, or waiting is all that is allowed.
func (d *Decision) Forced() bool {
	if o := &d.Options[d.Chosen]; o.Action == data.Escalate && o.Mix > 1-1e-9 {
		return true
	}
	n := 0
	for i := range d.Options {
		if d.Options[i].Action != data.Escalate {
			n++
		}
	}
	return n == 1
}

// Find is the option of an action at a time; -1 = it was not allowed.
func (d *Decision) Find(a data.Action, at data.Micros) int {
	for i := range d.Options {
		if o := &d.Options[i]; o.Action == a && (o.At == at || a == data.Wait) {
			return i
		}
	}
	return -1
}

// posteriorOf is the version of the posterior that a bandit drew by, out of the logger's
// name; "" = the logger was none, and learned nothing from its log.
func posteriorOf(logger string) string {
	for word := range strings.SplitSeq(logger, "/") {
		if strings.HasPrefix(word, "thompson-") {
			return word
		}
	}
	return ""
}

// loggerWords reads what the logger's name says beside its policy: the arm that
// the case was given (0 = it does not say), and whether the decision teaches
// nothing: another arm answered for want of a model, or it was only monitored.
func loggerWords(logger string) (assigned data.Arm, fallback, monitored bool) {
	for word := range strings.SplitSeq(logger, "/") {
		if a, err := data.ParseArm(word); err == nil {
			assigned = a
		}
		fallback = fallback || strings.HasPrefix(word, "fallback ")
		monitored = monitored || word == "monitored"
	}
	return assigned, fallback, monitored
}
