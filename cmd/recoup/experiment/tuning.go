package experiment

import (
	"context"
	"fmt"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Tuning is how numbers of the policy were chosen on some worlds, and what the choice
// is worth on others that had no say in it.
type Tuning struct {
	Frozen     []uint64        `json:"frozen_seeds"`
	Others     []uint64        `json:"validation_seeds"`
	Tried      []Tried         `json:"tried"`            // empty: not played
	Chosen     *numbers        `json:"chosen"`           // null = not played
	There      report.Estimate `json:"chosen_on_frozen"` // the model's net with it minus that with the policy as it is, paise a case
	Here       Pair            `json:"chosen_on_others"` // the same on the other worlds
	OverRules  Pair            `json:"over_rules"`       // with the chosen numbers, on the other worlds
	OverLadder Pair            `json:"over_control"`
}

// Tried is one setting on the frozen worlds.
type Tried struct {
	numbers
	Net  report.Estimate `json:"net_paise"` // a case
	Over report.Estimate `json:"over_rules_paise"`
}

// Where numbers are chosen and where the choice is judged: nobody else's seeds.
const (
	frozenSeed     = 2_000_001
	validationSeed = 3_000_001
)

// The model's arm with the policy of the experiment, and with the numbers that were chosen.
const (
	asItIs        = Model + ", policy as it is"
	chosenNumbers = Model + ", chosen numbers"
)

// tuning chooses by the mean net on the frozen worlds; of equal ones the first that is tried.
func (j *job) tuning(ctx context.Context) (Tuning, error) {
	out := Tuning{Frozen: seedsFrom(frozenSeed, j.Frozen), Others: []uint64{}, Tried: []Tried{}, There: report.Unknown("not played"), Here: notCompared(), OverRules: notCompared(), OverLadder: notCompared()}
	if j.Frozen < 1 {
		out.Frozen = []uint64{}
		return out, nil
	}
	out.Others = seedsFrom(validationSeed, j.Validation)
	s := &scene{Name: "frozen", Seeds: out.Frozen, Hands: []hand{{Name: Rules, Arm: Rules}, {Name: asItIs, Arm: Model, Bundle: j.model.Bundle}}}
	settings := tried()
	for _, n := range settings {
		p, err := n.in(j.text())
		if err != nil {
			return out, err
		}
		s.Hands = append(s.Hands, hand{Name: n.String(), Arm: Model, Policy: p, Bundle: j.model.Bundle})
	}
	worlds, err := j.show(ctx, s)
	if err != nil {
		return out, err
	}
	all, rules, as := sampleOf(worlds), gather(Rules, worlds), gather(asItIs, worlds)
	best := 0.0
	for i, n := range settings {
		a := gather(n.String(), worlds)
		t := Tried{n, all.Mean(func(i int) float64 { return a.net[i] }, nil), all.Mean(func(i int) float64 { return a.net[i] - rules.net[i] }, nil)}
		out.Tried = append(out.Tried, t)
		if t.Net.Value != nil && (out.Chosen == nil || *t.Net.Value > best) {
			best, out.Chosen = *t.Net.Value, &settings[i]
			out.There = all.Mean(func(i int) float64 { return a.net[i] - as.net[i] }, nil)
		}
	}
	if out.Chosen == nil {
		return out, nil
	}
	return out, j.validate(ctx, &out, s.Hands)
}

// validate plays the chosen numbers where they were not chosen.
func (j *job) validate(ctx context.Context, t *Tuning, hands []hand) error {
	s := &scene{Name: "validation", Seeds: t.Others, Hands: []hand{hands[0], hands[1], {Name: Control, Arm: Control}}}
	for _, h := range hands {
		if h.Name == t.Chosen.String() {
			h.Name = chosenNumbers
			s.Hands = append(s.Hands, h)
		}
	}
	worlds, err := j.show(ctx, s)
	if err != nil {
		return err
	}
	all, chosen := sampleOf(worlds), gather(chosenNumbers, worlds)
	t.Here = between(all, chosen, gather(asItIs, worlds))
	t.OverRules = between(all, chosen, gather(Rules, worlds))
	t.OverLadder = between(all, chosen, gather(Control, worlds))
	return nil
}

func notCompared() Pair {
	none := report.Unknown("not compared")
	return Pair{Difference: Measures{Recovered: none, Net: none, Retries: none, Wasted: none, Halted: none, Unpaid: none, Refused: none, Law: none},
		Test: paired.Test{P: none, Sign: none}}
}

func (r *Report) tuningSection() report.Section {
	t := &r.Tuning
	list := report.Table{Caption: fmt.Sprintf("The model's arm on the %d frozen worlds, rupees a case.", len(t.Frozen)), Head: []string{"numbers", "net", "over the rules"}}
	for _, n := range t.Tried {
		list.Rows = append(list.Rows, []string{n.String(), rupees(n.Net), rupees(n.Over)})
	}
	judged := report.Table{Caption: fmt.Sprintf("The chosen numbers on %d other worlds; a case, unless it is a share.", len(t.Others)), Head: differenceHead("arms"), Rows: pairRows([]Pair{t.Here, t.OverRules, t.OverLadder})}
	return report.Section{ID: "tuning", Title: "Numbers of the policy", Tables: []report.Table{list, judged}, Text: append([]string{
		"Again = what a further attempt captures against the one before it; rest = days from a message to the next attempt; deferral = how far ahead slots lie. They were chosen by the net on the frozen worlds alone. All other sections play the policy as it is."}, t.says()...)}
}

// says tells what the choice was worth where it was made, and where it was not; what does
// not hold there is not taken over.
func (t *Tuning) says() []string {
	if t.Chosen == nil {
		return nil
	}
	here := t.Here.Difference.Net
	word := map[int]string{1: "it holds on the others", 0: "on the others it is not shown", -1: "on the others it is the other way round"}[paired.Above(here)]
	kept := "The policy keeps the numbers that it has."
	if paired.Above(here) > 0 {
		kept = "All other sections still play the policy as it is."
	}
	return []string{fmt.Sprintf("Chosen: %s. On the frozen worlds that is worth %s rupees a case over the policy as it is; %s: %s rupees (p %s). %s", t.Chosen, rupees(t.There), word, rupees(here), pText(t.Here.Test.P), kept)}
}
