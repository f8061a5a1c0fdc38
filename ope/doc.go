// Package ope judges: what a policy would have earned, estimated from decisions
// that another policy took and logged with their probabilities.
//
// The way of the numbers: a file (read.go) or a caller gives Rows (rows.go),
// which are refused by name when they cannot be trusted (check.go). One pass
// makes the three numbers of each row that everything else needs (base.go):
//
//	w = e(a)/p             the weight: target probability of the logged action over its propensity
//	qbar = Σ e q / Σ e     the reward model's value of the target
//	q = q(a)               its prediction for the logged action
//
// A Method (method.go) turns them into one number a row; its mean is the estimate
// (estimate.go), the centred terms give every standard error and every paired
// difference (influence.go, compare.go), and clusters are drawn whole in the
// bootstrap (bootstrap.go). What the weights can carry is said before any
// estimate (weights.go, light.go): a red light means "cannot tell".
//
// Several loggers are pooled in pooled.go; policies over several steps are valued
// in sequence.go, retry time as a continuous action in kernel.go. sweep.go shows
// every lambda beside each other and tune.go picks one; sensitivity.go asks what a
// wrong propensity would do. bounds.go and confseq.go hold bounds that assume no
// normal law, crossfit.go keeps a reward model from predicting its own rows.
//
// A policy and a reward model are numbers in the rows. What cannot be computed is
// nil with a Reason, never NaN. Sources: Dudik, Langford and Li 2011; Swaminathan
// and Joachims 2015; Wang, Agarwal and Dudik 2017; Su et al. 2020; Metelli, Russo
// and Restelli 2021; the definitions follow Open Bandit Pipeline (Saito et al.
// 2021) where it has one.
package ope
