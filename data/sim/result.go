package sim

import "recoup/data"

// CaseResult is what came of a case within 21 days of the failure of its first
// attempt, and what was spent on it by then.
type CaseResult struct {
	CaseID      string
	CustomerID  string
	Rail        data.Rail
	Bank        string
	Since       data.Micros // when the first failure became known
	Class       data.Class  // of the first failure, as reported
	Amount      data.Paise
	Mature      bool // the 21 days are over by the end of the log
	Recovered   bool
	By          string // retry, customer, late_authorisation; "" when not recovered
	Decisions   int
	Retries     int // presented
	Failed      int // of these, not captured
	Hopeless    int // of these, with less than one chance in a hundred, which only the world knows
	Doubles     int // of the retries, captured after the customer had paid, and refunded
	Contacts    int
	Escalations int
	Cost        data.Paise
	Halted      bool // all attempts are spent and the case is unpaid
}

func (c *liveCase) result() CaseResult {
	until := c.urge.from + judged
	r := CaseResult{CaseID: c.id, CustomerID: c.c.id, Rail: c.s.rail, Bank: c.c.bank.code, Since: c.urge.from, Class: c.first, Amount: c.amount, Mature: until <= c.w.end,
		Recovered: c.paid <= until}
	if r.Recovered {
		r.By = map[road]string{byRetry: "retry", byCure: "customer", byLate: "late_authorisation"}[c.road]
	}
	for _, t := range c.tried {
		if t.at > until {
			continue
		}
		r.Retries++
		if t.failed {
			r.Failed++
		}
		if t.chance < .01 {
			r.Hopeless++
		}
		if t.double {
			r.Doubles++
		}
	}
	for _, d := range c.decisions {
		if d.at <= until {
			r.Decisions++
		}
		if d.cost == 0 || d.spentAt > until {
			continue
		}
		r.Cost += d.cost
		switch d.cost {
		case contactCost:
			r.Contacts++
		case escalateCost:
			r.Escalations++
		}
	}
	r.Halted = !r.Recovered && c.nextNo > maxRetries
	return r
}
