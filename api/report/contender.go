package report

// Origin is where a contender comes from.
type Origin string

// The origins.
const (
	ThisNight Origin = "this night" // trained by the job that wrote the report
	Added     Origin = "added"      // trained elsewhere and brought into the registry
)

// Contender is a model that was judged for the part of champion. All contenders of a
// report were asked about the same test rows, and their intervals are of the same draws
// of customers.
type Contender struct {
	Model     string   `json:"model"` // id
	From      Origin   `json:"from"`
	Kind      string   `json:"kind"`                 // of the attempt model, such as LightGBM
	Cure      string   `json:"cure"`                 // of the cure model; none = there is none
	NotJudged string   `json:"not_judged,omitempty"` // why it could not become champion
	Brier     Estimate `json:"brier"`
	LogLoss   Estimate `json:"log_loss"`
	AUC       Estimate `json:"roc_auc"`
	OverBase  Estimate `json:"over_base"`  // Brier score of the train rate minus its own
	OverFirst Estimate `json:"over_first"` // of the first contender minus its own; nothing for the first
	// Difference is what decides: the Brier score of what it was compared with (the
	// decision says with what) minus its own.
	Difference Estimate    `json:"difference"`
	Trials     []ForestTry `json:"trials,omitempty"` // of a LightGBM model of the night
	Gains      []Gain      `json:"gains,omitempty"`  // of a LightGBM model, largest first
}

// Passed reports whether the whole interval says that it is better than what it was
// compared with.
func (c *Contender) Passed() bool {
	return c.NotJudged == "" && c.Difference.Lo != nil && *c.Difference.Lo > 0
}

// ForestTry is one set of LightGBM's parameters that was tried on the select slice.
type ForestTry struct {
	Leaves   int     `json:"num_leaves"`
	MinRows  int     `json:"min_data_in_leaf"`
	Rate     float64 `json:"learning_rate"`
	L2       float64 `json:"lambda_l2"`
	Features float64 `json:"feature_fraction"`
	Trees    int     `json:"trees"`
	LogLoss  float64 `json:"log_loss"`
	Chosen   bool    `json:"chosen"`
}

// Gain is what the splits on a column gained in training, as a share of all.
type Gain struct {
	Column string  `json:"column"`
	Share  float64 `json:"share"`
}
