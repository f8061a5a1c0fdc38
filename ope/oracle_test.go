package ope

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plainRow is one row as the formulas have it.
type plainRow struct {
	r, p, w, qbar, q float64
	cluster          int32
}

// plain is the oracle: the formulas written row by row, without anything shared with
// the package.
func plain(r *Rows) []plainRow {
	out := make([]plainRow, len(r.Reward))
	for i := range out {
		lo, hi, at := r.Start[i], r.Start[i+1], r.Start[i]+r.Taken[i]
		se, sq := 0.0, 0.0
		for j := lo; j < hi; j++ {
			se += r.Target[j]
			sq += r.Target[j] * r.Q[j]
		}
		out[i] = plainRow{r: r.Reward[i], p: r.Propensity[i], w: r.Target[at] / r.Propensity[i], qbar: sq / se, q: r.Q[at], cluster: r.Cluster[i]}
	}
	return out
}

// oracle is value, psi by the definitions.
func oracle(name string, rows []plainRow) (v float64, psi []float64, ratio bool) {
	n := float64(len(rows))
	mw, mq, d, swr, sw := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, x := range rows {
		mw += x.w / n
		mq += x.qbar / n
		d += x.w * (x.r - x.q)
		swr += x.w * x.r
		sw += x.w
	}
	z := func(x plainRow) float64 {
		switch name {
		case "dm":
			return x.qbar
		case "ipw":
			return x.r * x.w
		case "ipw_clip10":
			return x.r * math.Min(x.w, 10)
		case "dr":
			return x.qbar + x.w*(x.r-x.q)
		case "dr_clip10":
			return x.qbar + math.Min(x.w, 10)*(x.r-x.q)
		case "switch_dr_10":
			if x.w <= 10 {
				return x.qbar + x.w*(x.r-x.q)
			}
			return x.qbar
		case "dros_10":
			return x.qbar + 10*x.w/(x.w*x.w+10)*(x.r-x.q)
		case "dros_100":
			return x.qbar + 100*x.w/(x.w*x.w+100)*(x.r-x.q)
		case "sg_ipw_05":
			return x.r * x.w / (.95 + .05*x.w)
		case "sg_dr_05":
			return x.qbar + x.w/(.95+.05*x.w)*(x.r-x.q)
		}
		panic(name)
	}
	psi = make([]float64, len(rows))
	switch name {
	case "snipw":
		v = swr / sw
		for i, x := range rows {
			psi[i] = x.w * (x.r - v) / mw
		}
		return v, psi, true
	case "sndr":
		v = mq + d/sw
		for i, x := range rows {
			psi[i] = x.qbar - mq + x.w*(x.r-x.q-d/sw)/mw
		}
		return v, psi, true
	}
	for _, x := range rows {
		v += z(x) / n
	}
	for i, x := range rows {
		psi[i] = z(x) - v
	}
	return v, psi, false
}

// drawRows makes a log with candidates of unequal number, clusters and huge weights.
func drawRows(t *rapid.T) *Rows {
	n := rapid.IntRange(2, 40).Draw(t, "rows")
	d := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	r := &Rows{Actions: []string{"a", "b", "c", "d", "e"}, Start: []int32{0}}
	var names []string
	for i := range n {
		k := 1 + d.IntN(5)
		labels, s := d.Perm(5)[:k], 0.0
		from := len(r.Target)
		for _, a := range labels {
			e := d.ExpFloat64()
			if d.IntN(4) == 0 {
				e = 0
			}
			r.Label, r.Target, r.Q = append(r.Label, int32(a)), append(r.Target, e), append(r.Q, d.NormFloat64())
			s += e
		}
		for j := from; j < len(r.Target); j++ {
			if s == 0 {
				r.Target[j] = 1 / float64(k)
			} else {
				r.Target[j] /= s
			}
		}
		r.Start = append(r.Start, int32(len(r.Target)))
		p := math.Exp(-6 * d.Float64())
		if k == 1 {
			p = 1
		}
		if i == 0 {
			p = .5 // one row at least is uncertain
		}
		r.Taken, r.Propensity = append(r.Taken, int32(d.IntN(k))), append(r.Propensity, p)
		r.Reward = append(r.Reward, 100*d.NormFloat64())
		names = append(names, string(rune('A'+d.IntN(6))))
	}
	r.Cluster = Groups(names)
	return r
}

func TestAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		r, err := Estimate(rows, Options{})
		if err != nil {
			t.Fatal(err)
		}
		plain := plain(rows)
		n, g := float64(rows.Len()), countGroups(rows.Cluster)
		for _, f := range r.Estimators {
			if f.Value == nil {
				if f.Name == "dm" || r.Weights.Matched > 0 {
					t.Fatalf("%s is null: %s", f.Name, f.Reason)
				}
				continue
			}
			v, psi, ratio := oracle(f.Name, plain)
			s, sums := 0.0, make([]float64, g)
			for i, p := range psi {
				s += p * p
				sums[rows.Cluster[i]] += p
			}
			se := math.Sqrt(s / (n - 1) / n)
			if ratio {
				se = math.Sqrt(s) / n
			}
			agree(t, f.Name, *f.Value, v)
			agree(t, f.Name+" se", *f.SE, se)
			if g > 1 {
				s = 0
				for _, x := range sums {
					s += x * x
				}
				agree(t, f.Name+" se_cluster", *f.SECluster, math.Sqrt(float64(g)/float64(g-1)*s)/n)
			}
		}
	})
}

func agree(t *rapid.T, what string, got, want float64) {
	if !(math.Abs(got-want) <= 1e-8*max(1, math.Abs(want))) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// shuffled are the rows in another order.
func shuffled(r *Rows, order []int) *Rows {
	out := &Rows{Actions: r.Actions, Start: []int32{0}}
	names := make([]string, 0, len(order))
	for _, i := range order {
		lo, hi := r.Candidates(i)
		out.Label, out.Target, out.Q = append(out.Label, r.Label[lo:hi]...), append(out.Target, r.Target[lo:hi]...), append(out.Q, r.Q[lo:hi]...)
		out.Start = append(out.Start, int32(len(out.Target)))
		out.Taken, out.Reward, out.Propensity = append(out.Taken, r.Taken[i]), append(out.Reward, r.Reward[i]), append(out.Propensity, r.Propensity[i])
		names = append(names, string(rune('A'+r.Cluster[i])))
	}
	out.Cluster = Groups(names)
	return out
}

// TestOrder: the order of the rows says nothing.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		order := rapid.Permutation(seq(rows.Len())).Draw(t, "order")
		a, errA := Estimate(rows, Options{})
		b, errB := Estimate(shuffled(rows, order), Options{})
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for i, f := range a.Estimators {
			g := b.Estimators[i]
			if (f.Value == nil) != (g.Value == nil) {
				t.Fatal(f.Name)
			}
			if f.Value != nil {
				agree(t, f.Name, *g.Value, *f.Value)
				agree(t, f.Name+" se", *g.SE, *f.SE)
			}
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// TestLimits: what each method becomes at the ends of its lambda, and where the reward
// model or the target is trivial.
func TestLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		value := func(rows *Rows, m Method) float64 {
			v, err := Value(rows, m)
			if err != nil {
				t.Fatal(err)
			}
			if v == nil {
				t.Skip("no weight")
			}
			return *v
		}
		dm, ipw, dr := value(rows, standard[0]), value(rows, standard[1]), value(rows, standard[4])
		inf := math.Inf(1)
		for _, c := range []struct {
			m    Method
			want float64
		}{
			{Method{"x", DoublyRobust, Switch, 0}, dm}, {Method{"x", DoublyRobust, Switch, inf}, dr},
			{Method{"x", DoublyRobust, Shrink, 0}, dm}, {Method{"x", DoublyRobust, Shrink, 1e-200}, dm}, {Method{"x", DoublyRobust, Shrink, inf}, dr},
			{Method{"x", DoublyRobust, Clip, 0}, dm}, {Method{"x", DoublyRobust, Clip, inf}, dr},
			{Method{"x", DoublyRobust, SubGaussian, 0}, dr}, {Method{"x", Weighted, SubGaussian, 0}, ipw}, {Method{"x", Weighted, Clip, inf}, ipw},
		} {
			agree(t, c.m.Shape.String(), value(rows, c.m), c.want)
		}
		agree(t, "dr without a model", value(rows.WithTarget(rows.Target, make([]float64, len(rows.Q))), standard[4]), ipw)
	})
}

// TestWorkers: the same bytes however many do the work.
func TestWorkers(t *testing.T) {
	rows := randomRows(3*blockRows+5, 4, 700, 3)
	var first []byte
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		r, err := Estimate(rows, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = r.Bootstrap(Bootstrap{Draws: 50, Seed: 9}); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if !bytes.Equal(first, text) {
			t.Fatalf("%d workers print other bytes", procs)
		}
	}
	if !bytes.Contains(first, []byte("ci_bootstrap")) {
		t.Fatal("no bootstrap")
	}
}

// TestNothingWritten: rows are only read.
func TestNothingWritten(t *testing.T) {
	rows := randomRows(500, 4, 40, 4)
	target, reward := slices.Clone(rows.Target), slices.Clone(rows.Reward)
	r, err := Estimate(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Sensitivity(standard[3], 2); err != nil {
		t.Fatal(err)
	}
	r.Estimators[4].Influence()[0] = 1e9
	if again := r.Estimators[4].Influence(); again[0] == 1e9 || !slices.Equal(target, rows.Target) || !slices.Equal(reward, rows.Reward) {
		t.Fatal("the caller's numbers moved")
	}
}
