package models

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// card is the model card (Mitchell et al. 2019): what the model is, from which
// data, how good, where it is worst, and what it must not be used for. It is
// made from the bundle alone.
func card(b *Bundle) []byte {
	m := &b.Manifest
	var w bytes.Buffer
	fmt.Fprintf(&w, "# Model card: P(recover | state, action, time)\n\nAs of %s. The model's id is the name of its folder.\n", m.AsOf)
	w.WriteString("\n## What it is\n\n")
	fmt.Fprintf(&w, "- Attempt model q(t): P(this attempt captures | presented at t, still owed, state). %s, then Platt on the logit (A = %s, B = %s).\n",
		b.Attempt.made(), num(b.Attempt.Platt.A), num(b.Attempt.Platt.B))
	if b.Cure != nil {
		fmt.Fprintf(&w, "- Cure model: daily hazard that the case is paid without a new attempt. %s, then Platt (A = %s, B = %s).\n",
			b.Cure.made(), num(b.Cure.Platt.A), num(b.Cure.Platt.B))
	} else {
		fmt.Fprintf(&w, "- Cure model: not assessed: %s. F0 = 0.\n", md(m.CureNotAssessed))
	}
	fmt.Fprintf(&w, "- P(recover by T | retry at t) = F0(T) + q(t) (1 - F0(T)), T = %v days; an attempt counts as captured within %s.\n", m.HorizonDays, md(m.AttemptWindow))

	w.WriteString("\n## Data\n\n")
	fmt.Fprintf(&w, "- Event log with manifest sha256 %s; money in %s.\n", m.DataManifest, m.Currency)
	if m.KnownAtAssumed {
		w.WriteString("- known_at is ASSUMED equal to occurred_at: the source does not say when an event could have been known.\n")
	} else {
		w.WriteString("- known_at is recorded.\n")
	}
	fmt.Fprintf(&w, "- Feature schemas: attempt %s, cure %s.\n", m.AttemptSchema, m.CureSchema)
	w.WriteString("\n| slice | from | to | attempt rows |\n| --- | --- | --- | ---: |\n")
	for _, s := range m.Slices {
		fmt.Fprintf(&w, "| %s | %s | %s | %d |\n", md(s.Name), s.From, s.To, s.Rows)
	}
	cardJudged(&w, "Attempt model", b.Attempt, &m.Attempt)
	if m.Cure != nil {
		cardJudged(&w, "Cure model", b.Cure, m.Cure)
	}
	cardGains(&w, "attempt", b.Attempt)
	cardGains(&w, "cure", b.Cure)
	cardDropped(&w, "attempt", b.Attempt)
	cardDropped(&w, "cure", b.Cure)
	cardSeen(&w, "attempt", b.Attempt)
	cardSeen(&w, "cure", b.Cure)

	w.WriteString("\n## Limits\n\n")
	for _, l := range []string{
		"It forecasts; it does not decide. Whether a retry is allowed is for the policy gate, which comes first.",
		"It was judged on the slice after its training. Another merchant, rail or year is another question.",
		"It learns from what was tried: times and states that the log never tried are extrapolation.",
		"Coefficients are associations of correlated columns, not causes.",
	} {
		fmt.Fprintf(&w, "- %s\n", l)
	}
	for _, l := range m.Limits {
		fmt.Fprintf(&w, "- %s\n", md(l))
	}
	return w.Bytes()
}

// cardJudged prints measures with their intervals, and the worst slices.
func cardJudged(w *bytes.Buffer, title string, s *Scorer, j *Judged) {
	penalty := ""
	if s.Logistic != nil {
		penalty = fmt.Sprintf(" with L2 = %v", j.L2)
	}
	fmt.Fprintf(w, "\n## %s on the test slice\n\n%d rows, %d positive, %d customers; fitted on %d rows%s.\n\n", title, j.Rows, j.Positives, j.Customers, j.Train, penalty)
	switch i := j.OverBaseInterval; {
	case i == nil:
		fmt.Fprintf(w, "Gain over the train rate (%s) in Brier score: %s, without an interval.\n", num(j.TrainRate), num(j.OverBase))
	case i[0] > 0:
		fmt.Fprintf(w, "Better than the train rate (%s) by %s in Brier score.\n", num(j.TrainRate), ranged(j.OverBase, i))
	case i[1] < 0:
		fmt.Fprintf(w, "WORSE than the train rate (%s): %s in Brier score.\n", num(j.TrainRate), ranged(j.OverBase, i))
	default:
		fmt.Fprintf(w, "NOT DISTINGUISHABLE from the train rate (%s): %s in Brier score.\n", num(j.TrainRate), ranged(j.OverBase, i))
	}
	w.WriteString("\n| measure | before calibration | calibrated | 95 % by customer |\n| --- | ---: | ---: | ---: |\n")
	raw, cal := j.Raw.headlines(), j.Calibrated.headlines()
	for i, c := range cal {
		interval := "-"
		if v, ok := j.Intervals[c.key]; ok {
			interval = fmt.Sprintf("[%s, %s]", num(v[0]), num(v[1]))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", c.label, opt(raw[i].v), opt(c.v), interval)
	}
	if len(j.Slices) == 0 {
		return
	}
	w.WriteString("\nWorst slices first; gap = observed minus forecast.\n\n| slice | rows | observed | forecast | gap |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, s := range j.Slices[:min(len(j.Slices), 20)] {
		fmt.Fprintf(w, "| %s = %s | %d | %s | %s | %s |\n", md(s.By), md(s.Level), s.Rows, num(s.Rate), num(s.MeanP), ranged(s.Gap, s.Interval))
	}
}

func cardDropped(w *bytes.Buffer, name string, s *Scorer) {
	if s == nil || s.Logistic == nil || len(s.Logistic.Dropped) == 0 {
		return
	}
	dropped := slices.Clone(s.Logistic.Dropped)
	slices.SortStableFunc(dropped, func(a, b Dropped) int { return cmp.Compare(a.Why, b.Why) })
	fmt.Fprintf(w, "\n## Columns the %s model could not use\n\n", name)
	for i := 0; i < len(dropped); {
		why, columns := dropped[i].Why, []string{}
		for ; i < len(dropped) && dropped[i].Why == why; i++ {
			columns = append(columns, md(dropped[i].Column))
		}
		fmt.Fprintf(w, "- %s: %s\n", md(why), strings.Join(columns, ", "))
	}
}

// cardSeen lists what the model was hardly shown.
func cardSeen(w *bytes.Buffer, name string, s *Scorer) {
	if s == nil || s.Seen == nil {
		return
	}
	hardly := s.Seen.hardly(s.Inputs())
	if len(hardly) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## What the %s model was hardly shown\n\nFewer than %d of its %d training rows; an answer about such a case says so.\n\n", name, HardlySeen, s.Seen.Rows)
	for _, l := range hardly {
		fmt.Fprintf(w, "- %s\n", l)
	}
}

// headline is a measure that a card shows.
type headline struct {
	key, label string
	v          *float64
}

func (m *Metrics) headlines() []headline {
	return []headline{
		{"brier", "Brier score", &m.Brier},
		{"brier_skill_train", "Brier skill over the train rate", m.SkillTrain},
		{"brier_skill_test", "Brier skill over the test rate", m.SkillTest},
		{"log_loss", "log loss", m.LogLoss},
		{"roc_auc", "ROC AUC", m.AUC},
		{"average_precision", "average precision", m.AveragePrecision},
		{"ece_mass", "ECE, equal-mass bins", &m.ECEMass},
		{"ece_noise_floor", "ECE noise floor", &m.NoiseFloor},
		{"cox_slope", "Cox slope", m.CoxSlope},
		{"citl", "calibration in the large", m.CITL},
	}
}

func num(v float64) string { return fmt.Sprintf("%.4g", v) }

func opt(v *float64) string {
	if v == nil {
		return "-"
	}
	return num(*v)
}

func ranged(v float64, i *Interval) string {
	if i == nil {
		return num(v)
	}
	return fmt.Sprintf("%s [%s, %s]", num(v), num(i[0]), num(i[1]))
}

// md keeps words out of data from being read as markup.
func md(s string) string {
	return strings.NewReplacer("\n", " ", "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "`", "\\`").Replace(s)
}
