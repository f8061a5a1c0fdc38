package api

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (w *world) readiness(t *testing.T) (Ready, int) {
	t.Helper()
	a := w.request("GET", "/readyz", "")
	var r Ready
	a.json(t, &r)
	return r, a.StatusCode
}

func TestReadyWithoutAModel(t *testing.T) {
	r, status := serve(t, 0, nil).readiness(t)
	if status != 200 || !r.Ready || r.ModelID != nil || r.Arm != "rules" {
		t.Errorf("%d %+v", status, r)
	}
}

// TestDamagedChampion: at the start it is no server's end, but it is not ready;
// a good model heals it.
func TestDamagedChampion(t *testing.T) {
	w := serve(t, -1, nil)
	damage(t, w.registry, w.main.champion.modelID())
	again, err := New(t.Context(), w.cfg, w.parts)
	if err != nil {
		t.Fatal(err)
	}
	w.Server = again
	if r, status := w.readiness(t); status != 503 || r.Ready || r.ModelID != nil || r.Arm != "rules" || len(r.Reasons) != 1 {
		t.Errorf("%d %+v", status, r)
	}
	if m := string(w.request("GET", "/metrics", "").body); !strings.Contains(m, "recoup_model_swap_failures_total 1\n") || strings.Contains(m, "recoup_model_info") {
		t.Error(m)
	}
	good := w.save(-2)
	w.promote(good)
	w.main.champion.look()
	if r, status := w.readiness(t); status != 200 || *r.ModelID != string(good) {
		t.Errorf("%d %+v", status, r)
	}
}

// TestKeepsTheOldModel: what cannot be loaded does not take over, is counted
// every time and logged once.
func TestKeepsTheOldModel(t *testing.T) {
	w := serve(t, -1, nil)
	first := w.main.champion.modelID()
	second := w.save(-2)
	w.promote(second)
	damage(t, w.registry, second)
	for range 3 {
		w.main.champion.look()
	}
	if r, status := w.readiness(t); status != 200 || *r.ModelID != string(first) {
		t.Errorf("%d %+v", status, r)
	}
	if log := w.log.String(); strings.Count(log, "model refused") != 1 || !strings.Contains(log, string(second)) {
		t.Error(log)
	}
	m := string(w.request("GET", "/metrics", "").body)
	for _, want := range []string{"recoup_model_swap_failures_total 3\n", "recoup_model_swaps_total 1\n", `recoup_model_info{as_of="2026-01-01T00:00:00Z",model_id="` + string(first) + `",tenant="main"} 1`} {
		if !strings.Contains(m, want) {
			t.Errorf("no %s in %s", want, m)
		}
	}
	// So do aliases that cannot be read, and aliases that are gone.
	aliases := filepath.Join(w.registry.Path(""), "aliases.json")
	for _, change := range []func() error{func() error { return os.WriteFile(aliases, []byte("{"), 0o644) }, func() error { return os.Remove(aliases) }} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		w.main.champion.look()
		if w.main.champion.modelID() != first || w.main.champion.fault.Load() == nil {
			t.Error("the old model left")
		}
	}
}

func TestGoldenRowsDecideReadiness(t *testing.T) {
	w := serve(t, -1, nil)
	w.Engine().Model().Golden.Cure[0].P += 1e-9
	if r, status := w.readiness(t); status != 503 || len(r.Reasons) != 1 || !strings.Contains(r.Reasons[0], "golden") {
		t.Errorf("%d %+v", status, r)
	}
}

func TestFollowsAnIDOrAnAlias(t *testing.T) {
	w := serve(t, -1, nil)
	second := w.save(-2)
	w.parts.Model = string(second[:8])
	s, err := New(t.Context(), w.cfg, w.parts)
	if err != nil || s.main.champion.modelID() != second {
		t.Fatal(err)
	}
	w.promote(second)
	s.main.champion.look()
	if s.main.champion.modelID() != second {
		t.Error("it left the model it was to keep to")
	}
	w.parts.Model = "0123456789abcdef"
	if _, err := New(t.Context(), w.cfg, w.parts); err == nil || !strings.Contains(err.Error(), "no model") {
		t.Error(err)
	}
}
