package score

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"recoup/data"
	"recoup/features"
)

// number names one of the gate's numbers.
type number uint8

const (
	budget number = iota
	polls
	pollFirst
	pollGap
	lateCapture
	noticeFloor
	noticeLead
	noticeAge
	noticeLapse
	noticeExempt
	finalRest
	cutOff
	cycleDebits
	cycleEndDays
	afaCap
	declines30d
	declinesDay
	adviceWait
	adviceNeeded
	freshMandate
	outageWait
	baseline
	promiseDays
	promiseTrust
	contacts7d
	contactGap
	numberCount
)

// numberInfo says what a number is and between which bounds it must lie.
type numberInfo struct {
	id, unit, doc string
	lo, hi        int64
}

var numberInfos = [numberCount]numberInfo{
	budget:       {"budget", "presentations", "of one charge at most, the original and the provider's own retries included", 1, 16},
	polls:        {"polls", "status checks", "of one attempt at most", 1, 100},
	pollFirst:    {"poll_first", "seconds", "from the presentation to the first status check", 0, 86400},
	pollGap:      {"poll_gap", "seconds", "between two status checks", 0, 86400},
	lateCapture:  {"late_capture", "hours", "after its presentation in which a failed payment may still be captured", 1, 720},
	noticeFloor:  {"notice_floor", "minutes", "from the notice to the debit at least", 1, 10080},
	noticeLead:   {"notice_lead", "minutes", "from the decision to when a new notice is out", 0, 1440},
	noticeAge:    {"notice_age", "hours", "from the notice to the debit at most", 1, 720},
	noticeLapse:  {"notice_lapse", "hours", "after the debit that it announced in which a notice still holds", 1, 720},
	noticeExempt: {"notice_exempt", "1 = yes", "debits that need no notice", 1, 1},
	finalRest:    {"final_rest", "hours", "from the final status of the latest failure to the next debit", 1, 720},
	cutOff:       {"cut_off", "minutes of the day", "at which the day's debits close, in India", 1, 1440},
	cycleDebits:  {"cycle_debits", "successful debits", "of a mandate in a cycle", 1, 1},
	cycleEndDays: {"cycle_end_days", "days", "at the end of a cycle without debit", 1, 31},
	afaCap:       {"afa_cap", "paise", "at most without the customer's second factor", 0, 1e12},
	declines30d:  {"declines_30d", "declines", "of one customer, rail and amount in 30 days, at which no more is tried", 1, 64},
	declinesDay:  {"declines_day", "declines", "of one customer, rail and amount on a day in India, at which no more is tried", 1, 64},
	adviceWait:   {"advice_wait", "hours", "from the final status of the latest failure, by its advice code", 1, 720},
	adviceNeeded: {"advice_needed", "1 = yes", "declines with a response code and without advice are not retried", 1, 1},
	freshMandate: {"fresh_mandate", "hours", "from the creation of a mandate to a debit of it", 1, 720},
	outageWait:   {"after_outage", "hours", "after an outage, or after the failure where none is known", 0, 240},
	baseline:     {"baseline", "permille", "by which the bank's failure rate of 6 h may pass its own of 30 days", 0, 1000},
	promiseDays:  {"promise_days", "days", "after the latest failure until which a promise may hold a retry", 1, 31},
	promiseTrust: {"promise_trust", "broken promises", "of the customer, at which the next one holds nothing", 1, 100},
	contacts7d:   {"contacts_7d", "links and nudges", "to one customer in 7 days", 1, features.ContactsSeen},
	contactGap:   {"contact_gap", "hours", "between two links or nudges to one customer", 0, 168},
}

// numberRow is a number of the policy, with the days it holds and what narrows it.
type numberRow struct {
	dated
	n        number
	rail     data.Rail         // 0 = any
	network  features.Network  // 0 = any
	category features.Category // 0 = any
	code     features.Code     // of the latest failure's advice; zero = any
	reason   data.Reason       // of the latest failure; 0 = any
	value    int64
}

// dated is from when to when a row holds, and where it is written.
type dated struct {
	from, to data.Micros // to: 0 = no end
	source   string
}

func (d *dated) holds(t data.Micros) bool { return t >= d.from && (d.to == 0 || t < d.to) }

// limits are the numbers that hold for a case at a time; silent where none does.
type limits [numberCount]int64

const silent = -1

func (l *limits) span(n number, unit data.Micros) data.Micros { return data.Micros(l[n]) * unit }

// limitsAt finds the numbers: of the rows that hold, the last counts.
func (p *Policy) limitsAt(f *features.Facts, at data.Micros) (l limits) {
	for i := range l {
		l[i] = silent
	}
	for i := range p.numbers {
		r := &p.numbers[i]
		if r.holds(at) && (r.rail == 0 || r.rail == f.Rail) && (r.network == 0 || r.network == f.Network) &&
			(r.category == 0 || r.category == f.MandateCategory) && (r.code == features.Code{} || r.code == f.Advice) && (r.reason == 0 || r.reason == f.Reason) {
			l[r.n] = r.value
		}
	}
	return l
}

// epoch counts the changes of numbers and rules up to a time: within one, the
// same rules hold with the same numbers.
func (p *Policy) epoch(at data.Micros) (n int) {
	for n < len(p.changes) && p.changes[n] <= at {
		n++
	}
	return n
}

// dateChanges lists the instants at which a number or a rule begins or ends.
func (p *Policy) dateChanges() {
	for i := range p.numbers {
		p.changes = append(p.changes, p.numbers[i].from, p.numbers[i].to)
	}
	for i := range p.rules {
		p.changes = append(p.changes, p.rules[i].From, p.rules[i].To)
	}
	slices.Sort(p.changes)
	p.changes = slices.DeleteFunc(slices.Compact(p.changes), func(at data.Micros) bool { return at == 0 })
}

func numberNames() map[string]number {
	out := map[string]number{}
	for n := range numberCount {
		out[numberInfos[n].id] = n
	}
	return out
}

// words maps the names of typed words to them.
func words[W interface{ String() string }](all []W) map[string]W {
	out := make(map[string]W, len(all))
	for _, w := range all {
		out[w.String()] = w
	}
	return out
}

// readNumbers reads the rows of numbers.
func (y *yamlFile) readNumbers(n ast.Node, p *Policy) {
	names, rails := numberNames(), words(data.Rails())
	networks, categories := words(features.Networks()), words(features.Categories())
	y.list(n, "numbers", func(n ast.Node) {
		var r numberRow
		var value ast.Node
		r.n = numberCount
		k := r.keys(y, "number")
		k["id"] = func(n ast.Node) {
			if s, _ := scalar(n); names[s] != 0 || s == numberInfos[0].id {
				r.n = names[s]
				return
			}
			yamlWord(y, n, "number: id", names)
		}
		k["rail"] = func(n ast.Node) { r.rail = yamlWord(y, n, "number: rail", rails) }
		k["network"] = func(n ast.Node) { r.network = yamlWord(y, n, "number: network", networks) }
		k["category"] = func(n ast.Node) { r.category = yamlWord(y, n, "number: category", categories) }
		k["code"] = func(n ast.Node) { r.code = y.code(n, "number: code") }
		k["reason"] = func(n ast.Node) { r.reason = y.reason(n, "number: reason") }
		k["value"] = func(n ast.Node) { value = n }
		y.mapping(n, "number", k, "rail", "network", "category", "code", "reason", "to")
		if value != nil && r.n < numberCount {
			info := &numberInfos[r.n]
			r.value = y.whole(value, "number: "+info.id+": value, "+info.unit, info.lo, info.hi)
		}
		r.check(y, n, "number")
		p.numbers = append(p.numbers, r)
	})
	for _, id := range []number{budget, polls, pollFirst, pollGap, noticeFloor, afaCap, outageWait, baseline} {
		if !slices.ContainsFunc(p.numbers, func(r numberRow) bool { return r.n == id && r.everywhere() }) {
			y.fault(n, "numbers: %s: a row for every case and every day is missing: without rail, network, category, code, reason and to, from %s or before", numberInfos[id].id, day(hardFrom))
		}
	}
}

// everywhere says whether the row holds for every case, always.
func (r *numberRow) everywhere() bool {
	return r.rail == 0 && r.network == 0 && r.category == 0 && r.code == features.Code{} && r.reason == 0 && r.from <= hardFrom && r.to == 0
}

// keys are those of every dated row.
func (d *dated) keys(y *yamlFile, what string) keys {
	return keys{
		"from":   func(n ast.Node) { d.from = y.date(n, what+": from") },
		"to":     func(n ast.Node) { d.to = y.date(n, what+": to") },
		"source": func(n ast.Node) { d.source = y.text(n, what+": source") },
	}
}

func (d *dated) check(y *yamlFile, n ast.Node, what string) {
	if d.to != 0 && d.to <= d.from {
		y.fault(n, "%s: to is not after from", what)
	}
}

// code reads a response or advice code.
func (y *yamlFile) code(n ast.Node, what string) features.Code {
	s, _ := scalar(n)
	c := features.CodeOf(s)
	if c == (features.Code{}) || c.String() != s {
		y.fault(n, "%s: %q: expected two capitals or digits, in quotes", what, s)
	}
	return c
}

// reason reads a failure's reason by its name.
func (y *yamlFile) reason(n ast.Node, what string) data.Reason {
	s, _ := scalar(n)
	r, err := data.ParseReason(s)
	if err != nil {
		y.fault(n, "%s: %v", what, err)
	}
	return r
}
