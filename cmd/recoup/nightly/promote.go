package nightly

import (
	"context"
	"path/filepath"

	"recoup/api/report"
	"recoup/models"
)

func (j *job) promotedPath() string { return filepath.Join(j.run, "promoted.json") }

// promoted is what the promote stage did.
type promoted struct {
	Champion models.ID `json:"champion"` // after the night
	Previous models.ID `json:"previous"`
}

// promoteStage carries the decision out. Both moves may be made twice: the
// registry writes no second line.
func (j *job) promoteStage() (stage, error) {
	return stage{
		name:    "promote",
		version: 1,
		setting: map[string]any{},
		inputs:  map[string]string{"decision": j.path(j.decisionPath())},
		outputs: []string{j.promotedPath()},
		run:     j.promote,
	}, nil
}

func (j *job) promote(context.Context) error {
	var d report.Decision
	if err := readJSON(j.path(j.decisionPath()), &d); err != nil {
		return err
	}
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return err
	}
	id := models.ID(d.Challenger)
	switch {
	case d.Outcome == report.Promoted:
		err = registry.Promote(id, d.Why, j.AsOf.String())
	case d.Challenger != d.Champion:
		err = registry.SetChallenger(id)
	}
	if err != nil {
		return err
	}
	a, err := registry.Aliases()
	if err != nil {
		return err
	}
	return writeJSON(j.path(j.promotedPath()), promoted{a.Champion, a.Previous})
}
