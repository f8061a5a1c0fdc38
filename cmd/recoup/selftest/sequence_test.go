package selftest

import (
	"context"
	"math"
	"slices"
	"testing"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/ope"
	"recoup/score"
)

// TestSequence: a policy over three attempts is valued as a sequence; its first decision
// alone, with a logger that gives up early, is worth visibly less.
func TestSequence(t *testing.T) {
	p, err := pooledPolicy()
	if err != nil {
		t.Fatal(err)
	}
	f := &found{}
	k := kind{"sequences", 1200, 0}
	for n := range 3 {
		l, err := hesitantLab(p, sequenceSeed+uint64(n)+1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sequences(context.Background(), k, l, n+1)
		if err != nil {
			t.Fatal(err)
		}
		f.sequences = append(f.sequences, s)
		if l, err = hesitantLab(p, seqTruthSeed+uint64(n)+1); err != nil {
			t.Fatal(err)
		}
		played := playLog(t, l, k.cases)
		played.long()
		v, err := l.worth(context.Background(), played, persistent(), false, true)
		if err != nil {
			t.Fatal(err)
		}
		f.seqRolls = append(f.seqRolls, &Worth{Targets: []Value{played.logged(), *v}})
	}
	for u := range units {
		l := seqLine(f, u)
		t.Logf("%s: truth %.4f (%.4f), sequence %.4f z %.1f, one step %.4f z %.1f, ESS %.2f, %d decisions", l.Unit, l.Truth, l.TruthSE, *l.MeanSequence, *l.SequenceZ, *l.MeanOneStep, *l.OneStepZ, l.ESS, l.Longest)
		if math.Abs(*l.SequenceZ) > 5 || l.Longest < 4 {
			t.Errorf("%s: the sequence is off: %+v", l.Unit, l)
		}
		if l.Unit == recovered && *l.OneStepZ > -3 {
			t.Errorf("the one-step estimate is not visibly off: z %.1f", *l.OneStepZ)
		}
	}
}

func TestHesitant(t *testing.T) {
	choices := func(actions ...data.Action) (out []score.Choice) {
		for _, a := range actions {
			out = append(out, score.Choice{Action: a})
		}
		return out
	}
	for _, c := range []struct {
		in   []score.Choice
		want []float64
	}{
		{choices(data.Wait, data.Retry, data.Retry, data.Nudge), []float64{.3, .2, .2, .3}},
		{choices(data.Wait, data.Nudge), []float64{1, 1}},
		{choices(data.Retry), []float64{1}},
	} {
		if got, err := hesitant(c.in, nil); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v, %v, want %v", got, err, c.want)
		}
	}
}

// TestPaidAtLast: the last decision before the payment earns it, and none after it.
func TestPaidAtLast(t *testing.T) {
	d := func(at, settled data.Micros, paid bool) bracket.Decision {
		return bracket.Decision{At: at, Settled: settled, Recovered: paid}
	}
	e := &bracket.Episodes{Log: &bracket.Log{Decisions: []bracket.Decision{
		d(0, 15, true), d(10, 15, true), d(20, 15, true),
		d(0, 99, false), d(10, 99, true), // paid, but too late for the first decision
	}}, Keep: []int{0, 1, 2, 3, 4}, Steps: ope.Episodes{First: []int32{0, 3, 5}}}
	if got := paidAtLast(e); !slices.Equal(got, []float64{0, 1, 0, 0, 0}) {
		t.Errorf("%v", got)
	}
	if got := asked(e, [][]float64{{1, 2}, {3}, {4}, {5}, {6}}); !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v", got)
	}
}
