package matrix

import (
	"fmt"
	"testing"

	"recoup/data"
	"recoup/score"
)

// impossible lists the routes that the gate itself refuses: all that become of a
// refusal must be human_review, nothing, or an action that is allowed at some time.
func impossible(d *score.Decision) (out []string) {
	allowed := map[data.Action]bool{}
	for _, c := range d.Allowed {
		allowed[c.Action] = true
	}
	said := map[string]bool{}
	for _, r := range d.Refusals {
		if r.Route == 0 || r.Route == data.HumanReview || allowed[r.Route.Action()] {
			continue
		}
		if line := fmt.Sprintf("%s of %s becomes %s, and no %s is allowed", r.Rule, r.Action, r.Route, r.Route.Action()); !said[line] {
			said[line] = true
			out = append(out, line)
		}
	}
	return out
}

// What becomes of a refusal can be done: for every reason, rail and state of the
// mandate, early and late.
func TestRoutesArePossible(t *testing.T) {
	t.Parallel()
	e := ruleEngine(t, score.Default())
	met, faults := map[data.Route]int{}, 0
	small := mandates[1]
	small.name, small.is = "too_small", &data.Mandate{Status: data.MandateActive, MaxAmount: 1_00}
	for _, pr := range profiles {
		for _, reason := range data.Reasons() {
			for _, rail := range data.Rails() {
				for _, m := range append(mandates[:len(mandates):len(mandates)], small) {
					s := pr.story(reason, rail, m.is)
					times := []data.Micros{t0 + pr.now}
					if pr.name == "fresh" {
						times = append(times, t0+20*days)
					}
					for _, now := range times {
						d, err := e.Decide(s.state(t, now), "case", now)
						if err != nil {
							t.Fatal(err)
						}
						for _, r := range d.Refusals {
							met[r.Route]++
						}
						if bad := impossible(&d); len(bad) > 0 && faults < 20 {
							faults++
							t.Errorf("%s, %s, %s, %s at %s:\n  %s", pr.name, reason, rail, m.name, now, lines(bad))
						}
					}
				}
			}
		}
	}
	for r := data.ReMandateLink; r <= data.StatusPoll; r++ {
		if met[r] == 0 && r != data.Winback { // no class asks for a winback before a link
			t.Errorf("%s was never a route: %v", r, met)
		}
	}
}
