// Package selftest asks whether the off-policy estimates of this program can be
// trusted, in worlds where the truth is known.
//
//	lab.go       the pooled logger at the real gate, in simulated worlds
//	target.go    policies that are unlike it
//	judge.go     a log -> estimates, intervals and lights, as a reader would get them
//	cells.go     the reward model, cross-fitted by customer
//	arms.go      each logged arm estimated from the others, by week too
//	rollout.go   what a policy is worth: fresh worlds in which it decides
//	sequence.go  policies over three attempts, valued as sequences
//	job.go       all of it over many seeds: parallel, resumable, the same bytes
//	report.go    coverage, verdicts (verdict.go), pages (page.go, sections.go)
//
// What is estimated: the first decision of a case by the target, the rest of the
// case, and all other cases, as the logger goes on. The logger is a pool of arms,
// one for the whole case, so which arm goes on depends on what was chosen: a
// roll-out draws it from its probability given that choice. A roll-out in which the
// target decides every case is corrected by what those cases would have brought more had
// it decided one of each customer alone: nearly nothing, and exact.
package selftest
