package selftest

import (
	"fmt"
	"strings"

	"recoup/api/report"
	"recoup/ope"
)

// LearnedLine is one target over all logs whose explorer learned as it went: the share
// paid before the second decision, by the usual estimate and by the one that weights each
// night by how steady its probabilities are. Of logs that are not red.
type LearnedLine struct {
	Target     string   `json:"target"`
	Truth      float64  `json:"truth"`
	TruthSE    float64  `json:"truth_se"`
	Logs       int      `json:"logs"`
	Red        int      `json:"red"`
	Usual      Counted  `json:"usual"`
	UsualZ     *float64 `json:"usual_bias_z"`
	UsualSE    *float64 `json:"usual_mean_se"`
	Weighted   Counted  `json:"adaptive"`
	WeightedZ  *float64 `json:"adaptive_bias_z"`
	WeightedSE *float64 `json:"adaptive_mean_se"`
	ESS        float64  `json:"mean_ess_fraction"`
}

// learnedLine is the k-th of the learned targets.
func learnedLine(f *found, k int) LearnedLine {
	l := LearnedLine{Target: f.learned[0].Estimates[k].Target, Logs: len(f.learned)}
	l.Truth, l.TruthSE = truth(f.learnedRolls, k, recovered)
	var usual, usualSE, weighted, weightedSE []float64
	for _, log := range f.learned {
		e := &log.Estimates[k]
		l.ESS += e.ESS / float64(len(f.learned))
		if e.Light == ope.Red {
			l.Red++
			continue
		}
		if e.DR != nil && e.CI != nil {
			l.Usual.add(e.CI[0] <= l.Truth && l.Truth <= e.CI[1])
			usual, usualSE = append(usual, *e.DR), append(usualSE, *e.SE)
		}
		if e.Weighted != nil && e.WeightCI != nil {
			l.Weighted.add(e.WeightCI[0] <= l.Truth && l.Truth <= e.WeightCI[1])
			weighted, weightedSE = append(weighted, *e.Weighted), append(weightedSE, *e.WeightSE)
		}
	}
	_, _, l.UsualZ = against(usual, l.Truth, l.TruthSE)
	_, _, l.WeightedZ = against(weighted, l.Truth, l.TruthSE)
	l.UsualSE, l.WeightedSE = mean(usualSE), mean(weightedSE)
	return l
}

// learnedCovers: where the explorer learned from its own log, the interval that is made
// for that holds the truth as often as it says.
func learnedCovers(r *Report) Criterion {
	c := Criterion{Name: "in logs that their explorer learned from, adaptively weighted intervals hold the truth", Bar: "as often as a 95 % interval does, for every target that is not red"}
	pass, said := true, []string{}
	for i := range r.Learned {
		l := &r.Learned[i]
		if l.Weighted.Logs < fewestLogs {
			continue
		}
		lo, hi := band(l.Weighted.Logs)
		pass = pass && l.Weighted.Covered >= lo && l.Weighted.Covered <= hi
		said = append(said, fmt.Sprintf("%s: %d of %d (allowed %d to %d; the usual interval %d)", l.Target, l.Weighted.Covered, l.Weighted.Logs, lo, hi, l.Usual.Covered))
	}
	if len(said) == 0 {
		c.Why, c.Found = fmt.Sprintf("no target has %d logs that are not red", fewestLogs), "More or larger logs are needed"
		return c
	}
	c.Pass, c.Found = yes(pass), capital(strings.Join(said, "; "))
	return c
}

func (r *Report) learnedSection() report.Section {
	t := report.Table{Caption: "Share paid before the second decision, in logs that are not red.",
		Head: []string{"target", "truth", "its SE", "logs", "red", "usual: holds the truth", "bias, z", "mean SE", "adaptively weighted: holds the truth", "bias, z", "mean SE", "ESS/n"}}
	for i := range r.Learned {
		l := &r.Learned[i]
		t.Rows = append(t.Rows, []string{l.Target, number(&l.Truth, recovered), number(&l.TruthSE, recovered), fmt.Sprint(l.Logs), fmt.Sprint(l.Red), l.Usual.text(), decimal(l.UsualZ), number(l.UsualSE, recovered),
			l.Weighted.text(), decimal(l.WeightedZ), number(l.WeightedSE, recovered), fmt.Sprintf("%.3f", l.ESS)})
	}
	return report.Section{ID: "learned", Title: "Adaptive logging: the explorer learned from its log", Tables: []report.Table{t},
		Text: []string{fmt.Sprintf("The explorer of these logs is a Beta bandit: each night it learns from the windows that have closed, and the next day it draws with the exact probabilities of its new posterior, never below the policy's floor. On average a log has %.0f posteriors. "+
			"A logger that learns from its log is moved by the very rewards that are judged, so the usual interval need not hold; the adaptively weighted one (Zhan, Hadad, Hirshberg and Athey 2021) counts each night as its probabilities are steady.", r.Nights)}}
}
