package main

// opeCmd judges policies from logged decisions.
type opeCmd struct {
	Bracket  opeBracketCmd  `cmd:"" default:"withargs" help:"Judge many policies on the decisions of one event log: what recoup ope --dir D does by itself."`
	Estimate opeEstimateCmd `cmd:"" help:"Judge a policy on any file of logged decisions: reward, action, propensity and the probabilities of the policy."`
	Selftest opeSelftestCmd `cmd:"" help:"Ask whether the estimates can be trusted: intervals in simulated worlds against the true worth of policies."`
}
