package score

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"

	"recoup/data"
	"recoup/features"
)

const policyFormat = 1

// notReported is the row of the class table for failures without a reason.
const notReported = "NOT_REPORTED"

var (
	retryVerdicts    = map[string]verdict{"yes": yes, "no": no, "after_outage": afterOutage, "after_failed_poll": afterFailedPoll}
	linkVerdicts     = map[string]verdict{"yes": yes, "no": no, "after_attempts": afterAttempts}
	nudgeVerdicts    = map[string]verdict{"yes": yes, "no": no, "once": once}
	escalateVerdicts = map[string]verdict{"no": no, "capacity": capacity, "merchant_alert": merchantAlert, "human_review": humanReview, "after_polls": afterPolls}
	whens            = map[string]when{"now": now, "after": after, "pay_day": payDay, "outage_end": outageEnd}
)

// readPolicy reads a policy file and tells all its faults.
func readPolicy(path string, text []byte) (*Policy, []error) {
	y, p := &yamlFile{path: path}, &Policy{}
	root := y.root(text)
	if root == nil {
		return nil, y.faults
	}
	y.mapping(root, "policy", keys{
		"format":   func(n ast.Node) { y.whole(n, "format", policyFormat, policyFormat) },
		"version":  func(n ast.Node) { p.version = day(y.date(n, "version")) },
		"horizon":  func(n ast.Node) { y.horizon(n, p) },
		"grid":     func(n ast.Node) { y.grid(n, p) },
		"costs":    func(n ast.Node) { y.costs(n, p) },
		"numbers":  func(n ast.Node) { y.readNumbers(n, p) },
		"windows":  func(n ast.Node) { y.windows(n, p) },
		"holidays": func(n ast.Node) { y.holidays(n, p) },
		"stops":    func(n ast.Node) { y.stops(n, p) },
		"ladder": func(n ast.Node) {
			y.sourced(n, "ladder", keys{"days": func(n ast.Node) { p.ladder = y.numbers(n, "ladder", 1, 31) }})
		},
		"pay_days": func(n ast.Node) { y.payDays(n, &p.payDays) },
		"classes":  func(n ast.Node) { y.classes(n, p) },
		"choice":   func(n ast.Node) { y.choice(n, &p.choice) },
		"rules":    func(n ast.Node) { y.rules(n, p) },
	})
	p.dateChanges()
	return p, y.faults
}

// sourced reads a mapping that must say where its numbers come from.
func (y *yamlFile) sourced(n ast.Node, what string, k keys) {
	k["source"] = func(n ast.Node) { y.text(n, what+": source") }
	y.mapping(n, what, k)
}

func (y *yamlFile) horizon(n ast.Node, p *Policy) {
	y.sourced(n, "horizon", keys{
		"days": func(n ast.Node) {
			p.horizon = data.Micros(y.whole(n, "horizon: days", 1, features.CureDays)) * data.Day
		},
		"least": func(n ast.Node) { p.least = data.Micros(y.whole(n, "horizon: least", 0, features.CureDays)) * data.Day },
	})
}

func (y *yamlFile) grid(n ast.Node, p *Policy) {
	hours := func(to *[]data.Micros, what string) func(ast.Node) {
		return func(n ast.Node) {
			for _, h := range y.numbers(n, what, 0, 23) {
				*to = append(*to, data.Micros(h)*data.Hour)
			}
		}
	}
	y.sourced(n, "grid", keys{
		"days":          func(n ast.Node) { p.gridDays = int(y.whole(n, "grid: days", 1, 31)) },
		"retry_hours":   hours(&p.retryHours, "grid: retry_hours"),
		"contact_hours": hours(&p.contacts, "grid: contact_hours"),
	})
}

// numbers reads a list of whole numbers, each above the one before.
func (y *yamlFile) numbers(n ast.Node, what string, lo, hi int64) (out []int) {
	y.list(n, what, func(n ast.Node) {
		v := int(y.whole(n, what, lo, hi))
		if len(out) > 0 && v <= out[len(out)-1] {
			y.fault(n, "%s: %d: expected numbers in rising order", what, v)
		}
		out = append(out, v)
	})
	return out
}

func (y *yamlFile) costs(n ast.Node, p *Policy) {
	k := keys{}
	for _, a := range data.Actions() {
		if a == data.Wait { // it is what the others are measured against
			continue
		}
		what := "costs: " + a.String()
		k[a.String()] = func(n ast.Node) {
			y.sourced(n, what, keys{"paise": func(n ast.Node) { p.costs[a] = data.Paise(y.whole(n, what, 0, 1e9)) }})
		}
	}
	y.mapping(n, "costs", k)
}

func (y *yamlFile) payDays(n ast.Node, p *payDays) {
	y.sourced(n, "pay_days", keys{
		"days": func(n ast.Node) { p.days = y.numbers(n, "pay_days: days", 1, 28) },
		"last_working_day": func(n ast.Node) {
			p.lastWork = yamlWord(y, n, "pay_days: last_working_day", map[string]bool{"true": true, "false": false})
		},
		"from": func(n ast.Node) { p.from = y.timeOfDay(n, "pay_days: from") },
		"to":   func(n ast.Node) { p.to = y.timeOfDay(n, "pay_days: to") },
	})
	if p.to < p.from {
		y.fault(n, "pay_days: to is before from")
	}
}

func (y *yamlFile) timeOfDay(n ast.Node, what string) data.Micros {
	s, _ := scalar(n)
	t, err := time.Parse("15:04", s)
	if err != nil {
		y.fault(n, "%s: %q: expected a time of day such as \"08:00\", in quotes", what, s)
		return 0
	}
	return data.Micros(t.Hour())*data.Hour + data.Micros(t.Minute())*data.Minute
}

// day is the date in India.
func day(m data.Micros) string { return (m + data.ISTOffset).UTCDate() }

// date is the first instant of a day in India.
func (y *yamlFile) date(n ast.Node, what string) data.Micros {
	s, _ := scalar(n)
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		y.fault(n, "%s: %q: expected a date such as 2026-11-30", what, s)
		return 0
	}
	return data.IST(t.Year(), t.Month(), t.Day(), 0, 0)
}

// permille reads a share in [0, 1] of at most three decimals.
func (y *yamlFile) permille(n ast.Node, what string) int64 {
	s, _ := scalar(n)
	v, err := strconv.ParseFloat(s, 64)
	m := int64(v * 1000)
	for _, near := range []int64{m, m + 1} {
		if float64(near)/1000 == v {
			m = near
		}
	}
	if err != nil || !(v >= 0 && v <= 1) || float64(m)/1000 != v {
		y.fault(n, "%s: %q: expected a share from 0 to 1 of at most three decimals", what, s)
		return 0
	}
	return m
}

func (y *yamlFile) classes(n ast.Node, p *Policy) {
	k := keys{notReported: func(n ast.Node) { y.class(n, notReported, &p.classes[0]) }}
	for _, c := range data.Classes() {
		k[c.String()] = func(n ast.Node) { y.class(n, c.String(), &p.classes[c]) }
	}
	y.mapping(n, "classes", k)
}

func (y *yamlFile) class(n ast.Node, name string, c *classRow) {
	kind := func(to *data.Route, a data.Action) func(ast.Node) {
		return func(n ast.Node) {
			s, _ := scalar(n)
			r, err := data.ParseRoute(s)
			if err != nil || r.Action() != a {
				y.fault(n, "%s: %q: expected a kind of %s", name, s, a)
			}
			*to = r
		}
	}
	y.mapping(n, name, keys{
		"retry":        func(n ast.Node) { c.retry = yamlWord(y, n, name+": retry", retryVerdicts) },
		"payment_link": func(n ast.Node) { c.link = yamlWord(y, n, name+": payment_link", linkVerdicts) },
		"nudge":        func(n ast.Node) { c.nudge = yamlWord(y, n, name+": nudge", nudgeVerdicts) },
		"escalate":     func(n ast.Node) { c.escalate = yamlWord(y, n, name+": escalate", escalateVerdicts) },
		"link_kind":    kind(&c.linkKind, data.PaymentLink),
		"nudge_kind":   kind(&c.nudgeKind, data.Nudge),
		"arm":          func(n ast.Node) { y.arm(n, name+": arm", c) },
	})
}

func (y *yamlFile) arm(n ast.Node, what string, c *classRow) {
	y.mapping(n, what, keys{
		"action": func(n ast.Node) {
			s, _ := scalar(n)
			a, err := data.ParseAction(s)
			if err != nil {
				y.fault(n, "%s: %v", what, err)
			}
			c.arm = a
		},
		"when": func(n ast.Node) { c.when = yamlWord(y, n, what+": when", whens) },
		"hours": func(n ast.Node) {
			for _, h := range y.numbers(n, what+": hours", 1, 24*31) {
				c.after = append(c.after, data.Micros(h)*data.Hour)
			}
		},
	}, "hours")
	switch {
	case (c.when == after) != (len(c.after) > 0):
		y.fault(n, "%s: hours go with when: after, and it with them", what)
	case (c.when != now) != (c.arm == data.Retry):
		y.fault(n, "%s: a retry has a time: after, pay_day or outage_end; anything else is done now", what)
	}
}

// rules reads the gate's rules: all that gateRules knows, in whatever order.
func (y *yamlFile) rules(n ast.Node, p *Policy) {
	y.list(n, "rules", func(n ast.Node) {
		var r Rule
		y.mapping(n, "rule", keys{
			"id":     func(n ast.Node) { r.ID = y.text(n, "rule: id") },
			"why":    func(n ast.Node) { r.Why = y.text(n, "rule: why") },
			"source": func(n ast.Node) { r.Source = y.text(n, "rule: source") },
			"from":   func(n ast.Node) { r.From = y.date(n, "rule: from") },
			"to":     func(n ast.Node) { r.To = y.date(n, "rule: to") },
		}, "to")
		code, known := gateRules[r.ID]
		switch {
		case !known:
			y.fault(n, "rule %q: unknown: no gate knows what it does", r.ID)
		case slices.ContainsFunc(p.rules, func(o statedRule) bool { return o.ID == r.ID }):
			y.fault(n, "rule %s twice", r.ID)
		case code.hard && (r.To != 0 || r.From > hardFrom):
			y.fault(n, "rule %s: in force from %s, without end: nothing may switch it off", r.ID, day(hardFrom))
		case r.To != 0 && r.To <= r.From:
			y.fault(n, "rule %s: to is not after from", r.ID)
		}
		p.rules = append(p.rules, statedRule{r, code})
	})
	for _, id := range ruleIDs() {
		if !slices.ContainsFunc(p.rules, func(r statedRule) bool { return r.ID == id }) {
			y.faults = append(y.faults, fmt.Errorf("%s:%d: rules: %s is missing", y.path, lineOf(n), id))
		}
	}
}

// hardFrom is the latest day from which a rule without end may be in force.
var hardFrom = data.IST(2000, 1, 1, 0, 0)
