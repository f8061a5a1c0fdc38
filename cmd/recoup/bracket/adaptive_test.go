package bracket

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"recoup/api/report"
	"recoup/data"
)

// TestPosteriorOf: the version is part of the logger's name only where a bandit drew.
func TestPosteriorOf(t *testing.T) {
	for logger, want := range map[string]string{
		"7560b6c05c024b33/thompson-beta-1 9f00/salt 12/explorer":                  "thompson-beta-1 9f00",
		"7560b6c05c024b33/thompson-logistic-1 a1/salt 12/model/fallback no model": "thompson-logistic-1 a1",
		"7560b6c05c024b33/uniform-1/salt 12/explorer":                             "",
		"7560b6c05c024b33/undivided/rules":                                        "",
	} {
		if got := posteriorOf(logger); got != want {
			t.Errorf("%s: %q, expected %q", logger, got, want)
		}
	}
}

// TestLearned: rows of several posteriors are batches, and every estimate has the
// adaptively weighted one beside it; a promotion rests on that. One posterior is none.
func TestLearned(t *testing.T) {
	log := &Log{}
	for i := range 240 {
		d := Decision{ID: fmt.Sprint("d", i), CaseID: fmt.Sprint("c", i), CustomerID: fmt.Sprint("u", i%120), At: data.Micros(i) * data.Hour, Bank: "B",
			Logger: fmt.Sprintf("p/thompson-beta-1 %d/salt 1/explorer", i/80), Share: 1, Chosen: i % 2, Amount: 10_000, Paid: data.Paise(5000 * (i % 3)), Recovered: i%3 > 0}
		p := []float64{.5, .7, .3}[i/80]
		d.Options = []data.Option{{Action: data.Wait, At: d.At, Propensity: p, Mix: p}, {Action: data.Retry, At: d.At + data.Day, Propensity: 1 - p, Mix: 1 - p}}
		log.Decisions = append(log.Decisions, d)
	}
	table, err := log.Table(Select{Keep: log.Firsts()})
	if err != nil {
		t.Fatal(err)
	}
	if b := table.Rows.Batch; len(b) != 240 || b[79] != 0 || b[80] != 1 || b[239] != 2 {
		t.Fatalf("batches %v", b)
	}
	j, err := Prepare(t.Context(), log, Settings{Seed: 1, Draws: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range FromLog() {
		if err := j.Judge(p); err != nil {
			t.Fatal(err)
		}
	}
	x := j.lines[Everything]
	line, err := j.reportLine(x, report.Unknown("not asked"))
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(line.Estimators, func(n report.Named) bool { return n.Name == "dr_adaptive" })
	if k < 0 || line.Estimators[k].Value.Lo == nil {
		t.Fatalf("%+v: expected dr_adaptive with an interval", line.Estimators)
	}
	v, err := j.Versus(Everything, Nothing)
	if err != nil {
		t.Fatal(err)
	}
	a, b := x.net.Adaptive.DR, j.lines[Nothing].net.Adaptive.DR
	if math.Abs(*v.Minus.Value-(*a.Value-*b.Value)) > 1e-9 {
		t.Errorf("compared by %v, expected the difference of the adaptively weighted, %v", *v.Minus.Value, *a.Value-*b.Value)
	}
	for i := range log.Decisions {
		log.Decisions[i].Logger = "p/thompson-beta-1 0/salt 1/explorer"
	}
	if table, err = log.Table(Select{Keep: log.Firsts()}); err != nil || table.Rows.Batch != nil {
		t.Errorf("one posterior: batches %v, %v", table.Rows.Batch, err)
	}
}
