package data

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// table is everything the log knows about one of its tables; it is the only
// home of a column's name, type, encoding and place in the row.
type table[T any] struct {
	id      uint8 // place in tables()
	name    string
	event   func(*T) *Event
	columns []column[T]
	check   func(*T) error       // what no single column can tell; may be nil
	repeats func(*T, *seen) bool // is the row a duplicate though its event_id is new; may be nil
}

// anyTable is a table of whatever row.
type anyTable interface {
	tableName() string
	describe() string // the schema, printed
	newParts(o partOptions) partSink
	eachID(l *Log, f func(id string)) error
	checkFile(f *parquetFile) error
}

func (t *table[T]) tableName() string { return t.name }
func (t *table[T]) describe() string  { return t.schema().String() }
func (t *table[T]) checkFile(f *parquetFile) error {
	return checkSchema(f.Schema(), t.schema())
}

// tables lists the tables of a log in the order of their ids.
func tables() []anyTable {
	return []anyTable{attemptsTable(), caseEventsTable(), subscriptionsTable(), mandatesTable(), noticesTable(),
		pollsTable(), promisesTable(), downtimesTable(), decisionsTable(), outcomesTable()}
}

// tableOf finds the table of a row type.
func tableOf[T Row]() *table[T] {
	var zero T
	for _, t := range tables() {
		if t, ok := t.(*table[T]); ok {
			return t
		}
	}
	panic("data: no table of " + fmt.Sprintf("%T", zero))
}

// eventColumns are the columns that every table begins with.
func eventColumns[T any](event func(*T) *Event, more ...column[T]) []column[T] {
	return append([]column[T]{
		required("event_id", ids, func(r *T) *string { return &event(r).EventID }),
		required("occurred_at", micros, func(r *T) *int64 { return (*int64)(&event(r).OccurredAt) }),
		required("known_at", micros, func(r *T) *int64 { return (*int64)(&event(r).KnownAt) }),
		numeric("seq", int64Codec("", 0), func(r *T) *int64 { return &event(r).Seq }),
	}, more...)
}

// seqColumn is the place of seq among the columns of every table.
const seqColumn = 3

var (
	evCodec = pointerTo(&codec[Paise]{
		node:  deltaInt64,
		value: func(v Paise) parquet.Value { return parquet.Int64Value(int64(v)) },
		put:   func(b []byte, v Paise) []byte { return binary.AppendVarint(b, int64(v)) },
		get:   func(r *record) Paise { return Paise(r.varint()) },
		decode: func(dst []Paise, v encoding.Values, n int) ([]Paise, error) {
			for _, x := range v.Int64() {
				dst = append(dst, Paise(x))
			}
			return exactly(dst, n)
		},
		check: func(Paise) string { return "" },
	})
	railCodec   = enumCodec("rail", railNames)
	actionCodec = enumCodec("action", actionNames)
	routeCodec  = enumCodec("route", routeNames)
)

var reasonCodec = sync.OnceValue(func() *codec[uint8] {
	names := make([]string, 0, len(reasons().rows))
	for _, r := range reasons().rows {
		names = append(names, r.Name)
	}
	return enumCodec("reason", names)
})

var attemptsTable = sync.OnceValue(func() *table[Attempt] {
	type row = Attempt
	return &table[row]{id: 0, name: "attempts", event: (*row).event, repeats: repeatedAttempt, columns: eventColumns((*row).event,
		required("case_id", ids, func(r *row) *string { return &r.CaseID }),
		numeric("attempt_no", int32s, func(r *row) *int32 { return &r.AttemptNo }),
		required("attempt_id", ids, func(r *row) *string { return &r.AttemptID }),
		optional("initiator", enumCodec("initiator", initiatorNames), func(r *row) *uint8 { return (*uint8)(&r.Initiator) }),
		optional("decision_id", ids, func(r *row) *string { return &r.DecisionID }),
		required("customer_id", ids, func(r *row) *string { return &r.CustomerID }),
		optional("subscription_id", ids, func(r *row) *string { return &r.SubscriptionID }),
		optional("mandate_id", ids, func(r *row) *string { return &r.MandateID }),
		optional("instrument_id", ids, func(r *row) *string { return &r.InstrumentID }),
		optional("merchant_id", words, func(r *row) *string { return &r.MerchantID }),
		required("rail", railCodec, func(r *row) *uint8 { return (*uint8)(&r.Rail) }),
		optional("bank", words, func(r *row) *string { return &r.Bank }),
		optional("network", words, func(r *row) *string { return &r.Network }),
		numeric("amount_paise", paise, func(r *row) *int64 { return (*int64)(&r.Amount) }),
		required("status", enumCodec("attempt status", attemptStatusNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
		optional("error_code", words, func(r *row) *string { return &r.ErrorCode }),
		optional("source", words, func(r *row) *string { return &r.Source }),
		optional("step", words, func(r *row) *string { return &r.Step }),
		optional("reason", reasonCodec(), func(r *row) *uint8 { return (*uint8)(&r.Reason) }),
		optional("response_code", words, func(r *row) *string { return &r.ResponseCode }),
		optional("advice_code", words, func(r *row) *string { return &r.AdviceCode }),
	)}
})

var caseEventsTable = sync.OnceValue(func() *table[CaseEvent] {
	type row = CaseEvent
	return &table[row]{id: 1, name: "case_events", event: (*row).event, columns: eventColumns((*row).event,
		required("case_id", ids, func(r *row) *string { return &r.CaseID }),
		required("kind", enumCodec("case event", caseEventNames), func(r *row) *uint8 { return (*uint8)(&r.Kind) }),
	)}
})

var subscriptionsTable = sync.OnceValue(func() *table[Subscription] {
	type row = Subscription
	return &table[row]{id: 2, name: "subscriptions", event: (*row).event, columns: eventColumns((*row).event,
		required("subscription_id", ids, func(r *row) *string { return &r.SubscriptionID }),
		required("customer_id", ids, func(r *row) *string { return &r.CustomerID }),
		required("status", enumCodec("subscription status", subscriptionNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
		optional("cycle_start", micros, func(r *row) *int64 { return (*int64)(&r.CycleStart) }),
		optional("cycle_end", micros, func(r *row) *int64 { return (*int64)(&r.CycleEnd) }),
	)}
})

var mandatesTable = sync.OnceValue(func() *table[Mandate] {
	type row = Mandate
	return &table[row]{id: 3, name: "mandates", event: (*row).event, columns: eventColumns((*row).event,
		required("mandate_id", ids, func(r *row) *string { return &r.MandateID }),
		required("customer_id", ids, func(r *row) *string { return &r.CustomerID }),
		required("rail", railCodec, func(r *row) *uint8 { return (*uint8)(&r.Rail) }),
		required("status", enumCodec("mandate status", mandateNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
		optional("created_at", micros, func(r *row) *int64 { return (*int64)(&r.CreatedAt) }),
		optional("max_amount_paise", paise, func(r *row) *int64 { return (*int64)(&r.MaxAmount) }),
		optional("valid_until", micros, func(r *row) *int64 { return (*int64)(&r.ValidUntil) }),
		optional("category", words, func(r *row) *string { return &r.Category }),
	)}
})

var noticesTable = sync.OnceValue(func() *table[Notice] {
	type row = Notice
	return &table[row]{id: 4, name: "notices", event: (*row).event, columns: eventColumns((*row).event,
		required("case_id", ids, func(r *row) *string { return &r.CaseID }),
		optional("mandate_id", ids, func(r *row) *string { return &r.MandateID }),
		required("kind", enumCodec("notice kind", noticeNames), func(r *row) *uint8 { return (*uint8)(&r.Kind) }),
		required("status", enumCodec("notice status", noticeStatusNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
		optional("amount_paise", paise, func(r *row) *int64 { return (*int64)(&r.Amount) }),
		optional("debit_at", micros, func(r *row) *int64 { return (*int64)(&r.DebitAt) }),
	)}
})

var pollsTable = sync.OnceValue(func() *table[Poll] {
	type row = Poll
	return &table[row]{id: 5, name: "polls", event: (*row).event, columns: eventColumns((*row).event,
		required("attempt_id", ids, func(r *row) *string { return &r.AttemptID }),
		required("status", enumCodec("poll status", pollNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
	)}
})

var promisesTable = sync.OnceValue(func() *table[Promise] {
	type row = Promise
	return &table[row]{id: 6, name: "promises", event: (*row).event, columns: eventColumns((*row).event,
		required("case_id", ids, func(r *row) *string { return &r.CaseID }),
		required("promised_for", micros, func(r *row) *int64 { return (*int64)(&r.PromisedFor) }),
		required("status", enumCodec("promise status", promiseNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
	)}
})

var downtimesTable = sync.OnceValue(func() *table[Downtime] {
	type row = Downtime
	return &table[row]{id: 7, name: "downtimes", event: (*row).event, check: checkDowntime, columns: eventColumns((*row).event,
		required("downtime_id", ids, func(r *row) *string { return &r.DowntimeID }),
		required("rail", railCodec, func(r *row) *uint8 { return (*uint8)(&r.Rail) }),
		optional("bank", words, func(r *row) *string { return &r.Bank }),
		optional("network", words, func(r *row) *string { return &r.Network }),
		optional("psp", words, func(r *row) *string { return &r.PSP }),
		required("severity", enumCodec("severity", severityNames), func(r *row) *uint8 { return (*uint8)(&r.Severity) }),
		required("status", enumCodec("downtime status", downtimeNames), func(r *row) *uint8 { return (*uint8)(&r.Status) }),
		required("begin", micros, func(r *row) *int64 { return (*int64)(&r.Begin) }),
		optional("end", micros, func(r *row) *int64 { return (*int64)(&r.End) }),
	)}
})

var decisionsTable = sync.OnceValue(func() *table[Decision] {
	type row = Decision
	return &table[row]{id: 8, name: "decisions", event: (*row).event, check: checkDecision, columns: eventColumns((*row).event,
		required("decision_id", ids, func(r *row) *string { return &r.DecisionID }),
		required("case_id", ids, func(r *row) *string { return &r.CaseID }),
		required("customer_id", ids, func(r *row) *string { return &r.CustomerID }),
		required("decided_at", micros, func(r *row) *int64 { return (*int64)(&r.DecidedAt) }),
		required("as_of_known_at", micros, func(r *row) *int64 { return (*int64)(&r.AsOf.KnownAt) }),
		numeric("as_of_seq", int64Codec("", 0), func(r *row) *int64 { return &r.AsOf.Seq }),
		required("arm", enumCodec("arm", armNames), func(r *row) *uint8 { return (*uint8)(&r.Arm) }),
		numeric("arm_share", probability, func(r *row) *float64 { return &r.ArmShare }),
		required("logger", words, func(r *row) *string { return &r.Logger }),
		required("policy_id", words, func(r *row) *string { return &r.PolicyID }),
		optional("model_id", words, func(r *row) *string { return &r.ModelID }),
		numeric("schema", words, func(r *row) *string { return &r.Schema }),
		numeric("row_hash", ids, func(r *row) *string { return &r.RowHash }),
		&nested[row, Option]{name: "allowed", at: func(r *row) *[]Option { return &r.Allowed }, fields: elements(
			required("action", actionCodec, func(e *Option) *uint8 { return (*uint8)(&e.Action) }),
			optional("kind", routeCodec, func(e *Option) *uint8 { return (*uint8)(&e.Kind) }),
			required("at", micros, func(e *Option) *int64 { return (*int64)(&e.At) }),
			optional("notice_by", micros, func(e *Option) *int64 { return (*int64)(&e.NoticeBy) }),
			optional("p", pointerTo(probability), func(e *Option) **float64 { return &e.P }),
			optional("ev_paise", evCodec, func(e *Option) **Paise { return &e.EV }),
			numeric("propensity", probability, func(e *Option) *float64 { return &e.Propensity }),
			numeric("mix", probability, func(e *Option) *float64 { return &e.Mix }),
		)},
		numeric("chosen", int32s, func(r *row) *int32 { return &r.Chosen }),
		optional("class", enumCodec("class", classNames), func(r *row) *uint8 { return (*uint8)(&r.Class) }),
		&nested[row, Refusal]{name: "refusals", at: func(r *row) *[]Refusal { return &r.Refusals }, fields: elements(
			required("rule", words, func(e *Refusal) *string { return &e.Rule }),
			required("action", actionCodec, func(e *Refusal) *uint8 { return (*uint8)(&e.Action) }),
			optional("at", micros, func(e *Refusal) *int64 { return (*int64)(&e.At) }),
			optional("route", routeCodec, func(e *Refusal) *uint8 { return (*uint8)(&e.Route) }),
		)},
	)}
})

var outcomesTable = sync.OnceValue(func() *table[Outcome] {
	type row = Outcome
	return &table[row]{id: 9, name: "outcomes", event: (*row).event, columns: eventColumns((*row).event,
		required("decision_id", ids, func(r *row) *string { return &r.DecisionID }),
		optional("attempt_id", ids, func(r *row) *string { return &r.AttemptID }),
		numeric("recovered", bools, func(r *row) *bool { return &r.Recovered }),
		numeric("recovered_paise", paise, func(r *row) *int64 { return (*int64)(&r.RecoveredPaise) }),
		numeric("cost_paise", paise, func(r *row) *int64 { return (*int64)(&r.CostPaise) }),
		required("settled_at", micros, func(r *row) *int64 { return (*int64)(&r.SettledAt) }),
		numeric("window_closed", bools, func(r *row) *bool { return &r.WindowClosed }),
	)}
})
