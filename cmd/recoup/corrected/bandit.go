// Package corrected is a bandit that begins as the model and is corrected by what is
// paid: logistic Thompson sampling over the retries that the gate allows.
//
// What the model expects of a slot is an offset on the logit scale; what is learned is
// how the world differs from it, by the day, the hour, the part of the month and how sure
// the model was (Chapelle and Li 2011, algorithm 3; columns.go). So it shares all the
// model's features, costs nothing but its doubts where the model is right, and moves where
// the world has moved. The probabilities that it draws from are those that it gives.
package corrected

import (
	"recoup/data"
	"recoup/ope/bandit"
)

// Settings of the bandit. Boldness and the floor are low because a case has a hundred slots
// and more: drawn evenly for a tenth of the time, they cost more than they teach.
const (
	priorSD   = .3    // of each coefficient, before anything is learned
	boldness  = .25   // it tries as if its deviations were this share of what they are
	keep      = .99   // a day: half of what was learned is gone after 69
	drawPairs = 192   // of coefficients, a night
	floor     = .0001 // of each slot
)

// Name says which bandit this is: another for other settings or columns.
const Name = "corrected 2"

// Slot is a retry that the gate allows.
type Slot struct {
	At      data.Micros
	Expects float64 // the model's chance that the case is paid in the end if this slot is taken
}

// Bandit lives through one world. It is for one goroutine.
type Bandit struct {
	post  *bandit.Logistic
	draws *bandit.Draws // by what was known at night
	night data.Micros
	book  bandit.Book
	open  map[string]input // by trial
	salt  []byte
	last  input
}

// input is a slot as the bandit learns from it.
type input struct {
	row    []float64
	offset float64
}

// New knows nothing but the model. salt keys its draws.
func New(salt []byte) (*Bandit, error) {
	mean, sd := make([]float64, width), make([]float64, width)
	for i := range sd {
		sd[i] = priorSD
	}
	p, err := bandit.NewLogistic(mean, sd, keep)
	return &Bandit{post: p, open: map[string]input{}, salt: salt}, err
}

// dawn learns from the trials whose windows closed by a midnight.
func (b *Bandit) dawn(midnight data.Micros) error {
	var rows [][]float64
	var success []bool
	var offset []float64
	for _, o := range b.book.Close(midnight) {
		id := string(o.Cell)
		in := b.open[id]
		delete(b.open, id)
		rows, success, offset = append(rows, in.row), append(success, o.Success), append(offset, in.offset)
	}
	if err := b.post.Learn(rows, success, offset, midnight); err != nil {
		return err
	}
	n, err := b.post.Normal()
	if err != nil {
		return err
	}
	if n, err = n.Narrowed(boldness); err != nil {
		return err
	}
	b.night, b.draws = midnight, n.Draws(drawPairs, append([]byte(midnight.String()), b.salt...))
	return nil
}

// Draw takes one of the slots of a case whose latest failure is of a class, by what was
// known at midnight: its index, and the exact probability of each. key names the decision.
// Time does not go back. No slot is an error.
func (b *Bandit) Draw(key string, now data.Micros, class data.Class, slots []Slot) (int, []float64, error) {
	if midnight := now - now.ISTTimeOfDay(); b.draws == nil || midnight > b.night {
		if err := b.dawn(midnight); err != nil {
			return 0, nil, err
		}
	}
	rows, offset := make([][]float64, len(slots)), make([]float64, len(slots))
	for i, s := range slots {
		offset[i] = logit(s.Expects)
		rows[i] = row(s.At, now, class, offset[i])
	}
	p, err := b.draws.Select(rows, offset, nil, min(floor, 1/float64(max(1, len(slots)))))
	if err != nil {
		return 0, nil, err
	}
	i := bandit.Draw(b.salt, "corrected/"+key, p)
	b.last = input{rows[i], offset[i]}
	return i, p, nil
}

// Plan opens a trial of the slot that was drawn last, in place of another of that name.
func (b *Bandit) Plan(id string, closes data.Micros) error {
	b.book.Void(id)
	b.open[id] = b.last
	return b.book.Open(bandit.Trial{ID: id, Cell: bandit.Cell(id), Closes: closes})
}

// Succeed notes that the case of a trial was paid.
func (b *Bandit) Succeed(id string, at data.Micros) { b.book.Succeed(id, at) }

// Version names what it has learned.
func (b *Bandit) Version() string { return b.post.Version() }
