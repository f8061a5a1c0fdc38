package report

// Bracket is many policies judged on one log: first what was measured, arm by arm,
// then what is estimated. All money is rupees a case, net of costs.
type Bracket struct {
	Version      int         `json:"version"`
	AsOf         string      `json:"as_of"`                  // RFC 3339, UTC
	AsOfWhy      string      `json:"as_of_why,omitempty"`    // where nobody gave it: what it is
	From         string      `json:"from"`                   // first decisions from then on; "" = from the beginning
	FromWhy      string      `json:"from_why"`               // why not all decisions
	HorizonDays  float64     `json:"horizon_days"`           // a payment within it after the decision counts
	ManifestHash string      `json:"manifest_hash"`          // sha256 of the log's manifest
	PolicyID     string      `json:"policy_id"`              // of the gate that engines decide by
	Seed         uint64      `json:"seed"`                   // of folds and draws
	Draws        int         `json:"draws"`                  // bootstrap draws of whole customers
	IntervalsBy  string      `json:"intervals_by"`           // e.g. "customer"
	Estimand     string      `json:"estimand"`               // what the lines are estimates of
	Decided      Decided     `json:"decisions"`              // what became of the log's decisions
	Loggers      []string    `json:"loggers"`                // whose decisions they are
	Live         Live        `json:"live"`                   // measured
	NotAssessed  string      `json:"not_assessed,omitempty"` // why there is no estimate; then what follows is empty
	Lines        []Line      `json:"policies"`               // in the order in which they are read
	Versus       []Versus    `json:"against_champion"`       // the other models less the champion, paired
	Rewards      []Graded    `json:"reward_models"`          // graded on what was taken
	Overlap      []Overlap   `json:"overlap"`                // by kind of action
	Carried      []CarriedOf `json:"overlap_by"`             // the same policies' weights by arm and segment
	Never        []Never     `json:"never_tried"`            // what a policy wants and nobody tried
	Segments     Segments    `json:"segments"`               // where the focus gains and loses
	Windows      []Window    `json:"reward_windows"`         // the same with a shorter horizon of reward
	Sequence     *WholeOf    `json:"sequence"`               // policies as sequences; nil = not assessed, see SequenceWhy
	SequenceWhy  string      `json:"sequence_not_assessed,omitempty"`
	Warnings     []string    `json:"warnings"`
}

// Decided counts the decisions of a log.
type Decided struct {
	Known      int64  `json:"known"`          // at as_of
	Before     int64  `json:"before"`         // of cases that began before From
	Open       int64  `json:"open"`           // their case's window is open
	Fallback   int64  `json:"fallback"`       // another arm answered, or they were only monitored: no estimate rests on them
	FellBack   int64  `json:"fallback_cases"` // with such a decision
	Measured   int64  `json:"measured_cases"` // each once, in the arm that it was given, whoever answered
	MeasuredOf int64  `json:"measured_customers"`
	Unreported int64  `json:"not_reported"` // no outcome says that the window is closed
	Judged     int64  `json:"judged"`
	Cases      int64  `json:"cases"`     // with a judged decision
	Customers  int64  `json:"customers"` // of these
	RowsOf     int64  `json:"rows_customers"`
	Rows       int64  `json:"rows"`  // first decisions: what the lines are computed from
	First      string `json:"first"` // first decision of a measured case
	Last       string `json:"last"`
}

// Live holds the arms as they were randomised.
type Live struct {
	NotAssessed string           `json:"not_assessed,omitempty"`
	Arms        []LiveArm        `json:"arms"`
	Differences []LiveDifference `json:"differences"`
	Sample      []SampleRatio    `json:"sample_ratio"` // by policy
}

// LiveArm is one arm: cases whose window has closed, counted where they were put.
type LiveArm struct {
	Arm       string   `json:"arm"`
	Share     *float64 `json:"share"` // nil = it changed
	Cases     int64    `json:"cases"`
	Customers int64    `json:"customers"`
	Recovered Estimate `json:"recovered"` // Wilson (1927)
	Net       Estimate `json:"net"`       // rupees a case, by customer
	// Anytime is the recovered share with an interval that holds at every look, by
	// case in the order of maturity (Waudby-Smith and Ramdas 2024).
	Anytime Estimate `json:"recovered_anytime"`
	// NetAnytime is Net with an interval that holds at every look from the hundredth
	// customer on, by customer, in the limit of many (Waudby-Smith et al. 2021).
	NetAnytime Estimate `json:"net_anytime"`
}

// LiveDifference is one arm's net rupees less another's.
type LiveDifference struct {
	Arm     string   `json:"arm"`
	Against string   `json:"against"`
	Net     Estimate `json:"net"`
	Anytime Estimate `json:"recovered_anytime"` // difference of the recovered shares, at every look

	NetAnytime Estimate `json:"net_anytime"` // Net, at every look
}

// SampleRatio asks whether cases came into the arms as the shares say.
type SampleRatio struct {
	Policy string     `json:"policy_id"`
	Cases  int64      `json:"cases"`
	Arms   []ArmCount `json:"arms"`
	Chi2   *float64   `json:"chi2"`
	P      *float64   `json:"p"` // below 0.001 the assignment is broken
	Why    string     `json:"why,omitempty"`
}

// ArmCount is how many cases an arm got, and its share.
type ArmCount struct {
	Arm   string  `json:"arm"`
	Cases int64   `json:"cases"`
	Share float64 `json:"share"`
}

// Line is one policy of the bracket.
type Line struct {
	Policy   string   `json:"policy"`
	Says     string   `json:"says"`  // what it does
	Marks    string   `json:"marks"` // "simulation only", or that its model saw these decisions; "" = nothing
	Light    string   `json:"light"` // green, amber or red; red = cannot tell
	Why      []string `json:"light_why"`
	N        int64    `json:"n"`
	Alike    string   `json:"alike,omitempty"` // the earlier line whose policy chooses as it does at every row, e.g. "incumbent"; "" = none
	Measured bool     `json:"measured"`        // nothing is estimated: it is what was done

	Net        Estimate  `json:"net"`       // dr, rupees a case
	Minus      Estimate  `json:"minus"`     // of it, less the incumbent, paired
	Recovered  Estimate  `json:"recovered"` // dr of being paid
	RecMinus   Estimate  `json:"recovered_minus"`
	Headroom   Estimate  `json:"headroom"`   // share of the way from the incumbent to the oracle; simulation alone
	Estimators []Named   `json:"estimators"` // all of them, rupees a case
	Sweep      []Swept   `json:"sweep"`      // over clip and lambda
	Wrong      []WrongBy `json:"wrong_propensities"`

	Matched     int64    `json:"matched_rows"`
	ESS         float64  `json:"ess"`
	ESSFraction float64  `json:"ess_fraction"`
	MaxWeight   float64  `json:"max_weight"`
	MaxShare    float64  `json:"max_weight_share"`
	MeanWeight  float64  `json:"mean_weight"`
	MeanZ       Estimate `json:"mean_weight_z"`
	Unsupported float64  `json:"unsupported_mass"`  // row by row
	FromModel   Estimate `json:"share_from_model"`  // of the dr value, what the reward model alone says
	Elsewhere   Estimate `json:"elsewhere"`         // share of decisions whose free choice was not on the table
	Doubted     *Doubted `json:"doubted,omitempty"` // of a red line: what the numbers would have been, not to be used
	LogWeights  []int64  `json:"log10_weights"`     // rows by log10 of the weight, from -3 to 3 in steps of 1/2, ends open; weight 0 left out
}

// Versus is a model's policy less the champion's, on the same rows.
type Versus struct {
	Policy  string    `json:"policy"`
	Model   string    `json:"model"`   // id
	Of      string    `json:"of"`      // the line that was compared: the policy, or the one with its time moved
	Against string    `json:"against"` // the champion's line
	Unlike  int64     `json:"unlike"`  // rows at which the two do not choose alike
	Rows    int64     `json:"rows"`
	Worst   float64   `json:"worst"`             // rupees a case that it could lose at most, were all lost wherever they differ
	Minus   Estimate  `json:"minus"`             // dr, rupees a case
	Light   string    `json:"light"`             // by the rows at which the compared lines choose apart; red = Minus is null
	ESS     float64   `json:"ess"`               // what the weights there are worth, in equal rows, of the line of which they are worth less
	Matched int64     `json:"matched_rows"`      // rows there at which what was done is what one of the two would have done
	Doubted *Estimate `json:"doubted,omitempty"` // of a red one: the difference, not to be used
	Why     []string  `json:"light_why"`
}

// Named is one estimator's value.
type Named struct {
	Name  string   `json:"name"`
	Value Estimate `json:"value"`
}

// Swept is an estimate under one setting of what tames large weights.
type Swept struct {
	Kind   string   `json:"kind"`   // clip, dros or sg
	Lambda *float64 `json:"lambda"` // nil = untamed
	Value  Estimate `json:"value"`
	Bound  int64    `json:"rows_bound"` // rows whose weight it changes; 0 = it does nothing
}

// WrongBy bounds the estimate when each propensity is wrong by up to a factor.
type WrongBy struct {
	Factor float64  `json:"factor"`
	Lo     *float64 `json:"lo"` // the lowest and highest values that fit; nil = none
	Hi     *float64 `json:"hi"`
	Why    string   `json:"why,omitempty"`
}

// Graded is a reward model on what was taken.
type Graded struct {
	Name        string       `json:"name"`
	Says        string       `json:"says"`
	NotAssessed string       `json:"not_assessed,omitempty"`
	Used        bool         `json:"used"`
	Rows        int64        `json:"rows"`
	Brier       Estimate     `json:"brier"`
	Skill       Estimate     `json:"skill"` // against the base rate of the other folds
	AUC         Estimate     `json:"roc_auc"`
	RMSE        Estimate     `json:"rmse"` // of net rupees
	ByAction    []ByActionOf `json:"by_action"`
}

// ByActionOf is the calibration of a reward model within one action.
type ByActionOf struct {
	Action string   `json:"action"`
	MeanP  float64  `json:"mean_p"`
	Rate   Estimate `json:"rate"` // Wilson
}

// Overlap is one kind of action over all rows.
type Overlap struct {
	Kind       string   `json:"kind"`
	Offered    int64    `json:"offered"` // rows that allowed it
	Logged     int64    `json:"logged"`
	Propensity Estimate `json:"propensity"` // mean, where it was allowed
	Least      Estimate `json:"least"`      // the smallest above 0
	Wanted     []Wanted `json:"wanted"`     // by policy
}

// CarriedOf is a policy with how far the log carries it, part by part.
type CarriedOf struct {
	Policy string    `json:"policy"`
	Parts  []Carried `json:"parts"`
}

// Carried is how far the log carries a policy within one arm or one segment. Parts of
// fewer than 50 rows are left out.
type Carried struct {
	By          string   `json:"by"` // arm, or what a segment is cut by
	Level       string   `json:"level"`
	Rows        int64    `json:"rows"`
	Matched     int64    `json:"matched_rows"`
	ESS         float64  `json:"ess"`
	Share       float64  `json:"weight_share"` // of the policy's whole weight, what lies here; beside Rows
	MaxWeight   float64  `json:"max_weight"`
	Least       Estimate `json:"least"`            // the smallest propensity above 0 of what the policy wants here
	Unsupported float64  `json:"unsupported_mass"` // mean probability, here, of what it wants and no arm could take
}

// Wanted is how many rows a policy gives to something.
type Wanted struct {
	Policy string  `json:"policy"`
	Rows   float64 `json:"rows"`
}

// Never is what a policy wants of some rows and nobody ever did in them.
type Never struct {
	Policy  string  `json:"policy"`
	Segment string  `json:"segment"`
	Kind    string  `json:"kind"`
	Rows    float64 `json:"rows"`
}

// Segments cut the difference of one policy to the incumbent.
type Segments struct {
	Policy string    `json:"policy"` // "" = none
	Looks  int       `json:"looks"`  // how many intervals are corrected for (Bonferroni)
	Of     []Segment `json:"segments"`
	Small  int64     `json:"rows_in_small_segments"`
}

// Segment is one level of one cut: losing ones first, those of which the log cannot tell last.
type Segment struct {
	By     string   `json:"by"`
	Level  string   `json:"level"`
	Minus  Estimate `json:"minus"`  // rupees a case, interval for all looks together; null where the light is red
	Light  string   `json:"light"`  // green, or red = cannot tell
	Reason string   `json:"reason"` // why it is red: too_few or light_red; "" = it is not
	ESS    float64  `json:"ess"`
}

// Window is one policy with another horizon of reward.
type Window struct {
	Policy string   `json:"policy"`
	Days   int      `json:"days"`
	Net    Estimate `json:"net"`
	Minus  Estimate `json:"minus"`
}

// WholeOf values policies as sequences over the attempts of a case.
type WholeOf struct {
	Says     string      `json:"says"` // whose decisions
	Episodes int64       `json:"episodes"`
	Horizon  int         `json:"horizon"` // decisions of the longest
	Lines    []WholeLine `json:"policies"`
}

// WholeLine is one policy as a sequence.
type WholeLine struct {
	Policy     string   `json:"policy"`
	Light      string   `json:"light"`
	Why        []string `json:"light_why"`
	Estimators []Named  `json:"estimators"` // dm, pdis, wpdis, dr, wdr; rupees a case
	Steps      []StepOf `json:"steps"`
	Doubted    []Named  `json:"doubted,omitempty"` // of a red one: the values, not to be used; Estimators is empty then
}

// StepOf is how far the weights carry at one decision.
type StepOf struct {
	Step   int     `json:"step"`
	Active int64   `json:"active"`
	ESS    float64 `json:"ess"`
	Max    float64 `json:"max_weight"`
}
