package api

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/models"
)

func TestReasons(t *testing.T) {
	w := serve(t, 0, nil)
	get := func(query string) []string {
		t.Helper()
		var out ReasonList
		a := w.request("GET", "/v1/reasons"+query, "")
		if a.StatusCode != 200 {
			t.Fatalf("%s: %s", query, a.body)
		}
		a.json(t, &out)
		if out.Total != len(data.Reasons()) || out.RequestID != a.Header.Get("X-Request-Id") {
			t.Errorf("%s: %+v", query, out)
		}
		names := []string{}
		for _, r := range out.Reasons {
			names = append(names, r.Reason)
		}
		return names
	}
	if all := get(""); len(all) != 138 || all[0] != "not_reported" { // Razorpay's 137, and what a file without reasons has
		t.Errorf("%d reasons: %v", len(all), all[:2])
	}
	if got := get("?class=STOP&rail=card&q=RISK"); !slices.Equal(got, []string{"payment_risk_check_failed"}) {
		t.Error(got)
	}
	if got := get("?q=no+such+words"); len(got) != 0 {
		t.Error(got)
	}
	for _, rail := range data.Rails() {
		if n := len(get("?rail=" + rail.String())); n < 30 || n > 110 {
			t.Errorf("%s: %d reasons", rail, n)
		}
	}
	for query, location := range map[string]string{"?class=stop": "query.class", "?rail=upi": "query.rail", "?clas=STOP": "query.clas", "?class=STOP&class=STOP": "query.class",
		"?q=" + strings.Repeat("x", 101): "query.q", "?class=": "query.class"} {
		p := problemOf(t, w.request("GET", "/v1/reasons"+query, ""), BadQuery)
		if len(p.Errors) != 1 || p.Errors[0].Location != location {
			t.Errorf("%s: %+v", query, p.Errors)
		}
	}
	problemOf(t, w.request("GET", "/v1/reasons?q=%zz", ""), BadQuery)
	if p := problemOf(t, w.request("GET", "/v1/reasons?class=x&rail=y", ""), BadQuery); len(p.Errors) != 2 {
		t.Errorf("not all faults at once: %+v", p.Errors)
	}
}

func TestModels(t *testing.T) {
	w := serve(t, 0, nil)
	get := func() (out Models) {
		t.Helper()
		a := w.request("GET", "/v1/models", "")
		if a.StatusCode != 200 {
			t.Fatal(string(a.body))
		}
		a.json(t, &out)
		return out
	}
	if m := get(); m.InUse != nil || m.Aliases.Champion != nil || len(m.Models) != 0 {
		t.Errorf("%+v", m)
	}
	first, second := w.save(-1), w.save(-2)
	w.promote(first)
	w.main.champion.look()
	m := get()
	if *m.InUse != string(first) || *m.Aliases.Champion != string(first) || len(m.Models) != 2 || *m.Models[0].Brier != .153 || *m.Models[0].AsOf != "2026-01-01T00:00:00Z" {
		t.Errorf("%+v", m)
	}
	w.promote(second)
	if m = get(); *m.InUse != string(first) || *m.Aliases.Champion != string(second) || *m.Aliases.Previous != string(first) {
		t.Errorf("%+v", m)
	}
	// A damaged one is listed, and said to be refused.
	damage(t, w.registry, first)
	w.save(-3)
	for _, e := range get().Models {
		if e.Refused != (e.ID == string(first)) || e.Refused != (e.AsOf == nil) {
			t.Errorf("%+v", e)
		}
	}
}

// Damaged aliases are told, and everything else still answers: the list of models,
// the page, and the model in use.
func TestDamagedAliases(t *testing.T) {
	w := serve(t, 0, nil)
	first := w.save(-1)
	w.promote(first)
	w.main.champion.look()
	path := w.registry.Path("aliases.json")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"{", `{"champion":"../x","challenger":"","previous":""}`, string(whole)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var m Models
		for range 2 { // the second time from memory
			a := w.request("GET", "/v1/models", "")
			if a.StatusCode != 200 {
				t.Fatalf("%s: %s", text, a.body)
			}
			m = Models{}
			a.json(t, &m)
			fine := text == string(whole)
			if (m.Unknown == nil) != fine || (m.Aliases.Champion != nil) != fine || *m.InUse != string(first) || len(m.Models) != 1 || (len(m.Models[0].Aliases) == 1) != fine {
				t.Errorf("%s: %s", text, a.body)
			}
			if bytes.Contains(a.body, []byte(path)) {
				t.Errorf("%s: tells where the file lies: %s", text, a.body)
			}
			page := w.request("GET", "/", "")
			if page.StatusCode != 200 || strings.Contains(string(page.body), "nobody knows which model has which part") == fine || !strings.Contains(string(page.body), string(first)) {
				t.Errorf("%s: page %d: %s", text, page.StatusCode, page.body)
			}
		}
		w.main.champion.look()
	}
}

// damage changes a byte of a model's folder.
func damage(t *testing.T, r *models.Registry, id models.ID) {
	t.Helper()
	path := filepath.Join(r.Path(id), "card.md")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
