package pages

import (
	"fmt"
	"strings"

	"recoup/data"
)

// charge is an earlier charge of the customer.
type charge struct {
	at     data.Micros
	status data.AttemptStatus // Captured or Failed
	amount data.Paise
	reason data.Reason // of a failed one
	line   int         // of the field, from 1
}

// failedCharge is a case as the form states it; zero = not stated.
type failedCharge struct {
	amount   data.Paise
	rail     data.Rail
	bank     string
	reason   data.Reason
	failedAt data.Micros // of the latest failure
	attempts int
	gap      data.Micros
	history  []charge
	mandate  data.MandateStatus
	since    data.Micros // of the mandate
	limit    data.Paise
	cycleEnd data.Micros
	notice   data.NoticeKind
	became   data.NoticeStatus
	noticeAt data.Micros
	asOf     data.Micros
}

const (
	mostAttempts = 20
	mostHistory  = 200 // lines
	longestBank  = 64  // bytes
)

// reader reads fields one after another and leaves each fault at its field.
type reader struct{ *form }

func read[T any](r reader, name string, parse func(string) (T, error)) (v T) {
	f := r.field(name)
	if f.Value == "" {
		if !f.Optional && !f.Invalid() {
			r.fault(name, "This is needed.")
		}
		return v
	}
	v, err := parse(f.Value)
	if err != nil {
		r.fault(name, plainly(err))
	}
	return v
}

// plainly is an error as a sentence, without the name of the package that made it.
func plainly(err error) string {
	s := strings.TrimPrefix(err.Error(), "data: ")
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// readCase reads the whole form. What it returns counts only when the form has
// no fault.
func readCase(f *form) failedCharge {
	r := reader{f}
	var c failedCharge
	unit := read(r, "unit", oneOf("rupees", "paise"))
	c.amount = read(r, "amount", func(s string) (data.Paise, error) { return readMoney(s, unit) })
	c.rail = read(r, "rail", data.ParseRail)
	c.bank = read(r, "bank", readBank)
	c.reason = read(r, "reason", data.ParseReason)
	c.failedAt = read(r, "failed_at", readClock)
	c.attempts = read(r, "attempts", func(s string) (int, error) { return readWhole(s, 1, mostAttempts) })
	hours := read(r, "gap", func(s string) (int, error) { return readWhole(s, 1, 24*30) })
	c.gap = data.Micros(hours) * data.Hour
	c.history = readHistory(r)
	c.mandate = read(r, "mandate", data.ParseMandateStatus)
	c.since = read(r, "mandate_since", readClock)
	c.limit = read(r, "cap", func(s string) (data.Paise, error) { return readMoney(s, "rupees") })
	c.cycleEnd = read(r, "cycle_end", readClock)
	c.notice = read(r, "notice", data.ParseNoticeKind)
	c.became = read(r, "notice_status", data.ParseNoticeStatus)
	c.noticeAt = read(r, "notice_at", readClock)
	c.asOf = read(r, "as_of", readClock)
	checkTogether(r, &c)
	return c
}

// checkTogether finds what no field shows alone.
func checkTogether(r reader, c *failedCharge) {
	given := func(name string) bool { return r.field(name).Value != "" }
	if c.asOf != 0 && c.failedAt > c.asOf {
		r.fault("as_of", "The decision is before the failure: it could not know of it.")
	}
	if c.asOf != 0 && c.noticeAt > c.asOf {
		r.fault("notice_at", "The notice is after the decision: it could not know of it.")
	}
	if (given("cap") || given("mandate_since")) && !given("mandate") {
		r.fault("mandate", "A cap or a beginning belongs to a mandate: say what state it is in.")
	}
	if c.failedAt != 0 && c.since > c.failedAt {
		r.fault("mandate_since", "The mandate begins after the failure.")
	}
	if given("notice") || given("notice_at") || given("notice_status") {
		for _, name := range []string{"notice", "notice_status", "notice_at"} {
			if !given(name) {
				r.fault(name, "A notice needs its kind, what became of it and when it was sent.")
			}
		}
	}
	first := c.failedAt - data.Micros(c.attempts-1)*c.gap
	for _, h := range c.history {
		if c.failedAt != 0 && h.at >= first {
			r.fault("history", fmt.Sprintf("Line %d is not before the first attempt of this case, %s.", h.line, ist(first)))
		}
	}
}

func oneOf(words ...string) func(string) (string, error) {
	return func(s string) (string, error) {
		for _, w := range words {
			if s == w {
				return s, nil
			}
		}
		return "", fmt.Errorf("%q is not one of %s", short(s), strings.Join(words, ", "))
	}
}

func readBank(s string) (string, error) {
	if len(s) > longestBank {
		return "", fmt.Errorf("a bank's name has at most %d bytes", longestBank)
	}
	for _, c := range s {
		if c < ' ' || c == 0x7f || c == '\uFFFD' {
			return "", fmt.Errorf("a bank's name is plain text on one line")
		}
	}
	return s, nil
}

// readHistory reads lines of: date, time, captured or failed, rupees, and for a
// failed one its reason. The faults of all lines are reported.
func readHistory(r reader) []charge {
	text := r.field("history").Value
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if len(lines) > mostHistory {
		r.fault("history", fmt.Sprintf("There are %d lines; at most %d are expected.", len(lines), mostHistory))
		return nil
	}
	var out []charge
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		c, err := readCharge(strings.Fields(line))
		if err != nil {
			r.fault("history", fmt.Sprintf("Line %d: %s.", i+1, strings.TrimPrefix(err.Error(), "data: ")))
		}
		c.line = i + 1
		out = append(out, c)
	}
	return out
}

func readCharge(words []string) (c charge, err error) {
	if len(words) < 4 || len(words) > 5 {
		return c, fmt.Errorf("it has %d words; a date, a time, captured or failed, an amount and for a failed one its reason are expected", len(words))
	}
	if c.at, err = readClock(words[0] + " " + words[1]); err != nil {
		return c, err
	}
	if c.status, err = data.ParseAttemptStatus(words[2]); err != nil || c.status != data.Captured && c.status != data.Failed {
		return c, fmt.Errorf("%q is neither captured nor failed", short(words[2]))
	}
	if c.amount, err = readMoney(words[3], "rupees"); err != nil {
		return c, err
	}
	switch failed := c.status == data.Failed; {
	case failed && len(words) == 4:
		return c, fmt.Errorf("a failed charge needs its reason; not_reported where the file has none")
	case !failed && len(words) == 5:
		return c, fmt.Errorf("a captured charge has no reason")
	case failed:
		c.reason, err = data.ParseReason(words[4])
	}
	return c, err
}
