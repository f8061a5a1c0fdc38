package nightly

import (
	"context"
	"path/filepath"

	"recoup/api/report"
	"recoup/models"
	"recoup/train"
)

// contenders is what the contenders stage leaves behind: who may become champion, and
// how all of them did on the same test rows.
type contenders struct {
	Champion     models.ID          `json:"champion"` // before the night; "" = none
	ChampionKind models.Kind        `json:"champion_kind,omitempty"`
	Against      string             `json:"against"`      // champion or base rate
	Note         string             `json:"note"`         // why not the champion, where there is one
	NotReplaced  string             `json:"not_replaced"` // why nothing may replace the champion; "" = something may
	Added        models.ID          `json:"added"`        // the registered challenger that was trained elsewhere; "" = none
	All          []report.Contender `json:"contenders"`   // of the night first, the logistic one before all
	AddedAt      string             `json:"added_as_of"`  // as_of of its manifest
}

func (j *job) contendersPath() string { return filepath.Join(j.run, "contenders.json") }

// contendersStage registers the models of the night and puts them, a challenger that was
// trained elsewhere, and the champion on the same test rows.
func (j *job) contendersStage() (stage, error) {
	added, err := j.added()
	if err != nil {
		return stage{}, err
	}
	s := stage{
		name:    "contenders",
		version: 1,
		setting: map[string]any{"draws": j.Draws, "seed": j.Seed, "added": added, "lightgbm": j.LightGBM != nil},
		inputs: map[string]string{
			"log":        j.path(j.factsPath()),
			"features":   j.path(j.builtPath()),
			"attempts":   j.path(j.attemptsPath()),
			"periods":    j.path(j.periodsPath()),
			"attempt":    j.path(j.fittedPath("attempt")),
			"cure":       j.path(j.fittedPath("cure")),
			"evaluation": j.path(j.evaluationPath()),
		},
		outputs: []string{j.contendersPath()},
		run:     func(ctx context.Context) error { return j.contend(ctx, added) },
	}
	if j.LightGBM != nil {
		s.inputs["lightgbm attempt"] = j.path(j.forestPath("attempt", ".json"))
		s.inputs["lightgbm attempt text"] = j.path(j.forestPath("attempt", ".txt"))
		s.inputs["lightgbm cure"] = j.path(j.forestPath("cure", ".json"))
	}
	return s, nil
}

// added is the registered challenger that was trained elsewhere and brought in; "" =
// none. Where this night has already judged, its own word stands until another model is
// brought in: it may have moved the alias since.
func (j *job) added() (models.ID, error) {
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return "", err
	}
	aliases, err := registry.Aliases()
	if err != nil {
		return "", err
	}
	var was contenders
	if readJSON(j.path(j.contendersPath()), &was) == nil {
		known := aliases.Challenger == ""
		for _, c := range was.All {
			known = known || c.Model == string(aliases.Challenger)
		}
		if known {
			return was.Added, nil
		}
	}
	if aliases.Challenger == "" {
		return "", nil
	}
	log, err := registry.Promotions()
	if err != nil {
		return "", err
	}
	for _, p := range log {
		if p.ID == aliases.Challenger && p.To == models.Challenger {
			return p.ID, nil
		}
	}
	return "", nil
}

// entrant is a contender with its answers to the test rows.
type entrant struct {
	report.Contender
	scorer *models.Scorer
	test   *train.Scored
}

func (j *job) contend(_ context.Context, added models.ID) error {
	var e evaluation
	if err := readJSON(j.path(j.evaluationPath()), &e); err != nil {
		return err
	}
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return err
	}
	f, err := j.openField()
	if err != nil {
		return err
	}
	defer f.close()
	all, err := f.ofTheNight(registry, &e)
	if err != nil {
		return err
	}
	out := contenders{Against: "base rate", Added: added}
	if added != "" {
		x, err := f.foreign(registry, added)
		if err != nil {
			return err
		}
		all = append(all, x)
	}
	champion, err := f.champion(registry, &out)
	if err != nil {
		return err
	}
	if err := f.compare(all, champion, &out); err != nil {
		return err
	}
	for _, x := range all {
		out.All = append(out.All, x.Contender)
	}
	return writeJSON(j.path(j.contendersPath()), out)
}
