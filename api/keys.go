package api

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"recoup/data"
)

// KeyFile is where a service's keys are kept in D: their hashes, never the keys.
const KeyFile = "keys.json"

// keyPrefix begins every key, so that one that went astray is recognised.
const keyPrefix = "recoup_"

// Key is what one caller may do. Of the key itself only the hash is kept: it is
// 256 bits of chance, so a plain SHA-256 cannot be guessed from.
type Key struct {
	Name   string   `json:"name"`
	Tenant string   `json:"tenant"`
	Scopes []string `json:"scopes"`
	SHA256 string   `json:"sha256"` // of the key, in hex
	MadeAt string   `json:"made_at"`
}

type keyList struct {
	Keys []Key `json:"keys"`
}

// Keys are the keys of a service. They follow their file: a key that was revoked
// does not work any more after the next look at it.
type Keys struct {
	path string
	held atomic.Pointer[heldKeys]
}

// heldKeys is the file as it was read.
type heldKeys struct {
	text []byte
	list []Key
}

// OpenKeys reads a file of keys. The error Is fs.ErrNotExist where there is none,
// and data.ErrContract where it does not hold keys.
func OpenKeys(path string) (*Keys, error) {
	k := &Keys{path: path}
	return k, k.look()
}

// look reads the file again.
func (k *Keys) look() error {
	text, err := os.ReadFile(k.path)
	if err != nil {
		return fmt.Errorf("api: keys: %w", err)
	}
	if held := k.held.Load(); held != nil && bytes.Equal(held.text, text) {
		return nil
	}
	list, err := parseKeys(k.path, text)
	if err != nil {
		return err
	}
	k.held.Store(&heldKeys{text, list})
	return nil
}

// List gives the keys, by name.
func (k *Keys) List() []Key { return k.held.Load().list }

// find gives the key that a caller sent. It compares with all of them, each in
// the same time whatever they hold.
func (k *Keys) find(sent string) (found Key, ok bool) {
	hash := []byte(hashKey(sent))
	for _, key := range k.List() {
		if subtle.ConstantTimeCompare(hash, []byte(key.SHA256)) == 1 {
			found, ok = key, true
		}
	}
	return found, ok
}

// has reports whether the key has a scope.
func (k *Key) has(scope Scope) bool { return slices.Contains(k.Scopes, scope.String()) }

func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// parseKeys reads the file strictly and reports all faults at once.
func parseKeys(path string, text []byte) ([]Key, error) {
	var l keyList
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, data.Faultf(data.ErrContract, "api: %s: %w: it is written by recoup keys add", path, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, data.Faultf(data.ErrContract, "api: %s: something stands after the keys", path)
	}
	var faults []error
	for i := range l.Keys {
		if err := l.Keys[i].check(); err != nil {
			faults = append(faults, fmt.Errorf("keys[%d]: %w", i, err))
		}
		for j := range i {
			if l.Keys[j].Name == l.Keys[i].Name || l.Keys[j].SHA256 == l.Keys[i].SHA256 {
				faults = append(faults, fmt.Errorf("keys[%d]: its name or key is also that of keys[%d]", i, j))
			}
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, data.Faultf(data.ErrContract, "api: %s: %w", path, err)
	}
	slices.SortFunc(l.Keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return l.Keys, nil
}

func (k *Key) check() error {
	if err := CheckName("name", k.Name); err != nil {
		return err
	}
	if err := CheckName("tenant", k.Tenant); err != nil {
		return err
	}
	if len(k.Scopes) == 0 {
		return errors.New("no scopes: a key may do something")
	}
	for i, name := range k.Scopes {
		if _, err := ParseScope(name); err != nil {
			return err
		}
		if slices.Contains(k.Scopes[:i], name) {
			return fmt.Errorf("scope %s stands twice", name)
		}
	}
	if b, err := hex.DecodeString(k.SHA256); err != nil || len(b) != sha256.Size || strings.ToLower(k.SHA256) != k.SHA256 {
		return errors.New("sha256: expected 64 hex digits")
	}
	return nil
}

// CheckName holds a tenant's or key's name to what can be a folder and stand in a
// log: 1 to 63 of a-z 0-9 -, not beginning with -.
func CheckName(what, name string) error {
	sound := len(name) >= 1 && len(name) <= 63 && name[0] != '-'
	for _, b := range []byte(name) {
		sound = sound && (b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '-')
	}
	if !sound {
		return fmt.Errorf("%s %q: expected 1 to 63 of a-z 0-9 -, the first of them not -", what, name)
	}
	return nil
}

// NewKey makes a key of 64 digits of chance (secret, in hex) and adds it to the
// file, which may be new. It returns the key's text: nobody can read it again.
func NewKey(path string, k Key, secret string) (string, error) {
	text := keyPrefix + secret
	k.SHA256 = hashKey(text)
	if err := k.check(); err != nil {
		return "", data.Faultf(data.ErrUsage, "keys: %w", err)
	}
	return text, changeKeys(path, func(list []Key) ([]Key, error) {
		if slices.ContainsFunc(list, func(have Key) bool { return have.Name == k.Name }) {
			return nil, data.Faultf(data.ErrUsage, "keys: %s: there is a key of that name: choose another with --name, or revoke it first", k.Name)
		}
		return append(list, k), nil
	})
}

// RevokeKey takes a key out of the file.
func RevokeKey(path, name string) error {
	return changeKeys(path, func(list []Key) ([]Key, error) {
		kept := slices.DeleteFunc(slices.Clone(list), func(k Key) bool { return k.Name == name })
		if len(kept) == len(list) {
			return nil, data.Faultf(data.ErrUsage, "keys: %s: no key of that name; recoup keys list names them", name)
		}
		return kept, nil
	})
}

// changeKeys is the one writer of the file.
func changeKeys(path string, change func([]Key) ([]Key, error)) error {
	release, err := data.Lock(path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	var list []Key
	switch text, err := os.ReadFile(path); {
	case err == nil:
		if list, err = parseKeys(path, text); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("api: keys: %w", err)
	}
	if list, err = change(list); err != nil {
		return err
	}
	if err := data.WriteFile(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(keyList{list})
	}); err != nil {
		return err
	}
	return os.Chmod(path, 0o600)
}
