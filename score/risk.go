package score

import (
	"math/bits"
	"slices"

	"recoup/data"
)

// Risk is how much about a case asks for a person: thousandths, by part. A part
// whose number is not known has none.
type Risk struct {
	Score    int64 `json:"score"` // the sum of the parts
	Attempts int64 `json:"attempts"`
	Amount   int64 `json:"amount"`
	Mandate  int64 `json:"mandate"`
	Refunds  int64 `json:"refunds"`
	// Above says that the score has reached the policy's threshold: nothing but a
	// person may act.
	Above bool `json:"above"`
}

// leastCaptures is how many payments make a percentile that means something.
const leastCaptures = 5

// ruleRisk and ruleBreaker are told as the gate's rules are. No switch of the
// gate turns them off: their numbers do.
const (
	ruleRisk    = "risk"
	ruleBreaker = "breaker"
)

// risk scores the case.
func (s *situation) risk() Risk {
	p := &s.policy.choice.risk
	r := Risk{Attempts: p.attempts.points(int64(s.Outcomes7d)), Refunds: p.refunds.points(int64(s.Refunds))}
	if s.Captures >= leastCaptures && s.OwnP90 > 0 {
		r.Amount = p.amount.points(percent(s.Amount, s.OwnP90))
	}
	if s.MandateCreated != 0 {
		days := max(0, int64((s.t-s.MandateCreated)/data.Day))
		r.Mandate = min(p.mandate.most, p.mandate.each*max(0, p.mandate.from-days))
	}
	r.Score = r.Attempts + r.Amount + r.Mandate + r.Refunds
	r.Above = r.Score >= p.threshold
	return r
}

// points are what a number beyond from makes.
func (p *riskPart) points(n int64) int64 {
	if n <= p.from {
		return 0
	}
	if p.each > 0 && n-p.from > p.most/p.each {
		return p.most
	}
	return min(p.most, p.each*(n-p.from))
}

// percent is 100 a/b, rounded down; what is beyond all points stays at a million.
func percent(a, b data.Paise) int64 {
	const most = 1_000_000
	hi, lo := bits.Mul64(uint64(max(a, 0)), 100)
	if hi >= uint64(b) {
		return most
	}
	q, _ := bits.Div64(hi, lo, uint64(b))
	return int64(min(q, most))
}

// attemptsLeft is how many retries the budget leaves, as far as is looked ahead.
func (s *situation) attemptsLeft() int {
	if s.now[budget] == silent {
		return maxAhead
	}
	return int(max(0, min(maxAhead, s.now[budget]-int64(s.presented))))
}

// fatigue is what one more contact costs: the chance that it loses the customer,
// by the contacts of 7 days, times what he is worth.
func (s *situation) fatigue() data.Paise {
	p := &s.policy.choice
	return share(float64(p.hazards[min(s.Contacts7d, len(p.hazards)-1)])/10_000, p.customer)
}

// watch says what contacts cost the customer's patience, and takes out of the allowed
// candidates, before anything scores them, what risk and breaker do not let act.
func (s *situation) watch(d *Decision) {
	tired := s.fatigue()
	for i := range d.Allowed {
		if c := &d.Allowed[i]; c.Action == data.PaymentLink || c.Action == data.Nudge {
			c.Fatigue = tired
		}
	}
	d.Risk = s.risk()
	if d.Risk.Above {
		s.takeOut(d, Refusal{Rule: ruleRisk, Route: data.HumanReview, Why: "The signs of risk together reach the threshold: a person must look"},
			data.Retry, data.PaymentLink, data.Nudge)
	}
	if why := s.policy.choice.breaker.debit(s.Amount, s.presented); why != "" {
		if s.takeOut(d, Refusal{Rule: ruleBreaker, Route: data.HumanReview, Why: why}, data.Retry) {
			d.Breaker = why
		}
	}
}

// takeOut refuses actions at any time; it says whether any was allowed until now.
func (s *situation) takeOut(d *Decision, r Refusal, actions ...data.Action) (some bool) {
	for _, a := range actions {
		n := len(d.Allowed)
		d.Allowed = slices.DeleteFunc(d.Allowed, func(c Choice) bool { return c.Action == a })
		if len(d.Allowed) < n {
			r.Action, some = a, true
			d.Refusals = append(d.Refusals, r)
		}
	}
	return some
}
