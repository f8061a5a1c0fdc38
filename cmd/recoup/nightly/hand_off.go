package nightly

import (
	"context"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
)

// HandOff is what a LightGBM model of its own, outside of a night, came to.
type HandOff struct {
	AsOf     string           `json:"as_of"`
	Model    string           `json:"model"` // its id: the challenger now
	ModelDir string           `json:"model_dir"`
	Logistic report.Contender `json:"logistic"` // of the same tables, registered beside it
	LightGBM report.Contender `json:"lightgbm"`
	Test     models.Judged    `json:"test"` // the LightGBM attempt model on the test slice
	Cure     string           `json:"cure"` // kind of its cure model
	Stages   []Step           `json:"stages"`
}

// TrainLightGBM does the part of a night that makes models, with LightGBM, and registers
// what it made: LightGBM's is the challenger, and nothing is promoted. What is done is
// left for the night of the same as_of. c.LightGBM is needed; errors are those of Run.
func TrainLightGBM(ctx context.Context, c Config) (HandOff, error) {
	out := HandOff{AsOf: c.AsOf.String()}
	j, release, err := c.begin(nil)
	if err != nil {
		return out, err
	}
	defer release()
	if err := c.hasLog(); err != nil {
		return out, err
	}
	var s Summary
	if err := j.through(ctx, &s, j.trainingStages()); err != nil {
		return out, err
	}
	out.Stages = s.Stages
	var all contenders
	if err := readJSON(j.path(j.contendersPath()), &all); err != nil {
		return out, err
	}
	if len(all.All) < 2 {
		return out, data.Faultf(data.ErrContract, "nightly: %s names no LightGBM model", j.path(j.contendersPath()))
	}
	out.Logistic, out.LightGBM = all.All[0], all.All[1]
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return out, err
	}
	id := models.ID(out.LightGBM.Model)
	b, err := registry.Load(string(id))
	if err != nil {
		return out, err
	}
	out.Model, out.ModelDir, out.Test, out.Cure = out.LightGBM.Model, registry.Path(id), b.Manifest.Attempt, out.LightGBM.Cure
	if aliases, err := registry.Aliases(); err != nil || aliases.Champion == id {
		return out, err
	}
	return out, registry.SetChallenger(id)
}
