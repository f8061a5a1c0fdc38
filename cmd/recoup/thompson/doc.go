// Package thompson makes a bandit the explorer's proposal: what it learned from a
// log's decisions and outcomes says how probable each candidate should be that the gate
// allows, and the engine puts its floor under all of them and draws.
//
//	arms.go   what a candidate is to a bandit: an arm, or a row of numbers
//	learn.go  decisions and outcomes of a log -> a posterior, and its file
//	propose.go a posterior -> a score.Proposal and the name of its formula
//
// The name holds the posterior's version, so it stands in the logger of every decision;
// the probabilities are a function of the version and of the candidates alone, and a
// replay comes to the same.
package thompson
