package api

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// TestAdminPromotesAndRollsBack: the server follows at once, the log says why.
func TestAdminPromotesAndRollsBack(t *testing.T) {
	w := serve(t, -1, nil)
	first, second := w.main.champion.modelID(), w.save(-2)
	ask := func(method, path, body string) (out Registered) {
		t.Helper()
		a := w.ask(w.Admin(), method, path, body)
		if a.StatusCode != 200 {
			t.Fatalf("%s: %d %s", path, a.StatusCode, a.body)
		}
		a.json(t, &out)
		return out
	}
	if r := ask("POST", "/admin/models/promote", `{"model":"`+string(second)[:8]+`","why":"a test"}`); *r.InUse != string(second) || *r.Aliases.Champion != string(second) || r.Refused != nil {
		t.Errorf("%+v", r)
	}
	if w.main.champion.modelID() != second {
		t.Error("the server does not follow")
	}
	r := ask("POST", "/admin/models/rollback", `{"why":"not good"}`)
	if *r.InUse != string(first) || len(r.Promotions) != 3 || r.Promotions[2].Why != "not good" || *r.Promotions[2].Replaced != string(second) {
		t.Errorf("%+v", r)
	}
	if again := ask("GET", "/admin/models", ""); *again.InUse != string(first) || len(again.Promotions) != 3 {
		t.Errorf("%+v", again)
	}
	for body, code := range map[string]Code{`{"model":"0123456789abcdef","why":"x"}`: Impossible, `{"model":"x"}`: Invalid, `{"model":"x","why":""}`: Invalid, `{`: NotJSON, ``: NotJSON,
		`{"model":"x","why":"y","force":true}`: Invalid} {
		p := problemOf(t, w.ask(w.Admin(), "POST", "/admin/models/promote", body), code)
		if code == Impossible && !strings.Contains(p.Detail, "no model") {
			t.Errorf("%+v", p)
		}
	}
	// A damaged model does not come to answer, and the log of promotions does not grow.
	damage(t, w.registry, second)
	problemOf(t, w.ask(w.Admin(), "POST", "/admin/models/promote", `{"model":"`+string(second)+`","why":"x"}`), Impossible)
	if again := ask("GET", "/admin/models", ""); *again.InUse != string(first) || len(again.Promotions) != 3 {
		t.Errorf("%+v", again)
	}
}

// TestAdminIsElsewhere: the admin routes are not on the public listener, nor the
// public ones on the admin's.
func TestAdminIsElsewhere(t *testing.T) {
	w := serve(t, 0, nil)
	problemOf(t, w.request("GET", "/admin/models", ""), NotFound)
	for _, path := range []string{"/v1/decide", "/v1/reasons", "/"} {
		problemOf(t, w.ask(w.Admin(), "GET", path, ""), NotFound)
	}
	for _, path := range []string{"/livez", "/readyz", "/metrics", "/openapi.json"} {
		if a := w.ask(w.Admin(), "GET", path, ""); a.StatusCode != 200 {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	if spec := string(w.ask(w.Admin(), "GET", "/openapi.json", "").body); !strings.Contains(spec, `"/admin/models/promote"`) || strings.Contains(string(w.OpenAPI()), "/admin/") {
		t.Error("the descriptions are not apart")
	}
}

// TestAdminKeepsTheBook: what was told to be done is done for the key's tenant, and
// faults are told by kind.
func TestAdminKeepsTheBook(t *testing.T) {
	w := serve(t, 0, nil)
	ask := func(path, body string) answer { return w.ask(w.Admin(), "POST", path, body) }
	const upTo = `{"up_to":"2026-02-01T00:00:00+05:30"}`
	problemOf(t, ask("/admin/checkpoint", "{}"), NoLedger)
	w.recording()
	problemOf(t, ask("/admin/export", upTo), NoLedger) // not served
	var fault error
	w.again(func(_ *Config, p *Parts) {
		p.Keeping.Checkpoint = func(_ context.Context, tenant string) (ledger.Head, error) {
			return ledger.Head{Size: 7, Note: "note of " + tenant}, fault
		}
		p.Keeping.Export = func(_ context.Context, tenant string, upTo data.Micros) (ledger.Exported, error) {
			if tenant != "main" || upTo != data.IST(2026, 2, 1, 0, 0) {
				t.Errorf("%s up to %s", tenant, upTo)
			}
			return ledger.Exported{From: 1, To: 9, Rows: 5, Duplicates: data.Duplicates{EventID: 2, Attempt: 1}}, fault
		}
	})
	var sealed Checkpointed
	ask("/admin/checkpoint", "{}").json(t, &sealed)
	if sealed.Size != 7 || sealed.Note != "note of main" || sealed.RequestID == "" {
		t.Errorf("%+v", sealed)
	}
	var x BookExported
	ask("/admin/export", upTo).json(t, &x)
	if x.From != 1 || x.To != 9 || x.Rows != 5 || x.Known != 3 {
		t.Errorf("%+v", x)
	}
	for _, body := range []string{`{}`, `{"up_to":"yesterday"}`, `{"up_to":"2026-02-01T00:00:00+05:30","again":true}`} {
		problemOf(t, ask("/admin/export", body), Invalid)
	}
	for err, code := range map[error]Code{ledger.ErrBroken: Impossible, data.ErrLocked: Impossible, ledger.ErrUnavailable: LedgerAway, errors.New("postgres://user:pass@db"): Internal} {
		fault = fmt.Errorf("ledger: %w", err)
		problemOf(t, ask("/admin/checkpoint", "{}"), code)
		problemOf(t, ask("/admin/export", upTo), code)
	}
}
