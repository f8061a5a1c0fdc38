package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The shipped LightGBM model comes into a registry, and answers as champion, and says
// what it is, without Python.
func TestShippedLightGBM(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no python3
	dir := t.TempDir()
	if code, _, errs := recoup(t, "models", "add", dir, "--dir", dir); code != 2 || !strings.Contains(errs, "holds 0 of them") {
		t.Errorf("a folder that is no model: %d %s", code, errs)
	}
	code, out, errs := recoup(t, "models", "add", "../../models/simulated", "--dir", dir, "--json")
	var added struct{ ID, Kind string }
	if err := json.Unmarshal([]byte(out), &added); code != 0 || err != nil || added.Kind != "LightGBM" {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	if _, out, _ := recoup(t, "models", "list", "--dir", dir); !strings.Contains(out, added.ID+"  LightGBM") || !strings.Contains(out, "challenger") {
		t.Errorf("list: %s", out)
	}
	if code, _, errs := recoup(t, "models", "promote", "challenger", "--why", "a test", "--dir", dir); code != 0 {
		t.Fatal(errs)
	}
	if code, _, errs := recoup(t, "models", "add", "../../models/simulated", "--dir", dir); code != 2 || !strings.Contains(errs, "is the champion already") {
		t.Errorf("once more: %d %s", code, errs)
	}
	if _, out, _ := recoup(t, "models", "show", "champion", "--dir", dir); !strings.Contains(out, "LightGBM, ") || !strings.Contains(out, "## What the attempt model splits on") {
		t.Errorf("show: %s", out)
	}
	if code, out, errs := recoup(t, "models", "inspect", "champion", "--dir", dir); code != 0 || !strings.Contains(out, "LightGBM") && !strings.Contains(out, "lightgbm") {
		t.Errorf("inspect: %d %s %s", code, out, errs)
	}
	body := filepath.Join(dir, "case.json")
	if err := os.WriteFile(body, []byte(`{"as_of": "2026-02-10T06:00:00Z", "events": [
		{"table": "attempts", "occurred_at": "2026-02-10T05:00:00Z", "case_id": "inv_1", "attempt_no": 0, "attempt_id": "pay_1", "customer_id": "c1", "rail": "upi_autopay", "amount_paise": 49900, "status": "failed", "reason": "insufficient_funds"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs = recoup(t, "score", body, "--dir", dir, "--json")
	var d struct {
		Arm       string `json:"arm"`
		ModelID   string `json:"model_id"`
		ModelKind string `json:"model_kind"`
	}
	if err := json.Unmarshal([]byte(out), &d); code != 0 || err != nil || d.Arm != "model" || d.ModelID != added.ID || d.ModelKind != "LightGBM" {
		t.Errorf("%d %+v %s", code, d, errs)
	}
}

// Without Python the verb that needs it says what to do, as a wrong request.
func TestTrainLightGBMWithoutPython(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"holds no event log":     {"train-lightgbm", "--dir", dir, "--as-of", "2026-03-01"},
		"missing flags: --as-of": {"train-lightgbm", "--dir", dir},
		"is for --lightgbm":      {"nightly", "--dir", dir, "--as-of", "2026-03-01", "--python", "python3"},
	} {
		if code, _, errs := recoup(t, args...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
}
