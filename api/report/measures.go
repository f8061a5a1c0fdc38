package report

// Measure names one measure of a forecast, as the evaluate verb prints it.
type Measure string

// Measures of a set of forecasts. A measure that is missing was not computed;
// one that is null says why.
type Measures map[Measure]Estimate

// measureRows is every measure in the order of the tables, with its label and
// how to read it.
var measureRows = []struct {
	Key   Measure
	Label string
	Read  string
}{
	{"brier", "Brier score", "mean squared error of p; lower is better"},
	{"brier_skill_train", "Brier skill over the train rate", "share of the constant forecast's error removed; could have been known"},
	{"brier_skill_test", "Brier skill over the test rate", "the same against the rate known only afterwards"},
	{"log_loss", "log loss", "punishes confident errors; lower is better"},
	{"roc_auc", "ROC AUC", "chance that a success ranks above a failure; 0.5 is a coin"},
	{"average_precision", "average precision", "compare with the base rate of the same rows"},
	{"ece_mass", "ECE, 10 equal-mass bins", "mean gap between forecast and outcome"},
	{"ece_noise_floor", "ECE noise floor", "what a perfectly calibrated forecast would show at this n"},
	{"ece_width", "ECE, 10 equal-width bins", "the same gap in bins of equal width"},
	{"mce_mass", "largest bin gap", "noisy: the worst of 10 bins"},
	{"cal_l2_debiased", "calibration error, debiased L2", "0 when nothing beyond noise is seen"},
	{"ace_mass", "mean bin gap", "the 10 bins count the same, however many rows"},
	{"ece_sweep", "ECE, bins by sweep", "as many bins as keep the rates rising (Roelofs 2022)"},
	{"smece", "ECE, smoothed", "without bins (Błasiok & Nakkiran 2023)"},
	{"ici", "integrated calibration index", "mean distance from a smooth curve (Austin & Steyerberg 2019)"},
	{"e50", "its median", "half of the rows are nearer"},
	{"e90", "its 90 % quantile", "one row in ten is farther"},
	{"emax", "its maximum", "noisy: the worst row"},
	{"reliability", "reliability (Murphy)", "lower is better"},
	{"resolution", "resolution (Murphy)", "higher is better"},
	{"uncertainty", "uncertainty (Murphy)", "of the outcomes, not of the model"},
	{"wbv", "within-bin variance", "Stephenson 2008"},
	{"wbc", "within-bin covariance", "Stephenson 2008"},
	{"corp_mcb", "CORP miscalibration", "what isotonic recalibration of the test rows would remove"},
	{"corp_dsc", "CORP discrimination", "higher is better"},
	{"corp_unc", "CORP uncertainty", "of the outcomes"},
	{"cox_intercept", "Cox intercept", "0 when calibrated"},
	{"cox_slope", "Cox slope", "1 when calibrated; below 1 = too confident"},
	{"citl", "calibration in the large", "0 when the mean forecast is right (logit scale)"},
	{"spiegelhalter_z", "Spiegelhalter z", "|z| > 1.96 = miscalibrated at 5 %"},
	{"spiegelhalter_p", "Spiegelhalter p", "two-sided"},
	{"hosmer_lemeshow", "Hosmer-Lemeshow", "depends on the bins and rejects everything at large n: shown, never a gate"},
	{"hosmer_lemeshow_p", "Hosmer-Lemeshow p", "as many degrees of freedom as bins"},
	{"base_rate", "base rate", "share of successes"},
	{"n_outside_1e6", "forecasts outside [1e-6, 1-1e-6]", "count; log loss is not clipped"},
	{"n_certain_and_wrong", "certain and wrong", "count of p = 0 or 1 with the other outcome"},
}
