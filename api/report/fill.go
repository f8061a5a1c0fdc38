package report

import "recoup/models"

// MeasuresOf takes over every measure that models computed; intervals, by JSON
// name, are those the caller has (by customer), and DeLong's stands in for the AUC's
// where it has none. What is not defined keeps its reason.
func MeasuresOf(m models.Metrics, intervals map[string]models.Interval) Measures {
	n := int64(m.N)
	out := Measures{}
	why := map[string]string{}
	for _, w := range m.Warnings {
		why[w.Measure] = w.Reason
	}
	set := func(key Measure, v *float64) {
		switch i, ok := intervals[string(key)]; {
		case v == nil:
			out[key] = Unknown(orNone(why[string(key)]))
		case ok:
			out[key] = Ranged(*v, i[0], i[1], n)
		default:
			out[key] = Number(*v, n)
		}
	}
	for key, v := range map[Measure]float64{
		"base_rate": m.BaseRate, "brier": m.Brier, "ece_mass": m.ECEMass, "ece_width": m.ECEWidth, "ece_noise_floor": m.NoiseFloor, "mce_mass": m.MCEMass,
		"cal_l2_debiased": m.CalL2, "reliability": m.Reliability, "resolution": m.Resolution, "uncertainty": m.Uncertainty, "wbv": m.WBV, "wbc": m.WBC,
		"corp_mcb": m.CorpMCB, "corp_dsc": m.CorpDSC, "corp_unc": m.CorpUNC, "ace_mass": m.ACEMass, "ece_sweep": m.ECESweep, "smece": m.SmoothECE, "n_outside_1e6": float64(m.Outside1e6), "n_certain_and_wrong": float64(m.CertainWrong),
	} {
		set(key, &v)
	}
	for key, v := range map[Measure]*float64{
		"brier_skill_test": m.SkillTest, "log_loss": m.LogLoss, "roc_auc": m.AUC, "average_precision": m.AveragePrecision, "cox_intercept": m.CoxIntercept,
		"cox_slope": m.CoxSlope, "citl": m.CITL, "spiegelhalter_z": m.SpiegelZ, "spiegelhalter_p": m.SpiegelP, "ici": m.ICI, "e50": m.E50, "e90": m.E90, "emax": m.EMax, "hosmer_lemeshow": m.Hosmer, "hosmer_lemeshow_p": m.HosmerP,
	} {
		set(key, v)
	}
	if m.SkillTrain != nil || why["brier_skill_train"] != "" {
		set("brier_skill_train", m.SkillTrain)
	}
	if _, ok := intervals["roc_auc"]; !ok && m.AUC != nil && m.AUCInterval != nil {
		out["roc_auc"] = Ranged(*m.AUC, m.AUCInterval[0], m.AUCInterval[1], n)
	}
	return out
}

// SetCurves fills the reliability curves and the histograms from the rows
// themselves: raw and calibrated probabilities, outcomes (0 or 1), weights (nil =
// 1 each), all of one length.
func (t *Test) SetCurves(raw, p, y, w []float64) error {
	var err error
	if t.RawBins, err = binsOf(raw, y, w); err != nil {
		return err
	}
	if t.Bins, err = binsOf(p, y, w); err != nil {
		return err
	}
	t.HistogramTop = histogramTop(raw, p)
	t.RawHistogram, t.Histogram = histogram(raw, t.HistogramTop), histogram(p, t.HistogramTop)
	return nil
}

// curveBins is the number of equal-mass bins of the curve.
const curveBins = 10

func binsOf(p, y, w []float64) ([]Bin, error) {
	mass, _, err := models.ReliabilityBins(p, y, w, curveBins)
	if err != nil {
		return nil, err
	}
	out := make([]Bin, len(mass))
	for i, b := range mass {
		out[i] = Bin{b.MeanP, Ranged(b.Rate, b.Wilson[0], b.Wilson[1], int64(b.Rows))}
	}
	return out, nil
}

// histogramBars is the number of bars of a histogram.
const histogramBars = 20

// histogramTop is the round number that every p stays below: rare events
// would else fall into one bar.
func histogramTop(sets ...[]float64) float64 {
	top := 0.0
	for _, ps := range sets {
		for _, p := range ps {
			top = max(top, p)
		}
	}
	for _, t := range []float64{.01, .02, .05, .1, .2, .5} {
		if top < t {
			return t
		}
	}
	return 1
}

func histogram(p []float64, top float64) []int64 {
	out := make([]int64, histogramBars)
	edge := func(i int) float64 { return top * float64(i) / histogramBars }
	for _, v := range p {
		i := min(max(int(v/top*histogramBars), 0), histogramBars-1)
		for i > 0 && v < edge(i) { // the quotient may be a hair off
			i--
		}
		for i < histogramBars-1 && v >= edge(i+1) {
			i++
		}
		out[i]++
	}
	return out
}
