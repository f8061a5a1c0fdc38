package bracket

import (
	"math"
	"strings"

	"recoup/api/report"
	"recoup/models"
	"recoup/ope"
)

// fill puts what was judged into the report.
func (r *run) fill(policies []Policy, focus string) error {
	j, n := r.judged, int64(len(r.judged.Table.Keep))
	elsewhere := map[string]report.Estimate{}
	for _, x := range r.replayed {
		elsewhere[x.Name] = wilson(x.Elsewhere, x.Asked)
	}
	for _, p := range policies {
		e, ok := elsewhere[p.Name]
		if !ok {
			e = report.Unknown("it chooses among what was allowed")
		}
		x := j.lines[p.Name]
		line, err := j.reportLine(x, e)
		if err != nil {
			return err
		}
		if !line.Measured {
			oracle := Oracle
			if strings.HasSuffix(p.Name, aboutSuffix) {
				oracle += aboutSuffix
			}
			line.Headroom = j.headroom(x, j.lines[oracle], n)
		}
		r.out.Lines = append(r.out.Lines, line)
	}
	r.out.Versus = []report.Versus{}
	for _, l := range r.learners {
		if l.Name == Champion || j.lines[Champion] == nil {
			continue
		}
		v, err := j.Versus(l.Name, Champion)
		if err != nil {
			return err
		}
		v.Model = string(l.id)
		r.out.Versus = append(r.out.Versus, v)
	}
	for i := range j.Grades {
		r.out.Rewards = append(r.out.Rewards, graded(&j.Grades[i]))
	}
	shown := []string{}
	for _, x := range r.replayed {
		shown = append(shown, j.told(x.Name))
	}
	focus = j.told(focus)
	r.out.Overlap, r.out.Never = j.overlap(shown)
	r.out.Carried = []report.CarriedOf{}
	for _, name := range shown {
		r.out.Carried = append(r.out.Carried, report.CarriedOf{Policy: name, Parts: j.carried(name)})
	}
	r.out.Segments = j.segments(focus)
	var err error
	if r.out.Windows, err = j.windows(append([]string{Incumbent, Nothing}, shown...)); err != nil {
		return err
	}
	return r.sequence(policies)
}

func wilson(k, n int) report.Estimate {
	lo, hi, ok := models.Wilson(float64(k), float64(n))
	if !ok {
		return report.Unknown("no decision was asked about")
	}
	return report.Ranged(float64(k)/float64(n), lo, hi, int64(n))
}

func graded(g *Grade) report.Graded {
	out := report.Graded{Name: g.Name, Says: g.Says, NotAssessed: g.Why, Used: g.Used, Rows: int64(g.Rows), ByAction: []report.ByActionOf{}}
	if g.Why != "" {
		return out
	}
	n := int64(g.Rows)
	out.Brier, out.Skill, out.RMSE = numberOf(g.Brier, "", n), numberOf(g.Skill, "", n), report.Number(math.Sqrt(*g.MSE), n)
	out.AUC = numberOf(g.AUC, "one outcome only", n)
	for _, a := range g.ByAction {
		out.ByAction = append(out.ByAction, report.ByActionOf{Action: a.Action, MeanP: a.MeanP, Rate: wilson(int(math.Round(a.Rate*float64(a.Rows))), a.Rows)})
	}
	return out
}

// sequence values the policies over whole cases, where the log can tell.
func (r *run) sequence(policies []Policy) error {
	e := r.log.Sequences()
	if r.out.SequenceWhy = e.Why; e.Why != "" {
		return nil
	}
	out := &report.WholeOf{Says: "cases of the explorer's arm, every decision of which was drawn; a value is that of the policy itself, not of one decision",
		Episodes: int64(e.Steps.Len()), Horizon: e.Steps.Horizon()}
	q := e.Q(&r.judged.Reward)
	for _, p := range policies {
		if p.Name == Incumbent {
			continue
		}
		steps := e.Steps
		steps.Rows = e.Steps.Rows.WithTarget(e.Target(p), q)
		s, err := ope.EstimateEpisodes(&steps, 1, 0.95)
		if err != nil {
			return err
		}
		line := report.WholeLine{Policy: p.Name, Light: string(s.Light.Level), Why: reasons(&s.Light)}
		for i := range s.Estimators {
			f := &s.Estimators[i]
			line.Estimators = append(line.Estimators, report.Named{Name: f.Name, Value: estimateOf(f, int64(s.N))})
		}
		for _, t := range s.Steps {
			line.Steps = append(line.Steps, report.StepOf{Step: t.Step, Active: int64(t.Active), ESS: t.ESS, Max: t.Max})
		}
		out.Lines = append(out.Lines, line)
	}
	r.out.Sequence = out
	return nil
}

// told is the policy, or the one with its time moved where the log cannot tell of the
// exact one and can of that.
func (j *Judged) told(name string) string {
	exact, moved := j.lines[name], j.lines[name+aboutSuffix]
	if moved != nil && exact.net.Light.Level == ope.Red && moved.net.Light.Level != ope.Red {
		return name + aboutSuffix
	}
	return name
}
