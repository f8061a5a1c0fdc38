package ingest

import (
	"fmt"
	"slices"
	"strings"
)

// decideCustomer finds who owes. Personal details are nobody's id unless the
// owner of the file says so.
func (d *draft) decideCustomer() {
	named := d.byName("customer_id")
	for _, c := range d.columns {
		if n := normal(c.name()); !d.used[c.name()] && !slices.Contains(named, c) && rank("person", c.name()) == 0 && (containsAny(n, "customer", "kunde") || strings.HasPrefix(n, "cust")) && !c.personal() {
			named = append(named, c)
		}
	}
	for _, c := range named {
		switch {
		case c.filled*2 < d.rows:
			d.notes[c.name()] = fmt.Sprintf("it could be the customer, but %d of %d rows have none", d.rows-c.filled, d.rows)
		case !c.texts():
			if c.digits() && c.personal() {
				d.askPerson(c)
				return
			}
			if c.digits() {
				d.customer = c
				d.takeDigits("customer_id", c, fmt.Sprintf("its name; %d different values", len(c.levels)))
				return
			}
		case c.personal():
			d.askPerson(c)
			return
		default:
			d.customer = c
			why := fmt.Sprintf("its name; %d different values", len(c.levels))
			d.answer(d.put("fields", "customer_id", scalarOf(c.name())), "customer_id", Likely, why, c.name())
			return
		}
	}
	for _, c := range d.byName("person") {
		if 2*c.filled >= d.rows && c.texts() && len(c.levels) > 1 {
			d.askPerson(c)
			return
		}
	}
	d.answer(d.put("fields", "customer_id", "{case: true}"), "customer_id", Assumed, "no column names the customer: each case is one of its own")
}

func (d *draft) askPerson(c *examined) {
	d.customer = c
	d.used[c.name()] = true
	plain := scalarOf(c.name())
	if c.digits() {
		plain = digitsOf(c)
	}
	d.ask(d.put("fields", "customer_id", ""), "customer_id",
		fmt.Sprintf("%s holds personal details, and the log keeps what it is given: put a hash of it in the file and name that column, take it as it is, or do without customers", c.name()),
		"customer_id: "+plain, "customer_id: {case: true}")
}

// personal says whether most values look like e-mail addresses, UPI handles or
// telephone numbers.
func (c *examined) personal() bool {
	hits, all := 0, 0
	for _, l := range spread(c.levels, 500) {
		all++
		if Personal(l.raw()) != "" {
			hits++
		}
	}
	return all > 0 && hits*10 >= all*8
}

// Personal says what personal detail an id looks like: "e-mail address or UPI
// handle", "telephone number", or "" where it looks like none.
func Personal(id string) string {
	if at := strings.IndexByte(id, '@'); at > 0 && at+1 < len(id) && !strings.ContainsAny(id, " /:") {
		return "e-mail address or UPI handle"
	}
	digits := strings.TrimPrefix(strings.NewReplacer(" ", "", "-", "").Replace(id), "+")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	indian := strings.TrimPrefix(strings.TrimPrefix(digits, "91"), "0")
	if id[0] == '+' && len(digits) >= 8 && len(digits) <= 15 ||
		len(digits) >= 10 && len(indian) == 10 && indian[0] >= '6' {
		return "telephone number"
	}
	return ""
}
