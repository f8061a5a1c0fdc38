package main

// opeCmd judges policies from logged decisions.
type opeCmd struct {
	Estimate opeEstimateCmd `cmd:"" help:"Judge a policy on any file of logged decisions: reward, action, propensity and the probabilities of the policy."`
}
