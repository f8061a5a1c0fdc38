package bracket_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "recoup/cmd/recoup/bracket"
	"recoup/data"
)

// fallingBack has another arm answer the cases of the explorer that were not paid.
func fallingBack(t *testing.T, w *world) (out *world, cases int) {
	t.Helper()
	l, not := w.log(t), map[string]bool{}
	for _, i := range l.Firsts() {
		if d := &l.Decisions[i]; d.Assigned == data.ArmExplorer && !d.Recovered && len(not) < 60 {
			not[d.CaseID] = true
		}
	}
	spoilt := *w
	spoilt.Decisions = slices.Clone(w.Decisions)
	for i := range spoilt.Decisions {
		if d := &spoilt.Decisions[i]; not[d.CaseID] {
			d.Logger += "/fallback off"
		}
	}
	return &spoilt, len(not)
}

// TestAsRandomised: whoever answers in the end, a case is measured in the arm that it
// was given; the estimates leave it out, and the report says to which side that pulls.
func TestAsRandomised(t *testing.T) {
	w := divided(t, 500)
	other, cases := fallingBack(t, w)
	l := other.log(t)
	if d := cmp.Diff(Live(w.log(t)), Live(l)); d != "" {
		t.Error("what was measured moves with who answered:\n" + d)
	}
	if c := l.Counts; c.FellBack != cases || c.Fallback < cases || c.Before+c.Open+c.Fallback+c.Unreported+c.Judged != c.Decisions || len(l.Firsts()) != len(l.Given)-cases {
		t.Errorf("%d cases: %+v, %d first of %d given", cases, c, len(l.Firsts()), len(l.Given))
	}
	b, err := Run(context.Background(), Config{Dir: other.stored(t), AsOf: w.end, Seed: 1, Draws: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, a := range b.Live.Arms {
		sum += a.Cases
	}
	if d := b.Decided; d.Measured != sum || d.Measured != int64(len(l.Given)) || d.Rows != b.Lines[0].N || d.RowsOf > d.MeasuredOf {
		t.Errorf("%d cases in the arms, %d rows: %+v", sum, b.Lines[0].N, d)
	}
	if !slices.ContainsFunc(b.Warnings, func(s string) bool {
		return strings.Contains(s, "of 60 cases were answered by another arm") && strings.Contains(s, "luckier than all") && strings.Contains(s, "(0.0 % recovered)")
	}) {
		t.Errorf("%q", b.Warnings)
	}
}
