package thompson

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"recoup/data"
	"recoup/ope/bandit"
	"recoup/score"
)

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
	if _, err := Learn(nil, "other", 0); !errors.Is(err, data.ErrUsage) {
		t.Errorf("%v", err)
	}
}
