package score

// Moves says whether a rule, besides refusing, moves slots to times that it
// allows. Without one that does not, a decision changes only where it is the rule
// that refuses a candidate. A rule that the policy has not moves nothing.
func (p *Policy) Moves(rule string) bool {
	for i := range p.rules {
		if p.rules[i].ID == rule {
			return p.rules[i].moves != 0
		}
	}
	return false
}
