// Package score chooses: the gate says what is allowed, the model says how
// likely each allowed candidate recovers the payment, and the expected value
// picks one of them.
//
// The gate comes before the model: a candidate that it refuses is never scored.
package score
