// Package bracket judges many policies on one event log: its decisions, each with
// the probability that it had and what came of it, become rows of package ope.
//
//	log.go       decisions and outcomes -> matured decisions, counted (decision.go, trust.go; aside.go: what another arm answered)
//	stream.go    the other tables -> events in the order of knowing
//	replay.go    what an engine would have chosen at each decision, knowing what was known then
//	policy.go    the policies that the log itself can tell: do nothing, ladders, ...
//	reward.go    the reward model, cross-fitted by customer (columns.go)
//	rows.go      decisions + a policy + the reward model -> ope.Rows; sequence.go: ope.Episodes
//	against.go   every difference: to the incumbent's own estimate
//	live.go      the arms as they were randomised, measured: each case where it was put, whoever answered
//	run.go       all of it, for a folder: a report.Bracket
//
// A decision is judged by what was paid within the horizon after it, less what it
// and the decisions after it in its case cost. So a one-step estimate values: this
// decision by the target, the rest as the log went on.
//
// Rows are the first decisions of their cases, weighted by the probability over all
// arms (mix). It is exact there: the state is the same whatever the arm, for the arm
// is drawn by a hash. Later decisions of a case tell its arm apart, so of these only
// randomised arms are used, with the probability given the arm.
package bracket
