package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"recoup/data"
)

// SecretFile is where a tenant keeps the secrets of its webhooks: one a line, the
// newest first. While a secret is being changed both stand there.
const SecretFile = "webhook.secrets"

// minSecret is the least length of a secret, in bytes.
const minSecret = 8

// secrets are the secrets of a tenant's webhooks, as its file has them; none where
// there is no file.
type secrets struct {
	path string // "" = none
	held atomic.Pointer[[]string]
}

// look reads the file again.
func (s *secrets) look() error {
	if s.path == "" {
		return nil
	}
	text, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("api: webhook secrets: %w", err)
	}
	var list []string
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if len(line) < minSecret {
			return data.Faultf(data.ErrContract, "api: %s: line %d: %d bytes: a secret has at least %d", s.path, i+1, len(line), minSecret)
		}
		list = append(list, line)
	}
	s.held.Store(&list)
	return nil
}

func (s *secrets) list() []string {
	if held := s.held.Load(); held != nil {
		return *held
	}
	return nil
}

// signed reports whether one of the secrets made the signature of the body. It
// tries all of them, each compared in the same time.
func (s *secrets) signed(body []byte, signature string) (ok bool) {
	want, err := hex.DecodeString(signature)
	if err != nil || len(want) != sha256.Size {
		return false
	}
	for _, secret := range s.list() {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		ok = hmac.Equal(mac.Sum(nil), want) || ok
	}
	return ok
}

// checkSecrets refuses a secret that two tenants have: whose webhook it signs could
// not be known.
func (s *Server) checkSecrets() error {
	whose := map[string]string{}
	for _, told := range s.parts.Tenants {
		for _, secret := range s.tenants[told.Name].secrets.list() {
			if other, taken := whose[secret]; taken && other != told.Name {
				return data.Faultf(data.ErrContract, "api: tenants %s and %s have the same webhook secret: every tenant needs its own", other, told.Name)
			}
			whose[secret] = told.Name
		}
	}
	return nil
}

// signer is the tenant whose secret signed the body; nil = nobody's.
func (s *Server) signer(body []byte, signature string) (t *tenant) {
	for _, told := range s.parts.Tenants {
		if own := s.tenants[told.Name]; own.secrets.signed(body, signature) && t == nil {
			t = own
		}
	}
	return t
}

// createdAt is the time that a webhook's body says it was made at; 0 = it says none.
// The body is signed, but need not be what the provider documents.
func createdAt(body []byte) data.Micros {
	var head struct {
		CreatedAt int64 `json:"created_at"`
	}
	if json.Unmarshal(body, &head) != nil || head.CreatedAt < 0 || head.CreatedAt > 1<<33 {
		return 0
	}
	return data.Micros(head.CreatedAt) * data.Second
}
