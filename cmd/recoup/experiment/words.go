package experiment

import (
	"fmt"

	"recoup/api/report"
)

// rupees is an estimate of paise as rupees, "12.3 [10.1, 14.5]".
func rupees(e report.Estimate) string {
	scale := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		x := *v / 100
		return &x
	}
	e.Value, e.Lo, e.Hi = scale(e.Value), scale(e.Lo), scale(e.Hi)
	return e.Text()
}

// points is a difference of shares in percentage points.
func points(e report.Estimate) string { return e.Percent() }

// money is an exact amount in rupees, "1,234.50".
func money(p int64) string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	return fmt.Sprintf("%s%s.%02d", sign, report.Count(p/100), p%100)
}

// ratio is a of b as a share in percent.
func ratio(a, b int) string {
	if b == 0 {
		return report.Unknown("none").Percent()
	}
	return report.Number(float64(a)/float64(b), int64(b)).Percent()
}

func className(c string) string {
	if c == "" {
		return "not reported"
	}
	return c
}

// armTitle says what an arm is.
var armTitle = map[string]string{
	Ladder: "ladder, outside the gate", Control: "ladder, inside the gate", Rules: "rules", PayDay: "rules on the own pay day", Unlearned: "engine, nothing learned", RulesTaught: "model of the rules' log",
	Model: "model of the explorer's log", Forest: "LightGBM of the explorer's log", Bandit: "bandit over the rules' timing", Corrected: "model corrected as it plays", Explorer: "explorer",
	Oracle: "oracle, inside the gate",
}

// pText is a p value.
func pText(e report.Estimate) string {
	if e.Value != nil && *e.Value < 1e-4 {
		return "below 0.0001"
	}
	if e.Value != nil {
		return fmt.Sprintf("%.4f", *e.Value)
	}
	return e.Text()
}

// part is a share of a gain as text.
func part(of, whole report.Estimate) string {
	if of.Value == nil || whole.Value == nil || *whole.Value <= 0 {
		return "an unknown part"
	}
	return report.Number(*of.Value / *whole.Value, of.N).Percent()
}
