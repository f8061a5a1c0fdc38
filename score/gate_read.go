package score

import "recoup/data"

// howToRead is what a reader of the table must know, so that he can decide with it
// and the facts of a case alone.
var howToRead = []string{
	"t is the decision's time, at the candidate's. Days and times of day are India's. A number, a rule, a stop, a window or a holiday holds from its first day (from) to before its last (to); without to it has no end.",
	"A rule's test names facts of the case in lower case with underscores (features.Facts), and numbers of this table. A fact that is 0 or empty is unknown, or there is none: a comparison with a time, a cap, a cycle, a mandate's state or a code that is unknown does not hold, and the rule refuses nothing. Counts of 0 are counts.",
	"Of the rows of a number that hold and whose rail, network, category (of the mandate), code (advice of the latest failure) and reason (of the latest failure) are absent or the case's, the last counts. Without one the number is silent: a rule that needs it refuses nothing.",
	"A rule about an action is asked with the numbers of t, and again with those of at. A rule about a time is asked with those of at. The rules are asked in their order: first those about an action, at t; then all of them, at at. The first that refuses is the one that is told. A candidate other than waiting is allowed if none refuses it; waiting is always allowed.",
	"The row of a case is that of its class, NOT_REPORTED where there is none. A mandate that is revoked or expired makes it SWITCH_INSTRUMENT, a paused one NUDGE_CUSTOMER, unless the class is none, MERCHANT_ALERT, AWAIT_STATUS or STOP. A mandate that is not revoked and whose valid_until is not after t is expired. A failure without a reason has the row of reasons without a name: no class, no cause, no wait.",
	"presented is the greater of by_recoup + by_provider + by_unknown and last_no + 1 - by_customer.",
	"An outage holds at a time from its begin to before its end; one without an end holds from its begin on. It ended after the failure if its end is after last_failure and not after t. One without severity counts for nothing.",
	"A route is what becomes of a refusal. It is taken if the gate allows its action at one of the times of the grid: links and nudges at t and at the contact hours, each moved to the end of a contact window that holds then, an escalation at t. Else the row's instead, its link_kind or its nudge_kind is taken, the first whose action is allowed so; else none while a retry can come (as attempts_left says it), and at last human_review. status_poll is waiting with a status check: with last_polls and, where there is an unresolved attempt, unresolved_polls not below polls, it is human_review. Of a case that is paid, refunded, disputed, ended or not owed nothing becomes.",
	"What the gate allows may still be refused by the rules after the gate. Every rule that an answer can name is in one of the two lists.",
}

// afterTheGate are the rules that are asked about what the gate allows, or allowed.
// No switch of the gate turns them off: their numbers, in the policy's choice, do.
var afterTheGate = []tableAfter{
	{ruleNotOwed, "The case is paid or has ended", "every action, when a decision of before is looked at again: not owed", "", "one debit for one charge"},
	{RuleReported, "An outcome of the case says that it recovered", "retry, payment_link, nudge, when a decision of before is looked at again, and every new decision: the latest outcome of a decision of the case says recovered", "", "one debit for one charge"},
	{ruleRisk, "The signs of risk together reach the threshold: a person must look", "retry, payment_link, nudge: the points of choice: risk reach its threshold", "human_review", "the policy's choice: risk"},
	{ruleBreaker, "The circuit breaker stands before the deed", "retry: the amount is not above 0, or amount or presented passes choice: breaker: debit; in a run also: the mandate is not active when it is looked at again. What a run may do in all stops the run instead", "human_review", "the policy's choice: breaker"},
	{ruleCapacity, "The people of the day have more pressing cases", "escalate, in a batch: the day's choice: escalation: per_day went to cases with more at stake", "", "the policy's choice: escalation"},
}

// AfterRules are the rules that an answer can name beside Rules: what a second
// look, risk, the circuit breaker and the day's people refuse of what the gate allows.
func (p *Policy) AfterRules() []Rule {
	out := make([]Rule, len(afterTheGate))
	for i, r := range afterTheGate {
		out[i] = Rule{ID: r.ID, Why: r.Why, Source: r.Source, From: data.IST(2000, 1, 1, 0, 0)}
	}
	return out
}
