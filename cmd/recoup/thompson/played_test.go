package thompson_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/cmd/recoup/experiment"
	"recoup/cmd/recoup/thompson"
	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// played is a log by the explorer, drawn by what x says.
func played(t *testing.T, seed uint64, cases int, x score.Explorer) string {
	t.Helper()
	p, err := experiment.PlayerOf(experiment.Explorer, score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	x.Salt, x.Only = []byte("a salt for tests, nothing more"), data.ArmExplorer
	if p.Engine, err = p.Engine.Explore(x); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := sim.WritePlay(context.Background(), sim.Config{Seed: seed, Cases: cases, Start: data.IST(2025, 10, 1, 0, 0), Months: 5, Workers: 1}, p.Decider(nil), dir, ""); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, dir string) *data.Log {
	t.Helper()
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A bandit learns from one log and draws the next: its version is in every logger, the
// probabilities sum to one with the floor under each candidate, and they are those that
// its state gives when it is asked again.
func TestLearnAndDraw(t *testing.T) {
	log := open(t, played(t, 1, 60, score.Explorer{}))
	asOf := data.IST(2026, 3, 1, 0, 0)
	for _, kind := range []thompson.Kind{thompson.Beta, thompson.Logistic} {
		f, err := thompson.Learn(log, kind, asOf)
		if err != nil {
			t.Fatal(err)
		}
		again, err := thompson.Learn(log, kind, asOf)
		if err != nil || !slices.Equal(f.State, again.State) || f.N != again.N {
			t.Errorf("%s: learned twice, two states (%v)", kind, err)
		}
		if early, err := thompson.Learn(log, kind, data.IST(2025, 12, 1, 0, 0)); err != nil || early.N >= f.N || slices.Equal(early.State, f.State) {
			t.Errorf("%s: as of an earlier time: %d of %d trials, %v", kind, early.N, f.N, err)
		}
		path := filepath.Join(t.TempDir(), "bandit.json")
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
		stored, err := thompson.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		proposal, formula, err := stored.Propose()
		if err != nil {
			t.Fatal(err)
		}
		next := open(t, played(t, 2, 30, score.Explorer{Proposal: proposal, Formula: formula}))
		n, uneven := 0, false
		for rows, err := range data.Scan[data.Decision](next, data.AsOf(asOf+365*data.Day)) {
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range rows {
				if d.Arm != data.ArmExplorer {
					continue
				}
				n++
				if !strings.Contains(d.Logger, "/"+formula+"/") {
					t.Fatalf("logger %s: without %s", d.Logger, formula)
				}
				sum, least, most := 0.0, 1.0, 0.0
				for _, c := range d.Allowed {
					sum += c.Propensity
					if c.Action != data.Escalate {
						least, most = min(least, c.Propensity), max(most, c.Propensity)
					}
				}
				if math.Abs(sum-1) > 1e-12 || least < .002-1e-15 {
					t.Fatalf("%s: propensities sum to %v, the least is %v", d.DecisionID, sum, least)
				}
				uneven = uneven || most > 2*least
			}
		}
		if n < 20 || !uneven {
			t.Errorf("%s: %d decisions of the explorer, uneven %v", kind, n, uneven)
		}
	}
}

// TestLearner: told of decisions and payments as they come, and learning once at the end,
// the bandit knows what Learn reads out of the whole log, to the last bit.
func TestLearner(t *testing.T) {
	log := open(t, played(t, 1, 60, score.Explorer{}))
	asOf := data.IST(2026, 3, 1, 0, 0)
	want, err := thompson.Learn(log, thompson.Beta, asOf)
	if err != nil {
		t.Fatal(err)
	}
	l, err := thompson.NewLearner()
	if err != nil {
		t.Fatal(err)
	}
	_, nothing, err := l.Propose()
	if err != nil {
		t.Fatal(err)
	}
	closed := map[string]data.Outcome{}
	for rows, err := range data.Scan[data.Outcome](log, data.AsOf(asOf)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range rows {
			if o.WindowClosed {
				closed[o.DecisionID] = o
			}
		}
	}
	paid := 0
	for rows, err := range data.Scan[data.Decision](log, data.AsOf(asOf)) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			o, ok := closed[rows[i].DecisionID]
			if !ok {
				continue
			}
			if err := l.Decided(&rows[i], o.KnownAt); err != nil {
				t.Fatal(err)
			}
			if o.Recovered {
				l.Paid(rows[i].CaseID, o.SettledAt)
				paid++
			}
		}
	}
	if paid == 0 {
		t.Fatal("nobody paid")
	}
	if err := l.Dawn(asOf); err != nil {
		t.Fatal(err)
	}
	_, formula, err := l.Propose()
	if err != nil || formula == nothing {
		t.Errorf("%s before and after learning, %v", formula, err)
	}
	if _, name, err := want.Propose(); err != nil || name != formula { // it names the content
		t.Errorf("%s, expected %s, %v", formula, name, err)
	}
}

// TestTooLittle: nothing has closed yet.
func TestTooLittle(t *testing.T) {
	log := open(t, played(t, 3, 20, score.Explorer{}))
	if _, err := thompson.Learn(log, thompson.Beta, data.IST(2025, 10, 2, 0, 0)); !errors.Is(err, data.ErrTooLittle) {
		t.Errorf("nothing closed yet: %v", err)
	}
}

// TestFormulaNamesTheDraw: one state at two times draws by two sets of probabilities, so
// it has two names.
func TestFormulaNamesTheDraw(t *testing.T) {
	log := open(t, played(t, 1, 60, score.Explorer{}))
	for _, kind := range []thompson.Kind{thompson.Beta, thompson.Logistic} {
		names := map[string]bool{}
		for _, asOf := range []data.Micros{data.IST(2026, 6, 1, 0, 0), data.IST(2026, 9, 1, 0, 0)} { // nothing is new in between
			f, err := thompson.Learn(log, kind, asOf)
			if err != nil {
				t.Fatal(err)
			}
			_, formula, err := f.Propose()
			if err != nil || strings.Contains(formula, "/") {
				t.Fatal(formula, err)
			}
			names[formula] = true
		}
		if len(names) != 2 {
			t.Errorf("%s: %v", kind, names)
		}
	}
}
