package ingest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"recoup/data"
)

// moneyReading is how a column can be read as amounts.
type moneyReading struct {
	decimal, group byte
	marks          bool   // the texts have marks that made the choice
	decimals       int    // most decimals of a value, zeros at the end included
	broken         int    // rows with decimals
	hundreds       bool   // every value is a multiple of 100
	median         int64  // as written, decimals cut
	strange        int    // rows that are no amounts
	odd            string // one of them
	clash          bool   // the marks can be read in two ways
}

// countable is the least share of values that must be amounts, in percent.
const countable = 80

// mixed is the least share of values with decimals, in percent, that makes the
// whole numbers among them major units too.
const mixed = 20

// markPairs are the ways to write numbers, the default first.
var markPairs = [][2]byte{{'.', ','}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}, {',', '\''}}

// asMoney is how the column reads as amounts, nil where it does not.
func (c *examined) asMoney() *moneyReading {
	switch c.about.Kind {
	case data.Bool, data.Timestamp:
		return nil
	case data.Float64, data.Int64:
		return c.typedMoney()
	}
	if c.about.Exact {
		return c.typedMoney()
	}
	texts := false
	for i := range c.levels {
		texts = texts || c.levels[i].kind == textCell
	}
	if !texts {
		return c.typedMoney()
	}
	best, most, same := -1, 0, 0
	for k, m := range markPairs {
		read := 0
		for i := range c.levels {
			if l := &c.levels[i]; isAmount(l.cell, m[0], m[1]) {
				read += l.rows
			}
		}
		if read > most {
			best, most, same = k, read, 0
		} else if read == most {
			same++
		}
	}
	if best < 0 || most*100 < c.filled*countable {
		return nil
	}
	m := &moneyReading{decimal: markPairs[best][0], group: markPairs[best][1]}
	m.measure(c)
	// 1,234 may be a thousand or one and a bit: only where nothing but such
	// values stand there do two ways read everything.
	m.clash = m.marks && same > 0 && c.readAlike(best, most)
	return m
}

// isAmount says that a cell is an amount in these marks: at most as many decimals
// as money has, but for zeros.
func isAmount(c cell, decimal, group byte) bool {
	switch c.kind {
	case numeralCell:
		decimal, group = '.', 0
	case textCell:
	default:
		return false
	}
	_, why := paise(strings.TrimPrefix(c.s, "-"), 100, decimal, group)
	return why == ""
}

// readAlike says whether another pair of marks reads as much, to other amounts.
func (c *examined) readAlike(best, most int) bool {
	for k, o := range markPairs {
		read, differs := 0, false
		for i := range c.levels {
			l := &c.levels[i]
			a, whyA := paise(l.s, 100, markPairs[best][0], markPairs[best][1])
			b, whyB := paise(l.s, 100, o[0], o[1])
			if whyB == "" {
				read += l.rows
			}
			differs = differs || whyA == "" && whyB == "" && a != b
		}
		if k != best && read == most && differs {
			return true
		}
	}
	return false
}

// typedMoney reads numbers by their type.
func (c *examined) typedMoney() *moneyReading {
	if len(c.levels) == 0 {
		return nil
	}
	m := &moneyReading{decimal: '.'}
	m.measure(c)
	if m.strange*100 > c.filled*(100-countable) {
		return nil
	}
	return m
}

func (m *moneyReading) measure(c *examined) {
	type weighed struct {
		n    int64
		rows int
	}
	var all []weighed
	m.hundreds = true
	total := 0
	for i := range c.levels {
		l := &c.levels[i]
		decimal, group := m.decimal, m.group
		text := strings.TrimPrefix(l.raw(), "-")
		if l.kind != textCell {
			decimal, group = '.', 0
		}
		n, why := paise(text, 100, decimal, group)
		switch l.kind {
		case floatCell:
			n, why = paiseOf(max(l.f, -l.f), 100)
		case truthCell, otherCell:
			why = notMoney
		}
		if why != "" {
			m.strange, m.odd = m.strange+l.rows, l.raw()
			continue
		}
		if l.kind == floatCell && l.f == math.Trunc(l.f) { // 499.0 and 4.99e2 look alike: not counted
			text = ""
		}
		if _, decimals, ok := strings.Cut(text, string(decimal)); ok {
			m.decimals = max(m.decimals, len(decimals))
			m.broken += l.rows
		}
		m.marks = m.marks || l.kind == textCell && strings.Trim(text, "0123456789") != ""
		m.hundreds = m.hundreds && n%10000 == 0
		all = append(all, weighed{n / 100, l.rows})
		total += l.rows
	}
	slices.SortFunc(all, func(a, b weighed) int { return cmp.Compare(a.n, b.n) })
	for _, w := range all {
		m.median = w.n
		if total -= 2 * w.rows; total <= 0 {
			break
		}
	}
}

// unitOf decides between rupees and paise; "" = it cannot be told.
func (m *moneyReading) unitOf(c *examined, ids *examined) (unit string, sure Confidence, why string) {
	name := normal(c.name())
	switch {
	case containsAny(name, "paise", "paisa", "cents", "minor", "pence"):
		if m.decimals == 0 {
			return "paise", Certain, "the name says it, and no value has decimals"
		}
	case containsAny(name, "rupee", "amountrs", "amtrs", "major") || strings.HasSuffix(name, "rs"):
		return "rupees", Certain, "the name says it"
	}
	switch {
	case c.about.Exact && m.decimals > 0:
		return "rupees", Certain, "decimals by its type (" + c.about.Type + ")"
	case m.broken*100 >= c.filled*mixed:
		return "rupees", Certain, fmt.Sprintf("values are written with decimals, such as %s", c.broken())
	case m.broken > 0 && m.median >= 2000: // a slip in paise, or rupees that are mostly whole
		return "", "", ""
	case m.median < 2000 && !m.hundreds:
		return "rupees", Assumed, fmt.Sprintf("whole numbers of %d in the middle, not all multiples of 100: as paise that would be %d.%02d", m.median, m.median/100, m.median%100)
	case ids != nil && ids.apiIDs():
		return "paise", Likely, "whole numbers beside ids such as " + ids.levels[0].s + ": the API that gives such ids states the minor unit"
	}
	return "", "", ""
}

// broken is the first value with decimals.
func (c *examined) broken() string {
	for i := range c.levels {
		if l := &c.levels[i]; l.kind == floatCell && l.f != math.Trunc(l.f) || l.kind != floatCell && strings.ContainsAny(l.s, ".,") {
			return l.raw()
		}
	}
	return ""
}

// apiIDs says whether the ids are those of an API that counts in minor units.
func (c *examined) apiIDs() bool {
	for i := range c.levels {
		s := c.levels[i].s
		if !strings.HasPrefix(s, "pay_") && !strings.HasPrefix(s, "ch_") && !strings.HasPrefix(s, "pi_") && !strings.HasPrefix(s, "py_") {
			return false
		}
	}
	return len(c.levels) > 0
}
