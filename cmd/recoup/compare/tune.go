package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/cmd/recoup/experiment"
	"recoup/cmd/recoup/nightly"
	"recoup/cmd/recoup/worlds"
	"recoup/data"
	"recoup/data/sim"
	"recoup/models"
	"recoup/score"
)

// knowledge is what the hands bring from the world before.
type knowledge struct {
	Input string         `json:"input"`
	Grid  map[string]int `json:"grid"` // tuned rules: by class/phase/attempt, six-hour steps after the decision
	model *models.Bundle
}

// before plays the world before, if nobody has: the explorer at the gate writes a log;
// a whole night learns the model from it; and the grid is tuned by what the world itself says of every slot, which is more than a
// person could know.
func (j *job) before(ctx context.Context) (*knowledge, error) {
	input := j.input("tune", "", tuneSeed, 0)
	dir := filepath.Join(j.Dir, "before-"+input[:12])
	path := filepath.Join(dir, "knowledge.json")
	k := &knowledge{}
	if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, k) == nil && k.Input == input {
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	} else {
		if err := os.RemoveAll(dir); err != nil { // what a killed run left
			return nil, err
		}
		if k, err = j.explore(ctx, dir); err != nil {
			return nil, err
		}
		k.Input = input
		if err := worlds.WriteJSON(path, k); err != nil {
			return nil, err
		}
	}
	s, err := nightly.Run(ctx, nightly.Config{Dir: dir, AsOf: j.Start, Seed: 1, Draws: 100, Workers: j.Workers,
		Progress: func(stage string, done, total int64) { j.run.Tell("before: "+stage, done, total) }})
	if err != nil {
		return nil, err
	}
	k.model, err = models.LoadFolder(s.ModelDir)
	return k, err
}

// explore writes the log, and tunes the grid on the way.
func (j *job) explore(ctx context.Context, dir string) (*knowledge, error) {
	p, err := experiment.PlayerOf(experiment.Explorer, score.Default(), nil)
	if err != nil {
		return nil, err
	}
	sums := &grid{attempts: j.Attempts}
	d := p.Decider(nil)
	decide := d.Decide
	d.Decide = func(t *sim.Turn) (*data.Decision, error) {
		row, err := decide(t)
		if err == nil && t.Now-t.KnownAt < data.Hour { // at the failure, as the hands decide
			sums.add(t, row)
		}
		return row, err
	}
	cfg := j.Config.before()
	cfg.Progress = func(done, total int64) { j.run.Tell("before: log", done, total) }
	if _, err := sim.WritePlay(ctx, cfg, d, dir, ""); err != nil {
		return nil, err
	}
	return &knowledge{Grid: sums.best()}, nil
}

// steps of the hand rules' grid: 6 h over 14 days.
const (
	gridStep = 6 * data.Hour
	steps    = 56
)

// grid adds up the true chances of the slots by class/phase/attempt and step.
type grid struct {
	attempts int
	cells    map[string]*[steps]struct{ sum, n float64 }
}

// gridKey is the context of the tuned rules.
func gridKey(class data.Class, t data.Micros, attempt int) string {
	return fmt.Sprintf("%s/%d/%d", class, phase(t), min(attempt, 2))
}

// add counts each slot's worth: its true chance, and if it fails that of a typical
// later slot, as one who tunes by hand would reckon.
func (g *grid) add(t *sim.Turn, row *data.Decision) {
	key := gridKey(t.Class, t.Now, t.AttemptNo)
	if g.cells == nil {
		g.cells = map[string]*[steps]struct{ sum, n float64 }{}
	}
	later, n, k := 0.0, 0.0, len(row.Allowed) // sum over row.Allowed[k:]
	chance := make([]float64, len(row.Allowed))
	for i := len(row.Allowed) - 1; i >= 0; i-- { // retries by time
		c := row.Allowed[i]
		if c.Action != data.Retry {
			continue
		}
		chance[i] = t.Truth(data.Retry, c.At)
		for ; k > i+1 && (row.Allowed[k-1].Action != data.Retry || row.Allowed[k-1].At >= c.At+rest(t)); k-- {
			if row.Allowed[k-1].Action == data.Retry {
				later += chance[k-1]
				n++
			}
		}
		worth := chance[i]
		if n > 0 && t.AttemptNo < g.attempts {
			worth += (1 - chance[i]) * later / n
		}
		if step := int((c.At - t.Now) / gridStep); step < steps {
			if g.cells[key] == nil {
				g.cells[key] = &[steps]struct{ sum, n float64 }{}
			}
			x := &g.cells[key][step]
			x.sum += worth
			x.n++
		}
	}
}

// best is the step of the highest mean worth of each cell, among those that at least
// half of its decisions could take.
func (g *grid) best() map[string]int {
	out := map[string]int{}
	for key, cell := range g.cells {
		most, mean := 0.0, -1.0
		for _, x := range cell {
			most = max(most, x.n)
		}
		for k, x := range cell {
			if x.n >= most/2 && x.sum/x.n > mean {
				out[key], mean = k, x.sum/x.n
			}
		}
	}
	return out
}

// byGrid is the tuned rules; where the grid has no such cell, the rules arm.
func byGrid(best map[string]int) func(*scene) (int, error) {
	return func(s *scene) (int, error) {
		k, ok := best[gridKey(s.d.Class, s.turn.Now, s.turn.AttemptNo)]
		if !ok {
			return s.ruled, nil // which may be no retry
		}
		return s.nearest(s.turn.Now + data.Micros(k)*gridStep + gridStep/2), nil
	}
}
