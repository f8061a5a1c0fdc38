package report

// recoverySection shows what happens when nothing is done, and whether a
// failed retry changes it.
func recoverySection(r Recovery) section {
	s := section{ID: "recovery", Nav: "F0 and hazard", Title: "Recovery without us: F0 and the hazard"}
	if r.NotAssessed != "" {
		return with(s, part{Text: "Not assessed: " + r.NotAssessed})
	}
	return with(s,
		part{Text: "P(recover by T | wait) = F0(T); P(recover by T | retry at t) = F0(T) + q(t) (1 − F0(T))."},
		part{Figure: &figure{Title: "Share paid with nothing done", drawing: f0Curve(r.Curve),
			Guide: "The line of the model should run inside the band. The observed curve leaves a case at the next attempt, as the model does."}},
		part{Text: judgeHazard(r).Says},
		part{Table: &table{Caption: "Does a failed retry change the hazard?", Words: 1, Head: []string{"", "estimate", "person-days"}, Rows: [][]string{
			{"F0(T), mean over the test slice", estimateShort(r.F0), count(r.F0.N)},
			{"daily hazard after the first failure", estimateShort(r.Before), count(r.Before.N)},
			{"daily hazard after a failed retry, same days", estimateShort(r.After), count(r.After.N)},
			{"ratio after / before", estimateShort(r.Ratio), count(r.Ratio.N)},
		}}})
}

// oracleSection compares with the truth of a simulation.
func oracleSection(o *Oracle) section {
	s := section{ID: "oracle", Nav: "Against the truth", Title: "Against the truth (simulation only)"}
	s = with(s, part{Text: "The world that made these data was asked for the true probabilities. No model can rank or forecast better than they do: they are the ceiling."})
	for _, c := range []struct {
		name string
		c    Ceiling
	}{{"Attempt model", o.Attempt}, {"Cure model", o.Cure}} {
		s = with(s, ceilingParts(c.name, c.c)...)
	}
	bins := &table{Caption: "F0 by predicted F0", Head: []string{"predicted", "true", "failures"}}
	for _, b := range o.F0Bins {
		bins.Rows = append(bins.Rows, []string{number(b.Predicted), estimate(b.True), count(b.True.N)})
	}
	return with(s, part{Heading: "F0 against the true self-cure rate", Table: &table{Caption: "Mean over the same failures", Words: 1, Head: []string{"", "estimate"}, Rows: [][]string{
		{"predicted F0(T)", estimateWhy(o.F0Predicted)}, {"true self-cure rate", estimateWhy(o.F0True)}}}},
		part{Table: bins})
}

func ceilingParts(name string, c Ceiling) []part {
	if c.NotAssessed != "" {
		return []part{{Heading: name, Text: "Not assessed: " + c.NotAssessed}}
	}
	return []part{
		{Heading: name, Text: judgeCeiling("", c).Says, Figure: &figure{Title: name + " between the base rate and the ceiling", drawing: ceiling(c),
			Guide: "The bar runs from the constant forecast to the best forecast possible; the filled part is what the model has found."}},
		{Table: &table{Caption: name + ", same rows", Words: 1, Head: []string{"", "estimate"}, Rows: [][]string{
			{"ROC AUC of p_true", estimateWhy(c.AUCTrue)},
			{"Brier, base rate (train)", estimateWhy(c.BrierBase)},
			{"Brier, before calibration", estimateWhy(c.BrierRaw)},
			{"Brier, calibrated", estimateWhy(c.Brier)},
			{"Brier, p_true", estimateWhy(c.BrierTrue)},
			{"share of the achievable improvement captured", percentWhy(c.Captured)},
		}}},
	}
}

func estimateShort(e Estimate) string {
	if !e.known() && e.Why != "" {
		return none + " (" + e.Why + ")"
	}
	return estimate(e)
}

func percentWhy(e Estimate) string {
	if !e.known() && e.Why != "" {
		return none + " (" + e.Why + ")"
	}
	return percent(e)
}
