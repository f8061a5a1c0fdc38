package ope

import (
	"math"
	"math/rand/v2"
	"testing"
)

// play draws episodes of up to three attempts in a small world whose value is known:
// in state s (attempts so far) the target retries with chance target[s], the logger
// with logger[s]; a retry wins 1 with chance win[s] and ends, costs 0.1, and makes
// the next state worse when it fails.
func play(n int, seed uint64) (*Episodes, float64) {
	target, logger, win := []float64{.9, .6, .3}, []float64{.5, .5, .5}, []float64{.3, .25, .5}
	value := 0.0 // of the target from state s on, backward
	var q [3][2]float64
	for s := 2; s >= 0; s-- {
		q[s] = [2]float64{value, win[s] - .1 + (1-win[s])*value} // wait, retry
		value = (1-target[s])*q[s][0] + target[s]*q[s][1]
	}
	d := rand.New(rand.NewPCG(seed, 0))
	r, e := &Rows{Actions: []string{"wait", "retry"}}, &Episodes{First: []int32{0}}
	for range n {
		for s := range 3 {
			a, p := 0, 1-logger[s]
			if d.Float64() < logger[s] {
				a, p = 1, logger[s]
			}
			reward, won := 0.0, false
			if a == 1 {
				reward = -.1
				if won = d.Float64() < win[s]; won {
					reward += 1
				}
			}
			r.Target = append(r.Target, 1-target[s], target[s])
			r.Q = append(r.Q, .8*q[s][0]+.05, .8*q[s][1]+.05) // a model that is off
			r.Taken, r.Reward, r.Propensity = append(r.Taken, int32(a)), append(r.Reward, reward), append(r.Propensity, p)
			e.Order = append(e.Order, int32(len(r.Reward)-1))
			if won {
				break
			}
		}
		e.First = append(e.First, int32(len(r.Reward)))
	}
	r.Start = Square(r.Len(), 2)
	e.Rows = r
	return e, value
}

// TestSequenceCovers: the sequential intervals hold the value of the whole policy as
// often as they say, and one-step estimates of the same log are visibly off.
func TestSequenceCovers(t *testing.T) {
	const runs = 400
	held := map[string]int{}
	var sums = map[string]*sum{}
	var want float64
	for seed := range uint64(runs) {
		e, value := play(400, seed)
		want = value
		s, err := EstimateEpisodes(e, 1, .95)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.Estimators {
			if sums[f.Name] == nil {
				sums[f.Name] = &sum{}
			}
			sums[f.Name].add(*f.Value)
			if f.CI[0] <= value && value <= f.CI[1] {
				held[f.Name]++
			}
		}
	}
	for _, name := range []string{"pdis", "wpdis", "dr", "wdr"} {
		if z := (float64(held[name]) - .95*runs) / math.Sqrt(.95*.05*runs); math.Abs(z) > 5 {
			t.Errorf("%s: the interval holds the value in %d of %d runs", name, held[name], runs)
		}
	}
	if bias := sums["dr"].value()/runs - want; math.Abs(bias) > .005 {
		t.Errorf("dr is off by %v on average", bias)
	}
	e, _ := play(4000, 1)
	first := &Rows{Actions: e.Rows.Actions}
	for j := range e.Len() {
		i, _ := e.row(j, 0)
		total := 0.0
		for k := range e.Steps(j) {
			at, _ := e.row(j, k)
			total += e.Rows.Reward[at]
		}
		first.Target = append(first.Target, e.Rows.Target[2*i:2*i+2]...)
		first.Taken, first.Reward, first.Propensity = append(first.Taken, e.Rows.Taken[i]), append(first.Reward, total), append(first.Propensity, e.Rows.Propensity[i])
	}
	first.Start = Square(first.Len(), 2)
	one := estimate(t, first, standard[1]).Estimators[0]
	if one.CI[0] <= want && want <= one.CI[1] {
		t.Errorf("one step %v holds the value %v of the whole policy: the world shows nothing", *one.CI, want)
	}
}

// TestSequenceOfOneStep: episodes of one step are rows.
func TestSequenceOfOneStep(t *testing.T) {
	rows := randomRows(300, 3, 0, 4)
	e := &Episodes{Rows: rows, First: []int32{0}}
	for i := range rows.Len() {
		e.Order, e.First = append(e.Order, int32(i)), append(e.First, int32(i+1))
	}
	s, err := EstimateEpisodes(e, .5, .95)
	if err != nil {
		t.Fatal(err)
	}
	r := estimate(t, rows)
	for seq, one := range map[string]string{"dm": "dm", "pdis": "ipw", "wpdis": "snipw", "dr": "dr", "wdr": "sndr"} {
		a, b := s.Estimators.Find(seq), r.Estimators.Find(one)
		near(t, seq, *a.Value, *b.Value)
		near(t, seq+" se", *a.SE, *b.SE)
	}
}

func TestEpisodesRefused(t *testing.T) {
	good := func() *Episodes { e, _ := play(5, 1); return e }
	for name, spoil := range map[string]func(*Episodes){
		"a row twice":      func(e *Episodes) { e.Order[1] = e.Order[0] },
		"a row too far":    func(e *Episodes) { e.Order[0] = 999 },
		"an empty episode": func(e *Episodes) { e.First[1] = 0 },
		"rows left over":   func(e *Episodes) { e.First = e.First[:len(e.First)-1] },
		"few clusters":     func(e *Episodes) { e.Cluster = []int32{0} },
		"no episode":       func(e *Episodes) { e.First = []int32{0} },
	} {
		e := good()
		spoil(e)
		if _, err := EstimateEpisodes(e, 1, .95); err == nil {
			t.Errorf("%s went through", name)
		}
	}
	for _, gamma := range []float64{-.1, 1.1, math.NaN()} {
		if _, err := EstimateEpisodes(good(), gamma, .95); err == nil {
			t.Errorf("gamma %v went through", gamma)
		}
	}
}

// TestEpisodesOfCustomers: se_cluster is that of the customers' sums.
func TestEpisodesOfCustomers(t *testing.T) {
	e, _ := play(200, 3)
	e.Cluster = make([]int32, 200)
	for j := range e.Cluster {
		e.Cluster[j] = int32(j)
	}
	s, err := EstimateEpisodes(e, 1, .95)
	if err != nil {
		t.Fatal(err)
	}
	f := s.Estimators.Find("dr")
	near(t, "everyone for himself", *f.SECluster, *f.SE)
	for j := range e.Cluster {
		e.Cluster[j] = int32(j / 2)
	}
	if s, err = EstimateEpisodes(e, 1, .95); err != nil || *s.Clusters != 100 {
		t.Fatal(err, s.Clusters)
	}
}
