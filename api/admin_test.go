package api

import (
	"strings"
	"testing"
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
