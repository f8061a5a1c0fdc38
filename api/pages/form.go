package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"recoup/data"
)

// form is what the visitor sees and fills in: fields with what was entered and
// what is wrong with it.
type form struct {
	Sections []section
	Faults   []formFault // of all fields, in their order, then those of none
}

type section struct {
	Legend, Note string
	Fields       []*field
}

// field is one input. Kind is text, number, time, select or area.
type field struct {
	Name, Label, Hint, Kind string
	Mode                    string // inputmode
	Suggest                 []string
	Groups                  []choices // of a select
	Value                   string
	Optional                bool
	Faults                  []string
}

// choices are options of a select under a heading, "" = under none.
type choices struct {
	Heading string
	Options []option
}

type formFault struct{ Field, Label, Says string }

// Invalid reports whether something is wrong with the field.
func (f *field) Invalid() bool { return len(f.Faults) > 0 }

// Chosen marks the option that was entered.
func (f *field) Chosen(value string) bool { return f.Value == value }

func (f *form) field(name string) *field {
	for _, s := range f.Sections {
		for _, x := range s.Fields {
			if x.Name == name {
				return x
			}
		}
	}
	return nil
}

// fault notes what is wrong with a field; a name that is none is the whole form.
func (f *form) fault(name, says string) {
	x := f.field(name)
	if x == nil {
		f.Faults = append(f.Faults, formFault{Says: says})
		return
	}
	if !slices.Contains(x.Faults, says) {
		x.Faults = append(x.Faults, says)
	}
}

// collect lists the faults of the fields before those of none, for the summary.
func (f *form) collect() {
	var out []formFault
	for _, s := range f.Sections {
		for _, x := range s.Fields {
			for _, says := range x.Faults {
				out = append(out, formFault{x.Name, x.Label, says})
			}
		}
	}
	f.Faults = append(out, f.Faults...)
}

func (f *form) faulty() bool {
	if len(f.Faults) > 0 {
		return true
	}
	for _, s := range f.Sections {
		if slices.ContainsFunc(s.Fields, (*field).Invalid) {
			return true
		}
	}
	return false
}

// fill takes what was sent. A field that is missing, twice there or unknown is
// a fault: a form that did not come from here is not guessed at.
func (f *form) fill(v url.Values) {
	for _, s := range f.Sections {
		for _, x := range s.Fields {
			switch got := v[x.Name]; {
			case len(got) == 1:
				x.Value = strings.TrimSpace(strings.ReplaceAll(got[0], "\r\n", "\n"))
			case len(got) == 0:
				x.Value = ""
				x.Faults = append(x.Faults, "The form came without this field; send it empty where there is nothing to say.")
			default:
				x.Value = got[0]
				x.Faults = append(x.Faults, "The form holds this field more than once.")
			}
		}
	}
	var unknown []string
	for name := range v {
		if f.field(name) == nil {
			unknown = append(unknown, short(name))
		}
	}
	slices.Sort(unknown)
	if len(unknown) > 0 {
		f.fault("", "The form has no field "+strings.Join(unknown, ", ")+".")
	}
}

// newForm is the form, filled with an example around now.
func newForm(now data.Micros) *form {
	at := now / data.Minute * data.Minute
	failed := at - 2*data.Hour
	return &form{Sections: []section{
		{"The charge that failed", "", []*field{
			{Name: "amount", Label: "Amount", Hint: "Exact; at most two decimals in rupees.", Kind: "text", Mode: "decimal", Value: "499.00"},
			{Name: "unit", Label: "Unit", Kind: "select", Value: "rupees", Groups: plain([2]string{"rupees", "rupees"}, [2]string{"paise", "paise"})},
			{Name: "rail", Label: "Rail", Kind: "select", Value: data.UPIAutopay.String(), Groups: rails()},
			{Name: "bank", Label: "Bank", Hint: "As the provider writes it, for example HDFC.", Kind: "text", Optional: true},
			{Name: "reason", Label: "Reason", Hint: "The provider's error reason, by what it calls for.", Kind: "select", Value: "insufficient_funds", Groups: reasonChoices()},
			{Name: "failed_at", Label: "Failed at", Hint: "The latest failure, Indian time.", Kind: "time", Value: clock(failed)},
		}},
		{"What happened before", "", []*field{
			{Name: "attempts", Label: "Attempts so far", Hint: "The first charge counts as one.", Kind: "number", Value: "1"},
			{Name: "gap", Label: "Hours between them", Hint: "The earlier attempts are placed this far apart, before the latest.", Kind: "number", Value: "24"},
			{Name: "history", Label: "Earlier charges of this customer", Optional: true, Kind: "area", Value: paidBefore(failed),
				Hint: "One a line, Indian time: 2026-01-05 09:30 captured 499.00, or 2026-01-05 09:30 failed 499.00 insufficient_funds."},
		}},
		{"Mandate, cycle and notice", "", []*field{
			{Name: "mandate", Label: "Mandate", Kind: "select", Optional: true, Value: data.MandateActive.String(), Groups: mandates()},
			{Name: "mandate_since", Label: "Mandate since", Hint: "Indian time.", Kind: "time", Optional: true, Value: clock(failed - 120*data.Day)},
			{Name: "cap", Label: "Mandate's cap in rupees", Kind: "text", Mode: "decimal", Optional: true, Value: "15,000.00"},
			{Name: "notice", Label: "Last notice", Kind: "select", Optional: true, Groups: notices()},
			{Name: "notice_status", Label: "What became of it", Kind: "select", Optional: true, Groups: noticeStatuses()},
			{Name: "notice_at", Label: "Sent at", Hint: "Indian time.", Kind: "time", Optional: true},
			{Name: "cycle_end", Label: "Cycle ends", Hint: "Indian time.", Kind: "time", Optional: true},
		}},
		{"The moment of the decision", "Nothing that became known later counts.", []*field{
			{Name: "as_of", Label: "Decide at", Hint: "Indian time.", Kind: "time", Value: clock(at)},
		}},
	}}
}

// paidBefore is the example's history: three charges a month apart that were
// paid at once.
func paidBefore(failed data.Micros) string {
	var lines []string
	for _, ago := range []data.Micros{90 * data.Day, 60 * data.Day, 30 * data.Day} {
		lines = append(lines, strings.Replace(clock(failed-ago), "T", " ", 1)+" captured 499.00")
	}
	return strings.Join(lines, "\n")
}

func plain(pairs ...[2]string) []choices {
	var c choices
	for _, p := range pairs {
		c.Options = append(c.Options, option{Value: p[0], Text: p[1]})
	}
	return []choices{c}
}

func rails() []choices {
	var c choices
	for _, r := range data.Rails() {
		c.Options = append(c.Options, option{Value: r.String(), Text: railWords[r]})
	}
	return []choices{c}
}

// reasonChoices groups the reasons by class, by name within one.
func reasonChoices() []choices {
	var out []choices
	for _, c := range append(data.Classes(), 0) {
		g := choices{Heading: nameOf(c)}
		for _, r := range data.Reasons() {
			if r.Class() == c {
				g.Options = append(g.Options, option{Value: r.String(), Text: r.String()})
			}
		}
		slices.SortFunc(g.Options, func(a, b option) int { return cmp.Compare(a.Value, b.Value) })
		out = append(out, g)
	}
	return out
}

func mandates() []choices {
	pairs := [][2]string{{"", "not stated"}}
	for m := data.MandateActive; m <= data.MandateExpired; m++ {
		pairs = append(pairs, [2]string{m.String(), m.String()})
	}
	return plain(pairs...)
}

func notices() []choices {
	pairs := [][2]string{{"", "none"}}
	for k := data.PreDebit; k <= data.NoticeAuthenticate; k++ {
		pairs = append(pairs, [2]string{k.String(), strings.ReplaceAll(k.String(), "_", " ")})
	}
	return plain(pairs...)
}

func noticeStatuses() []choices {
	pairs := [][2]string{{"", "not stated"}}
	for k := data.NoticeSent; k <= data.NoticeOptedOut; k++ {
		pairs = append(pairs, [2]string{k.String(), strings.ReplaceAll(k.String(), "_", " ")})
	}
	return plain(pairs...)
}
