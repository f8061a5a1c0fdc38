package api

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"recoup/data"
	"recoup/data/ledger"
)

const hookSecret = "the secret of a test"

// hooked is a server that takes webhooks signed with hookSecret.
func hooked(t *testing.T) *world {
	w := serve(t, -1, nil).recording()
	w.secret(hookSecret)
	return w
}

// secret writes the tenant's secrets, one a line.
func (w *world) secret(lines string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.main.dir, SecretFile), []byte(lines+"\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.look(w.t.Context())
}

// paymentEvent is a body as the provider documents it, made at a time.
func paymentEvent(event, status, payment string, at time.Time, more string) string {
	return fmt.Sprintf(`{"entity":"event","account_id":"acc_00000000000001","event":%q,"contains":["payment"],"payload":{"payment":{"entity":{"id":%q,"entity":"payment","amount":49900,"currency":"INR",`+
		`"status":%q,"order_id":"order_00000000000001","invoice_id":null,"method":"card","card_id":"card_00000000000001","card":{"id":"card_00000000000001","network":"MasterCard","issuer":"HDFC"},`+
		`"bank":null,"wallet":null,"vpa":null,"email":"meera@invented.example","contact":"+919820012345","customer_id":"cust_00000000000001","token_id":"token_00000000000001",`+
		`"error_code":null,"error_source":null,"error_step":null,"error_reason":null%s,"created_at":%d}}},"created_at":%d}`, event, payment, status, more, at.Unix()-5, at.Unix())
}

func failure(payment string, at time.Time) string {
	return strings.Replace(paymentEvent("payment.failed", "failed", payment, at, ""), `"error_code":null,"error_source":null,"error_step":null,"error_reason":null`,
		`"error_code":"BAD_REQUEST_ERROR","error_source":"issuer_bank","error_step":"payment_authorization","error_reason":"insufficient_funds"`, 1)
}

// hook posts a webhook and demands what became of it.
func (w *world) hook(id, body, result string) HookTaken {
	w.t.Helper()
	a := w.request("POST", "/v1/webhooks/razorpay", body, sign(body, hookSecret), "X-Razorpay-Event-Id: "+id)
	var taken HookTaken
	a.json(w.t, &taken)
	if a.StatusCode != 200 || taken.Result != result || taken.RequestID != a.Header.Get("X-Request-Id") {
		w.t.Fatalf("%s: %d %s, want %s", id, a.StatusCode, a.body, result)
	}
	return taken
}

// attempts are the rows of attempts that the ledger has, as "number status".
func (w *world) attempts(caseID string) (out []string) {
	w.t.Helper()
	line, err := w.main.desk.Case(w.t.Context(), caseID)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range line.Entries {
		if m.Row != nil {
			if a, ok := m.Row.Row.(*data.Attempt); ok {
				out = append(out, fmt.Sprintf("%s %d %s", a.AttemptID[len(a.AttemptID)-1:], a.AttemptNo, a.Status))
			}
		}
	}
	return out
}

func TestWebhooks(t *testing.T) {
	w := hooked(t)
	now := time.Now()
	w.hook("evt-1", failure("pay_00000000000001", now), "recorded")
	w.hook("evt-1", failure("pay_00000000000001", now), "duplicate")
	w.hook("evt-1", failure("pay_00000000000002", now), "duplicate") // the first one counts
	// A second attempt, and money of the first one after all.
	w.hook("evt-2", failure("pay_00000000000003", now.Add(time.Second)), "recorded")
	w.hook("evt-3", paymentEvent("payment.captured", "captured", "pay_00000000000001", now.Add(2*time.Second), `,"captured":true`), "recorded")
	got := strings.Join(w.attempts("order_00000000000001"), ", ")
	if want := "1 0 pending, 1 0 failed, 3 1 pending, 3 1 failed, 1 0 authorized_late"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f, err := w.main.desk.Facts("order_00000000000001", w.main.desk.Now())
	if err != nil || !f.Paid || f.Owed || f.Failures != 2 {
		t.Errorf("%+v %v", f, err)
	}
	// What is not mapped is kept, what is wrong is refused by name; both are 200.
	w.hook("evt-4", `{"entity":"event","event":"invoice.expired","payload":{},"created_at":`+fmt.Sprint(now.Unix())+`}`, "kept")
	w.hook("evt-5", `{"entity":"event","event":"some.new.thing","payload":{},"created_at":`+fmt.Sprint(now.Unix())+`}`, "kept")
	taken := w.hook("evt-6", strings.Replace(failure("pay_00000000000005", now), `"amount":49900,`, "", 1), "refused")
	if len(taken.Errors) == 0 || !strings.Contains(fmt.Sprint(taken.Errors), "amount") {
		t.Errorf("%+v", taken)
	}
	if a := w.hook("evt-7", "no JSON", "refused"); len(a.Errors) == 0 {
		t.Errorf("%+v", a)
	}
	if _, ok, err := w.main.desk.Book().Find(t.Context(), ledger.Webhook, "evt-6"); !ok || err != nil {
		t.Error("what was refused left no trace", err)
	}
	m := string(w.request("GET", "/metrics", "").body)
	for result, n := range map[string]int{"recorded": 3, "duplicate": 2, "kept": 2, "refused": 2} {
		if want := fmt.Sprintf(`recoup_webhooks_total{result=%q} %d`, result, n); !strings.Contains(m, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestWebhooksBySignatureAlone: no key is asked for, and none helps; the new secret and
// the old one are taken while both are there.
func TestWebhooksBySignatureAlone(t *testing.T) {
	w, key := hooked(t).keyed("main", ScoreScope, OutcomesScope, AdminScope)
	body := failure("pay_00000000000001", time.Now())
	post := func(headers ...string) answer {
		return w.request("POST", "/v1/webhooks/razorpay", body, append(headers, "X-Razorpay-Event-Id: e")...)
	}
	if a := post(sign(body, hookSecret)); a.StatusCode != 200 {
		t.Fatal(string(a.body))
	}
	problemOf(t, post(key), BadSignature)
	problemOf(t, post(sign(body+" ", hookSecret)), BadSignature)
	for _, step := range []struct {
		secrets  string
		new, old bool
	}{{hookSecret, false, true}, {"the next secret\n" + hookSecret, true, true}, {"the next secret", true, false}, {"", false, false}} {
		w.secret(step.secrets)
		for secret, ok := range map[string]bool{"the next secret": step.new, hookSecret: step.old} {
			if a := post(sign(body, secret)); (a.StatusCode == 200) != ok {
				t.Errorf("secrets %q, signed with %q: %d", step.secrets, secret, a.StatusCode)
			}
		}
	}
	if log := w.log.String(); strings.Contains(log, "secret of a test") || strings.Contains(log, "pay_00000000000001") || strings.Contains(log, "meera") {
		t.Error("the log has a secret or a body")
	}
}

// TestStaleWebhooks: 15 days to the second.
func TestStaleWebhooks(t *testing.T) {
	w := hooked(t)
	now := time.Unix(1_800_000_000, 0)
	w.again(func(_ *Config, p *Parts) { p.Now = func() time.Time { return now } })
	w.secret(hookSecret)
	for age, code := range map[time.Duration]int{15 * 24 * time.Hour: 200, 15*24*time.Hour + time.Second: 422} {
		body := failure("pay_00000000000001", now.Add(-age))
		a := w.request("POST", "/v1/webhooks/razorpay", body, sign(body, hookSecret), "X-Razorpay-Event-Id: "+age.String())
		if a.StatusCode != code {
			t.Errorf("%s old: %d %s", age, a.StatusCode, a.body)
		}
		if code != 200 {
			problemOf(t, a, StaleWebhook)
		}
	}
}

// TestTwentyAtOnce: the same webhook twenty times at once is one event.
func TestTwentyAtOnce(t *testing.T) {
	w := hooked(t)
	body := failure("pay_00000000000001", time.Now())
	results := make([]string, 20)
	var posts sync.WaitGroup
	for i := range results {
		posts.Go(func() {
			a := w.request("POST", "/v1/webhooks/razorpay", body, sign(body, hookSecret), "X-Razorpay-Event-Id: evt-1")
			var taken HookTaken
			a.json(t, &taken)
			results[i] = fmt.Sprintf("%d %s", a.StatusCode, taken.Result)
		})
	}
	posts.Wait()
	count := map[string]int{}
	for _, r := range results {
		count[r]++
	}
	if count["200 recorded"] != 1 || count["200 duplicate"] != 19 {
		t.Error(count)
	}
	if got := w.attempts("order_00000000000001"); len(got) != 2 {
		t.Errorf("%d rows: %v", len(got), got)
	}
	if f, err := w.main.desk.Facts("order_00000000000001", w.main.desk.Now()); err != nil || f.Failures != 1 || f.ByUnknown+f.ByProvider+f.ByCustomer+f.ByRecoup != 1 {
		t.Errorf("%+v %v", f, err)
	}
}

// TestWebhooksFindTheirTenant: the secret says whose it is; one secret of two tenants is
// refused.
func TestWebhooksFindTheirTenant(t *testing.T) {
	w := hooked(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, SecretFile), []byte("of the second tenant\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.again(func(_ *Config, p *Parts) {
		second := p.Tenants[0]
		second.Name, second.Dir = "second", dir
		p.Tenants = append(p.Tenants, second)
	})
	body := failure("pay_00000000000001", time.Now())
	if a := w.request("POST", "/v1/webhooks/razorpay", body, sign(body, "of the second tenant")); a.StatusCode != 200 {
		t.Fatal(string(a.body))
	}
	if _, err := w.tenants["second"].desk.Case(t.Context(), "order_00000000000001"); err != nil {
		t.Error(err)
	}
	if _, err := w.main.desk.Case(t.Context(), "order_00000000000001"); err == nil {
		t.Error("the main tenant heard of it")
	}
	if err := os.WriteFile(filepath.Join(dir, SecretFile), []byte(hookSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), w.cfg, w.parts); err == nil || !strings.Contains(err.Error(), "the same webhook secret") || strings.Contains(err.Error(), hookSecret) {
		t.Error(err)
	}
}
