// Package report turns what a job found out into pages people read.
//
// A Report is filled by the job, written as JSON, and everything else is
// rendered from those JSON bytes alone: one self-contained HTML file with
// inline SVG pictures, and Markdown. The same JSON gives the same bytes.
//
// Every statistic is an Estimate: a number with its n and interval, or null
// with the reason. Sentences that judge (a verdict) are computed from the
// intervals; nobody types a number.
package report

// Version is the number of the JSON layout, raised when a field changes meaning.
const Version = 1

// Report is everything the night job found out, in the order it is read.
type Report struct {
	Version     int           `json:"version"`
	AsOf        string        `json:"as_of"` // RFC 3339, UTC
	Decision    Decision      `json:"decision"`
	Contenders  []Contender   `json:"contenders,omitempty"` // who was judged; nil = the challenger alone
	Data        Data          `json:"data"`
	Splits      []Split       `json:"splits"` // by time, oldest first
	Attempt     Model         `json:"attempt_model"`
	Cure        Model         `json:"cure_model"`
	Recovery    Recovery      `json:"recovery"`
	Oracle      *Oracle       `json:"oracle"`        // nil = no oracle at hand, as always outside simulation
	Ope         *Bracket      `json:"ope,omitempty"` // nil = not looked at
	NotAssessed []NotAssessed `json:"not_assessed"`
	Warnings    []string      `json:"warnings"`
}

// Outcome is what became of the challenger.
type Outcome string

// The outcomes of a night.
const (
	Promoted Outcome = "promoted" // the challenger is the champion now
	Kept     Outcome = "kept"     // the champion stays; with no champion, there is still none
)

// Decision says whether the new model took over, and why.
type Decision struct {
	Outcome      Outcome `json:"outcome"`
	Challenger   string  `json:"challenger"`                // model id
	Kind         string  `json:"challenger_kind,omitempty"` // such as LightGBM
	Champion     string  `json:"champion"`                  // model id before this night, "" = none
	ChampionKind string  `json:"champion_kind,omitempty"`
	Why          string  `json:"why"` // one sentence
	// Difference is the test Brier score of what it was compared with minus the
	// challenger's, row by row, with the interval by customer: above 0 = the
	// challenger is better.
	Difference Estimate `json:"difference"`
	Against    string   `json:"against"` // "champion" or "base rate"
	Checks     []Check  `json:"checks"`
}

// Check is one condition of promotion.
type Check struct {
	Name   string `json:"name"`
	Passed *bool  `json:"passed"` // nil = not assessed
	Why    string `json:"why"`
}

// Data says what the report was made from.
type Data struct {
	Currency       string      `json:"currency"`
	KnownAtAssumed bool        `json:"known_at_assumed"` // the file had no known_at: occurred_at stands in for it
	ManifestHash   string      `json:"manifest_hash"`    // sha256 of the log's manifest
	First          string      `json:"first"`            // known_at of the first event, RFC 3339
	Last           string      `json:"last"`             // and of the last one visible at as_of
	Tables         []TableSize `json:"tables"`
	Cases          int64       `json:"cases"`
	Customers      int64       `json:"customers"`
	Attempts       int64       `json:"attempts"`        // presentations, first ones and retries
	Retries        int64       `json:"retries"`         // presentations after the first, not the customer's own
	AttemptRows    int64       `json:"attempt_rows"`    // rows of the attempt model whose window had closed
	AttemptsOpen   int64       `json:"attempts_open"`   // retries left out: their window was still open at as_of
	PeriodRows     int64       `json:"period_rows"`     // rows of the cure model: failure x day
	PeriodsOpen    int64       `json:"periods_open"`    // person-days left out: their window was still open
	CensoredCases  int64       `json:"censored_cases"`  // failures whose days at risk were cut by a new attempt
	HorizonDays    float64     `json:"horizon_days"`    // T of P(recover by T | ...)
	AttemptWindow  string      `json:"attempt_window"`  // H in words, e.g. "2 d upi_autopay and card, 5 d emandate"
	Notes          []string    `json:"notes,omitempty"` // anything else a reader must know about the data
	FeatureSchemas []SchemaRef `json:"feature_schemas"` // what a row was made of
}

// TableSize is the number of visible rows of one table of the log.
type TableSize struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
}

// SchemaRef names a feature schema.
type SchemaRef struct {
	Name        string `json:"name"`
	Columns     int    `json:"columns"`
	Blocks      int    `json:"blocks"`
	Fingerprint string `json:"fingerprint"`
}

// Split is one slice of time: warm_up, train, select, calibrate or test.
type Split struct {
	Name             string `json:"name"`
	From             string `json:"from"` // RFC 3339, included
	To               string `json:"to"`   // excluded
	AttemptRows      int64  `json:"attempt_rows"`
	AttemptPositives int64  `json:"attempt_positives"`
	PeriodRows       int64  `json:"period_rows"`
	PeriodPositives  int64  `json:"period_positives"`
}

// Model is one fitted model and how it did. When NotAssessed is set, nothing else is.
type Model struct {
	NotAssessed string   `json:"not_assessed,omitempty"` // why there is no such model
	Train       Counts   `json:"train"`
	Inputs      int      `json:"inputs"` // coefficients, intercept left out
	L2          float64  `json:"l2"`     // chosen on the select slice
	L2Trials    []L2Try  `json:"l2_trials"`
	Iterations  int      `json:"iterations"` // Newton steps
	GradInf     float64  `json:"grad_inf"`   // largest |gradient| at the end
	Platt       Platt    `json:"platt"`
	BaseRates   BaseRate `json:"base_rates"`
	// All is the test slice; Unseen its customers who are not in train; Held a
	// second fit without a hashed 20 % of the customers, on those customers.
	All    Test `json:"test"`
	Unseen Test `json:"test_unseen_customers"`
	Held   Test `json:"test_held_out_customers"`
	// Calibrators are what else was fitted on the calibrate slice, on the test slice.
	Calibrators  []Calibrator  `json:"calibrators"`
	Coefficients []Coefficient `json:"coefficients"` // every one; pictures show the largest
	Dropped      []Dropped     `json:"dropped"`
	Blocks       []Block       `json:"blocks"`
	Groups       []Group       `json:"groups"`
}

// Counts are rows, positives and customers of some data.
type Counts struct {
	Rows      int64 `json:"rows"`
	Positives int64 `json:"positives"`
	Customers int64 `json:"customers"`
}

// L2Try is one value of the penalty and its log loss on the select slice.
type L2Try struct {
	L2      float64  `json:"l2"`
	LogLoss *float64 `json:"log_loss"` // nil = the fit failed
	Chosen  bool     `json:"chosen"`
}

// Platt is p = 1/(1 + exp(A f + B)), f the logit before calibration (Platt 1999).
type Platt struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// BaseRate holds the rates a constant forecast would use.
type BaseRate struct {
	Train Estimate `json:"train"` // could have been used: the reference of every comparison here
	Test  Estimate `json:"test"`  // known only afterwards: climatology
}

// Test is one set of rows the model was judged on.
type Test struct {
	NotAssessed string `json:"not_assessed,omitempty"` // why these rows could not be judged
	Counts
	Raw        Measures `json:"raw"` // before calibration
	Calibrated Measures `json:"calibrated"`
	// OverBase is the Brier score of the train rate as a constant forecast
	// minus the calibrated model's: above 0 = better than the base rate.
	OverBase Estimate `json:"over_base"`
	// RawBins and Bins are equal-mass bins of the reliability curve before and
	// after calibration; the histograms count rows in bars of equal width over
	// [0, HistogramTop]. SetCurves fills all of them.
	RawBins       []Bin   `json:"raw_bins"`
	Bins          []Bin   `json:"bins"`
	RawHistogram  []int64 `json:"raw_histogram"`
	Histogram     []int64 `json:"histogram"`
	HistogramTop  float64 `json:"histogram_top"`
	IntervalsFrom string  `json:"intervals_from"` // e.g. "2000 draws of whole customers, seed 1"
}

// Bin is one bin of a reliability curve. Rate's interval is Wilson's (1927),
// row by row.
type Bin struct {
	MeanP float64  `json:"mean_p"`
	Rate  Estimate `json:"rate"`
}

// Calibrator is one way of mapping the logit to p: none, platt, beta, isotonic.
type Calibrator struct {
	Name    string   `json:"name"`
	Used    bool     `json:"used"`
	Brier   Estimate `json:"brier"`
	LogLoss Estimate `json:"log_loss"`
	ECE     Estimate `json:"ece"`
	// LeftOnTable is the Brier score of the calibrator in use minus this one's:
	// above 0 = this one would have been better.
	LeftOnTable Estimate `json:"left_on_table"`
}

// Coefficient is one coefficient of the standardised column: log odds per
// standard deviation, with the 95 % interval from the inverse Hessian.
type Coefficient struct {
	Name  string   `json:"name"` // column, column=level or block term
	Group string   `json:"group"`
	Value Estimate `json:"value"`
	Raw   float64  `json:"raw"` // log odds per unit of the column
}

// Dropped is a column that could not be used.
type Dropped struct {
	Column string `json:"column"`
	Why    string `json:"why"`
}

// Block is a set of columns, and the test Brier score without it minus the one
// with it: above 0 = the block is worth having.
type Block struct {
	Name    string   `json:"name"`
	Columns int      `json:"columns"`
	Without Estimate `json:"brier_without"`
	Worth   Estimate `json:"worth"`
}

// Group is the test slice cut by one column: class, rail, bank, attempt number,
// delay, month.
type Group struct {
	By     string  `json:"by"`
	Levels []Level `json:"levels"` // worst first, see Finish
	Others int64   `json:"others"` // rows in levels too small to be listed
}

// Level is the rows of one level. Gap is mean y minus mean p with its interval
// by customer: above 0 = the forecast was too low.
type Level struct {
	Level    string   `json:"level"`
	Rate     Estimate `json:"rate"` // Wilson
	MeanP    float64  `json:"mean_p"`
	Gap      Estimate `json:"gap"`
	Brier    Estimate `json:"brier"`
	OverBase Estimate `json:"over_base"` // as in Test
}

// Recovery is what happens when nothing is done, and whether a failed retry changes it.
type Recovery struct {
	NotAssessed string `json:"not_assessed,omitempty"`
	// F0 is the mean of P(paid within T | nothing done) over the test slice's failures.
	F0    Estimate  `json:"f0"`
	Curve []F0Point `json:"curve"`
	// Before is the daily hazard after a first failure, After the one after a
	// failed retry, on the days both have; Ratio is After over Before.
	Before Estimate `json:"hazard_before"`
	After  Estimate `json:"hazard_after"`
	Ratio  Estimate `json:"hazard_ratio"`
}

// F0Point is one day of the curve: the share paid by the end of the day.
type F0Point struct {
	Day       int      `json:"day"` // 1 = within the first day
	Predicted Estimate `json:"predicted"`
	Observed  Estimate `json:"observed"` // Kaplan and Meier (1958), cut at the next attempt
}

// Oracle compares with the truth that only a simulation knows.
type Oracle struct {
	Attempt Ceiling `json:"attempt_model"`
	Cure    Ceiling `json:"cure_model"`
	// F0 of the model against the true self-cure rate, same failures.
	F0Predicted Estimate `json:"f0_predicted"`
	F0True      Estimate `json:"f0_true"`
	F0Bins      []F0Bin  `json:"f0_bins"` // by predicted F0, equal mass
}

// F0Bin is a bin of failures by predicted F0: mean prediction, mean truth.
type F0Bin struct {
	Predicted float64  `json:"predicted"`
	True      Estimate `json:"true"`
}

// Ceiling is how far a model came between the base rate and the best possible
// forecast. The four Brier scores are of the same rows.
type Ceiling struct {
	NotAssessed string   `json:"not_assessed,omitempty"`
	AUCTrue     Estimate `json:"auc_true"`   // of p_true: nobody can rank better
	BrierBase   Estimate `json:"brier_base"` // the train rate as a constant
	BrierRaw    Estimate `json:"brier_raw"`
	Brier       Estimate `json:"brier"`      // calibrated
	BrierTrue   Estimate `json:"brier_true"` // of p_true: nobody can be better
	// Captured = (base - calibrated) / (base - true), interval by customer.
	Captured Estimate `json:"captured"`
}

// NotAssessed is something a reader could expect here and why it is missing.
type NotAssessed struct {
	What string `json:"what"`
	Why  string `json:"why"`
}
