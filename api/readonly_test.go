package api

import (
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
