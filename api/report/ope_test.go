package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// someBracket has everything in it. Its numbers are made up.
func someBracket() *Bracket {
	share, lambda, lo, hi, chi, p := .5, 10.0, 1200.0, 1700.0, 3.2, .07
	names := []string{"dm", "ipw", "snipw", "dr"}
	line := func(name, light string, v, d float64) Line {
		l := Line{Policy: name, Says: "what " + name + " does", Light: light, N: 4000, Net: Ranged(v, v-90, v+90, 4000), Minus: Ranged(d, d-30, d+30, 4000),
			Recovered: Ranged(.56, .54, .58, 4000), RecMinus: Ranged(.01, -.01, .03, 4000), Headroom: Ranged(.2, .1, .3, 4000), Matched: 900, ESS: 640, ESSFraction: .16, MaxWeight: 22,
			MaxShare: .01, MeanWeight: 1.01, MeanZ: Number(.4, 4000), FromModel: Number(.93, 4000), Elsewhere: Ranged(.02, .01, .03, 800), LogWeights: []int64{0, 0, 0, 0, 3, 10, 300, 200, 90, 12, 0, 0, 0, 1}}
		for _, n := range names {
			l.Estimators = append(l.Estimators, Named{n, l.Net})
		}
		l.Sweep = []Swept{{Kind: "none", Value: l.Net}, {Kind: "clip", Lambda: &lambda, Value: l.Net, Bound: 9}, {Kind: "shrink", Lambda: &lambda, Value: l.Net}}
		l.Wrong = []WrongBy{{Factor: 1.5, Lo: &lo, Hi: &hi}}
		return l
	}
	incumbent := line("incumbent", "green", 1435.7, 0)
	incumbent.Measured, incumbent.Minus = true, Unknown("it is the incumbent")
	red := line("do_nothing", "red", 999.99, -400)
	red.Why = []string{"ess_below_100"}
	return &Bracket{AsOf: "2026-03-01T00:00:00Z", From: "2025-12-01T00:00:00Z", FromWhy: "the models learned from what came before", HorizonDays: 21, ManifestHash: strings.Repeat("ab", 32),
		PolicyID: "0123456789abcdef", Seed: 1, Draws: 2000, IntervalsBy: "customer", Estimand: "one decision by the target, the rest by the logger",
		Decided: Decided{Known: 9000, Before: 3000, Open: 500, Judged: 5500, Cases: 4000, Customers: 1700, Rows: 4000, RowsOf: 1700, Measured: 4000, MeasuredOf: 1700, First: "2025-12-01T00:00:00Z", Last: "2026-02-07T00:00:00Z"},
		Loggers: []string{"<b>policy</b>/uniform-1: 5500 decisions"},
		Live: Live{Arms: []LiveArm{{Arm: "rules", Share: &share, Cases: 2010, Customers: 900, Recovered: Ranged(.51, .49, .53, 2010), Net: Ranged(1300, 1200, 1400, 2010), Anytime: Ranged(.51, .47, .55, 2010), NetAnytime: Ranged(1300, 1140, 1460, 2010)},
			{Arm: "explorer", Cases: 1990, Customers: 890, Recovered: Ranged(.56, .54, .58, 1990), Net: Ranged(1436, 1340, 1530, 1990), Anytime: Ranged(.56, .52, .6, 1990), NetAnytime: Number(1436, 1990)}},
			Differences: []LiveDifference{{Arm: "rules", Against: "explorer", Net: Ranged(-136, -260, -12, 4000), Anytime: Ranged(-.05, -.12, .02, 4000), NetAnytime: Ranged(-136, -330, 58, 4000)}},
			Sample:      []SampleRatio{{Policy: "0123456789abcdef", Cases: 4000, Arms: []ArmCount{{"rules", 2010, .5}, {"explorer", 1990, .5}}, Chi2: &chi, P: &p}}},
		Lines: []Line{incumbent, red, line("rules", "amber", 1390, -45), line("champion", "green", 1500, 64)},
		Versus: []Versus{{Policy: "challenger", Model: "5b1f0c2e9a77", Of: "challenger_about", Against: "champion_about", Unlike: 1400, Rows: 4000, Worst: 22.5, Matched: 320, ESS: 140, Minus: Ranged(4, -9, 17, 4000),
			Light: "amber", Why: []string{"interval_wider_than_effect"}}},
		Rewards: []Graded{{Name: "base rate", Says: "the share paid", Rows: 4000, Brier: Number(.2461, 4000), Skill: Number(0, 4000), AUC: Number(.5, 4000), RMSE: Number(1900, 4000)},
			{Name: "logistic", Says: "a regression", Used: true, Rows: 4000, Brier: Number(.19, 4000), Skill: Number(.22, 4000), AUC: Number(.78, 4000), RMSE: Number(1850, 4000),
				ByAction: []ByActionOf{{"wait", .31, Ranged(.3, .28, .32, 900)}}},
			{Name: "champion", NotAssessed: "it saw these rows"}},
		Overlap: []Overlap{{Kind: "wait", Offered: 4000, Logged: 390, Propensity: Number(.08, 4000), Least: Number(.01, 4000), Wanted: []Wanted{{"rules", 310}, {"champion", 40}}},
			{Kind: "escalate", Offered: 3000, Least: Unknown("nobody could take it"), Propensity: Number(0, 3000), Wanted: []Wanted{{"rules", 0}, {"champion", 0}}}},
		Carried: []CarriedOf{{"champion", []Carried{{By: "arm", Level: "explorer", Rows: 1990, Matched: 600, ESS: 410, Share: .7, MaxWeight: 22, Least: Number(.02, 1990)},
			{By: "bank", Level: "<bank>", Rows: 60, Matched: 3, ESS: 1.4, Share: .01, MaxWeight: 22, Least: Number(.01, 60), Unsupported: .25}}}},
		Never: []Never{{"rules", "class STOP", "nudge", 3}},
		Segments: Segments{Policy: "champion", Looks: 2, Of: []Segment{{By: "rail", Level: "card", Minus: Ranged(-80, -150, -10, 900), Light: "green", ESS: 190},
			{By: "rail", Level: "upi_autopay", Minus: Ranged(110, 20, 200, 3100), Light: "green", ESS: 520}, {By: "rail", Level: "nach", Minus: Estimate{N: 60, Why: "too_few"}, Light: "red", Reason: "too_few", ESS: 1.4}}},
		Windows: []Window{{"champion", 7, Ranged(1200, 1100, 1300, 4000), Ranged(40, 5, 75, 4000)}},
		Sequence: &WholeOf{Says: "cases of the explorer's arm", Episodes: 1990, Horizon: 9, Lines: []WholeLine{{Policy: "champion", Light: "red", Why: []string{"ess_below_100"},
			Estimators: []Named{{"dr", Ranged(1400, 900, 1900, 1990)}}, Steps: []StepOf{{1, 1990, 60, 40}, {2, 800, 30, 900}}}}},
		Warnings: []string{"something <i>odd</i>"}}
}

func bracketJSON(t *testing.T, b *Bracket) []byte {
	t.Helper()
	js, err := EncodeBracket(b)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func TestBracketGolden(t *testing.T) {
	js := bracketJSON(t, someBracket())
	golden(t, "ope.html", render(t, js, BracketHTML))
	golden(t, "ope.md", render(t, js, BracketMarkdown))
	b, err := DecodeBracket(js)
	if err != nil {
		t.Fatal(err)
	}
	if again := bracketJSON(t, b); !bytes.Equal(js, again) {
		t.Error("decode and encode change the JSON:\n" + cmp.Diff(string(js), string(again)))
	}
}

// TestRedTellsNothing: no number of a red policy stands anywhere as if it were one.
func TestRedTellsNothing(t *testing.T) {
	out := string(render(t, bracketJSON(t, someBracket()), BracketMarkdown))
	lines := strings.Split(out, "\n")
	for _, l := range lines {
		if strings.HasPrefix(l, "| do\\_nothing ") && strings.Contains(l, "999.9") {
			t.Errorf("a red line tells: %s", l)
		}
		if strings.HasPrefix(l, "- **Do nothing") && !strings.Contains(l, "Cannot tell") {
			t.Errorf("a red verdict tells: %s", l)
		}
	}
	if v := judgeLine(someBracket().Lines[1]); v.Tone != open || !strings.HasPrefix(v.Says, "Cannot tell: the weights are worth fewer than 100 rows") {
		t.Errorf("%+v", v)
	}
}

// TestDoubt: in the JSON a red line has null where values stand, with why, and its
// numbers under a name of their own; so have red differences and red sequences.
func TestDoubt(t *testing.T) {
	b := someBracket()
	b.Windows = append(b.Windows, Window{"do_nothing", 7, Number(999.99, 4000), Number(-400, 4000)})
	b.Versus[0].Light = "red"
	b.Lines[0].Light = "red" // measured: no light is needed
	b.Doubt()
	red := b.Line("do_nothing")
	for name, e := range map[string]Estimate{"net": red.Net, "minus": red.Minus, "recovered": red.Recovered, "recovered minus": red.RecMinus, "headroom": red.Headroom, "window": b.Windows[1].Net,
		"window's minus": b.Windows[1].Minus, "against the champion": b.Versus[0].Minus} {
		if e.Value != nil || e.Lo != nil || e.Hi != nil || !strings.Contains(e.Why, "cannot tell") {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if d := red.Doubted; d == nil || *d.Net.Value != 999.99 || len(d.Estimators) != 4 || len(red.Estimators) != 0 || *d.Windows[0].Net.Value != 999.99 || *b.Versus[0].Doubted.Value != 4 {
		t.Errorf("%+v", red)
	}
	if w := b.Sequence.Lines[0]; len(w.Estimators) != 0 || len(w.Doubted) != 1 {
		t.Errorf("%+v", w)
	}
	if x := b.Lines[0]; x.Net.Value == nil || x.Doubted != nil || b.Line("rules").Doubted != nil {
		t.Errorf("%+v", x)
	}
	js := bracketJSON(t, b)
	if b.Doubt(); !bytes.Equal(js, bracketJSON(t, b)) {
		t.Error("to doubt twice changes something")
	}
	if out := string(render(t, js, BracketMarkdown)); strings.Contains(out, "999.9") {
		t.Error("the page tells a doubted number")
	}
}

// TestSegmentTooSmall: the page says of a segment that it cannot tell.
func TestSegmentTooSmall(t *testing.T) {
	if out := string(render(t, bracketJSON(t, someBracket()), BracketMarkdown)); !strings.Contains(out, "| rail | nach | 60 | cannot tell | 1.40 |") {
		t.Error(out)
	}
}

// TestMeasuredStandsFirst: the live comparison is read before any estimate, in the page
// of its own and in the night's report.
func TestMeasuredStandsFirst(t *testing.T) {
	r := strong()
	r.Ope = someBracket()
	r.Ope.Version = Version
	for name, out := range map[string]string{"ope": string(render(t, bracketJSON(t, someBracket()), BracketHTML)), "night": string(render(t, encode(t, r), HTML))} {
		measured, estimated := strings.Index(out, `<section id="live">`), strings.Index(out, `<section id="bracket">`)
		if measured < 0 || estimated < 0 || measured > estimated {
			t.Errorf("%s: measured at %d, estimated at %d", name, measured, estimated)
		}
		if strings.Contains(out, "<b>policy</b>") || strings.Contains(out, "<i>odd</i>") {
			t.Errorf("%s: markup from the data", name)
		}
	}
}

// TestSampleRatioMismatch: a broken assignment is the first thing that is said.
func TestSampleRatioMismatch(t *testing.T) {
	b := someBracket()
	p := 1e-7
	b.Live.Sample[0].P = &p
	out := layoutBracket(b)
	if v := out.Verdicts[0]; v.Tone != bad || !strings.Contains(v.Says, "Sample-ratio mismatch") {
		t.Errorf("%+v", v)
	}
}

// TestBracketNotAssessed: what was measured stands alone, and why nothing is estimated.
func TestBracketNotAssessed(t *testing.T) {
	b := someBracket()
	b.NotAssessed, b.Lines, b.Overlap, b.Sequence = "nothing was left to chance", nil, nil, nil
	js := bracketJSON(t, b)
	out := string(render(t, js, BracketHTML))
	if !strings.Contains(out, "Not assessed: nothing was left to chance.") || !strings.Contains(out, `id="live"`) || strings.Contains(out, `id="bracket"`) {
		t.Error(out)
	}
}
