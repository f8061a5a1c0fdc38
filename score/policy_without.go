package score

import (
	"slices"

	"recoup/data"
)

// Without is a copy of the policy with one rule of the gate switched off, hard
// ones too. Its ID names the rule. It is for simulations that show what a rule
// is worth and for tests; it is written to no file, so nobody can deploy it.
// An unknown rule is an error that lists those there are.
func (p *Policy) Without(rule string) (*Policy, error) {
	i := slices.IndexFunc(p.rules, func(r statedRule) bool { return r.ID == rule })
	if i < 0 {
		return nil, data.Faultf(data.ErrUsage, "score: policy %s: rule %q: expected one of %v", p.id, rule, ruleIDs())
	}
	q := *p
	q.rules = slices.Delete(slices.Clone(p.rules), i, i+1)
	q.id = p.id + " without " + rule
	return &q, nil
}
