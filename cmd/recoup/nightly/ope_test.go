package nightly

import (
	"context"
	"strings"
	"testing"

	"recoup/api/report"
	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/features"
	"recoup/score"
)

// TestJudge: both sides of every edge of the promotion rule, and one sentence for each.
func TestJudge(t *testing.T) {
	o := opinions{Margin: 50_00}
	for _, c := range []struct {
		name   string
		v      report.Versus
		passes bool
		says   string
	}{
		{"alike", report.Versus{Rows: 900, Light: "red"}, true, "choose alike at all 900"},
		{"hardly apart", report.Versus{Rows: 900, Unlike: 3, Worst: 50, Light: "red", Minus: report.Unknown("no_overlap")}, true, "within the margin of 50.00"},
		{"apart, red", report.Versus{Rows: 900, Unlike: 3, Worst: 50.01, Light: "red", Minus: report.Ranged(100, 90, 110, 900), Why: []string{"ess_below_100"}}, false, "cannot tell"},
		{"no interval", report.Versus{Rows: 900, Unlike: 300, Worst: 800, Light: "amber", Minus: report.Number(1, 900)}, false, "no interval"},
		{"less", report.Versus{Rows: 900, Unlike: 300, Worst: 800, Light: "green", Minus: report.Ranged(-10, -20, -1, 900)}, false, "brings less"},
		{"perhaps less", report.Versus{Rows: 900, Unlike: 300, Worst: 800, Light: "amber", Minus: report.Ranged(10, -50.01, 70, 900)}, false, "may bring less"},
		{"at the margin", report.Versus{Rows: 900, Unlike: 300, Worst: 800, Light: "amber", Minus: report.Ranged(10, -50, 70, 900)}, true, "at worst 50.00"},
		{"more", report.Versus{Rows: 900, Unlike: 300, Worst: 800, Light: "green", Minus: report.Ranged(10, 5, 15, 900)}, true, "at worst 0.00"},
	} {
		passes, says := o.judge(&c.v)
		if passes != c.passes || !strings.Contains(says, c.says) || strings.Contains(says, "\n") {
			t.Errorf("%s: %v, %q", c.name, passes, says)
		}
	}
}

// TestOpinionOfWhom: what is not assessed says so and stands in nobody's way; a
// contender that could not be asked does not pass.
func TestOpinionOfWhom(t *testing.T) {
	against := contenders{Champion: "c", Against: "champion"}
	for _, c := range []struct {
		name string
		o    opinions
		c    contenders
		want string // passed, failed or open
	}{
		{"no champion", opinions{}, contenders{Against: "base rate"}, "open"},
		{"champion of another schema", opinions{}, contenders{Champion: "c", Against: "base rate"}, "open"},
		{"nothing random", opinions{NotAssessed: "no dice"}, against, "open"},
		{"not asked", opinions{Unasked: map[string]string{"m": "schema"}}, against, "failed"},
		{"champion not asked", opinions{Unasked: map[string]string{"c": "schema"}}, against, "failed"},
		{"forgotten", opinions{}, against, "failed"},
		{"alike", opinions{Of: []report.Versus{{Model: "m", Rows: 9}}}, against, "passed"},
	} {
		got := c.o.check(&c.c, "m")
		is := "open"
		if got.Passed != nil {
			is = map[bool]string{true: "passed", false: "failed"}[*got.Passed]
		}
		if is != c.want || got.Why == "" {
			t.Errorf("%s: %s, %q", c.name, is, got.Why)
		}
	}
}

// TestDecisionAsksBoth: of two contenders with better Brier scores the one that the log
// has nothing against is promoted, and with one alone nobody is.
func TestDecisionAsksBoth(t *testing.T) {
	better := report.Ranged(0.02, 0.01, 0.03, 900)
	c := contenders{Champion: "c", Against: "champion", All: []report.Contender{
		{Model: "a", Difference: report.Ranged(0.01, 0.005, 0.015, 900)},
		{Model: "b", Difference: better},
	}}
	o := opinions{Margin: 0, Of: []report.Versus{
		{Model: "a", Rows: 900, Unlike: 100, Worst: 70, Light: "green", Minus: report.Ranged(2, 1, 3, 900)},
		{Model: "b", Rows: 900, Unlike: 100, Worst: 70, Light: "green", Minus: report.Ranged(-2, -3, -1, 900)},
	}}
	r := replays{Of: []replay{{Model: "a"}, {Model: "b"}}}
	if d := c.decision(&o, &r); d.Outcome != report.Promoted || d.Challenger != "a" {
		t.Errorf("%+v", d)
	}
	o.Of[0].Light = "red"
	d := c.decision(&o, &r)
	if d.Outcome != report.Kept || d.Challenger != "b" || !strings.Contains(d.Why, "but its policy brings less than the champion's") {
		t.Errorf("%+v", d)
	}
}

// TestTaking: the champion first, the best by its Brier score as the challenger, none twice.
func TestTaking(t *testing.T) {
	c := contenders{Champion: "c", All: []report.Contender{
		{Model: "a", Difference: report.Ranged(0.01, -0.005, 0.015, 900)},
		{Model: "c", NotJudged: "the same model as the champion"},
		{Model: "b", Difference: report.Ranged(0.02, 0.01, 0.03, 900)},
	}}
	got := c.taking()
	want := []bracket.Model{{Name: "champion", ID: "c"}, {Name: "challenger_1", ID: "a"}, {Name: "challenger", ID: "b"}}
	if len(got) != len(want) {
		t.Fatal(got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// TestReplayCatches: a chooser that takes what the gate refuses is told by its rule.
func TestReplayCatches(t *testing.T) {
	l, err := data.OpenLog(world)
	if err != nil {
		t.Fatal(err)
	}
	p, err := score.FindPolicy("", "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := score.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	rash := func(s *features.State, caseID string, at data.Micros) (score.Decision, error) {
		d, err := e.Decide(s, caseID, at)
		if err != nil {
			return d, err
		}
		d.Allowed = append(d.Allowed, score.Choice{Action: data.Retry, At: at + data.Minute, Propensity: 1}) // no notice is that fast
		d.Chosen = len(d.Allowed) - 1
		d.Decided = d.Chosen
		return d, nil
	}
	r := replays{Of: []replay{{Model: "rules"}, {Model: "rash"}}}
	if err := r.run(context.Background(), l, data.AsOf(worldStart+120*data.Day), worldStart+90*data.Day, p, []chooser{e.Decide, rash}); err != nil {
		t.Fatal(err)
	}
	if r.Failures < 50 || r.Of[0].Violations != 0 || r.Of[1].Violations != r.Failures || len(r.Of[1].Examples) != violationExamples {
		t.Errorf("%d failures: %+v", r.Failures, r.Of)
	}
	if c := r.check("rash"); c.Passed == nil || *c.Passed {
		t.Errorf("%+v", c)
	}
	if c := r.check("nobody"); c.Passed != nil {
		t.Errorf("%+v", c)
	}
}
