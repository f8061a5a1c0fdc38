package matrix

import (
	"slices"
	"testing"

	"recoup/data"
	"recoup/score"
)

// A gate that lacks one rule does not pass for the whole one: random cases in
// which the table's rule is the first to refuse show it. Every rule is needed.
func TestMutants(t *testing.T) {
	t.Parallel()
	p := score.Default()
	table := printedOf(t, p)
	left := map[string]*score.Engine{}
	for _, r := range table.Rules {
		q, err := p.Without(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		left[r.ID] = ruleEngine(t, q)
	}
	for i := uint64(0); i < 20_000 && len(left) > 0; i++ {
		d := roll(2, i)
		f := d.facts(t, d.now)
		if f == nil {
			continue
		}
		q := asked{table, f, d.now}
		only := d.candidates(f)
		for _, r := range table.Rules {
			mutant := left[r.ID]
			if mutant == nil || !slices.ContainsFunc(only, func(c data.Candidate) bool { return q.judge(c.Action, c.At).Rule == r.ID }) {
				continue
			}
			said := d.answer(t, mutant, d.now, only)
			if diff := q.differences(&said, only); len(diff) > 0 {
				delete(left, r.ID)
			}
		}
	}
	for _, r := range table.Rules {
		if left[r.ID] != nil {
			t.Errorf("nobody noticed that rule %s was gone", r.ID)
		}
	}
}
