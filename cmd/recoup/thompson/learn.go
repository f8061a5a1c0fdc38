package thompson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"recoup/data"
	"recoup/ope/bandit"
)

// StateFile is where a folder keeps the state that its explorer draws by.
const StateFile = "bandit.json"

// Kind of a bandit.
type Kind string

// The kinds.
const (
	Beta     Kind = "beta"     // Beta-Bernoulli, cells that share strength
	Logistic Kind = "logistic" // a logistic posterior of how the world differs from the model
)

// File is a bandit's state as it is stored.
type File struct {
	Kind  Kind            `json:"kind"`
	AsOf  data.Micros     `json:"as_of"`  // what became known later is not in it
	N     int             `json:"trials"` // outcomes that it learned from
	State json.RawMessage `json:"state"`
}

// Learn reads the decisions of a log with the outcomes whose windows were closed by asOf.
// A decision that another arm took over, or that was only monitored, teaches nothing; of
// two outcomes of one decision the later known counts. Nothing learned is an error:
// data.ErrTooLittle.
func Learn(l *data.Log, kind Kind, asOf data.Micros) (*File, error) {
	if kind != Beta && kind != Logistic {
		return nil, data.Faultf(data.ErrUsage, "bandit: kind %q: expected beta or logistic", kind)
	}
	closed := map[string]data.Outcome{}
	for rows, err := range data.Scan[data.Outcome](l, data.AsOf(asOf)) {
		if err != nil {
			return nil, err
		}
		for _, o := range rows {
			if o.WindowClosed {
				closed[o.DecisionID] = o
			}
		}
	}
	var trials []trial
	for rows, err := range data.Scan[data.Decision](l, data.AsOf(asOf)) {
		if err != nil {
			return nil, err
		}
		for i := range rows {
			d := &rows[i]
			if o, ok := closed[d.DecisionID]; ok && !strings.Contains(d.Logger, "/fallback ") && !strings.HasSuffix(d.Logger, "/monitored") {
				if t := trialOf(d, &o); t.arm >= 0 {
					trials = append(trials, t)
				}
			}
		}
	}
	if len(trials) == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "bandit: the log holds no decision with a closed outcome at %s", asOf)
	}
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	f := &File{Kind: kind, AsOf: asOf, N: len(trials)}
	learn := learnBeta
	if kind == Logistic {
		learn = learnLogistic
	}
	state, err := learn(trials, asOf)
	if err != nil {
		return nil, err
	}
	f.State = state
	f.State = bytes.TrimSpace(f.State)
	return f, nil
}

// Begin is the state of a bandit that has learned nothing: all that may be drawn is alike
// to it, but for what a logistic one takes from the model.
func Begin(kind Kind, asOf data.Micros) (*File, error) {
	learn := learnBeta
	if kind == Logistic {
		learn = learnLogistic
	}
	state, err := learn(nil, asOf)
	return &File{Kind: kind, AsOf: asOf, State: bytes.TrimSpace(state)}, err
}

// trial is a decision with its outcome.
type trial struct {
	id      string
	cell    bandit.Cell
	arm     int
	row     []float64
	offset  float64
	at      data.Micros // when its outcome was known
	success bool
}

func trialOf(d *data.Decision, o *data.Outcome) trial {
	first := data.Micros(0)
	for _, c := range d.Allowed {
		if c.Action == data.Retry {
			first = c.At
			break
		}
	}
	c := &d.Allowed[d.Chosen]
	t := trial{id: d.DecisionID, cell: cellOf(d.Class), arm: armOf(c.Action, c.At, first), at: o.KnownAt, success: o.Recovered}
	t.row, t.offset = rowOf(c.Action, c.At, d.DecidedAt, c.P)
	return t
}

// newBeta knows nothing. Half of what it will have seen is gone after 69 days; a cell
// borrows 25 trials of its parent.
func newBeta() (*bandit.Posterior, error) {
	return bandit.New(bandit.Config{Arms: armNames(), Prior: bandit.Arm{Alpha: 1, Beta: 2}, Keep: .99, Strength: 25})
}

func learnBeta(trials []trial, _ data.Micros) (json.RawMessage, error) {
	p, err := newBeta()
	if err != nil {
		return nil, err
	}
	out := make([]bandit.Outcome, len(trials))
	for i, t := range trials {
		out[i] = bandit.Outcome{Cell: t.cell, Arm: t.arm, At: t.at, Success: t.success, Weight: 1}
	}
	if err := p.Learn(out); err != nil {
		return nil, err
	}
	return bandit.EncodeState(p, &bandit.Book{})
}

// learnLogistic learns day by day, as a running bandit would.
func learnLogistic(trials []trial, asOf data.Micros) (json.RawMessage, error) {
	n := columns + len(windows)
	sd := make([]float64, n)
	for i := range sd {
		sd[i] = .5
	}
	l, err := bandit.NewLogistic(make([]float64, n), sd, .99)
	if err != nil {
		return nil, err
	}
	for from := 0; from < len(trials); {
		night := trials[from].at + data.Day
		var rows [][]float64
		var success []bool
		var offset []float64
		to := from
		for ; to < len(trials) && trials[to].at < night; to++ {
			rows, success, offset = append(rows, trials[to].row), append(success, trials[to].success), append(offset, trials[to].offset)
		}
		if err := l.Learn(rows, success, offset, min(night, asOf)); err != nil {
			return nil, err
		}
		from = to
	}
	l.Age(asOf)
	return l.Encode()
}

// Write stores the state.
func (f *File) Write(path string) error {
	b, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("bandit: %s: %w", path, err)
	}
	return data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(append(b, '\n')); return err })
}

// Read reads what Write stored, and nothing that it does not know.
func Read(path string) (*File, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bandit: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	f := &File{}
	if err := d.Decode(f); err != nil {
		return nil, data.Faultf(data.ErrContract, "bandit: %s: %w: %s", path, err, wayOut)
	}
	if f.Kind != Beta && f.Kind != Logistic || d.More() {
		return nil, data.Faultf(data.ErrContract, "bandit: %s: kind %q: expected one object of kind beta or logistic: %s", path, f.Kind, wayOut)
	}
	if _, _, err := f.Propose(); err != nil {
		return nil, data.Faultf(data.ErrContract, "bandit: %s: %w: %s", path, err, wayOut)
	}
	return f, nil
}

// wayOut is what helps where a state cannot be read.
const wayOut = "learn it again with recoup bandit learn, or remove it"
