package experiment

import (
	"context"
	"fmt"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
	"recoup/data"
)

// both is the mean word of the logistic model and of LightGBM on the same log. It plays no arm.
const both = "model and lightgbm"

// Choosing is how well the models tell the slots of one case apart: what a choice of time
// lives on. A model may know better who pays, and worse when.
type Choosing struct {
	Seeds int            `json:"seeds"`
	Cases int64          `json:"cases"` // with two slots or more
	Lines []ChoosingLine `json:"lines"` // empty: not played
}

// ChoosingLine is one model, over all cases or those of the customers who are out of money.
// The unit of the errors is a chance, squared.
type ChoosingLine struct {
	Model   string          `json:"model"`
	Among   string          `json:"among"`         // "" = all
	Level   report.Estimate `json:"level_error"`   // mean square error of the mean over a case's slots
	Within  report.Estimate `json:"within_error"`  // mean square error of the differences within a case
	Known   report.Estimate `json:"within_known"`  // share of the variance within a case that the model explains; below 0: it would do better to say nothing
	Slope   report.Estimate `json:"within_slope"`  // of the truth on the model's differences: below 1 = it overstates them
	Taken   report.Estimate `json:"share_of_best"` // of what the best slot has over the mean one, by the slot that the model says is best
	Against report.Estimate `json:"taken_against"` // true chance of its slot less that of the slot of the model of the explorer's log
}

func (j *job) slotInput(hands []hand) func(seed uint64) string {
	of := []any{}
	for i := range hands {
		of = append(of, hands[i].key(&j.Config))
	}
	return func(seed uint64) string { return j.input("slots", of, seed) }
}

// choosing asks the models about the same decisions.
func (j *job) choosing(ctx context.Context) (Choosing, error) {
	out := Choosing{Seeds: j.CurveSeeds, Lines: []ChoosingLine{}}
	if j.CurveSeeds < 1 {
		return out, nil
	}
	hands := j.taughtHands()
	worlds, err := each(ctx, j, "slots", seedsFrom(1, j.CurveSeeds), j.slotInput(hands),
		func(ctx context.Context, seed uint64) (*Slots, error) { return j.slotWorld(ctx, seed, hands) })
	if err != nil {
		return out, err
	}
	var all Slots
	all.Models = make([]SlotModel, len(worlds[0].Models))
	var customers [][]int
	for _, w := range worlds {
		customers = append(customers, w.Customer)
		all.Classes, all.Spread, all.Best = append(all.Classes, w.Classes...), append(all.Spread, w.Spread...), append(all.Best, w.Best...)
		for i := range w.Models {
			m, x := &all.Models[i], &w.Models[i]
			m.Name = x.Name
			m.Level, m.Within, m.Spread = append(m.Level, x.Level...), append(m.Within, x.Within...), append(m.Spread, x.Spread...)
			m.With, m.Taken = append(m.With, x.With...), append(m.Taken, x.Taken...)
		}
	}
	s := paired.New(customers)
	out.Cases = int64(s.Cases())
	for _, among := range []string{"", data.RetryScheduled.String()} {
		for i := range all.Models {
			out.Lines = append(out.Lines, all.line(s, i, among))
		}
	}
	return out, nil
}

// line is a model's among some of the cases.
func (w *Slots) line(s *paired.Sample, i int, class string) ChoosingLine {
	m, usual := &w.Models[i], (*SlotModel)(nil)
	for k := range w.Models {
		if w.Models[k].Name == Model {
			usual = &w.Models[k]
		}
	}
	among := func(k int) bool { return class == "" || w.Classes[k] == class }
	of := func(v []float64) paired.Of { return func(k int) float64 { return v[k] } }
	l := ChoosingLine{Model: m.Name, Among: class, Level: s.Mean(of(m.Level), among), Within: s.Mean(of(m.Within), among),
		Known: s.Ratio(func(k int) float64 { return w.Spread[k] - m.Within[k] }, of(w.Spread), among),
		Slope: s.Ratio(of(m.With), of(m.Spread), among), Taken: s.Ratio(of(m.Taken), of(w.Best), among), Against: report.Unknown("it is that model")}
	if usual != nil && usual != m {
		l.Against = s.Mean(func(k int) float64 { return m.Taken[k] - usual.Taken[k] }, among)
	}
	return l
}

func (c *Choosing) line(model, among string) *ChoosingLine {
	for i := range c.Lines {
		if c.Lines[i].Model == model && c.Lines[i].Among == among {
			return &c.Lines[i]
		}
	}
	return nil
}

func (c *Choosing) section() report.Section {
	t := report.Table{Caption: fmt.Sprintf("First decisions of %s cases in %d worlds that the rules play; each slot's chance to capture, the model's against the true one. Errors in ten-thousandths of a squared chance.", report.Count(c.Cases), c.Seeds),
		Head: []string{"model", "cases", "error of the level", "error of the differences within a case", "part of these that it knows", "slope of the truth on its differences", "of the best slot's lead it takes", "chance of its slot, against the model of the explorer's log"}}
	for _, l := range c.Lines {
		among, title := "all", armTitle[l.Model]
		if l.Model == both {
			title = "mean of the logistic model and LightGBM"
		}
		if l.Among != "" {
			among = l.Among
		}
		t.Rows = append(t.Rows, []string{title, among, scaled(l.Level, 1e4).Text(), scaled(l.Within, 1e4).Text(), l.Known.Percent(), l.Slope.Text(), l.Taken.Percent(), l.Against.Percent()})
	}
	return report.Section{ID: "slots", Title: "Which model tells the slots of a case apart", Tables: []report.Table{t}, Text: append([]string{
		"A choice of time lives on the differences between the slots of one case, not on the level that they share: a Brier score counts both, and mostly the level."}, c.says()...)}
}

// says sets the models of both logs, and both kinds of models, side by side.
func (c *Choosing) says() (out []string) {
	model, rules, forest := c.line(Model, ""), c.line(RulesTaught, ""), c.line(Forest, "")
	if model == nil {
		return nil
	}
	out = append(out, fmt.Sprintf("Of what the best slot of a case has over the mean one, the model of the explorer's log takes %s.", model.Taken.Percent()))
	if rules != nil {
		out = append(out, fmt.Sprintf("The model of the rules' log takes %s of it; of the differences within a case it knows %s, the model of the explorer's log %s.", rules.Taken.Percent(), rules.Known.Percent(), model.Known.Percent()))
	}
	if forest != nil {
		word := map[int]string{1: "tells the slots of a case apart better", 0: "tells the slots of a case apart neither better nor worse than is shown", -1: "tells the slots of a case apart worse"}[paired.Above(forest.Against)]
		mixed := c.line(both, "")
		out = append(out, fmt.Sprintf("LightGBM %s: the slot that it says is best captures with %s of chance more than that of the logistic model; its error of the level is %s ten-thousandths against %s, of the differences within a case %s against %s.",
			word, forest.Against.Percent(), scaled(forest.Level, 1e4).Text(), scaled(model.Level, 1e4).Text(), scaled(forest.Within, 1e4).Text(), scaled(model.Within, 1e4).Text()),
			fmt.Sprintf("The mean of the two has an error of the level of %s and of the differences of %s; its slot captures with %s of chance more than that of the logistic model.", scaled(mixed.Level, 1e4).Text(), scaled(mixed.Within, 1e4).Text(), mixed.Against.Percent()))
	}
	return out
}
