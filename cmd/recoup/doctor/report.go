package doctor

import (
	"recoup/data"
	"recoup/train"
)

// Level is how much a finding matters.
type Level string

// The levels, worst first.
const (
	Stop Level = "stop" // something cannot be done with this log
	Warn Level = "warn" // results will be weaker or wrong in places
	Note Level = "note" // worth knowing
	OK   Level = "ok"
)

var levels = []Level{Stop, Warn, Note, OK}

// Finding is what one check found.
type Finding struct {
	Check string   `json:"check"`
	Level Level    `json:"level"`
	What  string   `json:"what"`
	N     int64    `json:"n"`     // how many rows or days it is about
	Share *float64 `json:"share"` // of those that were looked at; null where there is nothing to divide by
	Why   string   `json:"why"`   // it matters
	Do    string   `json:"do"`    // about it; "" = nothing
}

// Table is one table of the log.
type Table struct {
	Table     string      `json:"table"`
	Rows      int64       `json:"rows"`
	First     data.Micros `json:"first_known_us"`
	Last      data.Micros `json:"last_known_us"`
	Late      int64       `json:"later_than_a_day"` // rows known more than a day after they happened
	Ahead     int64       `json:"known_before_it_happened"`
	AheadMost data.Micros `json:"known_before_it_happened_most_us"`

	days map[int64]int64 // rows by day, UTC, of known_at
	lag  [64]int64       // rows by bits of the lateness in seconds
}

// Month is a month of attempts, UTC, by when they happened.
type Month struct {
	Month    string `json:"month"`
	Rows     int64  `json:"rows"` // of attempts; one attempt may have several
	Failed   int64  `json:"failed"`
	Retries  int64  `json:"retries"`
	Mature   int64  `json:"retries_mature"` // their window has closed
	Captured int64  `json:"retries_captured"`
}

// Sliced is how a night would cut a table.
type Sliced struct {
	Rows      int64         `json:"rows"`
	Positives int64         `json:"positives"`
	Why       string        `json:"why,omitempty"` // it cannot be cut, or a slice is too thin; "" = enough
	Slices    *train.Slices `json:"slices"`        // null where it cannot be cut
}

// Verdict says whether one thing can be done with the log.
type Verdict struct {
	Of      string `json:"of"`
	Yes     bool   `json:"yes"`
	Because string `json:"because"`
}

// Report is what a log can support.
type Report struct {
	Dir       string    `json:"dir"`
	AsOf      string    `json:"as_of"`
	Suggested string    `json:"suggested_as_of"` // for nightly --as-of: the first date, UTC, at which all of the log is known
	Currency  string    `json:"currency"`
	Cases     int64     `json:"cases"` // charges that failed
	Customers int64     `json:"customers"`
	Tables    []Table   `json:"tables"`
	Months    []Month   `json:"months"`
	Attempts  Sliced    `json:"attempt_rows"` // of the attempt model
	Periods   Sliced    `json:"person_days"`  // of the cure model
	Findings  []Finding `json:"findings"`     // worst first
	Verdicts  []Verdict `json:"verdicts"`
}
