package features

import (
	"slices"
	"sync"

	"recoup/data"
)

// cureColumns are the columns of the cure model: the chance that an owed case
// is paid within one day without a new attempt of ours.
var cureColumns = sync.OnceValue(func() []column {
	return slices.Concat(caseColumns(), mandateColumns(), customerColumns(), hazardColumns(), momentColumns("day_", GroupCandidate))
})

// dayBands are the bands of the time since the failure: hazards fall fast at
// first and slowly later.
var dayBands = []string{"unknown", "0", "1", "2", "3", "4-6", "7-9", "10-13", "14-20"}

func dayBand(day int) uint8 {
	switch {
	case day < 4:
		return uint8(day + 1)
	case day < 7:
		return 5
	case day < 10:
		return 6
	case day < 14:
		return 7
	}
	return 8
}

func hazardColumns() []column {
	g := GroupCandidate
	return []column{
		cat(g, "day_since_failure", "days since the failure became known", dayBands, func(v *view) uint8 { return dayBand(v.dayNo) }, attempts),
		num(g, "day_case_age", "log days", "from the case's first failure to the start of the day: the urge to pay fades with the case, not with the latest retry", 0, func(v *view) float64 { return logDays(v.at - v.Past.first) }, attempts),
		num(g, "day_last_link", "log hours", "since the latest payment link, at the start of the day", farHours, func(v *view) float64 { return logHoursSince(v.at, v.lastLink, farHours) }, notices),
		num(g, "day_last_nudge", "log hours", "since the latest nudge, at the start of the day", farHours, func(v *view) float64 { return logHoursSince(v.at, v.lastNudge, farHours) }, notices),
		num(g, "day_links", "log count", "payment links so far", 0, func(v *view) float64 { return logCount(v.links) }, notices),
		num(g, "day_nudges", "log count", "nudges so far", 0, func(v *view) float64 { return logCount(v.nudges) }, notices),
	}
}

// CureSchema describes the rows of the cure model: person-periods of a day.
func CureSchema() Schema {
	return Schema{Name: "cure", Version: 1, Columns: described(cureColumns()), Blocks: []Block{
		{"class x pay-cycle position", "class", "day_payday_expected"},
		{"cause x pay-cycle position", "cause", "day_payday_expected"},
		{"class x last link", "class", "day_last_link"},
		{"class x last nudge", "class", "day_last_nudge"},
		{"class x common pay day", "class", "day_common_since"},
	}}
}

// Contact is a link or a nudge, made or planned.
type Contact struct {
	At     data.Micros
	Action data.Action // PaymentLink or Nudge
}

// CureRow appends the row of one day: the n-th day (0..20) after the latest
// failure became known. Contacts are those sent or planned after as_of; each
// counts for the days that begin at or after it.
func (p *Past) CureRow(dst []float64, day int, contacts []Contact) ([]float64, error) {
	return p.Rows().Cure(dst, day, contacts)
}

// Cure is CureRow.
func (r *Rows) Cure(dst []float64, day int, contacts []Contact) ([]float64, error) {
	if day < 0 || day >= CureDays {
		return dst, data.Faultf(data.ErrUsage, "features: case %s: day %d: expected 0 to %d", r.past.CaseID, day, CureDays-1)
	}
	r.v = r.past.viewAt(r.past.dayStart(day))
	r.v.onDay(day, contacts)
	return r.v.row(dst, cureColumns()), nil
}

// CureContacts turns row, made for the day without contacts, into that with
// contacts: only the columns that contacts move are computed again.
func (r *Rows) CureContacts(row []float64, day int, contacts []Contact) error {
	p := r.past
	if day < 0 || day >= CureDays || len(row) != len(cureColumns()) {
		return data.Faultf(data.ErrUsage, "features: case %s: day %d, row of %d numbers: expected 0 to %d and %d", p.CaseID, day, len(row), CureDays-1, len(cureColumns()))
	}
	r.v = view{Past: p, at: p.dayStart(day), lastLink: p.lastLink, lastNudge: p.lastNudge, links: p.links, nudges: p.nudges}
	r.v.onDay(day, contacts)
	for _, i := range contactColumns() {
		row[i] = cureColumns()[i].get(&r.v)
	}
	return nil
}

func (p *Past) dayStart(day int) data.Micros {
	return p.failed.cursor.KnownAt + data.Micros(day)*data.Day
}

// onDay counts the contacts made by the start of the day.
func (v *view) onDay(day int, contacts []Contact) {
	v.dayNo = day
	for _, c := range contacts {
		switch {
		case c.At > v.at:
		case c.Action == data.PaymentLink:
			v.links++
			v.lastLink = max(v.lastLink, c.At)
		default:
			v.nudges++
			v.lastNudge = max(v.lastNudge, c.At)
		}
	}
}

// contactColumns are the places of the columns that contacts move.
var contactColumns = sync.OnceValue(func() (out []int) {
	for i, c := range cureColumns() {
		if slices.Contains([]string{"day_last_link", "day_last_nudge", "day_links", "day_nudges"}, c.Name) {
			out = append(out, i)
		}
	}
	return out
})

// CureDays is how many days after a failure a case is watched.
const CureDays = 21
