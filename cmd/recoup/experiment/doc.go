// Package experiment plays the arms side by side: the same simulated worlds, the
// same dice, a different hand on each.
//
//	train     a log by the explorer at the gate, and the model fitted on it; its seed is nobody else's
//	seeds     every arm in every world: what came of each case, and what the law says
//	ablation  the same with each rule of the gate switched off in turn
//	report    JSON from the files of the worlds; Markdown and HTML from the JSON
//
// player.go and choosers.go are the arms, law*.go is the second opinion on the
// gate, world.go plays one world, job.go all of them. Each world leaves a file
// with the hash of all that decides its bytes, so a killed run goes on where it
// stopped, and one that is done has nothing to do.
package experiment
