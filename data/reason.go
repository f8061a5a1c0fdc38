package data

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Class says what a failure calls for; every reason has one. The zero Class is
// that of NotReported, which the gate sends to human_review.
type Class uint8

// The eight classes.
const (
	RetryNow Class = iota + 1
	RetryScheduled
	SwitchRail
	SwitchInstrument
	NudgeCustomer
	MerchantAlert
	AwaitStatus
	Stop
)

var classNames = []string{"", "RETRY_NOW", "RETRY_SCHEDULED", "SWITCH_RAIL", "SWITCH_INSTRUMENT", "NUDGE_CUSTOMER",
	"MERCHANT_ALERT", "AWAIT_STATUS", "STOP"}

func (c Class) String() string { return nameOf(classNames, c) }

// Classes lists every class.
func Classes() []Class { return values[Class](classNames) }

// ParseClass is the inverse of String.
func ParseClass(s string) (Class, error) { return parse[Class]("class", classNames, s) }

// FailureClass is the cause behind a reason, as far as the reason tells it.
type FailureClass uint8

// The failure classes.
const (
	CauseUnknown FailureClass = iota + 1
	CauseTechnical
	CauseBankDowntime
	CauseLimitExceeded
	CauseInsufficientFunds
	CauseMandateRevoked
	CauseMandateExpired
)

var failureClassNames = []string{"", "UNKNOWN", "TECHNICAL", "BANK_DOWNTIME", "LIMIT_EXCEEDED", "INSUFFICIENT_FUNDS",
	"MANDATE_REVOKED", "MANDATE_EXPIRED"}

func (c FailureClass) String() string { return nameOf(failureClassNames, c) }

// FailureClasses lists every failure class.
func FailureClasses() []FailureClass { return values[FailureClass](failureClassNames) }

// Reason is Razorpay's error reason, by its place in the embedded table; 0 is
// null. Only names are stored, never the number.
type Reason uint8

// NotReported is the reason of a file that carries none.
const NotReported Reason = 1

// ReasonInfo is one row of the reasons table.
type ReasonInfo struct {
	Name      string
	Families  []string // payment methods that show it
	Sources   []string // observed error_source values; an open set
	Steps     []string // observed error_step values; an open set
	Note      string
	SourceURL string
	Class     Class // 0 for NotReported alone
	Rationale string
	Cause     FailureClass
	List      string // core110, recurring, turbo_upi or alias
	Recurring string // documented, inferred or no: seen on a recurring debit?
	MinWait   Micros // least wait after the latest failure
}

//go:embed reasons.csv
var reasonsCSV string

type reasonTable struct {
	rows   []ReasonInfo // index = Reason
	byName map[string]Reason
}

// reasons is parsed once; the file is part of the binary and a test reads it,
// so a fault in it cannot reach a user.
var reasons = sync.OnceValue(func() reasonTable {
	t, err := readReasons(reasonsCSV)
	if err != nil {
		panic(err)
	}
	return t
})

func readReasons(text string) (reasonTable, error) {
	t := reasonTable{
		rows: []ReasonInfo{{}, {Name: "not_reported", Note: "The file carries no reasons",
			Rationale: "Nothing is known about the failure", Cause: CauseUnknown, List: "recoup", Recurring: "no"}},
		byName: map[string]Reason{"not_reported": NotReported},
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return t, fmt.Errorf("data: reasons.csv: %w", err)
	}
	for i, r := range rows[1:] {
		line := i + 2
		class, err := ParseClass(r[6])
		if err != nil {
			return t, fmt.Errorf("data: reasons.csv: line %d: %w", line, err)
		}
		cause, err := parse[FailureClass]("failure class", failureClassNames, r[8])
		if err != nil {
			return t, fmt.Errorf("data: reasons.csv: line %d: %w", line, err)
		}
		hours, err := strconv.ParseInt(r[11], 10, 32)
		if err != nil {
			return t, fmt.Errorf("data: reasons.csv: line %d: min_wait_hours: %w", line, err)
		}
		if _, twice := t.byName[r[0]]; twice {
			return t, fmt.Errorf("data: reasons.csv: line %d: reason %q twice", line, r[0])
		}
		t.byName[r[0]] = Reason(len(t.rows))
		t.rows = append(t.rows, ReasonInfo{Name: r[0], Families: list(r[1]), Sources: list(r[2]), Steps: list(r[3]),
			Note: r[4], SourceURL: r[5], Class: class, Rationale: r[7], Cause: cause, List: r[9], Recurring: r[10],
			MinWait: Micros(hours) * Hour})
	}
	return t, nil
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ";")
}

// ParseReason finds a reason by name; an unknown one is an error, never a retry.
func ParseReason(s string) (Reason, error) {
	if r, ok := reasons().byName[s]; ok {
		return r, nil
	}
	return 0, fmt.Errorf("data: unknown reason %q: not among the %d of the reasons table; map it in the mapping file (not_reported where the file has none)",
		s, len(reasons().rows)-1)
}

// MustReason is ParseReason for names written in the source.
func MustReason(s string) Reason {
	r, err := ParseReason(s)
	if err != nil {
		panic(err)
	}
	return r
}

// Reasons lists every reason, NotReported first.
func Reasons() []Reason {
	out := make([]Reason, 0, len(reasons().rows)-1)
	for i := range reasons().rows[1:] {
		out = append(out, Reason(i+1))
	}
	return out
}

// Info is the reason's row of the table; the zero Reason has a zero row.
func (r Reason) Info() ReasonInfo { return reasons().rows[r] }

func (r Reason) String() string { return reasons().rows[r].Name }

// Class is the class of the reason: 0 for no reason and for NotReported.
func (r Reason) Class() Class { return reasons().rows[r].Class }
