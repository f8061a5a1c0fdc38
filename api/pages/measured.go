package pages

import (
	"recoup/api/report"
	"recoup/models"
)

// measured is how well an attempt model did on months it had not seen. Every
// number comes from a report or a manifest, with its n and interval.
type measured struct {
	From  string // where the numbers come from
	Tiles []tile
}

// tile is one number with what is needed to read it.
type tile struct{ Label, Value, Note string }

func ofReport(r *report.Report) measured {
	m := r.Attempt
	if m.NotAssessed != "" || m.All.NotAssessed != "" {
		return measured{From: "The attempt model was not assessed: " + m.NotAssessed + m.All.NotAssessed}
	}
	out := measured{
		From:  "From the report as of " + report.When(r.AsOf) + ". " + sizeOf(m.All.Rows, m.All.Positives, m.All.Customers),
		Tiles: tilesOf(m.BaseRates.Test, m.BaseRates.Train, m.All.OverBase, m.All.Calibrated),
	}
	if o := r.Oracle; o != nil {
		out.Tiles = append(out.Tiles, captured(o.Attempt))
	}
	return out
}

// captured is the share of what can be known at all; only a simulation can tell.
func captured(c report.Ceiling) tile {
	t := tile{Label: "Captured share", Value: c.Captured.Percent(), Note: "of the gain over the base rate that is possible; n = " + report.Count(c.Captured.N)}
	switch {
	case c.NotAssessed != "":
		t.Note = "not assessed: " + c.NotAssessed
	case c.Captured.Value == nil:
		t.Note = c.Captured.Why
	}
	return t
}

func ofManifest(m *models.Manifest) measured {
	j := &m.Attempt
	ms := report.MeasuresOf(j.Calibrated, j.Intervals)
	return measured{
		From:  "Measured when it was fitted, as of " + report.When(m.AsOf) + ". " + sizeOf(j.Rows, j.Positives, j.Customers),
		Tiles: tilesOf(ms["base_rate"], report.Number(j.TrainRate, j.Train), gainOf(j), ms),
	}
}

func gainOf(j *models.Judged) report.Estimate {
	if i := j.OverBaseInterval; i != nil {
		return report.Ranged(j.OverBase, i[0], i[1], j.Rows)
	}
	return report.Number(j.OverBase, j.Rows)
}

func sizeOf(rows, positives, customers int64) string {
	return "Test rows: " + report.Count(rows) + ", of them " + report.Count(positives) + " captured, " + report.Count(customers) + " customers. Intervals are 95 %, by customer."
}

func tilesOf(base, train, gain report.Estimate, m report.Measures) []tile {
	n := func(e report.Estimate) string {
		if e.Value == nil {
			return orElse(e.Why, "not measured")
		}
		return "n = " + report.Count(e.N)
	}
	return []tile{
		{"Base rate", base.Percent(), "of retries captured; " + n(base) + "; in training " + train.Percent()},
		{"Brier score", m["brier"].Text(), "0 is perfect; " + n(m["brier"])},
		{"Better than the base rate by", gain.Text(), "Brier points, above 0 is better; " + n(gain)},
		{"ECE", m["ece_mass"].Text(), "calibration error; a perfect forecast would show " + m["ece_noise_floor"].Text() + "; " + n(m["ece_mass"])},
		{"ROC AUC", m["roc_auc"].Text(), "0.5 is a coin; " + n(m["roc_auc"])},
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
