package ingest

import (
	"fmt"
	"strings"

	"recoup/data"
)

// fieldKind is what a field of the log holds.
type fieldKind uint8

const (
	textField fieldKind = iota
	wordField           // a word of the vocabulary
	moneyField
	instantField
	numberField // a whole number
)

// logField is a field that a mapping can fill.
type logField struct {
	name     string
	kind     fieldKind
	optional bool
	parse    func(string) (int64, error) // words
	word     func(int64) string
}

// value is a field of a row: text, or a number that is a word, paise or µs.
type value struct {
	null bool
	s    string
	i    int64
}

// logTable is a table of the log that a mapping can fill. add builds a row from
// one value a field, in the order of fields.
type logTable struct {
	name   string
	fields []logField
	check  func(values []value) (field, why string) // what no single field can tell; nil = nothing
	add    func(w *data.Writer, e data.Event, values []value) error
}

func (t *logTable) field(name string) *logField {
	for i := range t.fields {
		if t.fields[i].name == name && t.fields[i].name != "attempt_no" {
			return &t.fields[i]
		}
	}
	return nil
}

func (t *logTable) place(name string) int {
	for i := range t.fields {
		if t.fields[i].name == name {
			return i
		}
	}
	return -1
}

func (t *logTable) fieldNames() string {
	var s []string
	for _, f := range t.fields {
		if f.name != "attempt_no" {
			s = append(s, f.name)
		}
	}
	return strings.Join(s, ", ")
}

// set is a field of rows of type T.
type set[T data.Row] struct {
	logField
	put func(*T, value)
}

// optional marks a field that may be null or absent.
func optional[T data.Row](s set[T]) set[T] {
	s.optional = true
	return s
}

func text[T data.Row](name string, at func(*T) *string) set[T] {
	return set[T]{logField{name: name, kind: textField}, func(r *T, v value) { *at(r) = v.s }}
}

// named is a word of the vocabulary.
type named interface {
	~uint8
	String() string
}

func word[T data.Row, E named](name string, parse func(string) (E, error), at func(*T) *E) set[T] {
	return set[T]{
		logField{
			name: name, kind: wordField,
			parse: func(s string) (int64, error) { e, err := parse(s); return int64(e), err },
			word:  func(i int64) string { return E(i).String() },
		},
		func(r *T, v value) { *at(r) = E(v.i) },
	}
}

func money[T data.Row](name string, at func(*T) *data.Paise) set[T] {
	return set[T]{logField{name: name, kind: moneyField}, func(r *T, v value) { *at(r) = data.Paise(v.i) }}
}

func instant[T data.Row](name string, at func(*T) *data.Micros) set[T] {
	return set[T]{logField{name: name, kind: instantField}, func(r *T, v value) { *at(r) = data.Micros(v.i) }}
}

// occurredAt is the field that every table has; it goes into the Event.
func occurredAt[T data.Row]() set[T] {
	return set[T]{logField{name: "occurred_at", kind: instantField}, func(*T, value) {}}
}

func newTable[T data.Row](name string, at func(*T) *data.Event, sets ...set[T]) *logTable {
	t := &logTable{name: name}
	sets = append([]set[T]{occurredAt[T]()}, sets...)
	for _, s := range sets {
		t.fields = append(t.fields, s.logField)
	}
	t.add = func(w *data.Writer, e data.Event, values []value) error {
		var row T
		*at(&row) = e
		for i, v := range values {
			if !v.null {
				sets[i].put(&row, v)
			}
		}
		return data.Add(w, row)
	}
	return t
}

// endsAfter refuses a row whose one time, if it has it, is before the other.
func (t *logTable) endsAfter(begin, end string) *logTable {
	b, e := t.place(begin), t.place(end)
	t.check = func(values []value) (field, why string) {
		if !values[e].null && values[e].i < values[b].i {
			return end, fmt.Sprintf("%s is before %s, %s", data.Micros(values[e].i), begin, data.Micros(values[b].i))
		}
		return "", ""
	}
	return t
}

func tableNames() string {
	var s []string
	for _, t := range tables() {
		s = append(s, t.name)
	}
	return strings.Join(s, ", ")
}

func findTable(name string) *logTable {
	for _, t := range tables() {
		if t.name == name {
			return t
		}
	}
	return nil
}

// tables lists what can be filled from files. Decisions and outcomes are not:
// they are recoup's own record.
func tables() []*logTable {
	type (
		A = data.Attempt
		S = data.Subscription
		M = data.Mandate
		N = data.Notice
		D = data.Downtime
	)
	return []*logTable{
		newTable("attempts", func(r *A) *data.Event { return &r.Event },
			text("case_id", func(r *A) *string { return &r.CaseID }),
			set[A]{logField{name: "attempt_no", kind: numberField, optional: true}, func(r *A, v value) { r.AttemptNo = int32(v.i) }},
			text("attempt_id", func(r *A) *string { return &r.AttemptID }),
			optional(word("initiator", data.ParseInitiator, func(r *A) *data.Initiator { return &r.Initiator })),
			optional(text("decision_id", func(r *A) *string { return &r.DecisionID })),
			text("customer_id", func(r *A) *string { return &r.CustomerID }),
			optional(text("subscription_id", func(r *A) *string { return &r.SubscriptionID })),
			optional(text("mandate_id", func(r *A) *string { return &r.MandateID })),
			optional(text("instrument_id", func(r *A) *string { return &r.InstrumentID })),
			optional(text("merchant_id", func(r *A) *string { return &r.MerchantID })),
			word("rail", data.ParseRail, func(r *A) *data.Rail { return &r.Rail }),
			optional(text("bank", func(r *A) *string { return &r.Bank })),
			optional(text("network", func(r *A) *string { return &r.Network })),
			money("amount_paise", func(r *A) *data.Paise { return &r.Amount }),
			word("status", data.ParseAttemptStatus, func(r *A) *data.AttemptStatus { return &r.Status }),
			optional(text("error_code", func(r *A) *string { return &r.ErrorCode })),
			optional(text("source", func(r *A) *string { return &r.Source })),
			optional(text("step", func(r *A) *string { return &r.Step })),
			optional(word("reason", data.ParseReason, func(r *A) *data.Reason { return &r.Reason })),
			optional(text("response_code", func(r *A) *string { return &r.ResponseCode })),
			optional(text("advice_code", func(r *A) *string { return &r.AdviceCode }))),
		newTable("case_events", func(r *data.CaseEvent) *data.Event { return &r.Event },
			text("case_id", func(r *data.CaseEvent) *string { return &r.CaseID }),
			word("kind", data.ParseCaseEventKind, func(r *data.CaseEvent) *data.CaseEventKind { return &r.Kind })),
		newTable("subscriptions", func(r *S) *data.Event { return &r.Event },
			text("subscription_id", func(r *S) *string { return &r.SubscriptionID }),
			text("customer_id", func(r *S) *string { return &r.CustomerID }),
			word("status", data.ParseSubscriptionStatus, func(r *S) *data.SubscriptionStatus { return &r.Status }),
			optional(instant("cycle_start", func(r *S) *data.Micros { return &r.CycleStart })),
			optional(instant("cycle_end", func(r *S) *data.Micros { return &r.CycleEnd }))),
		newTable("mandates", func(r *M) *data.Event { return &r.Event },
			text("mandate_id", func(r *M) *string { return &r.MandateID }),
			text("customer_id", func(r *M) *string { return &r.CustomerID }),
			word("rail", data.ParseRail, func(r *M) *data.Rail { return &r.Rail }),
			word("status", data.ParseMandateStatus, func(r *M) *data.MandateStatus { return &r.Status }),
			optional(instant("created_at", func(r *M) *data.Micros { return &r.CreatedAt })),
			optional(money("max_amount_paise", func(r *M) *data.Paise { return &r.MaxAmount })),
			optional(instant("valid_until", func(r *M) *data.Micros { return &r.ValidUntil })),
			optional(text("category", func(r *M) *string { return &r.Category }))),
		newTable("notices", func(r *N) *data.Event { return &r.Event },
			text("case_id", func(r *N) *string { return &r.CaseID }),
			optional(text("mandate_id", func(r *N) *string { return &r.MandateID })),
			word("kind", data.ParseNoticeKind, func(r *N) *data.NoticeKind { return &r.Kind }),
			word("status", data.ParseNoticeStatus, func(r *N) *data.NoticeStatus { return &r.Status }),
			optional(money("amount_paise", func(r *N) *data.Paise { return &r.Amount })),
			optional(instant("debit_at", func(r *N) *data.Micros { return &r.DebitAt }))),
		newTable("polls", func(r *data.Poll) *data.Event { return &r.Event },
			text("attempt_id", func(r *data.Poll) *string { return &r.AttemptID }),
			word("status", data.ParsePollStatus, func(r *data.Poll) *data.PollStatus { return &r.Status })),
		newTable("promises", func(r *data.Promise) *data.Event { return &r.Event },
			text("case_id", func(r *data.Promise) *string { return &r.CaseID }),
			instant("promised_for", func(r *data.Promise) *data.Micros { return &r.PromisedFor }),
			word("status", data.ParsePromiseStatus, func(r *data.Promise) *data.PromiseStatus { return &r.Status })),
		newTable("downtimes", func(r *D) *data.Event { return &r.Event },
			text("downtime_id", func(r *D) *string { return &r.DowntimeID }),
			word("rail", data.ParseRail, func(r *D) *data.Rail { return &r.Rail }),
			optional(text("bank", func(r *D) *string { return &r.Bank })),
			optional(text("network", func(r *D) *string { return &r.Network })),
			optional(text("psp", func(r *D) *string { return &r.PSP })),
			word("severity", data.ParseSeverity, func(r *D) *data.Severity { return &r.Severity }),
			word("status", data.ParseDowntimeStatus, func(r *D) *data.DowntimeStatus { return &r.Status }),
			instant("begin", func(r *D) *data.Micros { return &r.Begin }),
			optional(instant("end", func(r *D) *data.Micros { return &r.End }))).endsAfter("begin", "end"),
	}
}
