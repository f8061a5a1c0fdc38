package score

import (
	"slices"
	"testing"

	"recoup/data"
	"recoup/features"
)

// Both sides of where each part begins, ends, and of the threshold.
func TestRisk(t *testing.T) {
	for name, c := range map[string]struct {
		f    features.Facts
		want Risk
	}{
		"nothing known":       {features.Facts{}, Risk{}},
		"as many attempts":    {features.Facts{Outcomes7d: 6}, Risk{}},
		"one attempt more":    {features.Facts{Outcomes7d: 7}, Risk{Score: 50, Attempts: 50}},
		"no end of attempts":  {features.Facts{Outcomes7d: 1 << 40}, Risk{Score: 400, Attempts: 400}},
		"half as much again":  {features.Facts{Captures: 5, OwnP90: 100, Amount: 150}, Risk{}},
		"a little more":       {features.Facts{Captures: 5, OwnP90: 100, Amount: 151}, Risk{Score: 2, Amount: 2}},
		"too few captures":    {features.Facts{Captures: 4, OwnP90: 100, Amount: 1e6}, Risk{}},
		"a huge amount":       {features.Facts{Captures: 5, OwnP90: 1, Amount: 1 << 62}, Risk{Score: 400, Amount: 400}},
		"huge both":           {features.Facts{Captures: 5, OwnP90: 1 << 62, Amount: 1<<63 - 1}, Risk{Score: 98, Amount: 98}},
		"mandate of 30 days":  {features.Facts{MandateCreated: failedAt - 30*data.Day}, Risk{}},
		"a day younger":       {features.Facts{MandateCreated: failedAt - 29*data.Day}, Risk{Score: 10, Mandate: 10}},
		"of today":            {features.Facts{MandateCreated: failedAt}, Risk{Score: 300, Mandate: 300}},
		"a refund":            {features.Facts{Refunds: 1}, Risk{Score: 150, Refunds: 150}},
		"below the threshold": {features.Facts{Refunds: 2, Outcomes7d: 13, MandateCreated: failedAt - 26*data.Day}, Risk{Score: 690, Attempts: 350, Mandate: 40, Refunds: 300}},
		"at the threshold":    {features.Facts{Refunds: 2, Outcomes7d: 14}, Risk{Score: 700, Attempts: 400, Refunds: 300, Above: true}},
	} {
		s := situation{Facts: &c.f, policy: Default(), t: failedAt}
		if got := s.risk(); got != c.want {
			t.Errorf("%s: %+v, expected %+v", name, got, c.want)
		}
	}
}

// Above the threshold nothing but a person is allowed, whatever the arm, and
// nothing that was taken out is scored.
func TestRiskLeavesAPerson(t *testing.T) {
	for arm := data.ArmRules; arm <= data.ArmControl; arm++ {
		e := divided(t, true, func(c *choicePolicy) { c.risk.threshold = 1; c.risk.mandate = riskPart{30, 10, 300} }, Explorer{Only: arm})
		l := &caseLog{}
		l.mandate(failedAt-data.Day, data.Mandate{Status: data.MandateActive, CreatedAt: failedAt - data.Day})
		l.attempt(failedAt, 0, data.Failed, everyAction)
		d := l.decide(t, e, failedAt)
		for _, c := range d.Allowed {
			if c.Action != data.Wait && c.Action != data.Escalate {
				t.Errorf("%s: %s at %s is allowed", arm, c.Action, c.At)
			}
		}
		if !d.Risk.Above || d.Allowed[d.Chosen].Action != data.Escalate || !slices.ContainsFunc(d.Refusals, func(r Refusal) bool { return r.Rule == ruleRisk && r.Action == data.Retry }) {
			t.Errorf("%s: %+v, %s, %+v", arm, d.Risk, d.Allowed[d.Chosen].Action, d.Refusals)
		}
	}
}
