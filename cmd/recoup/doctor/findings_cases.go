package doctor

import (
	"fmt"
	"math/bits"
	"strings"

	"recoup/data"
	"recoup/train"
)

func (e *exam) checkStatuses(*Report) []Finding {
	c := &e.attempts
	if c.rows == 0 {
		return nil
	}
	switch {
	case c.failed == 0:
		return []Finding{{Check: "status", Level: Stop, What: "no attempt failed", Why: "a case begins with a failure", Do: "check values: of status in the mapping, or that the export holds failures"}}
	case c.paid == 0:
		return []Finding{{Check: "status", Level: Stop, What: "no attempt was captured", Why: "without successes nothing can be learned", Do: "check values: of status in the mapping, or that the export holds successes"}}
	}
	out := []Finding{}
	if c.originals == c.originalsFailed && c.originals > 0 {
		out = append(out, Finding{Check: "history", Level: Warn, N: c.originals, What: "every original charge failed: charges that succeed at once are not in the log",
			Why: "the pay day of customers and the health of banks are learned from successes", Do: "export all attempts, not only those of failed charges"})
	} else {
		out = append(out, Finding{Check: "status", Level: OK, N: c.failed, Share: of(c.failed, c.rows), What: fmt.Sprintf("%s of the attempts' rows failed; %s of the original charges", percent(c.failed, c.rows), percent(c.originalsFailed, c.originals))})
	}
	if 100*c.pending > c.rows {
		out = append(out, Finding{Check: "pending", Level: Note, N: c.pending, Share: of(c.pending, c.rows), What: fmt.Sprintf("%d attempts are pending and have no later status", c.pending),
			Why: "an attempt that stays pending counts as not captured", Do: "ingest their later statuses"})
	}
	return out
}

func (e *exam) checkMature(r *Report) []Finding {
	var retries, mature int64
	for _, m := range r.Months {
		retries, mature = retries+m.Retries, mature+m.Mature
	}
	if retries == 0 {
		return nil
	}
	f := Finding{Check: "mature", Level: OK, N: mature, Share: of(mature, retries),
		What: fmt.Sprintf("the windows of %d of %d retries have closed at %s (%s)", mature, retries, r.AsOf, percent(mature, retries))}
	if 2*mature < retries {
		f.Level, f.Why, f.Do = Warn, "only closed windows count: a fast success does not enter early", "wait, or check that the times of the log are right"
	}
	return []Finding{f}
}

func (e *exam) checkSlices(r *Report) []Finding {
	var out []Finding
	if r.Attempts.Why != "" {
		f := Finding{Check: "retries to learn from", Level: Stop, N: r.Attempts.Rows, What: fmt.Sprintf("%d rows, %d captured: %s", r.Attempts.Rows, r.Attempts.Positives, cause(r.Attempts.Why)),
			Why: "a night fits, chooses, calibrates and tests on four slices of time, and exits 4 when one is too thin", Do: "ingest a longer history; --as-of " + r.Suggested + " sees all of this one"}
		if e.attempts.retries == 0 {
			f.What, f.Do = "no attempt after a failed one", "check case: in the mapping: retries must share the case of their charge"
		}
		out = append(out, f)
	} else {
		out = append(out, Finding{Check: "retries to learn from", Level: OK, N: r.Attempts.Rows, Share: of(r.Attempts.Positives, r.Attempts.Rows),
			What: fmt.Sprintf("%d rows, %d captured; slices: %s", r.Attempts.Rows, r.Attempts.Positives, told(r.Attempts.Slices))})
	}
	switch p := r.Periods; {
	case p.Rows == 0:
		out = append(out, Finding{Check: "person-time", Level: Warn, What: "no failed case waits for a whole day: the next attempt or payment comes sooner",
			Why: "the cure model learns from days on which nothing is done; without them it is not assessed and waiting is worth 0"})
	case p.Positives == 0:
		out = append(out, Finding{Check: "person-time", Level: Warn, N: p.Rows, Share: of(0, p.Rows), What: fmt.Sprintf("%d days of waiting, and nobody pays on any of them", p.Rows),
			Why: "the cure model is then not assessed and waiting is worth 0", Do: "ingest payments by other roads: case_events of kind paid_elsewhere, or attempts of initiator customer"})
	case p.Why != "":
		out = append(out, Finding{Check: "person-time", Level: Warn, N: p.Rows, Share: of(p.Positives, p.Rows), What: fmt.Sprintf("%d days of waiting, %d paid: %s", p.Rows, p.Positives, cause(p.Why)),
			Why: "the cure model is then not assessed and waiting is worth 0"})
	default:
		out = append(out, Finding{Check: "person-time", Level: OK, N: p.Rows, Share: of(p.Positives, p.Rows),
			What: fmt.Sprintf("%d days of waiting, %d paid; slices: %s", p.Rows, p.Positives, told(p.Slices))})
	}
	return out
}

// cause is a message without the names of the packages before it.
func cause(s string) string {
	for _, p := range []string{"train: ", "slices: ", "attempts: ", "person-days: "} {
		s = strings.TrimPrefix(s, p)
	}
	return s
}

func told(s *train.Slices) string {
	var out []string
	for _, c := range s.Slices {
		out = append(out, fmt.Sprintf("%s %d (%d positive)", c.Part, c.Rows, c.Positives))
	}
	return strings.Join(out, ", ")
}

func (e *exam) checkReasons(*Report) []Finding {
	c := &e.attempts
	if c.failed == 0 {
		return nil
	}
	unknown := c.notReported + c.noReason
	f := Finding{Check: "reasons", Level: OK, N: unknown, Share: of(unknown, c.failed)}
	var classes []string
	for _, k := range data.Classes() {
		if n := c.byClass[k]; n > 0 {
			classes = append(classes, fmt.Sprintf("%s %s", k, percent(n, c.failed)))
		}
	}
	f.What = fmt.Sprintf("%s of the failures have no reason", percent(unknown, c.failed))
	if classes != nil {
		f.What += "; by class: " + strings.Join(classes, ", ")
	}
	switch {
	case unknown == c.failed:
		f.Level = Warn
	case 10*unknown > c.failed:
		f.Level = Warn
	case unknown > 0:
		f.Level = Note
	}
	if unknown > 0 {
		f.Why = "a failure without a reason is for people: the gate allows no retry, and the model cannot tell an empty account from a dead mandate"
		f.Do = "map the column with the reasons; recoup ingest --suggest shows which texts are reasons of the table"
	}
	return []Finding{f}
}

func (e *exam) checkCases(r *Report) []Finding {
	if r.Cases == 0 {
		return nil
	}
	var by [6]int64
	var total int64
	e.eachCase(func(c charge) {
		by[min(c.most, 5)]++
		total += int64(c.most) + 1
	})
	f := Finding{Check: "attempts per case", Level: OK, N: by[4] + by[5], Share: of(by[4]+by[5], r.Cases),
		What: fmt.Sprintf("%.2f on average; 1: %s, 2: %s, 3: %s, 4: %s, more: %s", float64(total)/float64(r.Cases),
			percent(by[0], r.Cases), percent(by[1], r.Cases), percent(by[2], r.Cases), percent(by[3], r.Cases), percent(by[4]+by[5], r.Cases))}
	switch {
	case by[0] == r.Cases:
		f.Level, f.Why, f.Do = Warn, "nothing was retried, or no two attempts share a case", "check case: in the mapping"
	case 20*(by[4]+by[5]) > r.Cases:
		f.Level, f.Why, f.Do = Warn, "NPCI allows one attempt and three retries a cycle: longer cases may be several charges taken for one", "check case: in the mapping"
	}
	out := []Finding{f}
	if r.Customers == r.Cases && r.Customers > 100 && e.attempts.originals == e.attempts.originalsFailed || r.Customers >= e.attempts.originals && e.attempts.originals > 100 {
		out = append(out, Finding{Check: "customers", Level: Warn, N: r.Customers, What: "every charge has a customer of its own",
			Why: "nothing is learned about a customer's pay day and history, and intervals by customer are those by charge", Do: "map a column that names the customer, if there is one"})
	}
	return out
}

// eachCase visits the cases in the order in which they stand in the index.
func (e *exam) eachCase(visit func(charge)) {
	for _, id := range e.caseIDs {
		c, _ := e.cases.Get(id)
		visit(c)
	}
}

func (e *exam) checkInitiator(*Report) []Finding {
	c := &e.attempts
	if c.retries == 0 {
		return nil
	}
	f := Finding{Check: "initiator", Level: OK, N: c.noInitiator, Share: of(c.noInitiator, c.retries), What: fmt.Sprintf("%s of the later attempts do not say who made them", percent(c.noInitiator, c.retries))}
	if c.noInitiator > 0 {
		f.Level, f.Why = Note, "a payment that the customer made himself is then taken for a retry that worked"
		f.Do = "map initiator (recoup, provider, customer), if the export tells them apart"
	}
	return []Finding{f}
}

func (e *exam) checkColumns(*Report) []Finding {
	c := &e.attempts
	if c.rows == 0 {
		return nil
	}
	var rails []string
	for _, r := range data.Rails() {
		if n := c.byRail[r]; n > 0 {
			rails = append(rails, fmt.Sprintf("%s %s", r, percent(n, c.rows)))
		}
	}
	out := []Finding{{Check: "rails", Level: OK, N: int64(len(rails)), What: strings.Join(rails, ", ")}}
	for _, f := range []struct{ column, why string }{
		{"bank", "the health of the bank is then unknown"},
		{"mandate_id", "caps, pauses and expiry of the mandate cannot be looked up, and the gate must ask people"},
		{"network", "the card networks' caps on retries cannot be told apart"},
	} {
		all := c.rows
		if f.column == "network" {
			all = c.byRail[data.Card]
		}
		if n := c.without[f.column]; n > 0 && all > 0 {
			out = append(out, Finding{Check: "column " + f.column, Level: Note, N: n, Share: of(n, all), What: fmt.Sprintf("empty in %s of the rows that could have it", percent(n, all)), Why: f.why})
		}
	}
	return out
}

// strangeBits is how many doublings above the middle make an amount extreme.
const strangeBits = 10

func (e *exam) checkAmounts(*Report) []Finding {
	c := &e.attempts
	if c.rows == 0 {
		return nil
	}
	n, middle := int64(0), 0
	for b, k := range c.amounts {
		if n += k; 2*n >= c.rows {
			middle = b
			break
		}
	}
	var out []Finding
	if c.zero > 0 {
		out = append(out, Finding{Check: "amounts", Level: Warn, N: c.zero, Share: of(c.zero, c.rows), What: fmt.Sprintf("%d attempts of 0", c.zero),
			Why: "recovering them is worth nothing, and a check of a card is no charge", Do: "leave them out of the export, if they are checks"})
	}
	extreme := int64(0)
	for b := middle + strangeBits; b < len(c.amounts); b++ {
		extreme += c.amounts[b]
	}
	if extreme > 0 && middle > 0 {
		out = append(out, Finding{Check: "amounts", Level: Warn, N: extreme, Share: of(extreme, c.rows),
			What: fmt.Sprintf("%d attempts are a thousand times the usual amount (largest %s, half are below %s)", extreme, c.biggest, data.Paise(1)<<middle),
			Why:  "a few such cases decide every sum of money", Do: "check that all rows have the same unit, rupees or paise"})
	}
	if out == nil {
		out = append(out, Finding{Check: "amounts", Level: OK, N: c.rows, What: fmt.Sprintf("half are below %s, the largest is %s", data.Paise(1)<<middle, c.biggest)})
	}
	if small := bits.Len64(200); middle <= small && c.zero == 0 {
		out = append(out, Finding{Check: "unit", Level: Warn, N: c.rows, What: fmt.Sprintf("half of the amounts are below %s %s", data.Paise(1)<<middle, e.manifest.Currency),
			Why: "that is small for a charge: rupees may have been taken for paise", Do: "check unit: of amount_paise in the mapping"})
	}
	return out
}

func (e *exam) checkPersonal(*Report) []Finding {
	var out []Finding
	for _, column := range []string{"case_id", "customer_id", "instrument_id", "mandate_id", "subscription_id"} {
		p := e.attempts.personal[column]
		if p == nil || 20*p.n < e.attempts.looked {
			continue
		}
		out = append(out, Finding{Check: "personal details", Level: Warn, N: p.n, Share: of(p.n, e.attempts.looked),
			What: fmt.Sprintf("%s looks like an %s in %s of the rows looked at", column, p.kind, percent(p.n, e.attempts.looked)),
			Why:  "the log, its reports and its copies then hold personal data", Do: "put a keyed hash in the export, or let --webhooks make it, and ingest into a new folder"})
	}
	return out
}
