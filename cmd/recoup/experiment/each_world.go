package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// WorldLine is one world alone. Its interval is wide: what one world shows is
// where to look, not what is so.
type WorldLine struct {
	Seed   uint64          `json:"seed"`
	Cases  int64           `json:"cases"`
	Model  report.Estimate `json:"model_over_rules_paise"`  // a case
	Oracle report.Estimate `json:"oracle_over_rules_paise"` // a case
	Missed string          `json:"missed_in"`               // class of first failures where the model falls short of the oracle by most; "" = in none
	Needs  string          `json:"needs"`                   // what a model would have to know there
}

// eachWorld compares the arms world by world.
func eachWorld(s *paired.Sample, worlds []*World, arms map[string]*arm) []WorldLine {
	rules, model, oracle := arms[Rules].net, arms[Model].net, arms[Oracle].net
	out, from := []WorldLine{}, 0
	for _, w := range worlds {
		to := from + len(w.Classes)
		among := func(i int) bool { return i >= from && i < to }
		l := WorldLine{Seed: w.Seed, Cases: int64(to - from),
			Model:  s.Mean(func(i int) float64 { return model[i] - rules[i] }, among),
			Oracle: s.Mean(func(i int) float64 { return oracle[i] - rules[i] }, among)}
		short := map[string]float64{} // paise, by class
		for k, class := range w.Classes {
			short[class] += oracle[from+k] - model[from+k]
		}
		most := 0.0
		for _, class := range slices.Sorted(maps.Keys(short)) {
			if short[class] > most {
				most, l.Missed, l.Needs = short[class], className(class), needs[class]
			}
		}
		out, from = append(out, l), to
	}
	return out
}

// saysOfWorlds tells in which worlds the model adds nothing, and what would change
// that.
func saysOfWorlds(lines []WorldLine) (out []string) {
	if len(lines) == 0 {
		return nil
	}
	seeds, count, why := map[string][]string{}, 0, map[string]string{}
	for _, l := range lines {
		if l.Model.Value != nil && *l.Model.Value <= 0 {
			seeds[l.Missed] = append(seeds[l.Missed], fmt.Sprint(l.Seed))
			why[l.Missed] = l.Needs
			count++
		}
	}
	if count == 0 {
		return []string{fmt.Sprintf("In each of the %d worlds the model's mean lies above that of the rules.", len(lines))}
	}
	out = append(out, fmt.Sprintf("In %d of %d worlds the model's mean does not lie above that of the rules.", count, len(lines)))
	classes := slices.SortedFunc(maps.Keys(seeds), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(seeds[b]), len(seeds[a])), cmp.Compare(a, b))
	})
	for _, class := range classes {
		in := "World " + seeds[class][0]
		if len(seeds[class]) > 1 {
			in = "Worlds " + strings.Join(seeds[class], ", ")
		}
		if class == "" {
			out = append(out, fmt.Sprintf("%s: the oracle does no better than the model: there was nothing to add.", in))
			continue
		}
		out = append(out, fmt.Sprintf("%s: what the model misses lies mostly in first failures of class %s. What would change it: %s.", in, class, why[class]))
	}
	return out
}

func (r *Report) worldSection() report.Section {
	t := report.Table{Caption: "Rupees a case, world by world.", Head: []string{"world", "cases", "model - rules", "oracle - rules", "missed mostly in", "what a model would have to know"}}
	for _, l := range r.Worlds {
		t.Rows = append(t.Rows, []string{fmt.Sprint(l.Seed), report.Count(l.Cases), rupees(l.Model), rupees(l.Oracle), l.Missed, l.Needs})
	}
	return report.Section{ID: "worlds", Title: "World by world", Tables: []report.Table{t},
		Text: []string{"One world is a small sample: its intervals are wide, and they are not corrected for there being many."}}
}
