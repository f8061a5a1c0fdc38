package score

import (
	"fmt"

	"recoup/data"
)

// Table is the whole gate as it is printed: with the facts of a case, enough to
// decide without this package. Read says how.
type Table struct {
	Gate     string        `json:"gate"`
	PolicyID string        `json:"policy_id"`
	Version  string        `json:"version"`
	Read     []string      `json:"how_to_read"`
	Horizon  int           `json:"horizon_days"`
	Grid     tableGrid     `json:"grid"`
	Rules    []tableRule   `json:"rules"` // in the order in which they are asked
	After    []tableAfter  `json:"after_the_gate"`
	Numbers  []tableNumber `json:"numbers"`
	Stops    []tableStop   `json:"stops"`
	Windows  []tableWindow `json:"windows"`
	Holidays []tableClosed `json:"holidays"`
	Classes  []tableClass  `json:"classes"`
	Reasons  []tableReason `json:"reasons"`
}

type tableGrid struct {
	Days         int   `json:"days"`
	RetryHours   []int `json:"retry_hours"` // in India
	ContactHours []int `json:"contact_hours"`
	Ladder       []int `json:"ladder_days"` // after the first failure
}

type tableDates struct {
	From   string `json:"from"`         // a day in India
	To     string `json:"to,omitempty"` // before this day; absent = no end
	Source string `json:"source"`
}

type tableRule struct {
	ID   string `json:"id"`
	Why  string `json:"why"`
	Hard bool   `json:"hard"` // a policy file cannot end it
	// About is what the rule refuses: an action at any time, a time, or both.
	About   string `json:"about"`
	Refuses string `json:"refuses"`
	Route   string `json:"route,omitempty"` // what becomes of it; absent = it waits
	tableDates
}

// tableAfter is a rule that is asked about what the gate allows.
type tableAfter struct {
	ID      string `json:"id"`
	Why     string `json:"why"`
	Refuses string `json:"refuses"`
	Route   string `json:"route,omitempty"`
	Source  string `json:"source"`
}

type tableNumber struct {
	ID       string `json:"id"`
	Rail     string `json:"rail,omitempty"`
	Network  string `json:"network,omitempty"`
	Category string `json:"category,omitempty"`
	Code     string `json:"code,omitempty"`   // advice code of the latest failure
	Reason   string `json:"reason,omitempty"` // of the latest failure
	Value    int64  `json:"value"`
	Unit     string `json:"unit"`
	Means    string `json:"means"`
	tableDates
}

type tableStop struct {
	Network  string   `json:"network"`
	Response []string `json:"response,omitempty"`
	Advice   []string `json:"advice,omitempty"`
	tableDates
}

type tableWindow struct {
	What  string `json:"what"` // retry, or contact: payment_link and nudge
	Rail  string `json:"rail,omitempty"`
	At    string `json:"at"`    // time of day in India, to the minute
	Until string `json:"until"` // before it; where earlier than at, of the next day
	tableDates
}

type tableClosed struct {
	Rail      string   `json:"rail"`
	Sundays   bool     `json:"sundays"`
	Saturdays []int    `json:"saturdays,omitempty"` // first to fifth of the month
	Days      []string `json:"days,omitempty"`
	tableDates
}

type tableClass struct {
	Class     string `json:"class"` // NOT_REPORTED: no class
	Retry     string `json:"retry"`
	Link      string `json:"payment_link"`
	Nudge     string `json:"nudge"`
	Escalate  string `json:"escalate"`
	LinkKind  string `json:"link_kind"`
	NudgeKind string `json:"nudge_kind"`
	Instead   string `json:"instead,omitempty"` // the route of what the row does not allow
	Arm       string `json:"arm"`
}

type tableReason struct {
	Reason  string `json:"reason"`          // "" = a failure without one
	Class   string `json:"class,omitempty"` // absent = none: a person must look
	Cause   string `json:"cause,omitempty"`
	MinWait int    `json:"min_wait_hours"`
}

// Table is the whole gate.
func (p *Policy) Table() Table {
	t := Table{Gate: GateName, PolicyID: p.id, Version: p.version, Read: howToRead, After: afterTheGate, Horizon: int(p.horizon / data.Day),
		Grid: tableGrid{p.gridDays, hoursOf(p.retryHours), hoursOf(p.contacts), p.ladder}}
	for i := range p.rules {
		r := &p.rules[i]
		about := "action"
		switch {
		case r.refuses == nil:
			about = "time"
		case r.at != nil:
			about = "action and time"
		}
		t.Rules = append(t.Rules, tableRule{r.ID, r.Why, r.hard, about, r.test, r.becomes, datesOf(&dated{r.From, r.To, r.Source})})
	}
	for i := range p.numbers {
		r := &p.numbers[i]
		info := &numberInfos[r.n]
		t.Numbers = append(t.Numbers, tableNumber{info.id, r.rail.String(), r.network.String(), r.category.String(), r.code.String(), r.reason.String(), r.value, info.unit, info.doc, datesOf(&r.dated)})
	}
	for i := range p.stops {
		r := &p.stops[i]
		t.Stops = append(t.Stops, tableStop{r.network.String(), namesOf(r.response), namesOf(r.advice), datesOf(&r.dated)})
	}
	for i := range p.windows {
		w := &p.windows[i]
		what := "retry"
		if w.contact {
			what = "contact"
		}
		t.Windows = append(t.Windows, tableWindow{what, w.rail.String(), clock(w.at), clock(w.until), datesOf(&w.dated)})
	}
	for i := range p.holidays {
		c := &p.holidays[i]
		row := tableClosed{Rail: c.rail.String(), Sundays: c.sundays, Saturdays: c.saturdays, tableDates: datesOf(&c.dated)}
		for _, d := range c.days {
			row.Days = append(row.Days, (data.Micros(d) * data.Day).UTCDate())
		}
		t.Holidays = append(t.Holidays, row)
	}
	for c := range p.classes {
		t.Classes = append(t.Classes, p.classes[c].table(data.Class(c)))
	}
	t.Reasons = append(t.Reasons, tableReason{})
	for _, r := range data.Reasons() {
		info := r.Info()
		t.Reasons = append(t.Reasons, tableReason{info.Name, info.Class.String(), info.Cause.String(), int(info.MinWait / data.Hour)})
	}
	return t
}

func datesOf(d *dated) tableDates {
	out := tableDates{From: day(d.from), Source: d.source}
	if d.to != 0 {
		out.To = day(d.to)
	}
	return out
}

func namesOf[N fmt.Stringer](all []N) (out []string) {
	for _, n := range all {
		out = append(out, n.String())
	}
	return out
}

func hoursOf(times []data.Micros) (out []int) {
	for _, t := range times {
		out = append(out, int(t/data.Hour))
	}
	return out
}

// clock is a time of day.
func clock(tod data.Micros) string {
	return fmt.Sprintf("%02d:%02d", tod/data.Hour, tod%data.Hour/data.Minute)
}

// table is the row of a class as the file writes it.
func (c *classRow) table(class data.Class) tableClass {
	name := notReported
	if class != 0 {
		name = class.String()
	}
	out := tableClass{name, nameOf(retryVerdicts, c.retry), nameOf(linkVerdicts, c.link), nameOf(nudgeVerdicts, c.nudge), nameOf(escalateVerdicts, c.escalate),
		c.linkKind.String(), c.nudgeKind.String(), c.instead().String(), c.arm.String()}
	if c.arm == data.Retry {
		out.Arm += ", " + nameOf(whens, c.when)
		for _, d := range c.after {
			out.Arm += fmt.Sprintf(" %d h", d/data.Hour)
		}
	}
	return out
}

// nameOf is the word of a value.
func nameOf[V comparable](words map[string]V, v V) string {
	for name, w := range words {
		if w == v {
			return name
		}
	}
	return ""
}
