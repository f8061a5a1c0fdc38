package bracket_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	. "recoup/cmd/recoup/bracket"
	"recoup/cmd/recoup/experiment"
	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// TestAbout: a moved time stays with its action and within a day, alike over what was
// allowed there, and no probability is lost.
func TestAbout(t *testing.T) {
	l := explored(t, 150, experiment.Explorer).log(t)
	exact := Ladder(3)
	moved := About(exact)
	spread := 0
	for i := range l.Decisions {
		d := &l.Decisions[i]
		at := slices.Index(exact.Probs(nil, i, d), 1)
		o := d.Options[at]
		near := 0.0
		for _, x := range d.Options {
			if x.Action == o.Action && x.At >= o.At-data.Day && x.At <= o.At+data.Day {
				near++
			}
		}
		for j, q := range moved.Probs(nil, i, d) {
			x := d.Options[j]
			want := 0.0
			if x.Action == o.Action && x.At >= o.At-data.Day && x.At <= o.At+data.Day {
				want = 1 / near
			}
			if math.Abs(q-want) > 1e-12 {
				t.Fatalf("decision %s: %v of %v, want %v around %v", d.ID, q, x, want, o)
			}
		}
		if near > 2 {
			spread++
		}
	}
	if spread < 50 {
		t.Errorf("%d times were moved: the test shows nothing", spread)
	}
}

// TestTruth: the oracle takes the option of the highest true worth, by a plain look at
// what the world wrote.
func TestTruth(t *testing.T) {
	w := &world{end: data.IST(2026, 11, 1, 0, 0)}
	truth := map[string]map[data.Candidate]float64{}
	_, err := sim.Run(context.Background(), config(120), sim.Uniform(), func(b *sim.Batch) error {
		for _, c := range b.Candidates {
			if truth[c.DecisionID] == nil {
				truth[c.DecisionID] = map[data.Candidate]float64{}
			}
			truth[c.DecisionID][data.Candidate{Action: c.Action, At: c.At}] = c.PTrue
		}
		return w.take(b)
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := sim.Write(context.Background(), config(120), sim.Uniform(), filepath.Join(dir, "log"), filepath.Join(dir, "truth")); err != nil {
		t.Fatal(err)
	}
	l, retries := w.log(t), 0
	p, err := Truth(l, filepath.Join(dir, "truth"), score.Default())
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Decisions {
		d := &l.Decisions[i]
		var captures func(o data.Option, left int) float64
		captures = func(o data.Option, left int) float64 { // it or the best that can follow, by trying all
			best := 0.0
			for _, x := range d.Options {
				gap := 2*data.Hour + x.At - x.NoticeBy
				if d.Rail == data.EMandate {
					gap += 2 * data.Day
				}
				if left > 1 && x.Action == data.Retry && x.At >= o.At+gap {
					best = max(best, captures(x, left-1))
				}
			}
			q := truth[d.ID][data.Candidate{Action: o.Action, At: o.At}]
			return q + (1-q)*best
		}
		worth := func(o data.Option) float64 {
			f0 := truth[d.ID][data.Candidate{Action: data.Wait, At: d.At}]
			if o.Action == data.Wait {
				return f0 * float64(d.Amount)
			}
			return (1-(1-f0)*(1-captures(o, 3-d.Retries)))*float64(d.Amount) - 200
		}
		got := d.Options[slices.Index(p.Probs(nil, i, d), 1)]
		if got.Action == data.Retry {
			retries++
		}
		for _, o := range d.Options {
			if worth(o) > worth(got)+1e-6 {
				t.Errorf("decision %s: %v is worth %v, it takes %v of %v", d.ID, o, worth(o), got, worth(got))
			}
		}
	}
	if retries < 30 {
		t.Errorf("%d retries: the test shows nothing", retries)
	}
	other, err := Of(Span{AsOf: w.end, Horizon: 21 * data.Day}, explored(t, 50, experiment.Explorer).Decisions, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(other.Decisions) != 0 {
		t.Error("decisions without an outcome are judged")
	}
	if _, err := Truth(explored(t, 60, experiment.Explorer).log(t), filepath.Join(dir, "truth"), score.Default()); err == nil {
		t.Error("the oracle of another log is taken")
	}
}

// TestSegments: every level of a cut that is large enough is there, losing ones first;
// where the weights are worth too few rows there is no number, and it stands last. The
// levels of a cut that are all told, by their rows, make the whole difference.
func TestSegments(t *testing.T) {
	w := divided(t, 1400)
	b, err := Run(context.Background(), Config{Dir: w.stored(t), AsOf: w.end, Seed: 1, Draws: 100, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	whole := b.Line(b.Segments.Policy)
	sums, rows, told := map[string]float64{}, map[string]int64{}, 0
	for _, s := range b.Segments.Of {
		rows[s.By] += s.Minus.N
		few := s.ESS < 100 || s.ESS < .05*float64(s.Minus.N)
		if few != (s.Reason == "too_few") || few != (s.Light == "red") || few != (s.Minus.Value == nil) || s.Minus.N < 50 {
			t.Errorf("%+v", s)
		}
		if few {
			sums[s.By] = math.NaN()
			continue
		}
		told++
		sums[s.By] += *s.Minus.Value * float64(s.Minus.N)
	}
	complete := 0
	for by, n := range rows {
		if got := sums[by] / float64(n); n == whole.N && !math.IsNaN(got) {
			complete++
			if math.Abs(got-*whole.Minus.Value) > 1e-6 {
				t.Errorf("%s: the levels make %v, the whole is %v", by, got, *whole.Minus.Value)
			}
		}
	}
	if complete == 0 || b.Segments.Looks != told || told == len(b.Segments.Of) {
		t.Errorf("no cut is complete or all are told: %v of %d; %d looks, %d told of %d", rows, whole.N, b.Segments.Looks, told, len(b.Segments.Of))
	}
	place := 0
	for _, s := range b.Segments.Of {
		at := 1
		if s.Reason != "" {
			at = 2
		} else if *s.Minus.Hi < 0 {
			at = 0
		}
		if at < place {
			t.Errorf("it stands too far behind: %+v", s)
		}
		place = at
	}
	for _, o := range b.Overlap {
		if o.Logged > o.Offered || o.Propensity.Value == nil || *o.Propensity.Value < 0 || *o.Propensity.Value > 1 {
			t.Errorf("%+v", o)
		}
	}
	for _, x := range b.Windows {
		if long := b.Line(x.Policy); long != nil && x.Policy == Incumbent && *x.Net.Value > *long.Net.Value {
			t.Errorf("a shorter window pays more: %+v, %+v", x, long.Net)
		}
	}
}
