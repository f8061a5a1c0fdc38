// Package compare lets bandits choose the time of a retry beside a fixed ladder, hand
// rules and the trained model, in simulated worlds that move away from the one that
// all of them were tuned on.
//
//	tune.go     the world before: a log by the explorer, the model, the tuned rules
//	anew.go     the rules tuned again in worlds that have moved
//	hands.go    who chooses: ladder, rules, tuned rules, model, oracle
//	advice.go   the tuned rules and the customer's own pay day, as hands and as arms
//	arms.go     other arms and contexts of the Beta bandits
//	beta.go     Beta-Bernoulli Thompson
//	logistic.go logistic Thompson on top of the model
//	learn.go    what the bandits know from a world before, shown by dice
//	play.go     one world, one hand
//	job.go      all of them; a world that was played is not played again
//	shift.go    figures with intervals of one shift; report.go of all
//	says.go, sections.go, learning.go, page.go and picture.go show them
//
// All stand at the same gate and face the same cases with the same dice. The rules
// arm says whether a case is retried, for everybody; the hand says when. So what is
// compared is timing alone. A decision is made at each failure and stands.
//
// A world at shift s is sim.Nature.Shifted(s): s = 0 is like the world before, 1 is as
// far from it as pay days that wander into the month, balances that drain twice as
// fast, three times the outages and fewer customers who pay by themselves can take it.
package compare
