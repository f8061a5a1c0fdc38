package train

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"recoup/data"
	"recoup/models"
)

// LightGBM says with what and where LightGBM's Python package is run.
type LightGBM struct {
	Python   string // an interpreter that has the package: see Python
	Dir      string // a folder for what goes there and comes back; made, and emptied
	Seed     int
	Progress func(line string) // what Python says of each trial; nil = silent
}

// lightgbmThreads is fixed: it stands in the model's text, and the same settings are to
// give the same bytes on every machine.
const lightgbmThreads = 2

// ForestTrial is one set of LightGBM's parameters and how it did on the select slice.
type ForestTrial struct {
	Parameters ForestParameters `json:"parameters"`
	Rounds     int              `json:"rounds"`   // trees until the select slice gained no more
	LogLoss    float64          `json:"log_loss"` // of the select slice, mean, weighted
	Chosen     bool             `json:"chosen"`
}

// ForestParameters are those that are chosen on the select slice, by LightGBM's names.
type ForestParameters struct {
	Leaves   int     `json:"num_leaves"`
	MinRows  int     `json:"min_data_in_leaf"`
	Rate     float64 `json:"learning_rate"`
	L2       float64 `json:"lambda_l2"`
	Features float64 `json:"feature_fraction"` // share of the columns that a tree may use
}

// forestTrials are the few sets that are tried: small trees, as a table of this width and
// noise wants them. A leaf holds at least a two-hundredth part of the rows, or 50.
func forestTrials(rows int64) []ForestParameters {
	least := max(50, int(rows/200))
	return []ForestParameters{
		{Leaves: 7, MinRows: least, Rate: 0.05, L2: 5, Features: 0.5},
		{Leaves: 15, MinRows: least, Rate: 0.05, L2: 1, Features: 1},
		{Leaves: 15, MinRows: 2 * least, Rate: 0.03, L2: 10, Features: 0.5},
		{Leaves: 31, MinRows: 2 * least, Rate: 0.03, L2: 20, Features: 0.5},
	}
}

// FittedForest is a LightGBM model with how it came about. Its forest has no text when
// it was read from JSON: see models.Forest.Attach.
type FittedForest struct {
	Version  string         `json:"lightgbm"` // of the Python package
	Slices   Slices         `json:"slices"`
	Train    Counts         `json:"train"`
	Trials   []ForestTrial  `json:"trials"`
	Forest   *models.Forest `json:"forest"`
	Platt    models.Platt   `json:"platt"`
	Seen     *models.Seen   `json:"seen"`
	Warnings []string       `json:"warnings"`
}

// Scorer is the model, ready to be asked.
func (f *FittedForest) Scorer() *models.Scorer {
	return &models.Scorer{Forest: f.Forest, Platt: f.Platt, Seen: f.Seen}
}

// SelectLoss is the log loss on the select slice of the trial that was chosen.
func (f *FittedForest) SelectLoss() float64 {
	for _, t := range f.Trials {
		if t.Chosen {
			return t.LogLoss
		}
	}
	return math.NaN()
}

// SelectLoss is the log loss on the select slice of the penalty that was chosen.
func (f *Fitted) SelectLoss() float64 {
	for _, t := range f.Trials {
		if t.Chosen && t.LogLoss != nil {
			return *t.LogLoss
		}
	}
	return math.NaN()
}

// RunLightGBM makes a LightGBM model of the same table and slices as like, a model of
// Run: trees on the schema's columns, without its products, which trees make themselves.
// The train slice is fitted, the select slice stops the growth and chooses the
// parameters, the calibrate slice fits Platt; Python is shown the first two alone. What
// comes back is not trusted: it is loaded strictly, and its golden rows must answer bit
// for bit. Errors are those of Run; a fit that failed carries what Python said.
func RunLightGBM(ctx context.Context, t Task, like *Fitted, g LightGBM) (*FittedForest, error) {
	f := &FittedForest{Slices: like.Slices, Train: like.Train}
	rows, err := t.parts(f.Slices, everybody)
	if err != nil {
		return nil, err
	}
	fit, text, err := t.fitForest(ctx, g, rows, forestTrials(f.Train.Rows))
	if err != nil {
		return nil, err
	}
	f.Version, f.Trials = fit.Version, fit.Trials
	if f.Forest, err = models.NewForest(inputsOf(t.Schema), text, fit.Gains, fit.Golden); err != nil {
		return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
	}
	if err := t.sameForestAgain(ctx, g, rows, f, text); err != nil {
		return nil, err
	}
	f.Seen = &models.Seen{Rows: like.Seen.Rows, Inputs: like.Seen.Inputs}
	scored, err := t.score(&models.Scorer{Forest: f.Forest}, rows.calibrate)
	if err != nil {
		return nil, err
	}
	var info PlattInfo
	if f.Platt, info, err = t.platt(scored); err != nil {
		return nil, err
	}
	scored.through(f.Platt)
	f.Seen.Scores = models.CutsOf(scored.P)
	if info.Flag != "" {
		f.Warnings = append(f.Warnings, fmt.Sprintf("Platt: %s", info.Flag))
	}
	return f, nil
}

// sameForestAgain fits the chosen trial in another process and demands the same bytes.
func (t Task) sameForestAgain(ctx context.Context, g LightGBM, rows sources, f *FittedForest, text []byte) error {
	var chosen []ForestParameters
	for _, trial := range f.Trials {
		if trial.Chosen {
			chosen = append(chosen, trial.Parameters)
		}
	}
	g.Dir = filepath.Join(g.Dir, "again")
	_, again, err := t.fitForest(ctx, g, rows, chosen)
	if err != nil {
		return err
	}
	if !bytes.Equal(text, again) {
		return data.Faultf(data.ErrUnsafe, "train: %s: a second fit by LightGBM of the same rows gave other bytes", t.Table.Name)
	}
	return os.RemoveAll(g.Dir)
}

// forestFit is what the Python side says of its work.
type forestFit struct {
	Version string                `json:"lightgbm"`
	Trials  []ForestTrial         `json:"trials"`
	Gains   []float64             `json:"gains"`
	Golden  []models.ForestAnswer `json:"golden"`
}

// check refuses an answer that is not about the trials that were asked for.
func (f *forestFit) check(asked []ForestParameters) error {
	if len(f.Trials) != len(asked) {
		return fmt.Errorf("%d trials, %d were asked for", len(f.Trials), len(asked))
	}
	chosen := 0
	for i, t := range f.Trials {
		switch {
		case t.Parameters != asked[i]:
			return fmt.Errorf("trial %d is of other parameters than were asked for", i+1)
		case t.Rounds <= 0 || math.IsNaN(t.LogLoss) || math.IsInf(t.LogLoss, 0):
			return fmt.Errorf("trial %d: %d trees, log loss %v", i+1, t.Rounds, t.LogLoss)
		case t.Chosen:
			chosen++
		}
	}
	if chosen != 1 {
		return fmt.Errorf("%d trials were chosen, one is", chosen)
	}
	return nil
}

// fitForest hands the rows to Python and reads what comes back.
func (t Task) fitForest(ctx context.Context, g LightGBM, rows sources, trials []ForestParameters) (*forestFit, []byte, error) {
	fault := func(err error) error { return fmt.Errorf("train: %s: LightGBM: %w", t.Table.Name, err) }
	if err := t.handOver(g, rows, trials); err != nil {
		return nil, nil, fault(err)
	}
	if err := g.run(ctx); err != nil {
		return nil, nil, fault(err)
	}
	text, err := os.ReadFile(filepath.Join(g.Dir, "model.txt"))
	if err != nil {
		return nil, nil, fault(err)
	}
	js, err := os.ReadFile(filepath.Join(g.Dir, "fit.json"))
	if err != nil {
		return nil, nil, fault(err)
	}
	fit := &forestFit{}
	dec := json.NewDecoder(bytes.NewReader(js))
	dec.DisallowUnknownFields()
	if err = dec.Decode(fit); err == nil {
		err = fit.check(trials)
	}
	if err != nil {
		return nil, nil, fault(data.Faultf(data.ErrUnsafe, "%s: %w", filepath.Join(g.Dir, "fit.json"), err))
	}
	return fit, text, os.Remove(filepath.Join(g.Dir, rowsFile)) // large, and made from the table again
}
