package api

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"recoup/models"
	"recoup/score"
)

// TestEveryRouteAsksForItsScope asks every route of both listeners, as nobody, with
// each scope alone, and with a key that is not known.
func TestEveryRouteAsksForItsScope(t *testing.T) {
	w := serve(t, -1, nil)
	headers := map[Scope]string{}
	w, headers[ScoreScope] = w.keyed("main", ScoreScope)
	path := w.parts.Keys.path
	headers[OutcomesScope] = newKey(t, path, "teller", "main", OutcomesScope)
	headers[AdminScope] = newKey(t, path, "keeper", "main", AdminScope)
	if err := w.parts.Keys.look(); err != nil {
		t.Fatal(err)
	}
	open := []string{"/livez", "/readyz", "/openapi.json", "/static/*file", "/v1/webhooks/razorpay"}
	asked := map[string]Scope{"/v1/score": ScoreScope, "/v1/decide": ScoreScope, "/v1/models": ScoreScope, "/v1/reasons": ScoreScope, "/try": ScoreScope, "/": ScoreScope,
		"/report": ScoreScope, "/ope.html": ScoreScope, "/metrics": AdminScope, "/admin/models": AdminScope, "/admin/models/promote": AdminScope, "/admin/models/rollback": AdminScope, "/admin/checkpoint": AdminScope, "/admin/export": AdminScope}
	found := 0
	for _, g := range []*gin.Engine{w.Handler().(*gin.Engine), w.Admin().(*gin.Engine)} {
		for _, r := range g.Routes() {
			path := strings.NewReplacer("*file", "x", "*name", "x", ":", "").Replace(r.Path)
			ask := func(headers ...string) Code {
				w.strangers.used = 0
				a := w.ask(g, r.Method, path, "", headers...)
				var p Problem
				if a.Header.Get("Content-Type") == ProblemType && r.Method != "HEAD" {
					a.json(t, &p)
				}
				if p.Code == "" && a.StatusCode == 401 {
					return NoKey
				}
				if p.Code == "" && a.StatusCode == 403 {
					return NoScope
				}
				return p.Code
			}
			isOpen := slices.Contains(open, r.Path)
			for _, headers := range [][]string{nil, {"Authorization: Bearer recoup_0"}, {"Authorization: Bearer"}, {"Authorization: Basic eDp5"}} {
				if got := ask(headers...); (got == NoKey) == isOpen {
					t.Errorf("%s %s with %v: %q", r.Method, r.Path, headers, got)
				}
			}
			if isOpen {
				continue
			}
			var want Scope
			for _, s := range []Scope{ScoreScope, OutcomesScope, AdminScope} {
				switch got := ask(headers[s]); {
				case got == NoKey:
					t.Errorf("%s %s does not know a key", r.Method, r.Path)
				case got != NoScope && want != 0:
					t.Errorf("%s %s opens to %s and %s", r.Method, r.Path, want, s)
				case got != NoScope:
					want = s
				}
			}
			if scope, _ := needs(r.Method, r.Path); scope != want {
				t.Errorf("%s %s opens to %q, is said to need %s", r.Method, r.Path, want, scope)
			}
			if scope, here := asked[r.Path]; here {
				found++
				if scope != want {
					t.Errorf("%s %s opens to %q", r.Method, r.Path, want)
				}
			}
		}
	}
	if found < len(asked) {
		t.Errorf("only %d routes of the list are there", found)
	}
}

// TestPasswordsAreForPages: a browser's password opens pages, and nothing that a
// program asks.
func TestPasswordsAreForPages(t *testing.T) {
	w, key := serve(t, 0, nil).keyed("main", ScoreScope)
	basic := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("anybody:"+strings.TrimPrefix(key, "Authorization: Bearer ")))
	for path, status := range map[string]int{"/": 200, "/reasons": 200, "/v1/reasons": 401, "/v1/models": 401} {
		if a := w.request("GET", path, "", basic); a.StatusCode != status {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	for path, want := range map[string]string{"/": "Bearer Basic", "/v1/reasons": "Bearer"} {
		var kinds []string
		for _, h := range w.request("GET", path, "").Header.Values("WWW-Authenticate") {
			kind, _, _ := strings.Cut(h, " ")
			kinds = append(kinds, kind)
		}
		if strings.Join(kinds, " ") != want {
			t.Errorf("%s: %v", path, kinds)
		}
	}
	// A page that another site makes the browser post is not taken.
	a := w.request("POST", "/try", "x=1", basic, "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: cross-site")
	if a.StatusCode != 403 {
		t.Errorf("another site posts: %d", a.StatusCode)
	}
}

// TestTenantsSeeTheirOwn: a key opens its tenant's models and policy, and no other's.
func TestTenantsSeeTheirOwn(t *testing.T) {
	w := serve(t, -1, nil)
	r, err := models.OpenRegistry(filepath.Join(t.TempDir(), "models"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := r.Save(bundle(t, -3))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Promote(id, "test", "2026-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	w.again(func(_ *Config, p *Parts) {
		p.Tenants = append(p.Tenants, Tenant{Name: "second", Policy: score.Default(), Registry: r})
	})
	w, second := w.keyed("second", ScoreScope)
	path := w.parts.Keys.path
	first := newKey(t, path, "first", "main", ScoreScope)
	stray := newKey(t, path, "stray", "unheard-of", ScoreScope)
	keeper := newKey(t, path, "keeper", "second", AdminScope)
	if err := w.parts.Keys.look(); err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]models.ID{first: w.main.champion.modelID(), second: id} {
		var m Models
		w.request("GET", "/v1/models", "", header).json(t, &m)
		if *m.InUse != string(want) || len(m.Models) != 1 {
			t.Errorf("%+v, want %s", m, want)
		}
		if page := string(w.request("GET", "/", "", header).body); !strings.Contains(page, string(want)) {
			t.Error("the page shows another's model")
		}
	}
	problemOf(t, w.request("GET", "/v1/models", "", stray), NoScope)
	// What all tenants share is for the main tenant's keeper.
	problemOf(t, w.request("GET", "/metrics", "", keeper), NoScope)
}

// TestStrangersAreSlowedDown: many wrong keys at once are told to wait; a right one is
// not.
func TestStrangersAreSlowedDown(t *testing.T) {
	w, key := serve(t, 0, nil).keyed("main", ScoreScope)
	slowed := 0
	for range strangerBurst + 50 {
		if a := w.request("GET", "/v1/reasons", "", "Authorization: Bearer wrong"); a.StatusCode == 429 {
			slowed++
			if a.Header.Get("Retry-After") != "1" {
				t.Error("no Retry-After")
			}
			problemOf(t, a, TooMany)
		}
	}
	if slowed == 0 {
		t.Error("nobody is slowed down")
	}
	if a := w.request("GET", "/v1/reasons", "", key); a.StatusCode != 200 {
		t.Errorf("who has a key: %d", a.StatusCode)
	}
	if log := w.log.String(); strings.Contains(log, "wrong") || strings.Contains(log, strings.TrimPrefix(key, "Authorization: Bearer ")) || !strings.Contains(log, `"key":"caller"`) {
		t.Error("the log has a key, or not its name")
	}
}

// TestServerFollowsItsKeys: what is revoked or made under the running server.
func TestServerFollowsItsKeys(t *testing.T) {
	w, key := serve(t, 0, nil).keyed("main", ScoreScope)
	path := w.parts.Keys.path
	fresh := newKey(t, path, "fresh", "main", ScoreScope)
	if err := RevokeKey(path, "caller"); err != nil {
		t.Fatal(err)
	}
	w.look(t.Context())
	problemOf(t, w.request("GET", "/v1/reasons", "", key), NoKey)
	if a := w.request("GET", "/v1/reasons", "", fresh); a.StatusCode != 200 {
		t.Error(a.StatusCode)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.look(t.Context())
	}
	if a := w.request("GET", "/v1/reasons", "", fresh); a.StatusCode != 200 {
		t.Error("a damaged file took the keys away")
	}
	if log := w.log.String(); strings.Count(log, "not taken in") != 1 {
		t.Error(log)
	}
}
