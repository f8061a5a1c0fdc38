package experiment

import (
	"context"
	"fmt"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
	"recoup/data/sim"
)

// Elsewhere is the same arms, with the models that learned in usual worlds, in worlds
// of another kind.
type Elsewhere struct {
	Name  string    `json:"name"`
	What  string    `json:"what"`
	Seeds int       `json:"seeds"`
	Cases int       `json:"cases"`
	Arms  []ArmLine `json:"arms"`
	Pairs []Pair    `json:"pairs"`
}

// elsewhere plays the other kinds of worlds.
func (j *job) elsewhere(ctx context.Context) ([]Elsewhere, error) {
	usual, out := sim.UsualNature(), []Elsewhere{}
	for _, kind := range []struct {
		name, what string
		nature     sim.Nature
	}{
		{"outages", "banks fail four times as often and twice as long", usual.InOutages()},
		{"shifted", "pay comes within the month and is gone in half the days, outages are three times as many, fewer pay by themselves", usual.Shifted(1)},
	} {
		if j.Elsewhere < 1 {
			continue
		}
		worlds, err := j.show(ctx, &scene{Name: kind.name, Nature: &kind.nature, Seeds: seedsFrom(1, j.Elsewhere), Hands: j.hands()})
		if err != nil {
			return nil, err
		}
		s, arms := sampleOf(worlds), map[string]*arm{}
		e := Elsewhere{Name: kind.name, What: kind.what, Seeds: len(worlds), Cases: s.Cases()}
		for _, h := range j.hands() {
			arms[h.Name] = gather(h.Name, worlds)
			e.Arms = append(e.Arms, arms[h.Name].line(s))
		}
		for _, p := range [][2]string{{Model, Rules}, {Model, PayDay}, {Model, Control}, {Model, Unlearned}, {Forest, Model}, {PayDay, Rules}, {Bandit, Rules}, {Model, Bandit}, {Corrected, Rules}, {Corrected, Model}, {Explorer, Rules}, {Oracle, Rules}, {Oracle, Model}} {
			if arms[p[0]] != nil && arms[p[1]] != nil {
				e.Pairs = append(e.Pairs, between(s, arms[p[0]], arms[p[1]]))
			}
		}
		out = append(out, e)
	}
	return out, nil
}

func (e *Elsewhere) section() report.Section {
	return report.Section{ID: e.Name, Title: "Elsewhere: " + e.Name, Pictures: []string{forest(e.Pairs)},
		Text: []string{fmt.Sprintf("Worlds in which %s. Nobody was taught there: the models are those of the usual worlds.", e.What)},
		Tables: []report.Table{armTable(fmt.Sprintf("%s cases in %d worlds; money in rupees.", count(e.Cases), e.Seeds), e.Arms),
			{Caption: "A case, unless it is a share.", Head: differenceHead("arms"), Rows: pairRows(e.Pairs)}}}
}

// says tells what of the headline holds there.
func (e *Elsewhere) says() string {
	over, most := pairOf(e.Pairs, Model, Rules).Difference.Net, pairOf(e.Pairs, Oracle, Rules).Difference.Net
	word := map[int]string{1: "the model still adds to the rules", 0: "whether the model adds to the rules is not shown", -1: "the model takes from the rules"}[paired.Above(over)]
	return fmt.Sprintf("In worlds of the kind %s, %s: %s rupees a case, %s of what one who knows the truth gains.", e.Name, word, rupees(over), part(over, most))
}
