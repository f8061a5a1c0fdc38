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
// The expected value is uplift over waiting times the amount, less costs and
// contact fatigue, with what retries after it are worth (value_later.go, worked
// backwards over attempts and days left). Risk and the breaker's limits take
// candidates out before anything scores them (risk.go). Cases are divided over
// arms and the explorer draws by keyed hashes (explorer.go, explorer_draw.go);
// explorer_settle.go works out what every arm would take, so that propensities are
// exact. In batch the day's people, the explorer's budget and the circuit breaker
// are shared in the order of the cases (batch_run.go, capacity.go, breaker.go).
//
// Where no model can answer, or the class leaves no choice, the rules arm
// answers, and the decision says why.
package score
