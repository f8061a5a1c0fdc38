package score

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

var testSalt = []byte("sixteen bytes and then some")

// divided is an engine whose cases go to the arms by the shares given, in
// thousandths.
func divided(t testing.TB, b bool, change func(*choicePolicy), x Explorer) *Engine {
	t.Helper()
	p := *Default()
	p.choice.shares = [data.ArmControl + 1]int64{data.ArmRules: 200, data.ArmModel: 300, data.ArmExplorer: 400, data.ArmControl: 100}
	if change != nil {
		change(&p.choice)
	}
	m := testBundle(t, nil)
	if !b {
		m = nil
	}
	e, err := New(&p, m)
	must(t, err)
	if x.Salt == nil {
		x.Salt = testSalt
	}
	e, err = e.Explore(x)
	must(t, err)
	return e
}

// Over 1e5 cases the candidates are drawn as often as their logged propensities
// say, within 4 standard deviations of the binomial, and cases fall into arms by
// their shares; so for the mixed probabilities over all arms.
func TestDrawsFollowPropensities(t *testing.T) {
	const n = 100_000
	for _, formula := range []string{Uniform, Softened} {
		e := divided(t, true, func(c *choicePolicy) {
			c.explorer.formula = formula
			c.explorer.attempts = 1 << 40
			c.explorer.floor = 5
		}, Explorer{})
		d := failure(everyAction).decide(t, e, failedAt)
		arms, given, mixed, ofExplorer := [data.ArmControl + 1]int{}, make([]int, len(d.Allowed)), make([]int, len(d.Allowed)), 0
		var explorer []float64
		for i := range n {
			d.CaseID, d.ID = fmt.Sprintf("case%d", i), fmt.Sprintf("decision%d", i)
			must(t, e.settle(&d, d.situation, Spent{}))
			arms[d.Assigned]++
			mixed[d.Chosen]++
			if d.Arm == data.ArmExplorer {
				ofExplorer++
				given[d.Chosen]++
				if explorer == nil {
					for _, c := range d.Allowed {
						explorer = append(explorer, c.Propensity)
					}
				}
			}
		}
		within := func(what string, k, n int, p float64) {
			if sd := math.Sqrt(float64(n) * p * (1 - p)); math.Abs(float64(k)-float64(n)*p) > 4*sd {
				t.Errorf("%s: %s: %d of %d, expected %v x %[4]d", formula, what, k, n, p)
			}
		}
		for a := data.ArmRules; a <= data.ArmControl; a++ {
			within(a.String(), arms[a], n, float64(e.dealer.shares[a])/1000)
		}
		for i, c := range d.Allowed {
			slot := data.Candidate{Action: c.Action, At: c.At}.String()
			within(slot+" given the arm", given[i], ofExplorer, explorer[i])
			within(slot+" over the arms", mixed[i], n, c.Mix)
		}
		if len(d.Allowed) < 50 {
			t.Errorf("%d candidates: too few to tell", len(d.Allowed))
		}
	}
}

// Whatever the case and the proposal, probabilities sum to 1 within 1e-12 given
// the arm and over the arms, are above 0 exactly where something can be drawn, and
// keep the floor; a replay draws the same; no refused candidate has any.
func TestPropensitiesKeepTheirWord(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 200, 200).Draw(rt, "weights")
		custom := func(drawable []Choice, _ *Decision) ([]float64, error) {
			return append([]float64{1e-300}, weights[:len(drawable)-1]...), nil
		}
		x := Explorer{}
		if rapid.Bool().Draw(rt, "custom") {
			x = Explorer{Proposal: custom, Formula: "custom-1"}
		}
		share := rapid.Int64Range(0, 1000).Draw(rt, "share")
		e := divided(t, rapid.Bool().Draw(rt, "model"), func(c *choicePolicy) {
			c.explorer.formula = rapid.SampledFrom([]string{Uniform, Softened}).Draw(rt, "formula")
			c.explorer.floor = rapid.Int64Range(1, 1000).Draw(rt, "floor")
			c.shares = [data.ArmControl + 1]int64{data.ArmExplorer: share, data.ArmModel: (1000 - share) / 2, data.ArmRules: (1000 - share) - (1000-share)/2}
			c.explorer.mode = rapid.SampledFrom([]ExplorerMode{ExplorerOn, ExplorerMonitor, ExplorerOff}).Draw(rt, "mode")
		}, x)
		l := failure(rapid.SampledFrom(data.Reasons()).Draw(rt, "reason"))
		l.rows[0].Row.(*data.Attempt).CaseID = "case"
		now := failedAt + data.Micros(rapid.Int64Range(0, int64(20*data.Day)).Draw(rt, "now"))
		ask := Ask{DecisionID: rapid.StringN(1, 20, 40).Draw(rt, "id"), Spent: Spent{Attempts: rapid.IntRange(0, 1).Draw(rt, "spent") * 1e6}}
		d, err := e.DecideAs(ask, l.state(t), "case", now)
		must(t, err)
		check(t, &d)
		again, err := e.DecideAs(ask, l.state(t), "case", now)
		must(t, err)
		if text(t, d) != text(t, again) {
			rt.Fatalf("a replay decides otherwise:\n%s\n%s", text(t, d), text(t, again))
		}
		n := 0
		for i, c := range d.Allowed {
			if drawable(&c) {
				n++
			}
			if d.Arm == data.ArmExplorer && (c.Propensity > 0) != drawable(&c) {
				rt.Fatalf("%d: %s has propensity %v", i, c.Action, c.Propensity)
			}
		}
		if floor := min(float64(e.dealer.floor), 1/float64(n)) * (1 - 1e-12); d.Arm == data.ArmExplorer {
			for _, c := range d.Allowed {
				if drawable(&c) && c.Propensity < floor {
					rt.Fatalf("%s: propensity %v is below the floor %v", c.Action, c.Propensity, floor)
				}
			}
		}
	})
}

// All attempts of a case are in one arm; another salt makes another division.
func TestArmsStay(t *testing.T) {
	a, b := divided(t, false, nil, Explorer{}), divided(t, false, nil, Explorer{Salt: []byte("another salt of 16 bytes")})
	differ := 0
	for i := range 2000 {
		id := fmt.Sprintf("case%d", i)
		arm := a.dealer.armOf(id)
		if again := a.dealer.armOf(id); arm != again {
			t.Fatal("an arm moved")
		}
		if arm != b.dealer.armOf(id) {
			differ++
		}
	}
	if differ < 1000 {
		t.Errorf("another salt moves %d of 2000 cases", differ)
	}
	for arm := data.ArmRules; arm <= data.ArmControl; arm++ {
		if e := divided(t, true, nil, Explorer{Only: arm}); failure(everyAction).decide(t, e, failedAt).Arm != arm {
			t.Errorf("alone: %s does not decide", arm)
		}
	}
}

// A spent day, the off-switch and a failing proposal or model leave the case to
// the rules arm, say so, and the probabilities are those that held.
func TestFallbacks(t *testing.T) {
	fails := func([]Choice, *Decision) ([]float64, error) { return nil, errors.New("not today") }
	amount := data.Paise(499_00)
	for name, c := range map[string]struct {
		change func(*choicePolicy)
		x      Explorer
		spent  Spent
		want   string
		noted  string
	}{
		"attempts spent":       {func(c *choicePolicy) { c.explorer.attempts = 7 }, Explorer{}, Spent{Attempts: 7}, FallbackBudget, ""},
		"an attempt is left":   {func(c *choicePolicy) { c.explorer.attempts = 7 }, Explorer{}, Spent{Attempts: 6}, "", ""},
		"rupees spent":         {func(c *choicePolicy) { c.explorer.paise = 2*amount - 1 }, Explorer{}, Spent{Paise: amount}, FallbackBudget, ""},
		"just enough rupees":   {func(c *choicePolicy) { c.explorer.paise = 2 * amount }, Explorer{}, Spent{Paise: amount}, "", ""},
		"off":                  {func(c *choicePolicy) { c.explorer.mode = ExplorerOff }, Explorer{}, Spent{}, FallbackOff, ""},
		"proposal fails":       {nil, Explorer{Proposal: fails, Formula: "broken-1"}, Spent{}, FallbackProposal, "not today"},
		"nothing to soften by": {func(c *choicePolicy) { c.explorer.formula = Softened }, Explorer{}, Spent{}, FallbackProposal, "no candidate has a value"},
	} {
		c.x.Only = data.ArmExplorer
		e := divided(t, false, c.change, c.x)
		d, err := e.DecideAs(Ask{Spent: c.spent}, failure(everyAction).state(t), "case", failedAt)
		must(t, err)
		check(t, &d)
		arm := data.ArmExplorer
		if c.want != "" {
			arm = data.ArmRules
			if p := d.Allowed[d.Chosen]; p.Propensity != 1 || p.Mix != 1 || p.Action != data.Retry {
				t.Errorf("%s: %s with propensity %v, mix %v", name, p.Action, p.Propensity, p.Mix)
			}
		}
		if d.Fallback != c.want || d.Arm != arm || d.Assigned != data.ArmExplorer || c.noted != "" && !warns(&d, c.noted) ||
			strings.Contains(d.Logger, "fallback") != (c.want != "") {
			t.Errorf("%s: fallback %q, arm %s, logger %s, %v", name, d.Fallback, d.Arm, d.Logger, d.Warnings)
		}
	}
	e := divided(t, false, nil, Explorer{Only: data.ArmModel})
	if d := failure(everyAction).decide(t, e, failedAt); d.Fallback != FallbackModel || d.Arm != data.ArmRules || d.Assigned != data.ArmModel {
		t.Errorf("no model: fallback %q, arm %s", d.Fallback, d.Arm)
	}
}

// Monitored decisions are drawn and logged, and the answer is to wait.
func TestMonitor(t *testing.T) {
	on := divided(t, true, nil, Explorer{Only: data.ArmExplorer})
	watched := divided(t, true, func(c *choicePolicy) { c.explorer.mode = ExplorerMonitor }, Explorer{Only: data.ArmExplorer})
	a, err := on.DecideAs(Ask{DecisionID: "x"}, failure(everyAction).state(t), "case", failedAt)
	must(t, err)
	b, err := watched.DecideAs(Ask{DecisionID: "x"}, failure(everyAction).state(t), "case", failedAt)
	must(t, err)
	check(t, &b)
	if a.Chosen == 0 || b.Chosen != 0 || b.Decided != a.Chosen || !b.Monitored || a.Monitored || int(b.Row().Chosen) != a.Chosen || !strings.HasSuffix(b.Row().Logger, "/monitored") {
		t.Errorf("drawn %d; monitored: answered %d, logged %d, %s", a.Chosen, b.Chosen, b.Row().Chosen, b.Logger)
	}
}

// The salt is in nothing that is answered or logged.
func TestSaltStaysInside(t *testing.T) {
	e := divided(t, true, nil, Explorer{Only: data.ArmExplorer})
	d := failure(everyAction).decide(t, e, failedAt)
	row := d.Row()
	out := text(t, d) + string(data.AppendJSON(nil, &row)) + fmt.Sprintf("%+v", d)
	asJSON, err := json.Marshal(testSalt)
	must(t, err)
	for _, form := range []string{string(testSalt), hex.EncodeToString(testSalt), base64.StdEncoding.EncodeToString(testSalt), string(asJSON), fmt.Sprint(testSalt)} {
		if strings.Contains(out, form) {
			t.Errorf("the salt is out: %s", form)
		}
	}
	if !strings.Contains(row.Logger, e.dealer.saltID) || row.ArmShare != 1 {
		t.Errorf("logger %s, share %v", row.Logger, row.ArmShare)
	}
}

func TestExploreRefuses(t *testing.T) {
	e := engine(t, nil)
	for name, x := range map[string]Explorer{
		"no salt":    {},
		"short salt": {Salt: testSalt[:15]},
		"no formula": {Salt: testSalt, Proposal: uniform},
		"no arm":     {Salt: testSalt, Only: 9},
	} {
		if _, err := e.Explore(x); !errors.Is(err, data.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
