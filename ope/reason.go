package ope

import (
	"fmt"
	"strconv"
	"strings"

	"recoup/data"
)

// Reason says, in one word, why a number is missing or rows are refused.
type Reason string

// Why a number is missing.
const (
	NoOverlap           Reason = "no_overlap"            // the target wants nothing that was ever logged
	WeightsAllZero      Reason = "weights_all_zero"      // no logged action is one that the target would take
	NoMatch             Reason = "no_match"              // the target is certain of no logged action
	OneRow              Reason = "one_row"               // no spread from one row
	NoCluster           Reason = "no_cluster"            // the rows do not say whose they are
	OneCluster          Reason = "one_cluster"           // all rows belong to one customer
	WeightVarianceZero  Reason = "weight_variance_zero"  // every weight is the same, and it is not 1
	LoggerVarianceZero  Reason = "logger_variance_zero"  // a logger whose terms are all equal would get all the weight
	QMissing            Reason = "q_missing"             // no reward model, or not all of its predictions
	LoggerPolicyMissing Reason = "logger_policy_missing" // the full policy of a logger is not known
	LoggerMissing       Reason = "logger_missing"        // the rows do not say who logged them
	Overflow            Reason = "overflow"              // beyond what a float64 can hold
)

// Why rows are refused.
const (
	NoRows                Reason = "no_rows"
	ColumnMissing         Reason = "column_missing"
	DuplicateColumn       Reason = "duplicate_column"
	RaggedRow             Reason = "ragged_row"
	PropensityMissing     Reason = "propensity_missing"
	PropensityZero        Reason = "propensity_zero"
	PropensityAboveOne    Reason = "propensity_gt_one"
	PropensityAllOne      Reason = "propensity_all_one"
	PropensityMismatch    Reason = "propensity_mismatch"
	RewardMissing         Reason = "reward_missing"
	RewardNotFinite       Reason = "reward_not_finite"
	ActionUnknown         Reason = "action_unknown"
	TargetMissing         Reason = "target_missing"
	TargetNegative        Reason = "target_negative"
	TargetSum             Reason = "target_sum"
	ClusterMissing        Reason = "cluster_missing"
	LoggerUnknown         Reason = "logger_unknown"
	LoggerPolicyNegative  Reason = "logger_policy_negative"
	LoggerPolicySum       Reason = "logger_policy_sum"
	NotANumber            Reason = "not_a_number"
	BadRecord             Reason = "bad_record"
	StepInvalid           Reason = "step_invalid"
	StepDuplicate         Reason = "step_duplicate"
	StepGap               Reason = "step_gap"
	EpisodeMissing        Reason = "episode_missing"
	TimeMissing           Reason = "time_missing"
	TimeOutside           Reason = "time_outside_window"
	DensityMissing        Reason = "density_missing"
	DensityZero           Reason = "density_zero"
	DensityNotFinite      Reason = "density_not_finite"
	LengthsDiffer         Reason = "lengths_differ" // the slices of Rows do not fit each other: a fault of the caller
	FoldsMissing          Reason = "folds_missing"
	PredictionsForeignRow Reason = "predictions_of_other_rows"
)

// Refusal is why rows cannot be judged at all. It Is data.ErrContract.
type Refusal struct {
	Reason Reason
	Row    int    // 1-based row at fault; 0 = the rows as a whole
	Column string // as a file names it, e.g. "e_retry"; "" = no single one
	Cause  string // what was found and what was expected
}

// Error reads "row 8, column propensity: propensity_zero: ...".
func (r *Refusal) Error() string {
	var where []string
	if r.Row > 0 {
		where = append(where, fmt.Sprintf("row %d", r.Row))
	}
	if r.Column != "" {
		where = append(where, "column "+shown(r.Column))
	}
	text := string(r.Reason)
	if r.Cause != "" {
		text += ": " + r.Cause
	}
	if len(where) == 0 {
		return text
	}
	return strings.Join(where, ", ") + ": " + text
}

// shown is a name out of a file as a message has it: quoted where not all of it can be
// seen, so that a file cannot write on the reader's terminal.
func shown(name string) string {
	if q := strconv.Quote(name); len(q) != len(name)+2 {
		return q
	}
	return name
}

// Is makes a refusal a broken data contract.
func (r *Refusal) Is(target error) bool { return target == data.ErrContract }

func refuse(reason Reason, row int, column, format string, args ...any) *Refusal {
	return &Refusal{Reason: reason, Row: row, Column: column, Cause: fmt.Sprintf(format, args...)}
}
