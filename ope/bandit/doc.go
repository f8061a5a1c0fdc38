// Package bandit is Thompson sampling whose probabilities are known: each arm is
// drawn with exactly the probability that is logged for it.
//
//	arm.go       a Beta posterior, and how arms are read
//	rule.go      Gauss-Legendre nodes and the matrix that integrates on them
//	density.go   one Beta density on the logit scale
//	panels.go    where the nodes lie
//	best.go      the probability of each arm to be the best, or the r-th
//	floor.go     legal arms, the floor, what is then drawn from
//	draw.go      53 bits of a keyed hash
//	posterior.go counts that age toward the prior, contexts that share strength
//	pending.go   outcomes that count only when their window is closed
//	state.go     the posterior as JSON, and its version
//	logistic.go  Thompson with a logistic posterior, by a fixed set of draws
//	laplace.go   that posterior, learned batch by batch; laplace_state.go as JSON
//
// The Beta-Bernoulli probabilities are integrals, not draws. With f the densities
// and F the distribution functions of the arms' posteriors,
//
//	P(arm i is the best) = integral of f_i(x) prod_{j != i} F_j(x) dx
//
// on the logit scale, where every Beta density is smooth and falls off at least
// exponentially (Jeunen, RecSys 2025, for the integral; the scale and the nodes
// are chosen for an error below 1e-10 at counts of ten million).
package bandit
