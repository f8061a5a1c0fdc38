package bracket_test

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/api/report"
	. "recoup/cmd/recoup/bracket"
	"recoup/cmd/recoup/experiment"
	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// divided is a world whose cases are divided over rules, explorer and control.
func divided(t testing.TB, cases int) *world {
	t.Helper()
	text := string(score.DefaultText())
	const arms = "arms: {rules: 0, model: 1, explorer: 0, control: 0,"
	if strings.Count(text, arms) != 1 {
		t.Fatal("the policy's shares stand elsewhere")
	}
	p, err := score.ParsePolicy("divided", []byte(strings.Replace(text, arms, "arms: {rules: 0.4, model: 0, explorer: 0.35, control: 0.25,", 1)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := score.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = e.Explore(score.Explorer{Salt: []byte("sixteen bytes or more")}); err != nil {
		t.Fatal(err)
	}
	w := &world{end: data.IST(2026, 11, 1, 0, 0)}
	stage, err := sim.NewStage(context.Background(), config(cases))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := stage.Play(context.Background(), experiment.Player{Name: "divided", Engine: e}.Decider(nil), w.take); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestLive: what the arms show is what a plain count of the log shows, and the
// assignment is found right; told other shares, it is found wrong.
func TestLive(t *testing.T) {
	l := divided(t, 700).log(t)
	got := Live(l)
	if len(got.Arms) != 3 || len(got.Differences) != 2 || len(got.Sample) != 1 {
		t.Fatalf("%+v", got)
	}
	for _, a := range got.Arms {
		n, paid, net := 0.0, 0.0, 0.0
		for _, i := range l.Firsts() {
			if d := &l.Decisions[i]; d.Assigned.String() == a.Arm {
				n++
				paid += paidOf(d)
				net += d.Net()
			}
		}
		if int64(n) != a.Cases || math.Abs(*a.Recovered.Value-paid/n) > 1e-12 || math.Abs(*a.Net.Value-net/n) > 1e-9 {
			t.Errorf("%+v: %v cases, %v paid, %v", a, n, paid, net)
		}
		if !(*a.Anytime.Lo <= *a.Recovered.Lo && *a.Recovered.Hi <= *a.Anytime.Hi) {
			t.Errorf("%s: to be looked at as often as one likes costs nothing: %+v, %+v", a.Arm, a.Anytime, a.Recovered)
		}
	}
	for _, x := range got.Differences {
		n, mean := map[string]float64{}, map[string]float64{}
		for _, i := range l.Firsts() {
			n[l.Decisions[i].Assigned.String()]++
		}
		for _, i := range l.Firsts() {
			a := l.Decisions[i].Assigned.String()
			mean[a] += l.Decisions[i].Net() / n[a]
		}
		pulls := map[string]float64{}
		for _, i := range l.Firsts() {
			d := &l.Decisions[i]
			sign := map[string]float64{x.Arm: 1, x.Against: -1}[d.Assigned.String()]
			if sign != 0 {
				pulls[d.CustomerID] += sign * (d.Net() - mean[d.Assigned.String()]) / n[d.Assigned.String()]
			}
		}
		square, g := 0.0, float64(len(pulls))
		for _, v := range pulls {
			square += v * v
		}
		half := 1.959963984540054 * math.Sqrt(square*g/(g-1))
		if v := mean[x.Arm] - mean[x.Against]; math.Abs(*x.Net.Value-v) > 1e-9 || math.Abs(*x.Net.Hi-v-half) > 1e-9 {
			t.Errorf("%s less %s: %+v, want %v +- %v", x.Arm, x.Against, x.Net, v, half)
		}
	}
	if p := got.Sample[0].P; p == nil || *p < 1e-4 {
		t.Errorf("%+v", got.Sample[0])
	}
	for i := range l.Given {
		if d := &l.Given[i]; d.Assigned == data.ArmRules {
			d.Share = .15
		} else if d.Assigned == data.ArmExplorer {
			d.Share = .6
		}
	}
	if p := Live(l).Sample[0].P; p == nil || *p > 1e-6 {
		t.Errorf("wrong shares pass: %+v", Live(l).Sample[0])
	}
}

// TestPooledWeights: over all arms the weights of the rules have mean 1; a rule that is
// an arm needs no large weight.
func TestPooledWeights(t *testing.T) {
	w := divided(t, 900)
	l := w.log(t)
	e, err := score.New(score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(context.Background(), EventsOf(w.written(t), data.AsOf(w.end)), l, []Engine{{Name: Rules, Engine: e}}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := l.Table(Select{Keep: l.Firsts()})
	if err != nil {
		t.Fatal(err)
	}
	rows := table.Rows.WithTarget(table.Target(Choosing(Rules, "", r[0].Choice)), nil)
	sum, squares, n := 0.0, 0.0, float64(rows.Len())
	for i := range rows.Len() {
		w := rows.Target[rows.At(i)] / rows.Propensity[i]
		if w > 1/.4+1e-9 {
			t.Errorf("row %d: weight %v of a rule whose arm has 0.4", i, w)
		}
		sum, squares = sum+w, squares+w*w
	}
	mean := sum / n
	if z := (mean - 1) / math.Sqrt((squares/n-mean*mean)/n); math.Abs(z) > 5 {
		t.Errorf("mean weight %v, z %v", mean, z)
	}
}

// TestSelfJudged: the value of the logger's own mixture is what was measured, by every
// estimator that weights.
func TestSelfJudged(t *testing.T) {
	l := divided(t, 500).log(t)
	j, err := Prepare(context.Background(), l, Settings{Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range FromLog() {
		if err := j.Judge(p); err != nil {
			t.Fatal(err)
		}
	}
	v, err := j.Versus(Incumbent, Incumbent)
	if err != nil || v.Unlike != 0 || *v.Minus.Value != 0 || v.Worst != 0 {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err = j.Versus(Nothing, Everything); err != nil || v.Unlike == 0 || v.Worst <= 0 || v.Minus.Lo == nil {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err = j.Versus(Nothing, "nobody"); err == nil {
		t.Error("a policy that was not judged is compared")
	}
	if err := j.Judge(FromLog()[0]); err == nil {
		t.Error("judged twice")
	}
}

// stored writes a world where Run finds it.
func (w *world) stored(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	out, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	for _, err := range []error{data.Add(out, w.Attempts...), data.Add(out, w.CaseEvents...), data.Add(out, w.Subscriptions...), data.Add(out, w.Mandates...),
		data.Add(out, w.Notices...), data.Add(out, w.Polls...), data.Add(out, w.Promises...), data.Add(out, w.Downtimes...), data.Add(out, w.Decisions...), data.Add(out, w.Outcomes...)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := out.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestRun: the same bytes for any number of workers; every policy has a line; the
// incumbent's is the measured mean; the sequences are there.
func TestRun(t *testing.T) {
	w := divided(t, 500)
	cfg := Config{Dir: w.stored(t), AsOf: w.end, Seed: 1, Draws: 200, Workers: 1, Aliases: true}
	b, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	js, err := report.EncodeBracket(b)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 3
	again, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if other, _ := report.EncodeBracket(again); !bytes.Equal(js, other) {
		t.Error("other bytes with three workers")
	}
	for _, name := range []string{Incumbent, Nothing, Everything, Uniform, "ladder_1d", "ladder_14d", Rules, Rules + "_about"} {
		if b.Line(name) == nil {
			t.Errorf("no line of %s", name)
		}
	}
	mean := 0.0
	l := w.log(t)
	for _, i := range l.Firsts() {
		mean += l.Decisions[i].Net() / float64(len(l.Firsts()))
	}
	if x := b.Line(Incumbent); !x.Measured || math.Abs(*x.Net.Value-mean) > 1e-9 {
		t.Errorf("%+v, the mean is %v", x, mean)
	}
	if x := b.Line("ladder_1d"); x.Light != "red" || x.Net.Value != nil || x.Minus.Value != nil || x.Doubted == nil || x.Doubted.Minus.Value == nil {
		t.Errorf("one slot of sixty: %+v", x)
	}
	if x := b.Line(Rules); x.Light == "red" || x.Minus.Lo == nil || x.Net.Lo == nil {
		t.Errorf("the rules, an arm with four of ten cases: %+v", x)
	}
	if b.Sequence == nil || b.Sequence.Horizon < 2 || b.NotAssessed != "" || len(b.Rewards) != 2 {
		t.Errorf("%+v, %q, %+v", b.Sequence, b.NotAssessed, b.Rewards)
	}
	files, err := Write(b, filepath.Join(t.TempDir(), "out", "ope"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	if on, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(on, js) {
		t.Error("the file holds other bytes")
	}
}

// TestNothingRandom: a log without dice gives what was measured, and no estimate.
func TestNothingRandom(t *testing.T) {
	w := explored(t, 150, experiment.Rules)
	b, err := Run(context.Background(), Config{Dir: w.stored(t), AsOf: w.end, Seed: 1, Draws: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.NotAssessed, "left to chance") || len(b.Lines) != 0 || len(b.Live.Arms) != 1 {
		t.Errorf("%+v", b)
	}
}

// TestTooLittle: a log of a case or two, or one that starts after as_of, is no fault: it
// says what is missing and keeps what was measured.
func TestTooLittle(t *testing.T) {
	w := drawn(t, 60)
	dir := w.stored(t)
	first := slices.MinFunc(w.Decisions, func(a, b data.Decision) int { return cmp.Compare(a.KnownAt, b.KnownAt) }).KnownAt
	one := *w
	one.Decisions = nil
	for _, d := range w.Decisions {
		if d.CaseID == w.Decisions[0].CaseID {
			one.Decisions = append(one.Decisions, d)
		}
	}
	for _, c := range []struct {
		dir   string
		asOf  data.Micros
		says  string
		cases int64
	}{
		{one.stored(t), w.end, "too few customers: 1,", 1},
		{dir, first - 1, "the log starts later: its first decision became known at " + first.String(), 0},
		{dir, first, "no decision has matured: 1 are known", 0},
	} {
		b, err := Run(context.Background(), Config{Dir: c.dir, AsOf: c.asOf, Seed: 1, Draws: 100, Workers: 1})
		if err != nil {
			t.Errorf("%s: %v", c.says, err)
			continue
		}
		if !strings.Contains(b.NotAssessed, c.says) || b.Lines != nil || b.Decided.Measured != c.cases || (len(b.Live.Arms) == 1) != (c.cases == 1) {
			t.Errorf("%s: %q, %+v", c.says, b.NotAssessed, b.Live)
		}
	}
}

// TestConfig: every fault at once.
func TestConfig(t *testing.T) {
	_, err := Run(context.Background(), Config{Dir: t.TempDir(), From: 5, Draws: 1})
	for _, s := range []string{"no event log", "no as_of", "after as_of", "1 bootstrap draws"} {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("%v does not say %q", err, s)
		}
	}
}
