package pages

import (
	"strings"

	"recoup/data"
	"recoup/score"
)

// class is what a class of failures calls for, in plain words.
type class struct {
	Name    string // wire name, "NOT_REPORTED" for the reason without a class
	Means   string
	Actions []allowance // by action, in the vocabulary's order
	Rules   string      // what the rules arm does, where no model answers
}

// allowance is what the gate says about one action.
type allowance struct {
	Action string
	Tone   string // yes, no or if
	Says   string
}

// nameOf is a class by its wire name.
func nameOf(c data.Class) string {
	if c == 0 {
		return noClass
	}
	return c.String()
}

// gateOf is the row of a policy's class table, in words.
func gateOf(p *score.Policy, c data.Class) class {
	row := p.Class(c)
	out := class{Name: nameOf(c), Means: means[c], Rules: armOf(&row)}
	retry := verdictWords[row.Retry]
	if row.Retry == "yes" && waits(c) {
		retry = "after the least wait"
	}
	for _, a := range data.Actions() {
		says := map[data.Action]string{data.Wait: "yes", data.Retry: retry, data.PaymentLink: verdictWords[row.Link],
			data.Nudge: verdictWords[row.Nudge], data.Escalate: verdictWords[row.Escalate]}[a]
		tone := says
		if says != "yes" && says != "no" {
			tone = "if"
		}
		out.Actions = append(out.Actions, allowance{actionWords[a], tone, says})
	}
	return out
}

// waits says whether every reason of a class has a least wait.
func waits(c data.Class) bool {
	for _, r := range data.Reasons() {
		if r.Class() == c && r.Info().MinWait == 0 {
			return false
		}
	}
	return true
}

// armOf is what the rules arm does with a class.
func armOf(r *score.Allows) string {
	switch r.Arm {
	case data.Retry:
		switch r.When {
		case "pay_day":
			return "retry in the morning of the next common pay day"
		case "outage_end":
			return "retry some time after the end of the downtime"
		}
		var after []string
		for _, d := range r.After {
			after = append(after, span(d))
		}
		return "retry " + strings.Join(after, ", then ") + " after the latest failure"
	case data.PaymentLink:
		return "send a payment link"
	case data.Nudge:
		return "nudge"
	case data.Escalate:
		return verdictWords[r.Escalate]
	}
	if r.Escalate == "after_polls" {
		return "wait and check the status"
	}
	return "wait"
}

// verdictWords are the words of a class table, without the numbers, which are the
// policy's.
var verdictWords = map[string]string{
	"yes": "yes", "no": "no",
	"after_outage":      "when the downtime has ended; with none on record after a least wait",
	"after_failed_poll": "not until a check says failed",
	"after_attempts":    "after attempts are spent, or where no retry can come",
	"once":              "once",
	"capacity":          "if there is capacity",
	"merchant_alert":    "alert the merchant",
	"human_review":      "a person reviews it",
	"after_polls":       "when the status checks are spent",
}

// means is what a class is about, whatever a policy makes of it.
var means = map[data.Class]string{
	data.RetryNow:         "A passing fault. The same charge may go through within the day.",
	data.RetryScheduled:   "The money or the limit is not there yet. Try again later, when it is likelier to be.",
	data.SwitchRail:       "The bank, the app or the rail is down. Wait for it to come back, or offer another road.",
	data.SwitchInstrument: "This card, account or mandate cannot pay. The customer has to use another.",
	data.NudgeCustomer:    "The customer has to do something first: authenticate, approve, correct a detail.",
	data.MerchantAlert:    "A fault of set-up on the merchant's side. Nothing the customer does helps, nor does a retry.",
	data.AwaitStatus:      "Nobody knows yet whether it failed. To charge again now could charge twice.",
	data.Stop:             "A rule or a risk check forbids it, or nothing failed at all. Charging again would break the rule, not collect.",
	0:                     "The file says nothing about the failure, so nothing is assumed about it.",
}
