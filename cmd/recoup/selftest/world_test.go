package selftest

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/ope"
)

// openLab is the pooled logger in a world.
func openLab(t *testing.T, seed uint64) *lab {
	t.Helper()
	p, err := pooledPolicy()
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLab(p, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func playLog(t *testing.T, l *lab, cases int) *played {
	t.Helper()
	p, err := l.play(context.Background(), cases)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLog: what is judged is a log of the real gate in which something varies.
func TestLog(t *testing.T) {
	p := playLog(t, openLab(t, 1), 400)
	arms, sizes, customers := map[data.Arm]int{}, map[int]int{}, map[string]int{}
	for _, i := range p.firsts {
		d := &p.log.Decisions[i]
		arms[d.Assigned]++
		sizes[len(d.Options)]++
		customers[d.CustomerID]++
		if _, err := divide(d); err != nil {
			t.Fatal(err)
		}
	}
	n := float64(len(p.firsts))
	for _, s := range shares {
		if z := (float64(arms[s.arm]) - n*s.share) / math.Sqrt(n*s.share*(1-s.share)); math.Abs(z) > 5 {
			t.Errorf("%s has %d of %v cases, z %.1f", s.arm, arms[s.arm], n, z)
		}
	}
	if len(sizes) < 10 || len(customers) == len(p.firsts) {
		t.Errorf("%d sizes of allowed sets, %d customers of %d cases: expected variety", len(sizes), len(customers), len(p.firsts))
	}
	other := playLog(t, openLab(t, 2), 400)
	if slices.EqualFunc(p.firsts, other.firsts, func(a, b int) bool { return p.log.Decisions[a].At == other.log.Decisions[b].At }) {
		t.Error("two seeds make one log")
	}
	was, both, alike := map[string]data.Arm{}, 0, 0
	for _, i := range p.firsts {
		was[p.log.Decisions[i].CaseID] = p.log.Decisions[i].Assigned
	}
	for _, i := range other.firsts {
		if arm, ok := was[other.log.Decisions[i].CaseID]; ok {
			both++
			alike += int(one(arm == other.log.Decisions[i].Assigned))
		}
	}
	if both < 20 || both-alike < both/4 {
		t.Errorf("of %d cases that two worlds name alike, %d have the same arm: arms must be drawn anew", both, alike)
	}
}

// TestTakes: options as often as the target says, and after each the arms as often as
// they would have chosen it.
func TestTakes(t *testing.T) {
	l := openLab(t, 1)
	d := options(3, 2, 3)
	target := bracket.Policy{Name: "two", Probs: func(dst []float64, _ int, d *bracket.Decision) []float64 {
		dst = blank(dst, d)
		dst[1], dst[2] = .25, .75
		return dst
	}}
	const n = 20_000
	took, rules := 0, 0 // option 2, and the rules after it
	for k := range n {
		d.ID = "d" + strconv.Itoa(k)
		j, arm, err := l.takes(target, d, false)
		if err != nil || j == 1 && arm != data.ArmExplorer || j != 1 && j != 2 {
			t.Fatal(j, arm, err)
		}
		took += int(one(j == 2))
		rules += int(one(j == 2 && arm == data.ArmRules))
		if again, same, _ := l.takes(target, d, false); again != j || same != arm {
			t.Fatal("the same decision is drawn twice")
		}
		if _, arm, _ := l.takes(target, d, true); arm != data.ArmExplorer {
			t.Fatal("a whole case goes on with", arm)
		}
	}
	z := func(k, n int, p float64) float64 {
		return (float64(k) - float64(n)*p) / math.Sqrt(float64(n)*p*(1-p))
	}
	if a, b := z(took, n, .75), z(rules, took, .3/(.3+.125)); math.Abs(a) > 5 || math.Abs(b) > 5 {
		t.Errorf("option 2 %d times of %d (z %.1f), the rules after it %d times (z %.1f)", took, n, a, rules, b)
	}
}

// TestRollOfTheLogger: where the target does what the logger would, the roll-out is worth
// what the log is. It draws with dice of its own, so the two agree only in the mean.
func TestRollOfTheLogger(t *testing.T) {
	asLogged := bracket.Policy{Name: "as logged", Probs: func(dst []float64, _ int, d *bracket.Decision) []float64 {
		dst = blank(dst, d)
		for j := range dst {
			dst[j] = d.Options[j].Mix
		}
		return dst
	}}
	var diff []float64
	for seed := range uint64(6) {
		l := openLab(t, seed+1)
		p := playLog(t, l, 250)
		v, err := l.worth(context.Background(), p, asLogged, seed == 0, false)
		if err != nil {
			t.Fatal(err)
		}
		logged := p.logged()
		diff = append(diff, (v.Earned.Recovered-logged.Earned.Recovered)/float64(v.Cases))
		if v.Cases != len(p.firsts) || v.Earned == logged.Earned {
			t.Errorf("seed %d: %d cases of %d, %+v: expected other dice", seed+1, v.Cases, len(p.firsts), v.Earned)
		}
		if seed == 0 && (v.MovedCases != v.Cases || math.Abs(v.Moved.Recovered) > .1*float64(v.Cases)) {
			t.Errorf("one case of a customer alone: %+v", v)
		}
	}
	if _, _, z := against(diff, 0, 0); math.Abs(*z) > 5 {
		t.Errorf("shares recovered differ by %v: z %.1f", diff, *z)
	}
}

// TestFocus: one case of each customer, counted as often as he has cases.
func TestFocus(t *testing.T) {
	p := playLog(t, openLab(t, 3), 300)
	focus, owner := p.focus(3), map[string]string{}
	cases := map[string]int{}
	for _, i := range p.firsts {
		d := &p.log.Decisions[i]
		cases[d.CustomerID]++
		owner[d.CaseID] = d.CustomerID
	}
	if len(focus) != len(cases) {
		t.Errorf("%d cases in focus, %d customers", len(focus), len(cases))
	}
	for id, n := range focus {
		if n != cases[owner[id]] {
			t.Errorf("%s counts %d times, its customer has %d cases", id, n, cases[owner[id]])
		}
	}
}

// TestCells: nobody is predicted by what came of his own cases, and the rates are those
// of a plain count.
func TestCells(t *testing.T) {
	p := playLog(t, openLab(t, 4), 300)
	tab, err := p.log.Table(bracket.Select{Keep: p.firsts})
	if err != nil {
		t.Fatal(err)
	}
	tab.Rows.Target = tab.Rows.Behaviour[0]
	m := modelOf(tab)
	names := customersOf(tab)
	before, err := m.of(bracket.NetRupees).crossFitted(names, 4)
	if err != nil {
		t.Fatal(err)
	}
	who := names[0]
	for i, name := range names {
		if name == who {
			m.paid[i], m.cost[i] = 1-m.paid[i], m.cost[i]+50
		}
	}
	after, err := m.of(bracket.NetRupees).crossFitted(names, 4)
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for i, name := range names {
		lo, hi := tab.Rows.Candidates(i)
		same := slices.Equal(before[lo:hi], after[lo:hi])
		if name == who && !same {
			t.Fatal("a customer is predicted by his own cases")
		}
		if !same {
			moved++
		}
	}
	if moved == 0 {
		t.Error("nothing depends on what came of the cases")
	}

	// One class, one kind: the share, drawn toward the mean, which is the same.
	c := cells{rows: &ope.Rows{Actions: []string{"a", "b"}, Start: []int32{0, 1, 2, 3}, Label: []int32{0, 0, 0}, Target: []float64{1, 1, 1}, Taken: []int32{0, 0, 0}},
		class: []data.Class{2, 2, 2}, paid: []float64{1, 0, 0}, amount: []float64{10, 20, 40}, cost: []float64{1, 2, 3}}
	predict, err := c.fit([]bool{true, true, false})
	if err != nil {
		t.Fatal(err)
	}
	q := []float64{0}
	if err := predict(2, q); err != nil || q[0] != .5*40-1.5 {
		t.Errorf("%v, %v, want 18.5", q, err)
	}

	// Two kinds: each cell is drawn toward what its class and its kind say together.
	c = cells{rows: &ope.Rows{Actions: []string{"a", "b"}, Start: []int32{0, 2, 4, 6}, Label: []int32{0, 1, 0, 1, 0, 1}, Target: make([]float64, 6), Taken: []int32{0, 0, 1}},
		class: []data.Class{2, 2, 2}, paid: []float64{1, 0, 1}}
	if predict, err = c.fit([]bool{true, true, true}); err != nil {
		t.Fatal(err)
	}
	mean := 2. / 3
	a, b := (1+20*mean)/22, (1+20*mean)/21 // the kinds; the class is the mean
	q = []float64{0, 0}
	if err := predict(0, q); err != nil || math.Abs(q[0]-(1+20*a)/22) > 1e-12 || math.Abs(q[1]-(1+20*b)/21) > 1e-12 {
		t.Errorf("%v, want %v and %v", q, (1+20*a)/22, (1+20*b)/21)
	}
}

// TestPaidFirst: a payment counts for the first decision if it came before the second.
func TestPaidFirst(t *testing.T) {
	at := data.IST(2026, 6, 1, 0, 0)
	d := func(id string, no int, at, settled data.Micros, paid bool) bracket.Decision {
		return bracket.Decision{CaseID: id, No: no, At: at, Settled: settled, Recovered: paid}
	}
	p := &played{log: &bracket.Log{Decisions: []bracket.Decision{
		d("a", 0, at, at+5, true),
		d("b", 0, at, at+9, true), d("b", 1, at+9, at+9, true),
		d("c", 0, at, at+10, true), d("c", 1, at+9, at+10, true),
		d("d", 0, at, at+99, false), d("d", 1, at+9, at+99, false),
	}}}
	p.firsts = p.log.Firsts()
	if got := p.paidFirst(); !slices.Equal(got, []float64{1, 1, 0, 0}) {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		at   data.Micros
		want int
	}{{start - 1, 0}, {start, 0}, {start + 7*data.Day - 1, 0}, {start + 7*data.Day, 1}, {end, weeks - 1}} {
		if got := weekOf(&bracket.Decision{At: c.at}); got != c.want {
			t.Errorf("%s is in week %d, want %d", c.at, got, c.want)
		}
	}
}

// TestCrossArms: what the others would have done sums to 1, and the explorer, whom nobody
// else follows, is red.
func TestCrossArms(t *testing.T) {
	p := playLog(t, openLab(t, 5), 400)
	arms, err := crossArms(p, 5)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, a := range arms {
		cases += a.Cases
		if a.Own <= 0 || a.Own >= 1 {
			t.Errorf("%s: %v of its cases are paid", a.Arm, a.Own)
		}
		if a.Arm == "explorer" && (a.Light != ope.Red || !slices.Contains(a.Red, ope.UnsupportedMass)) {
			t.Errorf("the explorer from the others: %+v", a)
		}
		if a.Arm == "rules" {
			n, own, rows := 0, 0, 0
			for _, w := range a.ByWeek {
				n, own, rows = n+w.Cases, own+w.Paid, rows+w.Rows
			}
			if n != a.Cases || rows != len(p.firsts)-n || math.Abs(float64(own)/float64(n)-a.Own) > 1e-12 {
				t.Errorf("weeks of the rules: %d cases, %d paid, %d rows of others; %+v", n, own, rows, a)
			}
		}
	}
	if cases != len(p.firsts) {
		t.Errorf("the arms have %d cases of %d", cases, len(p.firsts))
	}
}

// TestLights: support is asked row by row.
func TestLights(t *testing.T) {
	n := 400
	r := &ope.Rows{Actions: []string{"a", "b"}, Start: ope.Square(n, 2), Behaviour: [][]float64{make([]float64, 2*n)}}
	for i := range n {
		r.Target = append(r.Target, .5, .5)
		r.Q = append(r.Q, .5, .5)
		r.Taken = append(r.Taken, int32(i%2))
		r.Reward = append(r.Reward, float64(i%3))
		r.Propensity = append(r.Propensity, .5)
		r.Cluster = append(r.Cluster, int32(i/2))
		r.Behaviour[0][2*i], r.Behaviour[0][2*i+1] = .5, .5
	}
	e, err := estimate(r, true, 1)
	if err != nil || e.Light != ope.Green || e.Drawn == nil || e.CI == nil {
		t.Fatalf("%+v, %v", e, err)
	}
	r.Taken[0], r.Propensity[0], r.Behaviour[0][0], r.Behaviour[0][1] = 0, 1, 1, 0
	if e, err = estimate(r, false, 1); err != nil || e.Light != ope.Red || !slices.Equal(e.Red, []ope.Signal{ope.UnsupportedMass}) || e.Drawn != nil {
		t.Errorf("one row without support: %+v, %v", e, err)
	}
}

// TestPolicyText: the logger's shares stand in the built-in policy's own form.
func TestPolicyText(t *testing.T) {
	p, err := pooledPolicy()
	if err != nil {
		t.Fatal(err)
	}
	if !p.Divides() || p.Horizon() != 21*data.Day {
		t.Errorf("divides %v, horizon %d days", p.Divides(), p.Horizon()/data.Day)
	}
	if s := rulesShare + controlShare + explorerShare; s != 1 || strings.Contains(p.ID(), " ") {
		t.Errorf("shares sum to %v, policy id %q", s, p.ID())
	}
}
