package ingest

import (
	"fmt"
	"slices"
	"strings"

	"recoup/data"
)

// mostWords is how many words of a column may be open before it is no column
// of words.
const mostWords = 60

// decideStatus finds what came of an attempt.
func (d *draft) decideStatus() {
	var best *examined
	var words *wordReading
	try := func(c *examined, least int) {
		if len(c.levels) == 0 || len(c.levels) > mostWords || !c.half() {
			return
		}
		w := c.asWords("status", "status")
		if truth := c.asWords("status", "truth"); truth.unknown == 0 && rank("status", c.name()) > 0 {
			w = truth
		}
		if w.read*100 >= c.filled*least && (words == nil || w.read > words.read) {
			best, words = c, w
		}
	}
	for _, c := range d.byName("status") {
		try(c, 50)
	}
	sure, why := Likely, "name and words"
	if best == nil {
		sure, why = Assumed, "the column with words for success and failure"
		for _, c := range d.columns {
			if !d.used[c.name()] && c.asWords("status", "status").both() {
				try(c, 90)
			}
		}
	}
	if best == nil {
		var choices []string
		for _, c := range d.columns {
			if !d.used[c.name()] && len(c.levels) >= 2 && len(c.levels) <= 12 && c.texts() && c.asTime() == nil && !c.decimal() {
				choices = append(choices, "status: {from: "+scalarOf(c.name())+", values: {"+scalarOf(c.levels[0].raw())+": captured, "+scalarOf(c.levels[1].raw())+": failed}}")
			}
		}
		d.ask(d.put("fields", "status", ""), "status", "which column says what came of the attempt?", choices...)
		return
	}
	d.status = best
	d.words("status", best, words, sure, why, func(v wordValue) []string {
		return []string{"captured, failed, pending, authorized_late or refunded; null puts the rows aside"}
	})
}

// both says that success and failure are among the words.
func (w *wordReading) both() bool {
	has := func(to string) bool {
		return slices.ContainsFunc(w.values, func(v wordValue) bool { return v.to == to })
	}
	return has("captured") && has("failed")
}

// words writes a field of words; those that are not known are questions.
func (d *draft) words(field string, c *examined, w *wordReading, sure Confidence, why string, may func(wordValue) []string) {
	lines := w.lines(c.name())
	e := d.put("fields", field, lines...)
	d.used[c.name()] = true
	open := false
	for _, v := range w.values {
		if v.known {
			continue
		}
		if len(e.value) == 1 {
			e.value = []string{"", "from: " + scalarOf(c.name()), "values:"}
		}
		question := fmt.Sprintf("what is %q of %s, in %d rows?", v.from, c.name(), v.rows)
		choices := may(v)
		e.value = append(e.value, "  # DECIDE: "+oneLine(question)+" "+strings.Join(choices, " or "), "  "+scalarOf(v.from)+`: "?"`)
		d.undecided = append(d.undecided, Undecided{field, question, choices})
		open = true
	}
	if !open {
		d.answer(e, field, sure, why+": "+w.told(), c.name())
	}
}

// told is how the words are taken, short.
func (w *wordReading) told() string {
	var s []string
	for _, v := range w.values[:min(6, len(w.values))] {
		to := v.to
		if to == "" {
			to = "null"
		}
		s = append(s, fmt.Sprintf("%s = %s", v.from, to))
	}
	if len(w.values) > 6 {
		s = append(s, fmt.Sprintf("and %d more", len(w.values)-6))
	}
	return strings.Join(s, ", ")
}

// paid says of every row whether it is a success by the words of the status.
func (d *draft) paid() []bool {
	out := make([]bool, d.rows)
	if d.status == nil {
		return out
	}
	paid := make([]bool, len(d.status.levels)+1)
	for _, lists := range []string{"status", "truth"} {
		for _, v := range d.status.asWords("status", lists).values {
			paid[v.code] = paid[v.code] || v.to == data.Captured.String() || v.to == data.AuthorizedLate.String()
		}
	}
	for i, k := range d.status.codes {
		out[i] = paid[k]
	}
	return out
}

// decideReason finds why an attempt failed. A file without reasons is an
// assumption, not a question: failures are then not_reported.
func (d *draft) decideReason() {
	paid := d.paid()
	var best *examined
	var words *wordReading
	try := func(c *examined, least int) {
		if d.used[c.name()] || len(c.levels) == 0 || !c.texts() {
			return
		}
		w := c.asWords("reason", "reason")
		w.nullOnSuccess(c, paid)
		reasons, told := 0, 0
		for _, v := range w.values {
			if v.known && v.to != "" {
				reasons += v.rows
			}
			if !v.known || v.to != "" {
				told += v.rows
			}
		}
		if reasons > 0 && reasons*100 >= told*least && w.unknown <= mostWords && (words == nil || reasons > words.read) {
			w.read = reasons
			best, words = c, w
		}
	}
	named := d.byName("reason")
	for _, c := range named {
		try(c, 20)
	}
	if best == nil {
		for _, c := range d.columns {
			try(c, 60)
		}
	}
	if best == nil {
		why := "no column has reasons of the table: failures are not_reported, and the gate sends those to people"
		for _, c := range named {
			if c.filled > 0 {
				why += fmt.Sprintf("; %s has texts such as %q, none of them a reason", c.name(), c.levels[0].s)
				break
			}
		}
		d.decided = append(d.decided, Decided{"reason", []string{}, why, Assumed})
		return
	}
	d.words("reason", best, words, Likely, "its words are reasons", func(v wordValue) []string {
		return append(nearReasons(v.from), data.NotReported.String())
	})
}

// nullOnSuccess takes words that stand on successes alone for no reason.
func (w *wordReading) nullOnSuccess(c *examined, paid []bool) {
	failed := make([]bool, len(c.levels)+1)
	for i, k := range c.codes {
		failed[k] = failed[k] || !paid[i]
	}
	w.unknown = 0
	for i := range w.values {
		if v := &w.values[i]; !v.known && !failed[v.code] {
			v.known = true
		}
		if !w.values[i].known {
			w.unknown++
		}
	}
}

// decideRail finds the road. A word that is none of the five rails is no
// question: its rows are put aside, and the draft says so.
func (d *draft) decideRail() {
	var best *examined
	var words *wordReading
	for _, c := range d.byName("rail") {
		if len(c.levels) == 0 || len(c.levels) > mostWords || !c.half() || !c.texts() {
			continue
		}
		w := c.asWords("rail", "rail")
		for _, v := range w.values {
			if normal(v.from) == "upi" {
				w.read += v.rows
			}
		}
		if 2*w.read >= c.filled && (words == nil || w.read > words.read) {
			best, words = c, w
		}
	}
	if best == nil {
		d.constRail()
		return
	}
	var aside []string
	kept := words.values[:0]
	recurs := d.recurring(best)
	for _, v := range words.values {
		switch {
		case normal(v.from) == "upi" && recurs:
			v.to, v.known = data.UPIAutopay.String(), true
		case normal(v.from) == "upi":
		case !v.known:
			aside = append(aside, fmt.Sprintf("%q (%d rows)", v.from, v.rows))
			continue
		}
		kept = append(kept, v)
	}
	words.values = kept
	sure, why := Likely, "name and words"
	if aside != nil {
		sure, why = Assumed, "none of the five rails, so their rows are put aside: "+strings.Join(aside[:min(10, len(aside))], ", ")+"; name and words"
	}
	d.words("rail", best, words, sure, why, func(wordValue) []string {
		return []string{"upi_autopay, if these are debits of a mandate; null, if customers pay by hand, puts the rows aside"}
	})
}

// recurring says whether the UPI rows come with a mandate, token or
// subscription.
func (d *draft) recurring(rail *examined) bool {
	for _, f := range []string{"mandate_id", "subscription_id"} {
		for _, c := range d.byName(f) {
			with, all := 0, 0
			for i := range d.rows {
				if normal(rail.at(i).raw()) == "upi" {
					all++
					if c.codes[i] > 0 {
						with++
					}
				}
			}
			if all > 0 && with*100 >= all*95 {
				return true
			}
		}
	}
	return false
}

// constRail looks for a sign that all rows go one road.
func (d *draft) constRail() {
	for _, c := range d.columns {
		if len(c.levels) == 0 || len(c.levels) > 30 || d.used[c.name()] || c.filled*100 < d.rows*95 {
			continue
		}
		if w := c.asWords("network", "network"); w.read*100 >= c.filled*95 {
			d.answer(d.put("fields", "rail", "{const: card}"), "rail", Likely, fmt.Sprintf("every row has a card network in %s", c.name()))
			return
		}
	}
	var choices []string
	for _, r := range data.Rails() {
		choices = append(choices, "rail: {const: "+r.String()+"}")
	}
	d.ask(d.put("fields", "rail", ""), "rail", "no column says how the money travels: which rail is it?", choices...)
}
