package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// manifestFormat is raised when a field of Manifest changes its meaning.
const manifestFormat = 1

// Manifest is what is known about a registered model. Times are as_of and data
// times: no clock is read, so that the same data give the same bytes.
type Manifest struct {
	Format          int     `json:"format"` // set by Save
	AsOf            string  `json:"as_of"`  // RFC 3339, UTC: nothing known later was used
	Currency        string  `json:"currency"`
	KnownAtAssumed  bool    `json:"known_at_assumed"` // the log's known_at is occurred_at, an assumption
	HorizonDays     float64 `json:"horizon_days"`     // T of P(recover by T | ...)
	AttemptWindow   string  `json:"attempt_window"`   // H in words: how long an attempt may take to capture
	DataManifest    string  `json:"data_manifest"`    // sha256 of the event log's manifest
	AttemptSchema   string  `json:"attempt_schema"`   // fingerprint of the feature schema
	CureSchema      string  `json:"cure_schema"`
	CureNotAssessed string  `json:"cure_not_assessed,omitempty"` // why there is no cure model

	Slices  []TimeSlice     `json:"slices"` // oldest first
	Config  json.RawMessage `json:"config"` // of the training, as JSON
	Attempt Judged          `json:"attempt"`
	Cure    *Judged         `json:"cure"`             // nil without a cure model
	Limits  []string        `json:"limits,omitempty"` // what a user must know, for the card
}

// TimeSlice is a slice of presentation time, [From, To), RFC 3339 UTC.
type TimeSlice struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
	Rows int64  `json:"rows"` // of the attempt model
}

// Judged is how a model did on its test slice.
type Judged struct {
	Rows       int64   `json:"rows"`
	Positives  int64   `json:"positives"`
	Customers  int64   `json:"customers"`
	Train      int64   `json:"train_rows"`
	TrainRate  float64 `json:"train_rate"` // the constant forecast it is compared with
	L2         float64 `json:"l2"`
	Raw        Metrics `json:"raw"` // before calibration
	Calibrated Metrics `json:"calibrated"`
	// Intervals are 95 %, by customer, of the calibrated model's measures, by
	// their JSON names.
	Intervals map[string]Interval `json:"intervals"`
	// OverBase is the Brier score of TrainRate minus the calibrated model's;
	// OverBaseInterval its 95 % interval by customer, nil = not measured.
	OverBase         float64    `json:"over_base"`
	OverBaseInterval *Interval  `json:"over_base_interval"`
	Slices           []SliceGap `json:"slices"` // worst first
}

// SliceGap is mean y minus mean p in one level of one column.
type SliceGap struct {
	By       string    `json:"by"`
	Level    string    `json:"level"`
	Rows     int64     `json:"rows"`
	Rate     float64   `json:"rate"`
	MeanP    float64   `json:"mean_p"`
	Gap      float64   `json:"gap"`
	Interval *Interval `json:"interval"` // 95 % by customer, nil = not measured
}

var (
	hexHash  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	currency = regexp.MustCompile(`^[A-Z]{3}$`)
)

// check refuses a manifest that does not say what must be known.
func (m *Manifest) check() error {
	var f faults
	if _, err := time.Parse(time.RFC3339Nano, m.AsOf); err != nil {
		f.addf("as_of %q is no RFC 3339 time", m.AsOf)
	}
	if !currency.MatchString(m.Currency) {
		f.addf("currency %q: expected three capital letters", m.Currency)
	}
	if !(m.HorizonDays > 0) {
		f.addf("horizon_days %v: expected more than 0", m.HorizonDays)
	}
	for _, h := range []struct{ name, v string }{{"data_manifest", m.DataManifest}, {"attempt_schema", m.AttemptSchema}, {"cure_schema", m.CureSchema}} {
		if !hexHash.MatchString(h.v) {
			f.addf("%s %q: expected a sha256 in hex", h.name, h.v)
		}
	}
	if len(m.Slices) == 0 {
		f.addf("no slices")
	}
	if !json.Valid(m.Config) {
		f.addf("config is no JSON")
	}
	if (m.Cure == nil) != (m.CureNotAssessed != "") {
		f.addf("measures of the cure model and a reason why there is none exclude each other, and one of them is needed")
	}
	return f.join()
}

// faults collects all that is wrong, to say it at once.
type faults []error

func (f *faults) add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

func (f *faults) addf(format string, args ...any) { f.add(fmt.Errorf(format, args...)) }

func (f faults) join() error { return errors.Join(f...) }
