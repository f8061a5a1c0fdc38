package api

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// FuzzWebhooks: whatever a body is that somebody with the secret signed, the answer is 200
// with a result, or says that it is stale or empty; never the server's fault.
func FuzzWebhooks(f *testing.F) {
	at := time.Unix(1_767_225_610, 0)
	whole := failure("pay_00000000000001", at)
	for _, body := range []string{whole, strings.Replace(whole, "pay_00000000000001", "pay_00000000000002", 1), whole[:len(whole)/2], "", "null", "[]", `{"event":1}`, `{"created_at":-1}`,
		`{"created_at":99999999999999999999}`, `{"event":"payment.failed","payload":{"payment":{"entity":null}}}`, `{"event":"x","created_at":1}`, "\xff", `{"event":"payment.captured","event":"y"}`,
		paymentEvent("payment.captured", "captured", "pay_00000000000001", at, `,"captured":true`), paymentEvent("refund.processed", "captured", "pay_00000000000001", at, "")} {
		f.Add([]byte(body))
	}
	w := serve(f, -1, nil).recording()
	w.again(func(_ *Config, p *Parts) { p.Now = func() time.Time { return at } })
	w.secret(hookSecret)
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest("POST", "/v1/webhooks/razorpay", bytes.NewReader(body))
		name, value, _ := strings.Cut(sign(string(body), hookSecret), ": ")
		r.Host = "localhost"
		r.Header.Set(name, value)
		r.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		w.Handler().ServeHTTP(rec, r)
		a := answer{rec.Result(), rec.Body.Bytes()}
		var taken HookTaken
		switch a.StatusCode {
		case 200:
			if json.Unmarshal(a.body, &taken) != nil || taken.Result == "" || taken.Result == "refused" != (len(taken.Errors) > 0) {
				t.Fatalf("%s for %q", a.body, body)
			}
		case 400:
			if problemOf(t, a, NotJSON); len(body) > 0 {
				t.Fatalf("%s for %q", a.body, body)
			}
		case 422:
			problemOf(t, a, StaleWebhook)
		default:
			t.Fatalf("%d %s for %q", a.StatusCode, a.body, body)
		}
	})
}
