package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recoup/api/report"
	"recoup/models"
	"recoup/score"
)

// command runs a verb as main does.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	e := &env{stdout: &out, stderr: &err, now: time.Now}
	code = run(context.Background(), e, args)
	return code, out.String(), err.String()
}

// marginal is the policy with few slots, so that the log's dice reach each of them
// often, and with a margin.
func marginal(t *testing.T, margin string) string {
	t.Helper()
	text := string(score.DefaultText())
	for old, new := range map[string]string{
		"grid:\n  days: 14\n  retry_hours: [0, 6, 12, 18]": "grid:\n  days: 1\n  retry_hours: [6]",
		"\n  escalation: {": "\n  promotion: {margin_paise: " + margin + ", source: a test}\n  escalation: {",
	} {
		if strings.Count(text, old) != 1 {
			t.Fatalf("the policy has %q %d times", old, strings.Count(text, old))
		}
		text = strings.Replace(text, old, new, 1)
	}
	return text
}

// TestNightRefusesWhatTheLogDoesNotLike: a challenger with a surely better held-out
// Brier score is not promoted while the few decisions at which it and the champion part
// could cost more than the margin, for all that the log can tell; with a margin that
// nothing can pass it is. Both nights say why in one sentence.
func TestNightRefusesWhatTheLogDoesNotLike(t *testing.T) {
	if testing.Short() {
		t.Skip("two whole nights")
	}
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.yaml")
	write := func(margin string) {
		if err := os.WriteFile(policy, []byte(marginal(t, margin)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("0")
	if code, _, err := command(t, "simulate", "--dir", dir, "--cases", "6500", "--seed", "5", "--policy", "explorer", "--gate", policy, "--months", "14", "--start", "2025-01-01"); code != 0 {
		t.Fatal(code, err)
	}
	night := func(asOf string) (s struct {
		Outcome report.Outcome
		Why     string
		Model   string
	}) {
		t.Helper()
		code, out, err := command(t, "nightly", "--dir", dir, "--as-of", asOf, "--draws", "200", "--json")
		if code != 0 {
			t.Fatal(code, err)
		}
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := night("2026-03-24"); s.Outcome != report.Promoted {
		t.Fatalf("first night: %+v", s)
	}
	rash(t, filepath.Join(dir, "models"))
	s := night("2026-03-25")
	if s.Outcome != report.Kept || !strings.HasPrefix(s.Why, "its held-out Brier score is better than the champion's, but the log cannot tell its policy from the champion's, from which it differs at ") {
		t.Errorf("margin 0: %+v", s)
	}
	for name, say := range map[string]string{"report.md": s.Why, "report.html": "paired OPE difference"} {
		b, err := os.ReadFile(filepath.Join(dir, "runs", "20260325T000000Z", name))
		if err != nil || !strings.Contains(string(b), say) {
			t.Errorf("%s does not say %q: %v", name, say, err)
		}
	}
	write("100000000")
	if s := night("2026-03-25"); s.Outcome != report.Promoted {
		t.Errorf("a margin that nothing can pass: %+v", s)
	}
}

// rash makes a champion of the registry's own whose probabilities are drawn to one half
// and that expects less of customers: here and there it retries where the other writes.
func rash(t *testing.T, dir string) {
	t.Helper()
	r, err := models.OpenRegistry(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Load(models.Champion)
	if err != nil {
		t.Fatal(err)
	}
	attempt, cure, next := *b.Attempt, *b.Cure, *b
	attempt.Platt, cure.Platt = models.Platt{A: attempt.Platt.A / 5}, models.Platt{A: cure.Platt.A, B: cure.Platt.B + 1}
	next.Attempt, next.Cure = &attempt, &cure
	if next.Golden.Attempt, err = models.NewGolden(&attempt, rowsOfGolden(b.Golden.Attempt)); err != nil {
		t.Fatal(err)
	}
	if next.Golden.Cure, err = models.NewGolden(&cure, rowsOfGolden(b.Golden.Cure)); err != nil {
		t.Fatal(err)
	}
	id, err := r.Save(&next)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Promote(id, "a test", b.Manifest.AsOf); err != nil {
		t.Fatal(err)
	}
}

func rowsOfGolden(golden []models.GoldenRow) (rows [][]float64) {
	for _, g := range golden {
		rows = append(rows, g.Row)
	}
	return rows
}
