package selftest

import (
	"errors"
	"math"
	"testing"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
)

// options are waiting, retries a day apart and a person, with the mixed probabilities
// that the arms make when the rules and the ladder take some of them.
func options(retries, rules, control int) *bracket.Decision {
	d := &bracket.Decision{ID: "d", At: data.IST(2026, 5, 3, 10, 0), Class: 1, Amount: 50_000}
	d.Options = append(d.Options, data.Option{Action: data.Wait, At: d.At})
	for k := range retries {
		d.Options = append(d.Options, data.Option{Action: data.Retry, At: d.At + data.Micros(k+1)*data.Day})
	}
	d.Options = append(d.Options, data.Option{Action: data.Escalate, At: d.At})
	for j := range d.Options {
		o := &d.Options[j]
		if o.Action != data.Escalate {
			o.Mix += explorerShare / float64(retries+1)
		}
		o.Mix += float64(rulesShare*one(j == rules)) + float64(controlShare*one(j == control))
	}
	return d
}

func TestDivide(t *testing.T) {
	for _, c := range []struct{ retries, rules, control int }{{5, 2, 3}, {5, 2, 2}, {57, 0, 57}, {1, 1, 0}, {3, 4, 1}} {
		d := options(c.retries, c.rules, c.control)
		v, err := divide(d)
		if err != nil || v.rules != c.rules || v.control != c.control || v.spread != c.retries+1 || v.forced != -1 {
			t.Errorf("%+v: %+v, %v", c, v, err)
			continue
		}
		for j := range d.Options { // the arms together are the mixture
			sum := 0.0
			for _, s := range shares {
				sum += s.share * v.prob(s.arm, d, j)
			}
			if math.Abs(sum-d.Options[j].Mix) > 1e-12 {
				t.Errorf("%+v: option %d: the arms make %v, the log says %v", c, j, sum, d.Options[j].Mix)
			}
		}
	}
	d := options(4, 1, 1)
	d.Options[1].Mix += .01
	if _, err := divide(d); !errors.Is(err, data.ErrContract) {
		t.Errorf("a mixture that no arms make: %v", err)
	}
	d = options(4, 1, -1)
	if _, err := divide(d); !errors.Is(err, data.ErrContract) {
		t.Errorf("an arm without a choice: %v", err)
	}
	d = options(4, 1, 1)
	for j := range d.Options {
		d.Options[j].Mix = one(j == 5)
	}
	d.Chosen = 5
	if v, err := divide(d); err != nil || v.forced != 5 || v.prob(data.ArmExplorer, d, 5) != 1 || v.prob(data.ArmRules, d, 0) != 0 {
		t.Errorf("a forced decision: %+v, %v", v, err)
	}
}

// TestGoesOn: the arm that goes on is as probable as it would have been the one to choose.
func TestGoesOn(t *testing.T) {
	d := options(9, 2, 3) // the explorer gives each of 10 options 0.05
	v, err := divide(d)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	for _, c := range []struct {
		option                   int
		rules, explorer, control float64
	}{
		{2, .3 / .35, .05 / .35, 0},
		{3, 0, .05 / .25, .2 / .25},
		{5, 0, 1, 0},
		{10, .3, .5, .2}, // a person: no arm would, so each by its share
	} {
		got := map[data.Arm]float64{}
		for k := range n {
			got[v.goesOn(d, c.option, (float64(k)+.5)/n)] += 1. / n
		}
		for arm, want := range map[data.Arm]float64{data.ArmRules: c.rules, data.ArmExplorer: c.explorer, data.ArmControl: c.control} {
			if math.Abs(got[arm]-want) > 2./n {
				t.Errorf("option %d: %s goes on with %v, want %v", c.option, arm, got[arm], want)
			}
		}
	}
}

// TestTargets: probabilities, and what each prefers.
func TestTargets(t *testing.T) {
	find := map[string]bracket.Policy{}
	for _, p := range append(targets(), persistent()) {
		find[p.Name] = p
		if p.Says == "" {
			t.Errorf("%s does not say what it does", p.Name)
		}
		for _, d := range []*bracket.Decision{options(20, 2, 3), options(1, 0, 1), options(0, 0, 0)} {
			sum := 0.0
			for _, q := range p.Probs(nil, 0, d) {
				if !(q >= 0 && q <= 1) {
					t.Errorf("%s: probability %v", p.Name, q)
				}
				sum += q
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: probabilities sum to %v", p.Name, sum)
			}
		}
		d := options(3, 1, 1)
		for j := range d.Options {
			d.Options[j].Mix = one(j == 2)
		}
		if d.Chosen = 2; p.Probs(nil, 0, d)[2] != 1 {
			t.Errorf("%s leaves what the gate left no choice about", p.Name)
		}
	}
	d := options(20, 7, 3) // options: wait, 20 retries, a person
	for _, c := range []struct {
		policy string
		option int
		want   float64
	}{
		{"rules", 7, 1}, {"rules", 3, 0},
		{"soon", 1, .125}, {"soon", 8, .125}, {"soon", 9, 0}, {"soon", 0, 0},
		{"first_slot", 1, 1}, {"first_slot", 2, 0},
		{"last_slot", 20, 1}, {"last_slot", 19, 0},
		{"person", 21, 1}, {"early", 21, 0}, {"payday", 21, 0},
	} {
		if got := find[c.policy].Probs(nil, 0, d)[c.option]; got != c.want {
			t.Errorf("%s: option %d has %v, want %v", c.policy, c.option, got, c.want)
		}
	}
	early := find["early"].Probs(nil, 0, d)
	if r := early[1] / early[6]; math.Abs(r-math.E) > 1e-12 {
		t.Errorf("early: five days make a factor of %v", r)
	}
	payday := find["payday"].Probs(nil, 0, d) // options 1 to 4: the 4th to the 7th of May
	for j, want := range map[int]float64{1: 1, 2: 6, 3: 6, 4: 6, 5: 1, 0: 1} {
		if r := payday[j] / payday[1]; math.Abs(r-want) > 1e-12 {
			t.Errorf("payday: option %d is %v times the 4th of the month, want %v", j, r, want)
		}
	}
	none := options(0, 0, 0)
	none.Options[0].Mix, none.Options[1].Mix = .7, .3
	if got := find["persistent"].Probs(nil, 0, none); got[0] != .7 {
		t.Errorf("persistent without a retry: %v, want what the logger does", got)
	}
	if got := find["soon"].Probs(nil, 0, none); got[0] != 1 {
		t.Errorf("soon without a retry: %v, want to wait", got)
	}
}

func TestDraw(t *testing.T) {
	p := []float64{0, .25, 0, .75, 0}
	for u, want := range map[float64]int{0: 1, .2499: 1, .25: 3, .9999: 3, 1: 3} {
		if got := draw(p, u); got != want {
			t.Errorf("draw at %v: %d, want %d", u, got, want)
		}
	}
	if a, b := unit("x", 1), unit("x", 2); a == b || a < 0 || a >= 1 || unit("x", 1) != a {
		t.Errorf("keyed numbers %v and %v", a, b)
	}
}
