package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

const (
	keyA = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	keyB = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU="
)

func TestParseKeys(t *testing.T) {
	for _, text := range []string{keyA + " " + keyB, keyA + "\n" + keyB + "\n", "# secrets\n\n  " + keyA + " # now\n" + keyB + "# before"} {
		keys, err := ParseKeys(text)
		if err != nil || len(keys) != 2 || string(keys[0].Key) != "01234567890123456789012345678901" || keys[0].ID == keys[1].ID || len(keys[0].ID) != 8 {
			t.Errorf("%q: %v, %v", text, keys, err)
		}
	}
	for text, what := range map[string]string{
		"":                  "no secret in it",
		"# " + keyA:         "no secret in it",
		"secret":            "line 1: no base64",
		"\n\nc2hvcnQ=":      "line 3: 5 bytes",
		keyA + "\n" + keyA:  "line 2: the secret of id",
		keyA[:len(keyA)-1]:  "line 1: no base64",
		keyA + "\n" + "@@@": "line 2: no base64",
	} {
		_, err := ParseKeys(text)
		if !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), what) || strings.Contains(err.Error(), keyA) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFindKeys(t *testing.T) {
	dir := t.TempDir()
	if keys, err := FindKeys(dir, "", nil); keys != nil || err != nil {
		t.Fatal(keys, err)
	}
	made, err := FindKeys(dir, "", bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	if err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	path := filepath.Join(dir, KeyFile)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	found, err := FindKeys(dir, "", bytes.NewReader(nil))
	if err != nil || found.Current().ID != made.Current().ID {
		t.Fatal("another one is made, or none is found:", found, err)
	}
	if keys, err := FindKeys(dir, keyA, nil); err != nil || keys.Current().ID == made.Current().ID {
		t.Error("the environment does not win:", keys, err)
	}
	if _, err := FindKeys(dir, "x", nil); err == nil || !strings.Contains(err.Error(), "RECOUP_LEDGER_KEY") {
		t.Error(err)
	}
	a, err := ParseKeys(keyA)
	if err != nil {
		t.Fatal(err)
	}
	if err := append(a, made...).Keep(dir); err != nil {
		t.Fatal(err)
	}
	if keys, err := FindKeys(dir, "", nil); err != nil || keys.ids() != a[0].ID+", "+made[0].ID {
		t.Error(keys, err)
	}
	if _, err := FindKeys(t.TempDir(), "", bytes.NewReader(nil)); err == nil {
		t.Error("a secret of nothing")
	}
	if err := keepSecret(path, "another's", false); !errors.Is(err, os.ErrExist) {
		t.Error("two that start at once: the slower one wins", err)
	}
	if keys, err := FindKeys(dir, "", nil); err != nil || len(keys) != 2 {
		t.Error(keys, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
		t.Error("left behind:", left)
	}
}

func TestFindKeysRefusesWhatIsNone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, KeyFile)
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FindKeys(dir, "", bytes.NewReader(bytes.Repeat([]byte{7}, 32))); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

// A change of secret that is not what it says is named, though it is hashed right.
func TestBadKeyChange(t *testing.T) {
	from, to, third := secret(t), secret(t), secret(t)
	for name, change := range map[string]func(k *keyChange){
		"its proof of having secret":            func(k *keyChange) { k.Proof[3] ^= 1 },
		"it changes the key from \"" + third.ID: func(k *keyChange) { k.From = third.ID },
		"it changes the key from \"" + from.ID:  func(k *keyChange) { k.To = third.ID },
		"":                                      func(k *keyChange) {},
	} {
		b := keptBook(t, filepath.Join(t.TempDir(), "ledger.db"), from, 2)
		k := keyChange{From: from.ID, To: to.ID}
		k.Proof = k.proof(to, b.ledger.id, "main")
		change(&k)
		body, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		put(t, b, Draft{Kind: KeyChange, Key: to.ID, Body: body})
		v := Verification{Keys: Keys{to, from, third}}
		if name == "" {
			if got, err := b.Verify(context.Background(), v); err != nil {
				t.Error(got, err)
			}
			continue
		}
		broken(t, b, v, 3, name)
	}
}
