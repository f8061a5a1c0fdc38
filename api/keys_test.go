package api

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

func TestKeysComeAndGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), KeyFile)
	if _, err := OpenKeys(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	first := newKey(t, path, "first", "main", ScoreScope, AdminScope)
	k, err := OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	second := newKey(t, path, "second", "other", OutcomesScope)
	bearer := func(header string) string { return strings.TrimPrefix(header, "Authorization: Bearer ") }
	if _, ok := k.find(bearer(second)); ok {
		t.Error("a key works before the file is looked at")
	}
	if err := k.look(); err != nil {
		t.Fatal(err)
	}
	if got, ok := k.find(bearer(second)); !ok || got.Name != "second" || got.Tenant != "other" || !got.has(OutcomesScope) || got.has(ScoreScope) {
		t.Errorf("%+v %v", got, ok)
	}
	for _, wrong := range []string{"", "recoup_", bearer(first)[1:], bearer(first) + "0", strings.ToUpper(bearer(first)), k.List()[0].SHA256} {
		if got, ok := k.find(wrong); ok {
			t.Errorf("%q is taken for %s", wrong, got.Name)
		}
	}
	if err := RevokeKey(path, "first"); err != nil {
		t.Fatal(err)
	}
	if err := k.look(); err != nil {
		t.Fatal(err)
	}
	if _, ok := k.find(bearer(first)); ok || len(k.List()) != 1 {
		t.Error("a revoked key works")
	}
	// The file holds no key, and is for its owner's eyes.
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), bearer(second)) || strings.Contains(string(text), keyPrefix) {
		t.Errorf("%v %s", err, text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	// Damage, or its loss, leaves what was there in use.
	for _, change := range []func() error{func() error { return os.WriteFile(path, []byte("{"), 0o600) }, func() error { return os.Remove(path) }} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if err := k.look(); err == nil || len(k.List()) != 1 {
			t.Error(err, k.List())
		}
	}
}

func TestNoSecondKeyOfAName(t *testing.T) {
	path := filepath.Join(t.TempDir(), KeyFile)
	newKey(t, path, "billing", "main", ScoreScope)
	before, _ := os.ReadFile(path)
	for _, k := range []Key{{Name: "billing", Tenant: "main", Scopes: []string{"score"}}, {Name: "Billing", Tenant: "main", Scopes: []string{"score"}},
		{Name: "b", Tenant: "../up", Scopes: []string{"score"}}, {Name: "b", Tenant: "main"}, {Name: "b", Tenant: "main", Scopes: []string{"everything"}},
		{Name: "b", Tenant: "main", Scopes: []string{"score", "score"}}, {Name: "", Tenant: "main", Scopes: []string{"score"}}, {Name: strings.Repeat("x", 64), Tenant: "main", Scopes: []string{"score"}}} {
		if _, err := NewKey(path, k, strings.Repeat("1", 64)); !errors.Is(err, data.ErrUsage) {
			t.Errorf("%+v: %v", k, err)
		}
	}
	if err := RevokeKey(path, "nobody"); !errors.Is(err, data.ErrUsage) {
		t.Error(err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the file changed")
	}
}

func TestKeyFileIsReadStrictly(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	key := func(name, hash string) string {
		return `{"name":"` + name + `","tenant":"main","scopes":["score"],"sha256":"` + hash + `","made_at":""}`
	}
	for text, want := range map[string]string{
		`{"keys":[` + key("a", hash) + `]}`: "",
		`{"keys":[]}`:                       "",
		`{"keys":[]} {}`:                    "after the keys",
		`{"key":[]}`:                        "unknown field",
		`[]`:                                "recoup keys add",
		``:                                  "recoup keys add",
		`{"keys":[` + key("a", hash) + `,` + key("a", strings.Repeat("0b", 32)) + `]}`: "keys[1]: its name or key",
		`{"keys":[` + key("a", hash) + `,` + key("b", hash) + `]}`:                     "keys[1]: its name or key",
		`{"keys":[` + key("A", "x") + `,` + key("b", "0A"+hash[2:]) + `]}`:             "keys[1]: sha256",
		`{"keys":[` + key("A", hash) + `,` + key("b", "x") + `]}`:                      "keys[0]: name",
	} {
		_, err := parseKeys("keys.json", []byte(text))
		if want == "" && err != nil || want != "" && (!errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
