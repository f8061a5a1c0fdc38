package score

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/models"
)

// Whatever reason, state and arm, and through the rules where the model breaks:
// what the gate refuses has no probability, no value and no chance to be drawn,
// and is neither chosen nor logged as allowed.
func TestNoRoadAroundTheGate(t *testing.T) {
	whole := testBundle(t, nil)
	broken := testBundle(t, nil)
	broken.Attempt.Platt.B = math.NaN()
	rapid.Check(t, func(rt *rapid.T) {
		l := &caseLog{}
		if rapid.Bool().Draw(rt, "mandate") {
			m := data.Mandate{Status: data.MandateStatus(rapid.IntRange(1, 4).Draw(rt, "status")), MaxAmount: data.Paise(rapid.SampledFrom([]int64{0, 1, 1e6}).Draw(rt, "max"))}
			l.mandate(failedAt-data.Day, m)
		}
		reason := rapid.SampledFrom(data.Reasons()).Draw(rt, "reason")
		for no := range int32(rapid.IntRange(1, 5).Draw(rt, "attempts")) {
			l.attempt(failedAt+data.Micros(no)*data.Hour, no, data.Failed, reason)
		}
		if rapid.Bool().Draw(rt, "poll") {
			l.poll(failedAt+6*data.Hour, 0, data.PollStatus(rapid.IntRange(1, 4).Draw(rt, "says")))
		}
		if rapid.Bool().Draw(rt, "ended") {
			l.ended(failedAt+6*data.Hour, data.CaseEventKind(rapid.IntRange(1, 4).Draw(rt, "how")))
		}
		st, now := l.state(t), failedAt+7*data.Hour+data.Micros(rapid.Int64Range(0, int64(15*data.Day)).Draw(rt, "now"))
		f, err := st.Facts("case", now)
		must(t, err)
		s := situationOf(Default(), &f, now)
		var gate Decision
		s.candidates(&gate, nil)
		for _, b := range []*models.Bundle{nil, whole, broken} {
			for arm := data.ArmRules; arm <= data.ArmControl; arm++ {
				e, err := New(Default(), b)
				must(t, err)
				e, err = e.Explore(Explorer{Salt: testSalt, Only: arm})
				must(t, err)
				d, err := e.Decide(st, "case", now)
				must(t, err)
				check(t, &d)
				row := d.Row()
				for i, c := range d.Allowed {
					if !slices.ContainsFunc(gate.Allowed, func(g Choice) bool { return g.Action == c.Action && g.At == c.At }) || row.Allowed[i].At != c.At || row.Allowed[i].Action != c.Action {
						rt.Fatalf("%s arm: %s at %s is allowed, and the gate refuses it", arm, c.Action, c.At)
					}
				}
				if c := d.Allowed[d.Chosen]; !(c.Propensity > 0 && c.Mix > 0) {
					rt.Fatalf("%s arm: chose %s with propensity %v", arm, c.Action, c.Propensity)
				}
				if b == broken && arm == data.ArmModel && d.Arm == data.ArmModel && s.row.retry == yes && slices.ContainsFunc(d.Allowed, func(c Choice) bool { return c.Action == data.Retry }) {
					rt.Fatalf("a broken model decided")
				}
			}
		}
	})
}
