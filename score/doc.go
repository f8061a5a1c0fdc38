// Package score chooses: the gate says what is allowed, the model says how
// likely each allowed candidate recovers the payment, and the expected value
// picks one of them.
//
// The gate comes before the model: a candidate that it refuses is never scored.
//
// The way of a decision: a request (request.go, events.go) or a log in batch
// (batch.go) is folded into a features.State; its Facts become a situation that
// the rules of the gate are asked about (gate.go, gate_rules.go); the slots of
// the policy (slots.go) that no rule refuses are the candidates (candidates.go);
// the model says P(recover by T) of each (value.go), money.go makes paise of it,
// and choose.go takes one. Numbers, the class table and the rules' dates are in
// policy.yaml, read by policy_read.go.
//
// This form of the expected value is uplift over waiting times the amount, less
// the action's cost: contact fatigue and the value of keeping an attempt for
// later are not in it. The gate of this form is the class table; every decision
// lists what it does not check.
//
// Where no model can answer, or the class leaves no choice, the rules arm
// answers, and the decision says why.
package score
