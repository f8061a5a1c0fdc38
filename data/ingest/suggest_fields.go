package ingest

import (
	"fmt"
	"strings"
)

func (d *draft) decideSource() {
	if b := d.file.Delimiter(); b != 0 && b != ',' {
		mark := scalarOf(string(b))
		d.answer(d.put("source", "delimiter", mark), "source.delimiter", Certain, "most records have as many fields as the header under it")
	}
	if d.encoding != "" {
		d.answer(d.put("source", "encoding", d.encoding), "source.encoding", Assumed, "the file is not UTF-8: look at a name with an accent, other encodings read too")
	}
}

// decideIDs finds what names an attempt.
func (d *draft) decideIDs() {
	take := func(c *examined, sure Confidence, why string) {
		d.ids = c
		d.answer(d.put("fields", "attempt_id", scalarOf(c.name())), "attempt_id", sure, why, c.name())
	}
	var numbers *examined
	named := d.byName("attempt_id")
	for _, c := range named {
		if c.unique() && c.texts() {
			take(c, Likely, "its name, and no value comes twice")
			return
		}
		if numbers == nil && c.unique() && c.digits() && !c.personal() {
			numbers = c
		}
	}
	for _, c := range named {
		if c.texts() && 2*len(c.levels) >= d.rows && c.filled*100 >= d.rows*95 && c.asTime() == nil {
			take(c, Assumed, fmt.Sprintf("its name; %d different values in %d rows: one that comes again must be a later status of its attempt", len(c.levels), d.rows))
			return
		}
	}
	var could []*examined
	for _, c := range d.columns {
		if _, clock := c.asClock(); c.unique() && c.texts() && d.rows > 1 && !clock && (c.asTime() == nil || c.times.epoch && rank("occurred_at", c.name()) == 0) && !c.decimal() && !c.personal() && rank("case", c.name()) == 0 {
			could = append(could, c)
		}
	}
	if len(could) == 1 {
		take(could[0], Assumed, "the only column in which no value comes twice")
		return
	}
	if len(could) == 0 && numbers != nil {
		d.ids = numbers
		d.takeDigits("attempt_id", numbers, "its name, and no value comes twice")
		return
	}
	e := d.put("fields", "attempt_id", "")
	var choices []string
	for _, c := range could {
		choices = append(choices, "attempt_id: "+scalarOf(c.name()))
	}
	why := "several columns differ in every row: which one names the attempt, the same whenever it is exported?"
	if len(could) == 0 {
		why = "no column differs in every row: which one names the attempt?"
	}
	d.ask(e, "attempt_id", why, choices...)
}

// takeDigits fills a field with ids that are written as numbers.
func (d *draft) takeDigits(field string, c *examined, why string) {
	d.answer(d.put("fields", field, digitsOf(c)), field, Assumed,
		why+"; they are JSON numbers, taken by their digits: where another file writes the same id as a text with leading zeros, it is another id", c.name())
}

func digitsOf(c *examined) string { return "{from: " + scalarOf(c.name()) + ", digits: true}" }

// decimal says that a column holds numbers with decimals.
func (c *examined) decimal() bool {
	m := c.asMoney()
	return m != nil && m.decimals > 0
}

func (d *draft) decideAmount() {
	var odd *examined
	for _, c := range d.byName("amount_paise") {
		if m := c.asMoney(); m != nil && c.half() {
			d.takeAmount(c, m, Likely, "its name, and its values are amounts")
			return
		}
		if odd == nil && c.filled > 0 && c.texts() && c.asTime() == nil {
			odd = c
		}
	}
	var could, whole []*examined
	for _, c := range d.columns {
		if d.used[c.name()] || c.asTime() != nil {
			continue
		}
		if c.decimal() {
			could = append(could, c)
		} else if c.asMoney() != nil && len(c.levels) > 2 {
			whole = append(whole, c)
		}
	}
	if could == nil {
		could = whole
	}
	if len(could) == 1 && could[0].decimal() && odd == nil {
		d.takeAmount(could[0], could[0].asMoney(), Assumed, "the only column of numbers with decimals")
		return
	}
	e := d.put("fields", "amount_paise", "")
	if odd != nil {
		d.ask(e, "amount_paise", fmt.Sprintf("values of %s such as %q are no amounts: digits are expected, with marks but no signs or words; export them plain", odd.name(), odd.unlikeMoney()),
			"amount_paise: "+from(odd.name(), "unit", "rupees"))
		return
	}
	var choices []string
	for _, c := range could[:min(10, len(could))] {
		choices = append(choices, "amount_paise: "+from(c.name(), "unit", "rupees"))
	}
	d.ask(e, "amount_paise", "which column is the amount of the attempt?", choices...)
}

// unlikeMoney is the first value that is no amount.
func (c *examined) unlikeMoney() string {
	for i := range c.levels {
		if !isAmount(c.levels[i].cell, '.', ',') {
			return c.levels[i].raw()
		}
	}
	return ""
}

func (d *draft) takeAmount(c *examined, m *moneyReading, sure Confidence, why string) {
	d.amount = c
	if m.strange > 0 {
		why += fmt.Sprintf("; %d of %d are none, such as %q", m.strange, c.filled, m.odd)
	}
	unit, how, because := m.unitOf(c, d.ids)
	if unit == "" {
		e := d.put("fields", "amount_paise", from(c.name(), "unit", "?"))
		d.used[c.name()] = true
		question := fmt.Sprintf("are the numbers of %s (%d in the middle) rupees, the major unit of any currency, or paise, a hundredth of it?", c.name(), m.median)
		if m.broken > 0 {
			question += fmt.Sprintf(" %d of %d have decimals, such as %s", m.broken, c.filled, c.broken())
		}
		d.ask(e, "amount_paise", question,
			"amount_paise: "+from(c.name(), "unit", "rupees"), "amount_paise: "+from(c.name(), "unit", "paise"))
	} else {
		if how == Assumed || sure == Certain {
			sure = how
		}
		d.answer(d.put("fields", "amount_paise", from(c.name(), "unit", unit)), "amount_paise", sure, why+"; "+unit+": "+because, c.name())
	}
	d.decideMarks(c, m)
}

// decideMarks says how numbers are written, where not as 1,234.50.
func (d *draft) decideMarks(c *examined, m *moneyReading) {
	switch {
	case m.clash:
		e := d.put("source", "decimal", `""`)
		d.ask(e, "source.decimal", fmt.Sprintf("%q in %s can be read in two ways: which mark stands before decimals?", c.marked(), c.name()), `decimal: "."`, `decimal: ","`)
	case !m.marks || m.decimal == '.' && m.group == ',':
	default:
		e := d.put("source", "decimal", scalarOf(string(m.decimal)))
		d.answer(e, "source.decimal", Certain, fmt.Sprintf("%q in %s", c.marked(), c.name()), c.name())
		if m.decimal == ',' && m.group == '.' || m.decimal == '.' {
			d.answer(d.put("source", "group", scalarOf(string(m.group))), "source.group", Certain, "as above", c.name())
		} else if m.group == ' ' || m.group == '\'' {
			d.answer(d.put("source", "group", scalarOf(string(m.group))), "source.group", Certain, "as above", c.name())
		}
	}
}

// marked is the first value with a mark in it.
func (c *examined) marked() string {
	for i := range c.levels {
		if strings.Trim(c.levels[i].s, "-0123456789") != "" {
			return c.levels[i].s
		}
	}
	return ""
}

// textFields are filled by a column of a fitting name.
var textFields = []string{"subscription_id", "mandate_id", "instrument_id", "bank", "merchant_id", "error_code", "source", "step", "response_code", "advice_code"}

func (d *draft) decideTexts() {
	d.decideNetwork()
	d.decideInitiator()
	for _, f := range textFields {
		for _, c := range d.byName(f) {
			if c.filled == 0 {
				continue
			}
			if f != "bank" && c.digits() && !c.personal() {
				d.takeDigits(f, c, "its name")
				break
			}
			if !c.texts() {
				d.notes[c.name()] = "it would be " + f + ", but its values are no texts"
				continue
			}
			sure, why := Likely, "its name"
			if f == "bank" && rank("bank", c.name()) > 7 {
				sure, why = Assumed, "the provider that was asked stands in for the bank, since it has a health of its own"
			}
			d.answer(d.put("fields", f, scalarOf(c.name())), f, sure, why, c.name())
			break
		}
	}
}

// decideNetwork takes a column whose words are card networks.
func (d *draft) decideNetwork() {
	named := d.byName("network")
	for _, c := range append(named, d.columns...) {
		if d.used[c.name()] || len(c.levels) == 0 || len(c.levels) > 30 || !c.texts() {
			continue
		}
		w := c.asWords("network", "network")
		if w.read*100 >= c.filled*95 || rank("network", c.name()) > 0 && w.read*2 >= c.filled {
			for i := range w.values { // JCB and what no list knows stay as they are
				w.values[i].literal = w.values[i].literal || w.values[i].to == ""
			}
			d.answer(d.put("fields", "network", w.lines(c.name())...), "network", Likely, "its words are card networks", c.name())
			return
		}
	}
}

func (d *draft) decideInitiator() {
	for _, c := range d.byName("initiator") {
		if w := c.asWords("initiator", "initiator"); w.unknown == 0 && len(w.values) > 0 && c.texts() {
			d.answer(d.put("fields", "initiator", w.lines(c.name())...), "initiator", Likely, "name and words", c.name())
			return
		}
		d.notes[c.name()] = "it would be initiator, but not all its words are recoup, provider or customer"
	}
}

// lines write a field with its values: where the words are not the field's own.
// Words that nobody knows stand there with a question mark.
func (w *wordReading) lines(column string) []string {
	out := []string{"", "from: " + scalarOf(column), "values:"}
	for _, v := range w.values {
		switch {
		case v.literal:
		case v.known && v.to == "":
			out = append(out, "  "+scalarOf(v.from)+": null")
		case v.known:
			out = append(out, "  "+scalarOf(v.from)+": "+scalarOf(v.to))
		}
	}
	if len(out) == 3 {
		return []string{scalarOf(column)}
	}
	return out
}
