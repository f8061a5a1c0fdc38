package doctor

import (
	"fmt"
	"slices"
	"strings"

	"recoup/data"
)

// findings runs the checks.
func (e *exam) findings(r *Report) []Finding {
	var out []Finding
	for _, check := range []func(*Report) []Finding{
		e.checkSize, e.checkKnownAt, e.checkCoverage, e.checkLateness, e.checkStatuses, e.checkMature, e.checkSlices, e.checkReasons,
		e.checkCases, e.checkInitiator, e.checkColumns, e.checkAmounts, e.checkPersonal, e.checkDecisions,
	} {
		out = append(out, check(r)...)
	}
	return out
}

// of is a share, nil where there is nothing to divide by.
func of(n, all int64) *float64 {
	if all == 0 {
		return nil
	}
	s := float64(n) / float64(all)
	return &s
}

// percent is a share in words.
func percent(n, all int64) string {
	s := of(n, all)
	switch {
	case s == nil:
		return "-"
	case n == 0 || n == all:
		return fmt.Sprintf("%.0f %%", 100**s)
	case n > 0 && *s < 0.001:
		return "under 0.1 %"
	case n < all && *s > 0.999:
		return "over 99.9 %"
	}
	return fmt.Sprintf("%.1f %%", 100**s)
}

func (e *exam) checkSize(r *Report) []Finding {
	m := e.manifest
	f := Finding{Check: "log", Level: OK, N: e.attempts.rows,
		What: fmt.Sprintf("%d rows of attempts, %d charges that failed, %d customers, in %s", e.attempts.rows, r.Cases, r.Customers, m.Currency)}
	if e.attempts.rows == 0 {
		f.Level, f.Why, f.Do = Stop, "everything is learned from attempts", "ingest a table of attempts, or give a later --as-of"
	}
	out := []Finding{f}
	if d := m.Ingest; d.Duplicates.EventID+d.Duplicates.Attempt > 0 {
		n := d.Duplicates.EventID + d.Duplicates.Attempt
		out = append(out, Finding{Check: "duplicates", Level: Note, N: n, Share: of(n, n+d.Rows),
			What: fmt.Sprintf("the latest ingest dropped %d rows that were there before (%d of the same event, %d of an attempt with the same status)", n, d.Duplicates.EventID, d.Duplicates.Attempt),
			Why:  "the first row of an attempt and status counts"})
	}
	return out
}

func (e *exam) checkKnownAt(*Report) []Finding {
	if !e.manifest.KnownAtAssumed {
		return []Finding{{Check: "known_at", Level: OK, What: "every row says when it became known", N: e.attempts.rows}}
	}
	return []Finding{{Check: "known_at", Level: Warn, N: e.attempts.rows, What: "known_at is taken from occurred_at: the files do not say when rows became known",
		Why: "a success that was booked days later counts as known at once, so models look a little better here than they will be",
		Do:  "export when each row was recorded or received, and map it as known_at"}}
}

// checkCoverage looks for months and stretches of days without rows.
func (e *exam) checkCoverage(r *Report) []Finding {
	var out []Finding
	for i := range r.Tables {
		t := &r.Tables[i]
		if t.Rows == 0 {
			continue
		}
		days := make([]int64, 0, len(t.days))
		for d := range t.days {
			days = append(days, d)
		}
		slices.Sort(days)
		gaps := make([]int64, 0, len(days))
		longest, from := int64(0), int64(0)
		for k := 1; k < len(days); k++ {
			gaps = append(gaps, days[k]-days[k-1])
			if days[k]-days[k-1] > longest {
				longest, from = days[k]-days[k-1], days[k-1]
			}
		}
		level := Note
		if t.Table == "attempts" {
			level = Warn
		}
		if empty := monthsWithout(days); len(empty) > 0 {
			out = append(out, Finding{Check: "coverage of " + t.Table, Level: level, N: int64(len(empty)), What: fmt.Sprintf("months without a row: %s", strings.Join(shortList(empty), ", ")),
				Why: "a month without data looks like a month in which nothing happened", Do: "look for a missing file, and ingest it into a new folder with the others"})
			continue
		}
		if len(gaps) > 0 {
			slices.Sort(gaps)
			if usual := gaps[len(gaps)/2]; t.Table == "attempts" && longest >= 4*usual && longest > 3 || longest >= 20*usual {
				out = append(out, Finding{Check: "coverage of " + t.Table, Level: level, N: longest - 1,
					What: fmt.Sprintf("%d days without a row from %s on; usually rows are %d day(s) apart", longest-1, (data.Micros(from+1) * data.Day).UTCDate(), usual),
					Why:  "days that are missing look like days on which nothing happened", Do: "look for a missing file"})
			}
		}
	}
	if len(out) == 0 && e.attempts.rows > 0 {
		out = append(out, Finding{Check: "coverage", Level: OK, What: "no month and no stretch of days is without rows"})
	}
	var none []string
	for _, want := range []struct{ table, use string }{
		{"mandates", "caps, pauses and expiry of mandates"}, {"notices", "pre-debit notices and contacts"}, {"downtimes", "downtimes of banks and rails"},
		{"case_events", "payments by another road, disputes"}, {"polls", "status checks"}, {"promises", "promises to pay"}, {"subscriptions", "states of subscriptions"}} {
		if e.table(want.table).Rows == 0 {
			none = append(none, want.table+" ("+want.use+")")
		}
	}
	if len(none) > 0 {
		out = append(out, Finding{Check: "tables", Level: Note, N: int64(len(none)), What: "empty: " + strings.Join(none, ", "),
			Why: "features and gate rules that read them see nothing", Do: "ingest them where you have them: each has its own mapping, or comes with webhooks"})
	}
	return out
}

// monthsWithout are the months between the first and the last day that have none.
func monthsWithout(days []int64) []string {
	seen := map[string]bool{}
	for _, d := range days {
		seen[(data.Micros(d) * data.Day).UTCDate()[:7]] = true
	}
	var out []string
	if len(days) == 0 || days[len(days)-1]-days[0] > 40_000 {
		return nil
	}
	for d := days[0]; d < days[len(days)-1]; d++ {
		if m := (data.Micros(d) * data.Day).UTCDate()[:7]; !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
	}
	return out
}

func shortList(s []string) []string {
	if len(s) > 8 {
		return append(slices.Clone(s[:8]), fmt.Sprintf("and %d more", len(s)-8))
	}
	return s
}

// checkLateness looks at the distance between happening and knowing.
func (e *exam) checkLateness(r *Report) []Finding {
	var out []Finding
	for i := range r.Tables {
		t := &r.Tables[i]
		if t.Ahead > 0 && t.Table != "downtimes" && t.Table != "promises" {
			level := Note
			if t.AheadMost > 5*data.Minute || 100*t.Ahead > t.Rows {
				level = Warn
			}
			out = append(out, Finding{Check: "clocks of " + t.Table, Level: level, N: t.Ahead, Share: of(t.Ahead, t.Rows),
				What: fmt.Sprintf("%d rows (%s) were known before they happened, by %s at most", t.Ahead, percent(t.Ahead, t.Rows), length(t.AheadMost)),
				Why:  "two clocks disagree, or a zone is wrong; windows are counted from the earlier of the two", Do: "compare the zones of the columns in the mapping"})
		}
	}
	t := e.table("attempts")
	if t.Rows == 0 || e.manifest.KnownAtAssumed {
		return out
	}
	level, why := OK, ""
	if 20*t.Late > t.Rows {
		level, why = Warn, "a decision sees only what is known by then: much of what happened comes too late for it"
	} else if 100*t.Late > t.Rows {
		level, why = Note, "a decision sees only what is known by then"
	}
	return append(out, Finding{Check: "late rows", Level: level, Why: why, N: t.Late, Share: of(t.Late, t.Rows),
		What: fmt.Sprintf("attempts become known within %s in half of all rows, within %s in 99 %%; %s come later than a day", t.within(50), t.within(99), percent(t.Late, t.Rows))})
}

// within is the time by which a share of the rows was known, rounded up to a
// power of two.
func (t *Table) within(percent int64) string {
	n := int64(0)
	for b, k := range t.lag {
		if n += k; n*100 >= t.Rows*percent {
			if b == 0 {
				return "a second"
			}
			return length(data.Micros(1) << b * data.Second)
		}
	}
	return "-"
}

// length prints a span in a fitting unit.
func length(d data.Micros) string {
	for _, u := range []struct {
		span data.Micros
		name string
	}{{data.Day, "days"}, {data.Hour, "hours"}, {data.Minute, "minutes"}, {data.Second, "seconds"}} {
		if d >= 2*u.span {
			return fmt.Sprintf("%.0f %s", float64(d)/float64(u.span), u.name)
		}
	}
	return fmt.Sprintf("%.3f seconds", float64(d)/float64(data.Second))
}
