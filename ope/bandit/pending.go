package bandit

import (
	"cmp"
	"maps"
	"slices"

	"recoup/data"
)

// Trial is an arm that was played and whose outcome is still open.
type Trial struct {
	ID      string      `json:"id"`
	Cell    Cell        `json:"cell"`
	Arm     int         `json:"arm"`
	Closes  data.Micros `json:"closes"`  // end of its window
	Success bool        `json:"success"` // it has succeeded already
}

// Book holds trials until their windows close. An open trial is neither success nor
// failure, and one that succeeded early waits like the others: counted at once, fast
// arms would look better than they are, and counted as failures until then, slow ones
// worse. It is for one goroutine; the zero value is ready.
type Book struct{ open map[string]Trial }

// Open begins a trial.
func (b *Book) Open(t Trial) error {
	if _, known := b.open[t.ID]; known || t.ID == "" {
		return data.Faultf(data.ErrContract, "bandit: trial %q: expected an id that no open trial has", t.ID)
	}
	if b.open == nil {
		b.open = map[string]Trial{}
	}
	b.open[t.ID] = t
	return nil
}

// Succeed notes a success at some time. It counts when the window closes; one that
// comes at the end of the window or later is none. false = no such trial is open.
func (b *Book) Succeed(id string, at data.Micros) bool {
	t, ok := b.open[id]
	if ok && at < t.Closes {
		t.Success = true
		b.open[id] = t
	}
	return ok
}

// Void takes a trial back: what was planned did not happen. false = none is open.
func (b *Book) Void(id string) bool {
	_, ok := b.open[id]
	delete(b.open, id)
	return ok
}

// Close takes out the trials whose windows have closed by t, by closing time.
func (b *Book) Close(t data.Micros) []Outcome {
	var done []Trial
	for _, x := range b.Trials() {
		if x.Closes <= t {
			done = append(done, x)
			delete(b.open, x.ID)
		}
	}
	slices.SortStableFunc(done, func(x, y Trial) int { return cmp.Compare(x.Closes, y.Closes) })
	out := make([]Outcome, len(done))
	for i, x := range done {
		out[i] = Outcome{Cell: x.Cell, Arm: x.Arm, At: x.Closes, Success: x.Success, Weight: 1}
	}
	return out
}

// Trials are the open ones, by id.
func (b *Book) Trials() []Trial {
	out := []Trial{}
	for _, id := range slices.Sorted(maps.Keys(b.open)) {
		out = append(out, b.open[id])
	}
	return out
}
