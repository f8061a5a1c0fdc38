package experiment

import (
	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Report is everything that an experiment found, in the order it is read. Money
// is paise; a mean of money is paise a case. Every interval is 95 %, by customer
// unless it says otherwise.
type Report struct {
	Version     int          `json:"version"`
	Setting     Setting      `json:"setting"`
	Says        []string     `json:"says"` // what came out, in sentences
	Arms        []ArmLine    `json:"arms"` // hands, models, explorer, oracle; then control
	Absent      []Absent     `json:"absent"`
	Pairs       []Pair       `json:"pairs"`
	Attribution Attribution  `json:"attribution"`
	Economics   []Economy    `json:"economics"`
	Timing      Timing       `json:"timing"`
	Choosing    Choosing     `json:"choosing"`
	Curve       Curve        `json:"learning_curve"`
	Elsewhere   []Elsewhere  `json:"elsewhere"`
	Tuning      Tuning       `json:"tuning"`
	Moved       []Moved      `json:"moved_constants"` // empty: not played
	Segments    []Segments   `json:"segments"`        // losing ones first
	Classes     []ClassLine  `json:"classes"`         // most to gain first
	Worlds      []WorldLine  `json:"worlds"`          // by seed
	Breaches    []BreachLine `json:"breaches"`
	Refusals    []RuleCount  `json:"refusals"`
	Ablation    []RuleLine   `json:"ablation"` // empty: not played
	Notes       []string     `json:"notes"`
}

// Setting says what was played.
type Setting struct {
	Seeds      int    `json:"seeds"`
	Cases      int    `json:"cases"`     // counted
	Unripe     int    `json:"unripe"`    // left out: their 21 days were not over
	Customers  int    `json:"customers"` // with a case that counts
	PerSeed    int    `json:"cases_per_seed"`
	Months     int    `json:"months"`
	Start      string `json:"start"`
	PolicyID   string `json:"policy_id"`
	Gate       string `json:"gate"`
	ModelID    string `json:"model_id"`
	TrainCases int    `json:"train_cases"`
	TrainSeed  uint64 `json:"train_seed"`
}

// Measures are what is counted of an arm, or of the difference between two: a
// mean over cases, with its interval.
type Measures struct {
	Recovered report.Estimate `json:"recovered_share"`
	Net       report.Estimate `json:"net_paise"` // recovered minus costs
	Retries   report.Estimate `json:"retries"`
	Wasted    report.Estimate `json:"wasted"`
	Halted    report.Estimate `json:"halted"`
	Unpaid    report.Estimate `json:"halted_paise"` // that those pay a month
	Refused   report.Estimate `json:"refused"`
	Law       report.Estimate `json:"breaches_of_law"`
}

// ArmLine is one arm over all worlds.
type ArmLine struct {
	Arm      string          `json:"arm"`
	Share    report.Estimate `json:"recovered"` // Wilson, case by case
	Totals   Counts          `json:"totals"`
	Net      int64           `json:"net_paise"`
	Unpaid   int64           `json:"halted_month_paise"` // what the halted pay a month
	Measures Measures        `json:"means"`
	By       map[string]int  `json:"recovered_by"`
}

// Absent is an arm that could not be played.
type Absent struct {
	Arm string `json:"arm"`
	Why string `json:"why"`
}

// Pair is arm A minus arm B on the same cases.
type Pair struct {
	A          string      `json:"a"`
	B          string      `json:"b"`
	Difference Measures    `json:"difference"`
	Test       paired.Test `json:"net_test"` // of the net difference; signs: of what was recovered, as the price of a message decides nothing
}

// Attribution takes the gain of the model over the ladder apart, by switching one
// thing at a time; the order matters, another order gives other shares.
type Attribution struct {
	Order string `json:"order"`
	Steps []Step `json:"steps"`
	Total Pair   `json:"total"`
}

// Step is one switch.
type Step struct {
	Name string `json:"name"` // refusing, timing by hand ...
	What string `json:"what"`
	Pair
}

// ClassLine is what there is to gain in one class of first failures.
type ClassLine struct {
	Class  string          `json:"class"`
	Cases  int64           `json:"cases"`
	Rules  report.Estimate `json:"rules_net_paise"`         // a case
	Model  report.Estimate `json:"model_over_rules_paise"`  // a case
	Oracle report.Estimate `json:"oracle_over_rules_paise"` // a case
	Share  report.Estimate `json:"share_of_gain"`           // of all that the oracle gains over the rules
	Needs  string          `json:"needs"`                   // what a model would have to know
}

// BreachLine is a rule of the law checker and who broke it.
type BreachLine struct {
	Rule    string         `json:"rule"`
	Terms   bool           `json:"terms"` // against the provider's or network's terms, not against law
	Arms    map[string]int `json:"arms"`
	Example string         `json:"example"`
}

// RuleCount is in how many decisions a rule of the gate refused something.
type RuleCount struct {
	Rule string         `json:"rule"`
	Arms map[string]int `json:"arms"`
}

// RuleLine is one rule of the gate switched off: the arm without it minus the
// arm with it.
type RuleLine struct {
	Rule string    `json:"rule"`
	Arms []WithOut `json:"arms"`
}

// WithOut is one arm without the rule.
type WithOut struct {
	Arm        string         `json:"arm"`
	Totals     Counts         `json:"totals"`
	Difference Measures       `json:"difference"`
	Breaches   map[string]int `json:"breaches"`
}
