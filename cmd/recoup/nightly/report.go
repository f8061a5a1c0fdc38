package nightly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"recoup/api/report"
	"recoup/data"
	"recoup/features"
	"recoup/models"
)

func (j *job) reportPath(ext string) string { return filepath.Join(j.run, "report."+ext) }

// reportStage puts everything together: JSON first, the pages from its bytes.
// The oracle, where there is one, is read here and nowhere else.
func (j *job) reportStage() (stage, error) {
	s := stage{
		name:    "report",
		version: 2,
		setting: map[string]any{"draws": j.Draws, "seed": j.Seed, "oracle": j.Oracle != ""},
		inputs: map[string]string{
			"log":        j.path(j.factsPath()),
			"features":   j.path(j.builtPath()),
			"evaluation": j.path(j.evaluationPath()),
			"contenders": j.path(j.contendersPath()),
			"decision":   j.path(j.decisionPath()),
			"ope":        j.path(j.opePath("json")),
		},
		outputs: []string{j.reportPath("json"), j.reportPath("html"), j.reportPath("md")},
		run:     j.report,
	}
	if j.Oracle != "" {
		for _, name := range []string{candidatesFile, curesFile} {
			s.inputs["oracle/"+name] = filepath.Join(j.Oracle, name)
		}
	}
	return s, nil
}

func (j *job) report(ctx context.Context) error {
	var log logFacts
	var e evaluation
	var c contenders
	r := &report.Report{AsOf: j.AsOf.String()}
	for _, f := range []struct {
		path string
		v    any
	}{{j.factsPath(), &log}, {j.evaluationPath(), &e}, {j.contendersPath(), &c}, {j.decisionPath(), &r.Decision}} {
		if err := readJSON(j.path(f.path), f.v); err != nil {
			return err
		}
	}
	built, err := j.readBuilt()
	if err != nil {
		return err
	}
	r.Data = log.Data
	fillData(&r.Data, built)
	r.Splits, r.Attempt, r.Cure, r.Recovery, r.Warnings = e.Splits, e.Attempt, e.Cure, e.Recovery, e.Warnings
	js, err := os.ReadFile(j.path(j.opePath("json")))
	if err != nil {
		return err
	}
	if r.Ope, err = report.DecodeBracket(js); err != nil {
		return err
	}
	r.NotAssessed = []report.NotAssessed{}
	if r.Ope.NotAssessed != "" {
		r.NotAssessed = append(r.NotAssessed, report.NotAssessed{What: "off-policy evaluation", Why: r.Ope.NotAssessed})
	}
	if len(c.All) > 1 {
		r.Contenders = c.All
	}
	if j.LightGBM == nil {
		r.NotAssessed = append(r.NotAssessed, report.NotAssessed{What: "LightGBM challenger", Why: "the night was run without --lightgbm"})
	}
	if e.Cure.NotAssessed != "" {
		r.NotAssessed = append(r.NotAssessed, report.NotAssessed{What: "cure model", Why: e.Cure.NotAssessed})
	}
	if log.Data.KnownAtAssumed {
		r.Warnings = append(r.Warnings, "known_at is assumed equal to occurred_at: the source does not say when an event could have been known")
	}
	if j.Oracle != "" {
		if r.Oracle, err = j.oracle(ctx, &e); err != nil {
			return err
		}
	}
	return j.writeReport(r)
}

func (j *job) writeReport(r *report.Report) error {
	js, err := report.Encode(r)
	if err != nil {
		return err
	}
	html, err := report.HTML(js)
	if err != nil {
		return err
	}
	md, err := report.Markdown(js)
	if err != nil {
		return err
	}
	for ext, b := range map[string][]byte{"json": js, "html": html, "md": md} {
		if err := data.WriteFile(j.path(j.reportPath(ext)), func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
	}
	return nil
}

// fillData adds what the tables say to what the log says.
func fillData(d *report.Data, s built) {
	d.AttemptRows, d.PeriodRows, d.CensoredCases = s.Attempts.Rows, s.Periods.Rows, s.Cut
	d.AttemptsOpen, d.PeriodsOpen = s.Attempts.Left(features.NotClosed), s.Periods.Left(features.DaysNotClosed)
	for _, t := range []struct {
		name string
		of   features.TableSummary
	}{{"retries", s.Attempts}, {"failures or days", s.Periods}} {
		for _, drop := range t.of.Dropped {
			if drop.N > 0 {
				d.Notes = append(d.Notes, fmt.Sprintf("%d %s left out: %s.", drop.N, t.name, drop.Why))
			}
		}
	}
	a, c := features.AttemptSchema(), features.CureSchema()
	d.FeatureSchemas = []report.SchemaRef{
		{Name: a.Name, Columns: len(a.Columns), Blocks: len(a.Blocks), Fingerprint: a.Fingerprint()},
		{Name: c.Name, Columns: len(c.Columns), Blocks: len(c.Blocks), Fingerprint: c.Fingerprint()},
	}
}

// summarise reads back what the night came to.
func (j *job) summarise(s *Summary) error {
	var d report.Decision
	var p promoted
	if err := errors.Join(readJSON(j.path(j.decisionPath()), &d), readJSON(j.path(j.promotedPath()), &p)); err != nil {
		return err
	}
	js, err := os.ReadFile(j.path(j.reportPath("json")))
	if err != nil {
		return err
	}
	r, err := report.Decode(js)
	if err != nil {
		return err
	}
	s.Headlines = report.Headlines(r)
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return err
	}
	s.Outcome, s.Why, s.Model, s.Kind, s.Champion = d.Outcome, d.Why, d.Challenger, d.Kind, string(p.Champion)
	s.ModelDir = registry.Path(models.ID(d.Challenger))
	s.HTML, s.Markdown, s.JSON = j.path(j.reportPath("html")), j.path(j.reportPath("md")), j.path(j.reportPath("json"))
	s.Scores = j.path(j.predictionsPath())
	if s.Bandit, err = j.relearned(); err != nil {
		return err
	}
	if other := j.path(j.contenderPath(d.Challenger)); exists(other) {
		s.Scores = other
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
