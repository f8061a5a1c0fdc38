package pages

import (
	"fmt"

	"recoup/data"
	"recoup/score"
)

// refusal is a line of what the gate refused.
type refusal struct{ Rule, Does, When, Route, Why string }

// refusalsOf joins the times that one rule refused one action for, so that a
// grid of slots is a line and not a page.
func refusalsOf(all []score.Refusal) []refusal {
	type kind struct {
		rule, why string
		action    data.Action
		route     data.Route
		timed     bool
	}
	type span struct {
		from, to data.Micros
		n        int
	}
	var order []kind
	spans := map[kind]*span{}
	for _, r := range all {
		k := kind{r.Rule, r.Why, r.Action, r.Route, r.At != 0}
		s := spans[k]
		if s == nil {
			s = &span{from: r.At, to: r.At}
			spans[k] = s
			order = append(order, k)
		}
		s.from, s.to, s.n = min(s.from, r.At), max(s.to, r.At), s.n+1
	}
	var out []refusal
	for _, k := range order {
		x := refusal{Rule: k.rule, Does: actionWords[k.action], Route: routeWords[k.route], Why: k.why}
		switch s := spans[k]; {
		case k.timed && s.n > 1:
			x.When = fmt.Sprintf("%d times, %s to %s", s.n, day(s.from), day(s.to))
		case k.timed:
			x.When = day(s.from)
		}
		out = append(out, x)
	}
	return out
}
