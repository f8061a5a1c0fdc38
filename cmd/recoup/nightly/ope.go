package nightly

import (
	"context"
	"fmt"
	"path/filepath"

	"recoup/api/report"
	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// opinions is what the ope stage leaves behind for the decision: what off-policy
// evaluation says of each contender against the champion.
type opinions struct {
	NotAssessed string            `json:"not_assessed,omitempty"` // why it says nothing
	Margin      data.Paise        `json:"margin_paise"`           // the policy's: what a contender may lose a case
	Of          []report.Versus   `json:"of"`                     // by model, less the champion
	Unasked     map[string]string `json:"unasked,omitempty"`      // model -> why it could not be asked
}

func (j *job) opePath(ext string) string { return filepath.Join(j.run, "ope."+ext) }
func (j *job) opinionsPath() string      { return filepath.Join(j.run, "opinions.json") }

// policyStage is the part of a stage that decides by the policy: its id is an input.
func (j *job) policy() (*score.Policy, error) { return score.FindPolicy("", j.Dir) }

// opeStage judges the policies of the contenders and of the champion on the decisions
// of the test slice, which none of the models learned from.
func (j *job) opeStage() (stage, error) {
	p, err := j.policy()
	if err != nil {
		return stage{}, err
	}
	s := stage{
		name:    "ope",
		version: 1,
		setting: map[string]any{"as_of": j.AsOf, "draws": j.Draws, "seed": j.Seed, "policy": p.ID(), "oracle": j.Oracle != ""},
		inputs: map[string]string{
			"events/manifest.json": j.path("events", "manifest.json"),
			"contenders":           j.path(j.contendersPath()),
		},
		outputs: []string{j.opinionsPath(), j.opePath("json"), j.opePath("html"), j.opePath("md")},
		run:     func(ctx context.Context) error { return j.ope(ctx, p) },
	}
	if j.Oracle != "" {
		s.inputs["oracle/"+candidatesFile] = filepath.Join(j.Oracle, candidatesFile)
	}
	return s, nil
}

func (j *job) ope(ctx context.Context, p *score.Policy) error {
	var c contenders
	if err := readJSON(j.path(j.contendersPath()), &c); err != nil {
		return err
	}
	b, err := bracket.Run(ctx, bracket.Config{Dir: j.Dir, AsOf: j.AsOf, Oracle: j.Oracle, Models: c.taking(), Seed: j.Seed, Draws: j.Draws, Workers: j.Workers})
	if err != nil {
		return err
	}
	if _, err := bracket.Write(b, j.path(j.run, "ope")); err != nil {
		return err
	}
	o := opinions{Margin: p.PromotionMargin(), NotAssessed: b.NotAssessed, Of: b.Versus, Unasked: map[string]string{}}
	for _, m := range c.taking() {
		if l := b.Line(m.Name); l == nil && b.NotAssessed == "" {
			o.Unasked[string(m.ID)] = "this recoup cannot ask it"
		}
	}
	return writeJSON(j.path(j.opinionsPath()), o)
}

// taking are the models that take part: the champion and every contender that is not
// the champion, the one that the Brier score prefers under the name of challenger.
func (c *contenders) taking() (out []bracket.Model) {
	if c.Champion != "" {
		out = append(out, bracket.Model{Name: bracket.Champion, ID: c.Champion})
	}
	best := c.best(func(*report.Contender) bool { return true })
	for i := range c.All {
		x := &c.All[i]
		if x.Model == string(c.Champion) {
			continue
		}
		name := bracket.Challenger
		if x != best {
			name = fmt.Sprintf("%s_%d", bracket.Challenger, i+1)
		}
		out = append(out, bracket.Model{Name: name, ID: models.ID(x.Model)})
	}
	return out
}

// check is what off-policy evaluation says of a model's promotion: nil = nothing, and
// then the rule does not stand in the way.
func (o *opinions) check(c *contenders, model string) report.Check {
	out := report.Check{Name: "paired OPE difference"}
	yes, no := true, false
	switch {
	case c.Champion == "":
		out.Why = "there is no champion to be compared with; what the model's policy is worth stands in ope.html"
		return out
	case c.Against != "champion":
		out.Why = "the champion can no longer be asked"
		return out
	case o.NotAssessed != "":
		out.Why = o.NotAssessed
		return out
	case o.Unasked[model] != "" || o.Unasked[string(c.Champion)] != "":
		out.Passed, out.Why = &no, "one of the two could not be asked what it would have done"
		return out
	}
	for i := range o.Of {
		if v := &o.Of[i]; v.Model == model {
			passed, says := o.judge(v)
			out.Why = says
			if out.Passed = &no; passed {
				out.Passed = &yes
			}
			return out
		}
	}
	out.Passed, out.Why = &no, "it was not compared with the champion"
	return out
}

// judge says in one sentence whether a difference lets a model pass.
func (o *opinions) judge(v *report.Versus) (bool, string) {
	margin := o.Margin.String()
	difference := v.Minus.Text() + " rupees a case"
	switch {
	case v.Unlike == 0:
		return true, fmt.Sprintf("it and the champion choose alike at all %s decisions of the test slice: there is no difference", report.Count(v.Rows))
	case v.Worst <= float64(o.Margin)/100:
		return true, fmt.Sprintf("it and the champion choose alike but at %s of %s decisions of the test slice: were all lost there, that were %s rupees a case, within the margin of %s", report.Count(v.Unlike), report.Count(v.Rows), report.Rupees(v.Worst), margin)
	case v.Light == "red":
		return false, fmt.Sprintf("the log cannot tell its policy from the champion's, from which it differs at %s of %s decisions: %s", report.Count(v.Unlike), report.Count(v.Rows), report.Because(v.Why))
	case v.Minus.Lo == nil:
		return false, "its difference to the champion has no interval"
	case *v.Minus.Hi < 0:
		return false, fmt.Sprintf("its policy brings less than the champion's: %s", difference)
	case *v.Minus.Lo < -float64(o.Margin)/100:
		return false, fmt.Sprintf("its policy may bring less than the champion's by more than the margin of %s rupees a case: %s", margin, difference)
	}
	return true, fmt.Sprintf("its policy brings at worst %s rupees a case less than the champion's, within the margin of %s: %s", report.Rupees(max(0, -*v.Minus.Lo)), margin, difference)
}
