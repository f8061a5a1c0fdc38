// Package experiment plays the arms side by side: the same simulated worlds, the
// same dice, a different hand on each.
//
//	train       logs by the explorer and by the rules at the gate, and the models fitted on them; their seed is nobody else's
//	seeds       every arm in every world: what came of each case, and what the law says
//	ablation    the same with each rule of the gate switched off in turn
//	outages     the same in worlds of another kind, with the same models; and shifted
//	frozen      numbers of the policy held against one another; validation judges the choice on other worlds
//	timing      the models of both logs without the columns that say when
//	slots       how well the models tell the times of one case apart
//	curve       models of fewer of the explorer's cases, from none up; bare.go makes those that a night refuses
//	moved       worlds one constant of which is a quarter less or more
//	report      JSON from the files of the worlds; Markdown and HTML from the JSON
//
// player.go, payday.go, bandit.go, corrected.go and choosers.go are the arms, law*.go is the second opinion on
// the gate, scene.go and world.go play worlds, job.go all of them; each section of the
// report has a file. Package paired compares. Each world leaves a file with the hash of
// all that decides its bytes, so a killed run goes on where it stopped, and one that is
// done has nothing to do.
package experiment
