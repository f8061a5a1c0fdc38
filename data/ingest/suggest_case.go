package ingest

import (
	"fmt"
	"slices"
	"strings"

	"recoup/data"
)

// decideCurrency says what the money is.
func (d *draft) decideCurrency() {
	for _, c := range d.byName("currency") {
		code, rows, plain := "", 0, c.filled == d.rows
		var seen []string
		for i := range c.levels {
			l := &c.levels[i]
			if !isCurrency(strings.ToUpper(l.s)) || l.kind != textCell {
				continue
			}
			rows += l.rows
			seen = append(seen, fmt.Sprintf("%s %d", l.s, l.rows))
			plain = plain && isCurrency(l.s)
			code = strings.ToUpper(l.s)
		}
		switch {
		case code == "" || rows*100 < c.filled*readable:
			continue
		case len(seen) > 1:
			d.used[c.name()] = true
			d.ask(d.put("", "currency", open), "currency", fmt.Sprintf("the file has several currencies in %s (rows: %s), a log has one: split the file, or let the rows be put aside that differ from the first",
				c.name(), strings.Join(seen[:min(10, len(seen))], ", ")), "currency: {from: "+scalarOf(c.name())+"}")
			return
		case plain:
			d.code = code
			d.answer(d.put("", "currency", "{from: "+scalarOf(c.name())+"}"), "currency", Certain, "every row says "+code, c.name())
			return
		default:
			d.answer(d.put("", "currency", code), "currency", Likely, fmt.Sprintf("where %s says something it says %s", c.name(), seen[0]), c.name())
			return
		}
	}
	if d.amount != nil {
		for _, w := range wordsOf(strings.ReplaceAll(d.amount.name(), "_", " ")) {
			switch {
			case slices.Contains([]string{"eur", "usd", "gbp", "chf"}, w):
				d.answer(d.put("", "currency", strings.ToUpper(w)), "currency", Likely, fmt.Sprintf("the name %q says so", d.amount.name()))
				return
			case slices.Contains([]string{"inr", "rs", "rupees", "paise"}, w):
				d.answer(d.put("", "currency", "INR"), "currency", Likely, fmt.Sprintf("the name %q says so", d.amount.name()))
				return
			}
		}
	}
	if d.indianRail() {
		d.answer(d.put("", "currency", "INR"), "currency", Likely, "the file has rails of India alone")
		return
	}
	d.ask(d.put("", "currency", open), "currency", "no column says what the money is", "currency: INR", "currency: EUR")
}

// indianRail says whether the words of the rail exist in India alone.
func (d *draft) indianRail() bool {
	for _, e := range d.entries {
		if e.key == "rail" && containsAny(strings.ToLower(strings.Join(e.value, " ")), "upi", "nach", "emandate") {
			return true
		}
	}
	return false
}

func (d *draft) inRupees() bool {
	return d.code == "INR" || slices.ContainsFunc(d.entries, func(e draftEntry) bool { return e.key == "currency" && e.value[0] == "INR" })
}

// grouping is what a column does to the rows as the key of cases.
type grouping struct {
	several  int // groups of more than one row
	oneSum   int // of those: with one amount
	paidMore int // of those: with more than one success
}

func (d *draft) grouping(key []uint32) grouping {
	type group struct {
		rows, paid int
		amount     uint32
		mixed      bool
	}
	groups := map[uint32]*group{}
	paid := d.paid()
	for i, k := range key {
		if k == 0 {
			continue
		}
		g := groups[k]
		if g == nil {
			g = &group{}
			groups[k] = g
		}
		g.rows++
		if paid[i] {
			g.paid++
		}
		if d.amount != nil {
			a := d.amount.codes[i]
			g.mixed = g.mixed || g.rows > 1 && a != g.amount
			g.amount = a
		}
	}
	var out grouping
	for _, g := range groups {
		if g.rows > 1 {
			out.several++
			if !g.mixed {
				out.oneSum++
			}
			if g.paid > 1 {
				out.paidMore++
			}
		}
	}
	return out
}

// works says that the groups look like cases: attempts at one amount, hardly
// ever paid twice.
func (g grouping) works(least int) bool {
	return g.several > 0 && g.oneSum*100 >= g.several*least && g.paidMore*100 <= g.several*(100-least)
}

// decideCase finds what attempts at one charge have in common.
func (d *draft) decideCase() {
	for _, c := range d.byName("case") {
		g := d.grouping(c.codes)
		switch {
		case c.filled*100 < d.rows*95:
			d.notes[c.name()] = fmt.Sprintf("it could name cases, but %d of %d rows have none", d.rows-c.filled, d.rows)
		case !g.works(90):
			d.notes[c.name()] = fmt.Sprintf("it could name cases, but of %d values on several rows %d have one amount and %d were paid more than once", g.several, g.oneSum, g.paidMore)
		default:
			d.takeCase(c, g, Likely, "its name")
			return
		}
	}
	for _, c := range d.columns {
		if d.used[c.name()] || c.filled*100 < d.rows*95 || 5*len(c.levels) < d.rows || c.asTime() != nil || c.decimal() || c.personal() {
			continue
		}
		if g := d.grouping(c.codes); g.several*100 >= len(c.levels) && g.works(95) {
			d.takeCase(c, g, Assumed, "it groups rows as cases would")
			return
		}
	}
	switch {
	case d.customer != nil && d.amount != nil && d.occurred != nil:
		gap, share, n := d.gapOf(d.customer.codes)
		why := fmt.Sprintf("no column names the charge; a new case begins where a customer's attempts at one amount are further apart than %s", gap)
		if n > 0 {
			why += fmt.Sprintf(" (of %d attempts that follow a failure within 15 days %.0f %% come sooner)", n, 100*share)
		}
		e := d.put("", "case", "{by: "+list([]string{d.customer.name(), d.amount.name()})+", gap: "+gap+"}")
		d.answer(e, "case", Assumed, why, d.customer.name(), d.amount.name())
	default:
		e := d.put("", "case", "")
		d.ask(e, "case", "no column groups the attempts at one charge: what do they have in common, and how far apart are they at most?", d.caseChoices()...)
	}
}

func (d *draft) takeCase(c *examined, g grouping, sure Confidence, why string) {
	why += fmt.Sprintf("; %d of its values stand on several rows, %d of those with one amount", g.several, g.oneSum)
	d.answer(d.put("", "case", "{by: "+list([]string{c.name()})+"}"), "case", sure, why, c.name())
}

// follows are how long after a failure the next attempt with the same key and
// amount came, in order.
func (d *draft) follows(key []uint32, visit func(a, b int, after data.Micros)) {
	paid := d.paid()
	type at struct {
		row int
		t   data.Micros
	}
	rows := make([]at, 0, d.rows)
	for i := range d.rows {
		if t, ok := d.occurred.micros(i); ok && key[i] > 0 && d.amount.codes[i] > 0 {
			rows = append(rows, at{i, t})
		}
	}
	slices.SortStableFunc(rows, func(a, b at) int {
		switch {
		case a.t < b.t:
			return -1
		case a.t > b.t:
			return 1
		}
		return 0
	})
	last := map[[2]uint32]at{}
	for _, r := range rows {
		k := [2]uint32{key[r.row], d.amount.codes[r.row]}
		if before, ok := last[k]; ok && !paid[before.row] {
			visit(before.row, r.row, r.t-before.t)
		}
		last[k] = r
	}
}

// gapOf is the least round gap within which nearly all attempts follow a
// failure.
func (d *draft) gapOf(key []uint32) (gap string, share float64, n int) {
	var all []data.Micros
	d.follows(key, func(_, _ int, after data.Micros) {
		if after <= 15*data.Day {
			all = append(all, after)
		}
	})
	gap = "10d"
	for _, g := range []struct {
		name string
		span data.Micros
	}{{"60s", data.Minute}, {"10m", 10 * data.Minute}, {"1h", data.Hour}, {"6h", 6 * data.Hour}, {"1d", data.Day}, {"3d", 3 * data.Day},
		{"5d", 5 * data.Day}, {"10d", 10 * data.Day}, {"15d", 15 * data.Day}} {
		within := 0
		for _, a := range all {
			if a <= g.span {
				within++
			}
		}
		if len(all) > 0 && within*100 >= len(all)*95 {
			return g.name, float64(within) / float64(len(all)), len(all)
		}
	}
	return gap, 0, len(all)
}

// caseChoices are guesses for a file that knows no customers: what stays the
// same where an attempt at the same amount follows a failure within a minute.
func (d *draft) caseChoices() []string {
	out := []string{"case: {by: [column]}"}
	if d.amount == nil || d.occurred == nil {
		return out
	}
	all := make([]uint32, d.rows)
	for i := range all {
		all[i] = 1
	}
	var pairs [][2]int
	d.follows(all, func(a, b int, after data.Micros) {
		if after <= data.Minute {
			pairs = append(pairs, [2]int{a, b})
		}
	})
	if len(pairs)*100 < d.rows {
		return out
	}
	by, best, most := []string{}, "", 0
	for _, c := range d.columns {
		if c == d.status || c == d.amount || c == d.ids || len(c.levels) < 2 || len(c.levels) > 200 || c.filled < d.rows {
			continue
		}
		same := 0
		for _, p := range pairs {
			if c.codes[p[0]] == c.codes[p[1]] {
				same++
			}
		}
		if same*100 >= len(pairs)*97 {
			by = append(by, c.name())
			if same > most {
				best, most = c.name(), same
			}
		}
	}
	if len(by) > 1 {
		out = append([]string{"case: {by: " + list(append(by, d.amount.name())) + ", gap: 60s}"}, out...)
		by = []string{best}
	}
	return append([]string{"case: {by: " + list(append(by, d.amount.name())) + ", gap: 60s}"}, out...)
}

// decideNumber takes a column that counts attempts.
func (d *draft) decideNumber() {
	for _, c := range d.byName("attempt_no") {
		least, most := int64(1<<40), int64(-1)
		for i := range c.levels {
			n, ok := c.levels[i].whole()
			if !ok {
				least = -1
				break
			}
			least, most = min(least, n), max(most, n)
		}
		if least < 0 || most > 100 || least > 1 || c.filled < d.rows {
			d.notes[c.name()] = "it could number attempts, but it does not count from 0 or 1 in every row; the order within the case is taken"
			continue
		}
		d.answer(d.put("", "attempt_no", fmt.Sprintf("{from: %s, base: %d}", scalarOf(c.name()), least)), "attempt_no", Likely,
			fmt.Sprintf("its name; it counts from %d to %d", least, most), c.name())
		return
	}
}
