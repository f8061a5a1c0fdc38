package api

import (
	"math"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/score"
)

// rowColumn is one column of an event row, as a caller may send it.
type rowColumn struct {
	name     string
	kind     columnKind
	words    []string    // of a word
	of       []rowColumn // of a list of groups
	required bool
	doc      string
}

type columnKind uint8

const (
	textColumn columnKind = iota
	wholeColumn
	paiseColumn
	timeColumn
	wordColumn
	shareColumn // in [0, 1]
	truthColumn
	listColumn
)

// rowTable is a table of the event log that a request may bring rows of.
type rowTable struct {
	name, doc string
	columns   []rowColumn
}

// eventColumns are the columns of every table.
func eventColumns() []rowColumn {
	return []rowColumn{
		{name: "event_id", doc: "Unique; given by the row's content when absent"},
		{name: "occurred_at", kind: timeColumn, required: true, doc: "When it happened"},
		{name: "known_at", kind: timeColumn, doc: "When it could have been used; occurred_at when absent"},
		{name: "seq", kind: wholeColumn, doc: "Place among what became known at the same time; all rows or none"},
	}
}

func note(name, doc string) rowColumn  { return rowColumn{name: name, doc: doc} }
func id(name, doc string) rowColumn    { return rowColumn{name: name, doc: doc, required: true} }
func when(name, doc string) rowColumn  { return rowColumn{name: name, kind: timeColumn, doc: doc} }
func money(name, doc string) rowColumn { return rowColumn{name: name, kind: paiseColumn, doc: doc} }
func oneOf[E word](name string, parse func(string) (E, error), doc string) rowColumn {
	return rowColumn{name: name, kind: wordColumn, words: words(parse), doc: doc}
}
func whole(name, doc string) rowColumn { return rowColumn{name: name, kind: wholeColumn, doc: doc} }
func list(name string, of ...rowColumn) rowColumn {
	return rowColumn{name: name, kind: listColumn, of: of}
}
func optional(c rowColumn) rowColumn { c.required = false; return c }
func must(c rowColumn) rowColumn     { c.required = true; return c }

func reasonNames() []string {
	var out []string
	for _, r := range data.Reasons() {
		out = append(out, r.String())
	}
	return out
}

func share(name, doc string) rowColumn {
	return rowColumn{name: name, kind: shareColumn, required: true, doc: doc}
}
func truth(name string) rowColumn { return rowColumn{name: name, kind: truthColumn, required: true} }

// rowTables lists what a request may bring: the tables of the log. A test holds
// it against score.ParseRequest.
func rowTables() []rowTable {
	return []rowTable{
		{"attempts", "Presentations of charges, and later statuses of them", []rowColumn{
			id("case_id", "The charge"), must(whole("attempt_no", "0 = the original charge")),
			id("attempt_id", ""), oneOf("initiator", data.ParseInitiator, "Who presented it"), note("decision_id", ""), id("customer_id", ""),
			note("subscription_id", ""), note("mandate_id", ""), note("instrument_id", ""), note("merchant_id", ""),
			must(oneOf("rail", data.ParseRail, "")), note("bank", ""), note("network", ""), must(money("amount_paise", "")),
			must(oneOf("status", data.ParseAttemptStatus, "")), note("error_code", "Coarse: reason decides"), note("source", ""), note("step", ""),
			rowColumn{name: "reason", kind: wordColumn, words: reasonNames(), doc: "Of a failure, see /v1/reasons"}, note("response_code", "The network's"), note("advice_code", "The network's")}},
		{"case_events", "Ends of a case", []rowColumn{id("case_id", ""), must(oneOf("kind", data.ParseCaseEventKind, ""))}},
		{"subscriptions", "States of a subscription", []rowColumn{id("subscription_id", ""), id("customer_id", ""),
			must(oneOf("status", data.ParseSubscriptionStatus, "")), when("cycle_start", ""), when("cycle_end", "")}},
		{"mandates", "States of a mandate", []rowColumn{id("mandate_id", ""), id("customer_id", ""), must(oneOf("rail", data.ParseRail, "")),
			must(oneOf("status", data.ParseMandateStatus, "")), when("created_at", ""), money("max_amount_paise", ""), when("valid_until", ""), note("category", "Which RBI cap")}},
		{"notices", "What was sent to the customer", []rowColumn{id("case_id", ""), note("mandate_id", ""), must(oneOf("kind", data.ParseNoticeKind, "")),
			must(oneOf("status", data.ParseNoticeStatus, "")), money("amount_paise", ""), when("debit_at", "")}},
		{"polls", "Status checks of an attempt", []rowColumn{id("attempt_id", ""), must(oneOf("status", data.ParsePollStatus, ""))}},
		{"promises", "Promises to pay", []rowColumn{id("case_id", ""), must(when("promised_for", "")), must(oneOf("status", data.ParsePromiseStatus, ""))}},
		{"downtimes", "Versions of an outage", []rowColumn{id("downtime_id", ""), must(oneOf("rail", data.ParseRail, "")), note("bank", ""), note("network", ""),
			note("psp", ""), must(oneOf("severity", data.ParseSeverity, "")), must(oneOf("status", data.ParseDowntimeStatus, "")), must(when("begin", "")), when("end", "")}},
		{"decisions", "Decisions of recoup; taken and passed over, so that a log's rows can be sent as they are", []rowColumn{
			id("decision_id", ""), id("case_id", ""), id("customer_id", ""), must(when("decided_at", "")), must(when("as_of_known_at", "")),
			must(whole("as_of_seq", "")), must(oneOf("arm", data.ParseArm, "")), share("arm_share", ""), id("logger", ""), id("policy_id", ""), note("model_id", ""),
			id("schema", ""), id("row_hash", ""), must(list("allowed", must(oneOf("action", data.ParseAction, "")), oneOf("kind", data.ParseRoute, ""), must(when("at", "")),
				when("notice_by", ""), optional(share("p", "")), money("ev_paise", ""), share("propensity", ""), share("mix", ""))),
			must(whole("chosen", "Index into allowed")), oneOf("class", data.ParseClass, ""), must(list("refusals", id("rule", ""), must(oneOf("action", data.ParseAction, "")),
				when("at", ""), oneOf("route", data.ParseRoute, "")))}},
		{"outcomes", "What came of decisions; taken and passed over", []rowColumn{id("decision_id", ""), note("attempt_id", ""), truth("recovered"),
			must(money("recovered_paise", "What came in for the case after the decision, within its window; 0 where nothing did")),
			must(money("cost_paise", "Of what was decided and of all that followed in the case within the window: fees of debits, messages, a person's time. Policies are judged by recovered less cost")),
			must(when("settled_at", "When it was paid; else when the window ended")), truth("window_closed")}},
	}
}

// schema is what a caller may send; a column that may be absent may also be null.
func (c rowColumn) schema() *huma.Schema {
	s := c.typed()
	switch {
	case c.required:
	case s.Type == "": // several forms
		s.OneOf = append(s.OneOf, &huma.Schema{Type: "null"})
	default:
		s.Nullable = true
	}
	return s
}

func (c rowColumn) typed() *huma.Schema {
	switch c.kind {
	case wholeColumn:
		s := &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: c.doc, Minimum: new(float64)}
		if c.name == "attempt_no" || c.name == "chosen" {
			most := float64(math.MaxInt32)
			s.Format, s.Maximum = "int32", &most
		}
		return s
	case paiseColumn:
		return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: strings.TrimSpace("In paise. " + c.doc)}
	case timeColumn:
		s := timeSchema()
		s.Description = c.doc
		return s
	case shareColumn:
		zero, one := 0.0, 1.0
		return &huma.Schema{Type: huma.TypeNumber, Minimum: &zero, Maximum: &one, Description: c.doc}
	case truthColumn:
		return &huma.Schema{Type: huma.TypeBoolean, Description: c.doc}
	case listColumn:
		return &huma.Schema{Type: huma.TypeArray, Items: group("", c.of), Description: c.doc}
	case wordColumn:
		s := enum(c.words)
		s.Description = c.doc
		return s
	}
	least, most := 1, data.MaxText
	return &huma.Schema{Type: huma.TypeString, Description: c.doc, MinLength: &least, MaxLength: &most}
}

// timeSchema is a time as a request may write it.
func timeSchema() *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString, Format: "date-time", Description: "RFC 3339 with an offset"},
		{Type: huma.TypeInteger, Format: "int64", Description: "Microseconds since 1970 UTC"}}}
}

// row is the schema of one table's row.
func (t rowTable) row() *huma.Schema {
	s := group(t.doc, append(eventColumns(), t.columns...))
	s.Properties["table"] = &huma.Schema{Type: huma.TypeString, Enum: []any{t.name}}
	s.Required = append([]string{"table"}, s.Required...)
	return s
}

// group is the schema of an object of columns.
func group(doc string, columns []rowColumn) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Description: doc, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
	for _, c := range columns {
		s.Properties[c.name] = c.schema()
		if c.required {
			s.Required = append(s.Required, c.name)
		}
	}
	return s
}

// describeBody puts the request's schema and its example into the description.
func describeBody(o *huma.OpenAPI, paths ...string) {
	all := o.Components.Schemas.Map()
	rows := &huma.Schema{Discriminator: &huma.Discriminator{PropertyName: "table", Mapping: map[string]string{}}}
	for _, t := range rowTables() {
		name := "Row_" + t.name
		all[name] = t.row()
		ref := "#/components/schemas/" + name
		rows.OneOf = append(rows.OneOf, &huma.Schema{Ref: ref})
		rows.Discriminator.Mapping[t.name] = ref
	}
	maxEvents, maxCandidates := score.MaxEvents, score.MaxCandidates
	all["Rows"] = &huma.Schema{Type: huma.TypeArray, Items: rows, MaxItems: &maxEvents, Description: "In any order. What is recorded bears neither known_at nor seq: the server gives them"}
	known := timeSchema()
	seq := &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: new(float64)}
	cursor := timeSchema()
	cursor.OneOf = append(cursor.OneOf, &huma.Schema{Type: huma.TypeObject, Description: "A place in the order of knowing", AdditionalProperties: false,
		Properties: map[string]*huma.Schema{"known_at": known, "seq": seq}, Required: []string{"known_at", "seq"}})
	cursor.Description = "The decision is made as of this time: nothing known later counts. There is no default."
	all["RequestAt"] = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"as_of", "events"},
		Description: "About a time: the events of the case and its customer are all that is known",
		Properties: map[string]*huma.Schema{"as_of": cursor,
			"events": {Ref: "#/components/schemas/Rows"},
			"candidates": {Type: huma.TypeArray, MaxItems: &maxCandidates, Description: "The only ones to consider, beside waiting; absent = all slots of the policy",
				Items: group("", []rowColumn{must(oneOf("action", data.ParseAction, "")), must(when("at", "Not before as_of"))})},
			"case_id": {Type: huma.TypeString, Description: "The case to decide; absent = the one open case of the events"}}}
	all["RequestNow"] = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"as_of"},
		Description: "About now: what was recorded is known, and the events are recorded first",
		Properties: map[string]*huma.Schema{"as_of": {Type: huma.TypeString, Enum: []any{nowWord}}, "events": {Ref: "#/components/schemas/Rows"},
			"case_id": {Type: huma.TypeString, Description: "The case to decide; absent = the one open case of the events"}}}
	all["Request"] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: "#/components/schemas/RequestAt"}, {Ref: "#/components/schemas/RequestNow"}}}
	for _, path := range paths {
		o.Paths[path].Post.RequestBody.Content["application/json"] = &huma.MediaType{Schema: &huma.Schema{Ref: "#/components/schemas/Request"},
			Examples: map[string]*huma.Example{"first failure": {Summary: "A charge failed for lack of funds; the customer's last one went well", Value: Example()},
				"now": {Summary: "What to do now about a case whose events were recorded", Value: map[string]any{"as_of": nowWord, "case_id": "inv-102"}}}}
	}
}

// Example is a request that can be sent as it is.
func Example() map[string]any {
	return map[string]any{
		"as_of": "2026-02-01T09:00:00+05:30",
		"events": []any{
			map[string]any{"table": "attempts", "occurred_at": "2026-01-01T08:30:00+05:30", "case_id": "inv-101", "attempt_no": 0, "attempt_id": "pay-101",
				"customer_id": "cust-7", "mandate_id": "mandate-7", "rail": "upi_autopay", "bank": "HDFC", "amount_paise": 49900, "status": "captured"},
			map[string]any{"table": "attempts", "occurred_at": "2026-02-01T08:30:00+05:30", "case_id": "inv-102", "attempt_no": 0, "attempt_id": "pay-102",
				"customer_id": "cust-7", "mandate_id": "mandate-7", "rail": "upi_autopay", "bank": "HDFC", "amount_paise": 49900, "status": "failed", "reason": "insufficient_funds"},
		},
	}
}
