package pages

import "recoup/data"

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

func gateOf(c data.Class) class {
	g := gates[c]
	out := class{Name: "NOT_REPORTED", Means: g.means, Rules: g.rules}
	if c != 0 {
		out.Name = c.String()
	}
	for _, a := range data.Actions() {
		says, tone := g.says[a], "if"
		switch says {
		case "":
			says, tone = "no", "no"
		case "yes":
			tone = "yes"
		}
		out.Actions = append(out.Actions, allowance{actionWords[a], tone, says})
	}
	return out
}

// gates is the class table in words, without the numbers, which are the
// policy's. An action that is not there is refused.
var gates = map[data.Class]struct {
	means string
	says  map[data.Action]string
	rules string
}{
	data.RetryNow: {"A passing fault. The same charge may go through within the day.",
		map[data.Action]string{data.Retry: "yes", data.PaymentLink: "after attempts are spent", data.Wait: "yes", data.Escalate: "if there is capacity"},
		"retry soon after the failure, a few times"},
	data.RetryScheduled: {"The money or the limit is not there yet. Try again later, when it is likelier to be.",
		map[data.Action]string{data.Retry: "after the least wait", data.PaymentLink: "yes", data.Nudge: "once", data.Wait: "yes", data.Escalate: "if there is capacity"},
		"retry in the morning of the next common pay day"},
	data.SwitchRail: {"The bank, the app or the rail is down. Wait for it to come back, or offer another road.",
		map[data.Action]string{data.Retry: "when the downtime has ended; with none on record after a least wait", data.PaymentLink: "yes", data.Wait: "yes", data.Escalate: "if there is capacity"},
		"retry some time after the end of the downtime"},
	data.SwitchInstrument: {"This card, account or mandate cannot pay. The customer has to use another.",
		map[data.Action]string{data.PaymentLink: "yes", data.Nudge: "yes", data.Wait: "yes", data.Escalate: "if there is capacity"},
		"send a payment link"},
	data.NudgeCustomer: {"The customer has to do something first: authenticate, approve, correct a detail.",
		map[data.Action]string{data.PaymentLink: "yes", data.Nudge: "yes", data.Wait: "yes", data.Escalate: "if there is capacity"},
		"nudge"},
	data.MerchantAlert: {"A fault of set-up on the merchant's side. Nothing the customer does helps, nor does a retry.",
		map[data.Action]string{data.Wait: "yes", data.Escalate: "alert the merchant"},
		"alert the merchant"},
	data.AwaitStatus: {"Nobody knows yet whether it failed. To charge again now could charge twice.",
		map[data.Action]string{data.Retry: "not until a check says failed", data.Wait: "yes", data.Escalate: "when the status checks are spent"},
		"wait and check the status"},
	data.Stop: {"A rule or a risk check forbids it, or nothing failed at all. Charging again would break the rule, not collect.",
		map[data.Action]string{data.Wait: "yes", data.Escalate: "a person reviews it"},
		"wait"},
	0: {"The file says nothing about the failure, so nothing is assumed about it.",
		map[data.Action]string{data.Wait: "yes", data.Escalate: "a person reviews it"},
		"a person reviews it"},
}
