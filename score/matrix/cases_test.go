package matrix

import (
	"flag"
	"testing"

	"recoup/score"
)

var (
	cases = flag.Uint64("cases", 20_000, "random cases to judge")
	first = flag.Uint64("first", 0, "number of the first of them: a cut run goes on from there")
)

// Whatever happens to a case, the gate decides about candidates at and around every
// edge as its table says, and so it does about the policy's own slots.
func TestRandomCases(t *testing.T) {
	t.Parallel()
	p := score.Default()
	e, table := ruleEngine(t, p), printedOf(t, p)
	judged, allowed, faults, over := 0, 0, 0, 0
	refused := map[string]int{}
	for i := *first; i < *first+*cases && faults < 20; i++ {
		d := roll(1, i)
		f := d.facts(t, d.now)
		if f == nil {
			over++
			continue
		}
		q := asked{table, f, d.now}
		only := d.candidates(f)
		said := d.answer(t, e, d.now, only)
		diff := q.differences(&said, only)
		if i%8 == 0 {
			own, err := e.Decide(d.state(t, d.now), "case", d.now)
			if err != nil {
				t.Fatal(err)
			}
			diff = append(diff, q.differences(&own, nil)...)
			if !own.Risk.Above { // risk takes away after the gate
				diff = append(diff, impossible(&own)...)
			}
		}
		if len(diff) > 0 {
			faults++
			t.Errorf("case %d, %s, %s, asked at %s:\n  %s\n  %+v", i, f.Rail, f.Reason, d.now, lines(diff), *f)
		}
		judged += len(only)
		allowed += len(said.Allowed) - 1
		for _, r := range said.Refusals {
			refused[r.Rule]++
		}
		if (i+1)%100_000 == 0 {
			t.Logf("next is -first %d: %d candidates judged, %d allowed, %d faults", i+1, judged, allowed, faults)
		}
	}
	t.Logf("%d cases from %d: %d candidates judged, %d allowed; %d cases were over and forgotten", *cases, *first, judged, allowed, over)
	if *cases < 20_000 {
		return
	}
	for _, r := range table.Rules {
		if t.Logf("%6d refusals by %s", refused[r.ID], r.ID); refused[r.ID] == 0 {
			t.Errorf("no case met rule %s", r.ID)
		}
	}
}
