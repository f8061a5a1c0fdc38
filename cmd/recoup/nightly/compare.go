package nightly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"recoup/api/report"
)

func (j *job) decisionPath() string { return filepath.Join(j.run, "decision.json") }

// compareStage decides who is to be champion. The decision is written down before
// anything is promoted, so that a killed job carries out the decision it had made.
func (j *job) compareStage() (stage, error) {
	return stage{
		name:    "compare",
		version: 3,
		setting: map[string]any{},
		inputs: map[string]string{
			"contenders":  j.path(j.contendersPath()),
			"opinions":    j.path(j.opinionsPath()),
			"gate replay": j.path(j.replaysPath()),
		},
		outputs: []string{j.decisionPath()},
		run:     j.compare,
	}, nil
}

func (j *job) compare(context.Context) error {
	var c contenders
	var o opinions
	var r replays
	if err := errors.Join(readJSON(j.path(j.contendersPath()), &c), readJSON(j.path(j.opinionsPath()), &o), readJSON(j.path(j.replaysPath()), &r)); err != nil {
		return err
	}
	d := c.decision(&o, &r)
	return writeJSON(j.path(j.decisionPath()), d)
}

// decision judges every contender by the same rules and takes the best that passes them
// all; where none does, the best by its Brier score is the challenger that is kept.
func (c *contenders) decision(o *opinions, r *replays) report.Decision {
	best := c.best(func(x *report.Contender) bool {
		ope := o.check(c, x.Model)
		return x.Passed() && (ope.Passed == nil || *ope.Passed)
	})
	d := report.Decision{Challenger: best.Model, Kind: best.Kind, Champion: string(c.Champion), ChampionKind: string(c.ChampionKind), Against: c.Against, Difference: best.Difference, Why: best.NotJudged}
	if c.Note != "" {
		d.Checks = append(d.Checks, report.Check{Name: "comparison with the champion", Why: c.Note})
	}
	d.Checks = append(d.Checks, o.check(c, best.Model), r.check(best.Model))
	decide(&d)
	if best.From == report.Added {
		d.Checks[1] = report.Check{Name: secondFit, Why: "it was trained elsewhere: its second fit was demanded there"}
	}
	if n := len(c.All); n > 1 && d.Outcome == report.Promoted {
		d.Why = fmt.Sprintf("of %d models judged alike it has the best held-out Brier score, and %s", n, d.Why)
	}
	return d
}

// best is the first of those that a rule lets pass, and of all where it lets none.
func (c *contenders) best(passes func(*report.Contender) bool) *report.Contender {
	best := &c.All[0]
	for i := range c.All[1:] {
		x := &c.All[i+1]
		if a, b := passes(x), passes(best); a != b {
			if a {
				best = x
			}
		} else if c.before(x, best) {
			best = x
		}
	}
	return best
}

// before reports whether x comes before y: one that was judged before one that was not,
// one that is surely better before one that is not, then by how much.
func (*contenders) before(x, y *report.Contender) bool {
	if a, b := x.NotJudged == "", y.NotJudged == ""; a != b {
		return a
	}
	if a, b := x.Passed(), y.Passed(); a != b {
		return a
	}
	return x.Difference.Value != nil && (y.Difference.Value == nil || *x.Difference.Value > *y.Difference.Value)
}

const secondFit = "same bytes on a second fit"

// decide applies the rules: the challenger's Brier score must be better than what it is
// compared with by the whole interval, and no other check may have failed. One that was
// not assessed says so and stands in nobody's way.
func decide(d *report.Decision) {
	yes, no := true, false
	better := d.Difference.Lo != nil && *d.Difference.Lo > 0
	brier := report.Check{Name: "held-out Brier, paired by customer", Passed: &no, Why: fmt.Sprintf("%s minus challenger", d.Against)}
	if better {
		brier.Passed = &yes
	}
	failed := ""
	for _, c := range d.Checks {
		if c.Passed != nil && !*c.Passed && failed == "" {
			failed = c.Why
		}
	}
	d.Checks = append([]report.Check{brier,
		{Name: secondFit, Passed: &yes, Why: "both models were fitted twice, the second time with one worker or in another process"},
		{Name: "golden rows", Passed: &yes, Why: "the registered folder answers bit for bit"}}, d.Checks...)
	d.Outcome = report.Kept
	switch {
	case d.Why != "": // decided already
	case better && failed != "":
		d.Why = fmt.Sprintf("its held-out Brier score is better than the %s's, but %s", d.Against, failed)
	case better:
		d.Outcome, d.Why = report.Promoted, fmt.Sprintf("its held-out Brier score is better than the %s's, with the whole interval above 0", d.Against)
	case d.Against == "champion":
		d.Why = "its held-out Brier score is not surely better than the champion's"
	default:
		d.Why = "it is not surely better than the base rate"
	}
}
