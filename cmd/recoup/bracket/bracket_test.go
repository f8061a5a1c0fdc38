package bracket_test

import (
	"context"
	"math"
	"slices"
	"testing"

	. "recoup/cmd/recoup/bracket"
	"recoup/cmd/recoup/experiment"
	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// world is a simulated log in memory.
type world struct {
	sim.Batch
	end data.Micros
}

func (w *world) take(b *sim.Batch) error {
	w.Attempts = append(w.Attempts, b.Attempts...)
	w.CaseEvents = append(w.CaseEvents, b.CaseEvents...)
	w.Subscriptions = append(w.Subscriptions, b.Subscriptions...)
	w.Mandates = append(w.Mandates, b.Mandates...)
	w.Notices = append(w.Notices, b.Notices...)
	w.Polls = append(w.Polls, b.Polls...)
	w.Promises = append(w.Promises, b.Promises...)
	w.Downtimes = append(w.Downtimes, b.Downtimes...)
	w.Decisions = append(w.Decisions, b.Decisions...)
	w.Outcomes = append(w.Outcomes, b.Outcomes...)
	return nil
}

var start = data.IST(2026, 5, 1, 0, 0)

func config(cases int) sim.Config {
	return sim.Config{Seed: 11, Cases: cases, Start: start, Months: 6, Workers: 1}
}

// drawn is a world under the uniform draw, that keeps to no gate.
func drawn(t testing.TB, cases int) *world {
	t.Helper()
	w := &world{end: data.IST(2026, 11, 1, 0, 0)}
	if _, err := sim.Run(context.Background(), config(cases), sim.Uniform(), w.take); err != nil {
		t.Fatal(err)
	}
	return w
}

// explored is a world whose cases are divided over arms at the gate, as the policy
// text says.
func explored(t testing.TB, cases int, arm string) *world {
	t.Helper()
	w := &world{end: data.IST(2026, 11, 1, 0, 0)}
	stage, err := sim.NewStage(context.Background(), config(cases))
	if err != nil {
		t.Fatal(err)
	}
	p, err := experiment.PlayerOf(arm, score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := stage.Play(context.Background(), p.Decider(nil), w.take); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) log(t testing.TB) *Log {
	t.Helper()
	l, err := Of(Span{AsOf: w.end, Horizon: 21 * data.Day}, w.Decisions, w.Outcomes, w.Attempts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// written stores a world and reads it back.
func (w *world) written(t testing.TB) *data.Log {
	t.Helper()
	dir := t.TempDir()
	out, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	for _, add := range []error{data.Add(out, w.Attempts...), data.Add(out, w.CaseEvents...), data.Add(out, w.Subscriptions...), data.Add(out, w.Mandates...),
		data.Add(out, w.Notices...), data.Add(out, w.Polls...), data.Add(out, w.Promises...), data.Add(out, w.Downtimes...), data.Add(out, w.Decisions...), data.Add(out, w.Outcomes...)} {
		if add != nil {
			t.Fatal(add)
		}
	}
	if _, err := out.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestCounts: every decision is somewhere, and a case is in or out as a whole.
func TestCounts(t *testing.T) {
	for name, w := range map[string]*world{"uniform": drawn(t, 400), "explorer": explored(t, 300, experiment.Explorer)} {
		l := w.log(t)
		c := l.Counts
		if c.Decisions != len(w.Decisions) || c.Before+c.Open+c.Fallback+c.Unreported+c.Judged != c.Decisions {
			t.Errorf("%s: %+v of %d decisions", name, c, len(w.Decisions))
		}
		if c.Judged == 0 || c.Open == 0 || c.Unreported != 0 || len(l.Firsts()) != c.Cases {
			t.Errorf("%s: %+v, %d first", name, c, len(l.Firsts()))
		}
		first := map[string]data.Micros{}
		for i := range w.Decisions {
			d := &w.Decisions[i]
			if at, ok := first[d.CaseID]; !ok || d.DecidedAt < at {
				first[d.CaseID] = d.DecidedAt
			}
		}
		presented, retried := map[string]int{}, 0
		for i := range l.Decisions {
			d := &l.Decisions[i]
			if d.Retries != presented[d.CaseID] {
				t.Errorf("%s: decision %s after %d retries, it says %d", name, d.ID, presented[d.CaseID], d.Retries)
			}
			if d.AttemptID != "" {
				presented[d.CaseID]++
				retried++
			}
			if d.No > 0 && d.AttemptID == "" && l.Decisions[i-1].AttemptID == "" && d.Anchor != l.Decisions[i-1].Anchor {
				t.Errorf("%s: decision %s counts from %s, the one before from %s, and nothing was presented between", name, d.ID, d.Anchor, l.Decisions[i-1].Anchor)
			}
			if first[d.CaseID]+l.Horizon > l.AsOf {
				t.Errorf("%s: decision %s of a case that is open", name, d.ID)
			}
			if (d.No == 0) != (d.At == first[d.CaseID]) {
				t.Errorf("%s: decision %s is number %d", name, d.ID, d.No)
			}
			if d.Amount <= 0 || d.Rail == 0 {
				t.Errorf("%s: decision %s without its charge: %+v", name, d.ID, d)
			}
		}
		if retried < 50 {
			t.Errorf("%s: %d retries: the test shows little", name, retried)
		}
	}
}

// TestEdgeOfTheWindow: a case whose window closes at as_of counts, a microsecond
// later it does not; a case from before the span is out.
func TestEdgeOfTheWindow(t *testing.T) {
	w := drawn(t, 60)
	d := w.Decisions[0]
	h := 21 * data.Day
	for _, c := range []struct {
		span   Span
		judged bool
	}{
		{Span{AsOf: d.DecidedAt + h, Horizon: h}, true},
		{Span{AsOf: d.DecidedAt + h - 1, Horizon: h}, false},
		{Span{AsOf: w.end, Horizon: h, From: d.DecidedAt}, true},
		{Span{AsOf: w.end, Horizon: h, From: d.DecidedAt + 1}, false},
	} {
		l, err := Of(c.span, w.Decisions, w.Outcomes, w.Attempts)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(l.Decisions, func(x Decision) bool { return x.ID == d.DecisionID }); got != c.judged {
			t.Errorf("%+v: judged %v, want %v", c.span, got, c.judged)
		}
	}
}

// TestReadIsOf: a log from disk gives what the rows in memory gave, and so does a
// replay of it.
func TestReadIsOf(t *testing.T) {
	w := explored(t, 150, experiment.Explorer)
	on := w.written(t)
	a, err := Read(on, Span{AsOf: w.end, Horizon: 21 * data.Day})
	if err != nil {
		t.Fatal(err)
	}
	b := w.log(t)
	if len(a.Decisions) != len(b.Decisions) || a.Counts != b.Counts {
		t.Fatalf("%+v, in memory %+v", a.Counts, b.Counts)
	}
	for i := range a.Decisions {
		x, y := a.Decisions[i], b.Decisions[i]
		if x.ID != y.ID || x.Net() != y.Net() || x.Chosen != y.Chosen || len(x.Options) != len(y.Options) || x.Mix() != y.Mix() || x.No != y.No {
			t.Errorf("decision %d: %+v, in memory %+v", i, x, y)
		}
	}
}

// TestReplayIsThePlay: asked about its own log, the rules arm answers what it did.
func TestReplayIsThePlay(t *testing.T) {
	w := explored(t, 200, experiment.Rules)
	l := w.log(t)
	e, err := score.New(score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(context.Background(), EventsOf(w.written(t), data.AsOf(w.end)), l, []Engine{{Rules, e}}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Decisions {
		if int(r[0].Choice[i]) != l.Decisions[i].Chosen {
			t.Errorf("decision %s: %v, it was %v", l.Decisions[i].ID, l.Decisions[i].Options[r[0].Choice[i]], l.Decisions[i].Options[l.Decisions[i].Chosen])
		}
	}
	if r[0].Elsewhere != 0 || r[0].Asked != len(l.Decisions) {
		t.Errorf("%d of %d choices were not on the table", r[0].Elsewhere, r[0].Asked)
	}
	if why := l.Randomised(); why == "" {
		t.Error("the rules leave nothing to chance, and the log passes for randomised")
	}
}

// TestPolicies: every policy is a distribution over what was allowed, and one that
// leaves nothing to chance has one option.
func TestPolicies(t *testing.T) {
	for _, w := range []*world{drawn(t, 200), explored(t, 150, experiment.Explorer)} {
		l := w.log(t)
		policies := FromLog()
		policies = append(policies, Mixed(policies[2], .1))
		var probs []float64
		for i := range l.Decisions {
			d := &l.Decisions[i]
			for _, p := range policies {
				probs = p.Probs(probs, i, d)
				sum := 0.0
				for j, q := range probs {
					if q < 0 || q > 0 && d.Options[j].Action == data.Escalate && !d.Forced() {
						t.Fatalf("%s: decision %s: %v of %v", p.Name, d.ID, q, d.Options[j])
					}
					sum += q
				}
				if len(probs) != len(d.Options) || math.Abs(sum-1) > 1e-12 {
					t.Fatalf("%s: decision %s: %d probabilities sum to %v", p.Name, d.ID, len(probs), sum)
				}
				if d.Forced() && probs[d.Chosen] < 1-1e-12 {
					t.Fatalf("%s: decision %s left no choice and it takes one", p.Name, d.ID)
				}
			}
		}
	}
}

// TestLadder: the slot nearest to three days after the failure, and no other.
func TestLadder(t *testing.T) {
	l := drawn(t, 200).log(t)
	p, n := Ladder(3), 0
	away := func(o data.Option, at data.Micros) data.Micros { return max(o.At-at, at-o.At) }
	for i := range l.Decisions {
		d := &l.Decisions[i]
		o, want := d.Options[slices.Index(p.Probs(nil, i, d), 1)], d.Anchor+3*data.Day
		if o.Action == data.Retry {
			n++
		}
		for _, other := range d.Options {
			if other.Action == data.Retry && away(other, want) <= data.Day && (o.Action == data.Wait || away(other, want) < away(o, want)) {
				t.Errorf("decision %s: %v, and %s is nearer to %s", d.ID, o, other.At, want)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d retries: the test shows nothing", n)
	}
}

// TestFolds: a customer is predicted by models of the others.
func TestFolds(t *testing.T) {
	l := drawn(t, 300).log(t)
	r := BaseRate(l.Decisions, 7)
	of := map[string]int{}
	for i := range l.Decisions {
		who := l.Decisions[i].CustomerID
		if k, ok := of[who]; ok && k != r.Fold[i] {
			t.Errorf("customer %s is in folds %d and %d", who, k, r.Fold[i])
		}
		of[who] = r.Fold[i]
	}
	for k := range Folds {
		n, paid := 0.0, 0.0
		for i := range l.Decisions {
			if r.Fold[i] != k {
				n++
				paid += paidOf(&l.Decisions[i])
			}
		}
		for i := range l.Decisions {
			if r.Fold[i] == k && math.Abs(r.P[i][0]-paid/n) > 1e-12 {
				t.Fatalf("fold %d: %v, the others' rate is %v", k, r.P[i][0], paid/n)
			}
		}
	}
}

// TestLogisticSeesNoOwnCustomer: what came of a customer's cases moves no word of
// the reward model on them.
func TestLogisticSeesNoOwnCustomer(t *testing.T) {
	l := drawn(t, 300).log(t)
	a := Logistic(context.Background(), l.Decisions, 7, 1)
	if a.Why != "" {
		t.Fatal(a.Why)
	}
	who := l.Decisions[0].CustomerID
	other := slices.Clone(l.Decisions)
	for i := range other {
		if other[i].CustomerID == who {
			other[i].Recovered, other[i].Cost = !other[i].Recovered, other[i].Cost+100000
		}
	}
	b := Logistic(context.Background(), other, 7, 1)
	moved := 0
	for i := range other {
		same := slices.Equal(a.Net[i], b.Net[i])
		if a.Fold[i] == a.Fold[0] && !same {
			t.Fatalf("decision %s of %s: its own fold's model moved with the outcomes of %s", other[i].ID, other[i].CustomerID, who)
		}
		if !same {
			moved++
		}
	}
	if moved == 0 {
		t.Error("no prediction moved: the test shows nothing")
	}
}

// TestEarned: the steps of a case earn, together, what its first decision is judged by.
func TestEarned(t *testing.T) {
	for name, w := range map[string]*world{"uniform": drawn(t, 400), "explorer": explored(t, 300, experiment.Explorer)} {
		l := w.log(t)
		e := l.Sequences()
		if e.Why != "" {
			t.Fatal(e.Why)
		}
		longest := 0
		for j := range e.Steps.Len() {
			from, to := e.Steps.First[j], e.Steps.First[j+1]
			sum := 0.0
			for k := from; k < to; k++ {
				sum += e.Steps.Rows.Reward[k]
			}
			d := &l.Decisions[e.Keep[from]]
			if d.No != 0 || math.Abs(sum-d.Net()) > 1e-9 {
				t.Errorf("%s: case %s earns %v in %d steps, its first decision %v", name, d.CaseID, sum, to-from, d.Net())
			}
			longest = max(longest, int(to-from))
			for k := from; k < to; k++ {
				if s := &l.Decisions[e.Keep[k]]; s.CaseID != d.CaseID || s.At >= d.At+l.Horizon {
					t.Errorf("%s: step %d of case %s: %+v", name, k-from, d.CaseID, s)
				}
			}
		}
		if longest < 3 {
			t.Errorf("%s: the longest case has %d decisions: the test shows nothing", name, longest)
		}
	}
}

// TestChiSquare against tables of the law.
func TestChiSquare(t *testing.T) {
	for _, c := range []struct {
		x  float64
		df int
		p  float64
	}{{3.841458820694124, 1, .05}, {5.991464547107979, 2, .05}, {7.814727903251179, 3, .05}, {9.487729036781154, 4, .05}, {6.6348966010212145, 1, .01}, {0, 3, 1}} {
		if got := ChiSquareTail(c.x, c.df); math.Abs(got-c.p) > 1e-12 {
			t.Errorf("P(X > %v), %d degrees: %v, want %v", c.x, c.df, got, c.p)
		}
	}
}

// TestRefusals: probabilities that cannot be right refuse the log, by name.
func TestRefusals(t *testing.T) {
	w := drawn(t, 40)
	for name, spoil := range map[string]func(d *data.Decision){
		"sum": func(d *data.Decision) { d.Allowed[0].Propensity += .1 },
		"zero": func(d *data.Decision) {
			o := &d.Allowed[d.Chosen]
			d.Allowed[(int(d.Chosen)+1)%len(d.Allowed)].Mix += o.Mix
			o.Mix = 0
		},
		"nan":       func(d *data.Decision) { d.Allowed[0].Mix = math.NaN() },
		"above one": func(d *data.Decision) { d.Allowed[0].Propensity = 2 },
		"nobody":    func(d *data.Decision) { d.Chosen = int32(len(d.Allowed)) },
		"no wait":   func(d *data.Decision) { d.Allowed[0].Action = data.Nudge },
	} {
		spoilt := slices.Clone(w.Decisions)
		d := &spoilt[1]
		d.Allowed = slices.Clone(d.Allowed)
		spoil(d)
		_, err := Of(Span{AsOf: w.end, Horizon: 21 * data.Day}, spoilt, w.Outcomes, w.Attempts)
		if err == nil {
			t.Errorf("%s went through", name)
		}
	}
}

func paidOf(d *Decision) float64 {
	if d.Recovered {
		return 1
	}
	return 0
}
