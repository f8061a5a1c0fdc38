package api

import (
	"errors"
	"strings"
	"testing"

	"recoup/data"
	"recoup/score"
)

// exploring is the built-in policy with half of the cases in the explorer's arm.
func exploring(t *testing.T) *score.Policy {
	t.Helper()
	text := string(score.DefaultText())
	const all = "arms: {rules: 0, model: 1, explorer: 0,"
	if !strings.Contains(text, all) {
		t.Fatalf("no %s in the policy", all)
	}
	p, err := score.ParsePolicy("policy.yaml", []byte(strings.Replace(text, all, "arms: {rules: 0, model: 0.5, explorer: 0.5,", 1)))
	if err != nil || !p.Divides() {
		t.Fatal(err)
	}
	return p
}

// TestExploresWithALedgerAlone: what is drawn must be written down.
func TestExploresWithALedgerAlone(t *testing.T) {
	w := serve(t, -1, nil)
	p := w.parts
	p.Tenants = []Tenant{p.Tenants[0]}
	p.Tenants[0].Policy, p.Tenants[0].Salt = exploring(t), []byte("a salt of a test, long enough")
	if _, err := New(t.Context(), w.cfg, p); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "--ledger") {
		t.Error(err)
	}
	w.recording()
	w.again(func(_ *Config, now *Parts) {
		now.Tenants[0].Policy, now.Tenants[0].Salt = p.Tenants[0].Policy, p.Tenants[0].Salt
	})
	var d Decided
	a := w.request("POST", "/v1/decide", example(t))
	a.json(t, &d)
	if a.StatusCode != 200 || d.ArmShare != .5 || d.Assigned != "model" && d.Assigned != "explorer" || d.Choice.Mix <= 0 {
		t.Errorf("%d %.300s", a.StatusCode, a.body)
	}
	// The next champion explores, too.
	w.promote(w.save(-2))
	w.look(t.Context())
	w.request("POST", "/v1/decide", example(t)).json(t, &d)
	if d.ArmShare != .5 || *d.ModelID != string(w.main.champion.modelID()) {
		t.Errorf("%+v", d.ArmShare)
	}
	p = w.parts
	p.Tenants[0].Salt = nil
	if _, err := New(t.Context(), w.cfg, p); err == nil {
		t.Error("it explores without a salt")
	}
}

// TestPartsAreChecked: what a server cannot do without, and what contradicts itself.
func TestPartsAreChecked(t *testing.T) {
	w := serve(t, 0, nil)
	for want, change := range map[string]func(*Config, *Parts){
		"tenant main, as the first": func(_ *Config, p *Parts) { p.Tenants = nil },
		"a log, a clock and ids":    func(_ *Config, p *Parts) { p.Now = nil },
		"recoup keys add":           func(c *Config, _ *Parts) { c.Insecure = false },
		"--insecure answers":        func(_ *Config, p *Parts) { p.Keys = &Keys{} },
		"is there twice":            func(_ *Config, p *Parts) { p.Tenants = append(p.Tenants[:1:1], p.Tenants[0]) },
		"a policy and a registry":   func(_ *Config, p *Parts) { p.Tenants = []Tenant{{Name: MainTenant}} },
	} {
		cfg, parts := w.cfg, w.parts
		change(&cfg, &parts)
		if _, err := New(t.Context(), cfg, parts); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestExplorerFollows: what the explorer draws by is asked for anew at each look; what
// cannot be had leaves the old one and is said.
func TestExplorerFollows(t *testing.T) {
	w := serve(t, -1, nil)
	w.recording()
	formula, broken := "drawn-1", error(nil)
	w.again(func(_ *Config, now *Parts) {
		now.Tenants[0].Policy, now.Tenants[0].Salt = exploring(t), []byte("a salt of a test, long enough")
		now.Tenants[0].Draw = func() (score.Proposal, string, error) {
			return func(drawable []score.Choice, _ *score.Decision) ([]float64, error) {
				out := make([]float64, len(drawable))
				out[0] = 1
				return out, nil
			}, formula, broken
		}
	})
	said := func() string {
		t.Helper()
		var d struct{ Logger string }
		a := w.request("POST", "/v1/decide", example(t))
		a.json(t, &d)
		if a.StatusCode != 200 {
			t.Fatalf("%d %.300s", a.StatusCode, a.body)
		}
		return d.Logger
	}
	model := w.main.champion.modelID()
	if logger := said(); !strings.Contains(logger, "/drawn-1/") {
		t.Errorf("%s", logger)
	}
	formula = "drawn-2"
	w.look(t.Context())
	if logger := said(); !strings.Contains(logger, "/drawn-2/") || w.main.champion.modelID() != model {
		t.Errorf("%s of model %s", logger, w.main.champion.modelID())
	}
	formula, broken = "drawn-3", errors.New("half a file")
	second := w.save(-2)
	w.promote(second)
	w.look(t.Context())
	if logger := said(); !strings.Contains(logger, "/drawn-2/") || w.main.champion.modelID() != second || w.main.champion.refused() != "" {
		t.Errorf("%s of model %s: a promotion waits for the explorer", logger, w.main.champion.modelID())
	}
	if fault := w.faults["what the explorer of main draws by"]; fault != "half a file" {
		t.Errorf("said: %q", fault)
	}
	if m := string(w.request("GET", "/metrics", "").body); strings.Count(m, "recoup_explorer_info{") != 1 || !strings.Contains(m, `recoup_explorer_info{formula="drawn-2",tenant="main"} 1`) {
		t.Error("the metrics do not say what is drawn by")
	}
	broken = nil
	w.look(t.Context())
	if logger := said(); !strings.Contains(logger, "/drawn-3/") || w.main.champion.modelID() != second || w.faults["what the explorer of main draws by"] != "" {
		t.Errorf("%s of model %s", logger, w.main.champion.modelID())
	}
	broken = errors.New("no file")
	if _, err := New(t.Context(), w.cfg, w.parts); err == nil {
		t.Error("it starts without what it is to draw by")
	}
}
