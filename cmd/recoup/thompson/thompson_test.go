package thompson

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/cmd/recoup/experiment"
	"recoup/data"
	"recoup/data/sim"
	"recoup/ope/bandit"
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
	for _, kind := range []Kind{Beta, Logistic} {
		f, err := Learn(log, kind, asOf)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Learn(log, kind, asOf)
		if err != nil || !slices.Equal(f.State, again.State) || f.N != again.N {
			t.Errorf("%s: learned twice, two states (%v)", kind, err)
		}
		if early, err := Learn(log, kind, data.IST(2025, 12, 1, 0, 0)); err != nil || early.N >= f.N || slices.Equal(early.State, f.State) {
			t.Errorf("%s: as of an earlier time: %d of %d trials, %v", kind, early.N, f.N, err)
		}
		path := filepath.Join(t.TempDir(), "bandit.json")
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
		stored, err := Read(path)
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

// Candidates of one arm share its probability; the arms' probabilities are exact.
func TestBetaProposal(t *testing.T) {
	p, err := bandit.New(bandit.Config{Arms: armNames(), Prior: bandit.Arm{Alpha: 1, Beta: 2}, Keep: 1, Strength: 25})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Learn([]bandit.Outcome{{Cell: cellOf(data.RetryNow), Arm: len(others), Success: true, Weight: 4}}); err != nil {
		t.Fatal(err)
	}
	at := data.IST(2026, 5, 10, 6, 0)
	choices := []score.Choice{{Action: data.Wait, At: at}, {Action: data.Retry, At: at}, {Action: data.Retry, At: at + 6*data.Hour}, {Action: data.Retry, At: at + 20*data.Day}}
	got, err := byBeta(p, at)(choices, &score.Decision{Class: data.RetryNow})
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := bandit.Best([]bandit.Arm{{Alpha: 1, Beta: 2}, {Alpha: 5, Beta: 2}, {Alpha: 1, Beta: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []float64{want[0], want[1] / 2, want[1] / 2, want[2]} {
		if math.Abs(got[i]-w) > 1e-12 {
			t.Errorf("candidate %d: %v, want %v", i, got[i], w)
		}
	}
	if _, err := byBeta(p, at)([]score.Choice{{Action: data.Escalate, At: at}}, &score.Decision{}); err == nil {
		t.Error("an escalation was drawn")
	}
}

// Both sides of the edges of the arms.
func TestArmOf(t *testing.T) {
	first := data.IST(2026, 5, 2, 0, 0)
	for _, c := range []struct {
		a    data.Action
		at   data.Micros
		want int
	}{
		{data.Wait, first, 0}, {data.PaymentLink, first, 1}, {data.Nudge, first, 2}, {data.Escalate, first, -1},
		{data.Retry, first + data.Day - 1, 3}, {data.Retry, first + data.Day, 4}, {data.Retry, data.IST(2026, 5, 4, 0, 0) - 1, 4}, {data.Retry, data.IST(2026, 5, 4, 0, 0), 5},
		{data.Retry, data.IST(2026, 5, 31, 23, 0), 3 + len(windows)},
	} {
		if got := armOf(c.a, c.at, first); got != c.want {
			t.Errorf("%s at %s: arm %d, want %d", c.a, c.at, got, c.want)
		}
	}
	if len(armNames()) != 4+len(windows) {
		t.Errorf("%d names", len(armNames()))
	}
	p := .25
	row, offset := rowOf(data.Retry, data.IST(2026, 5, 9, 13, 0), data.IST(2026, 5, 2, 13, 0), &p)
	want := make([]float64, columns+len(windows))
	want[0], want[1], want[5], want[8], want[columns+2] = 1, offset/2, 1, 1, 1
	if !slices.Equal(row, want) || math.Abs(offset-math.Log(1./3)) > 1e-12 {
		t.Errorf("%v, offset %v, want %v", row, offset, want)
	}
}

func TestRefused(t *testing.T) {
	empty := t.TempDir()
	if _, err := Read(filepath.Join(empty, "no.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"", "{}", `{"kind":"other","as_of":0,"trials":1,"state":{}}`, `{"kind":"beta","as_of":0,"trials":1,"state":{},"more":1}`} {
		path := filepath.Join(empty, "bad.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); !errors.Is(err, data.ErrContract) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, f := range []File{{Kind: Beta, State: []byte("{}")}, {Kind: Logistic, State: []byte("{}")}, {Kind: "x"}} {
		if _, _, err := f.Propose(); !errors.Is(err, data.ErrContract) {
			t.Errorf("%s: %v", f.Kind, err)
		}
	}
	foreign, err := bandit.New(bandit.Config{Arms: []string{"a"}, Prior: bandit.Arm{Alpha: 1, Beta: 1}, Keep: 1})
	if err != nil {
		t.Fatal(err)
	}
	state, err := bandit.EncodeState(foreign, &bandit.Book{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := (&File{Kind: Beta, State: state}).Propose(); !errors.Is(err, data.ErrContract) {
		t.Errorf("another bandit's arms: %v", err)
	}
	log := open(t, played(t, 3, 20, score.Explorer{}))
	if _, err := Learn(log, Beta, data.IST(2025, 10, 2, 0, 0)); !errors.Is(err, data.ErrTooLittle) {
		t.Errorf("nothing closed yet: %v", err)
	}
	if _, err := Learn(log, "other", 0); !errors.Is(err, data.ErrUsage) {
		t.Errorf("%v", err)
	}
}
