package api

import (
	"strings"
	"testing"
	"time"
)

// TestReadOnly: pages, lists and scores are answered; what would be recorded is refused
// on every route that records, and by whatever it is asked.
func TestReadOnly(t *testing.T) {
	w := hooked(t)
	w.again(func(_ *Config, p *Parts) { p.ReadOnly = true })
	for _, path := range []string{"/v1/reasons", "/v1/models", "/", "/try", "/metrics", "/readyz"} {
		if a := w.request("GET", path, ""); a.StatusCode != 200 {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
	if a := w.request("POST", "/v1/score", example(t)); a.StatusCode != 200 {
		t.Errorf("score: %d %s", a.StatusCode, a.body)
	}
	body := failure("pay_00000000000001", time.Now())
	problemOf(t, w.request("POST", "/v1/webhooks/razorpay", body, sign(body, hookSecret)), ReadOnly)
	problemOf(t, w.ask(w.Admin(), "POST", "/admin/models/promote", `{"why":"x","model":"x"}`), ReadOnly)
	problemOf(t, w.ask(w.Admin(), "POST", "/admin/models/rollback", `{"why":"x"}`), ReadOnly)
	if r, _ := w.readiness(t); !r.Only || !r.Ledger {
		t.Errorf("%+v", r)
	}
}

// TestNotReadyWithoutItsLedger: a ledger that cannot be read is noticed at the next look,
// and told once.
func TestNotReadyWithoutItsLedger(t *testing.T) {
	w := hooked(t)
	if r, status := w.readiness(t); status != 200 || !r.Ready {
		t.Fatalf("%d %+v", status, r)
	}
	if err := w.parts.Ledger.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.look(t.Context())
	}
	if r, status := w.readiness(t); status != 503 || len(r.Reasons) != 1 || !strings.Contains(r.Reasons[0], "ledger") {
		t.Errorf("%d %+v", status, r)
	}
	if log := w.log.String(); strings.Count(log, "present of main") != 1 {
		t.Error(log)
	}
	body := failure("pay_00000000000001", time.Now())
	a := w.request("POST", "/v1/webhooks/razorpay", body, sign(body, hookSecret))
	problemOf(t, a, LedgerAway)
	if a.Header.Get("Retry-After") != "1" {
		t.Error("no Retry-After")
	}
}
