package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

// sign is the header of a body that is signed with a secret.
func sign(body, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "X-Razorpay-Signature: " + hex.EncodeToString(mac.Sum(nil))
}

// TestSignatures: the published example of HMAC-SHA256 (RFC 4231, test case 2), and
// what is not the signature.
func TestSignatures(t *testing.T) {
	const body, right = "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	var s secrets
	for _, held := range [][]string{{"Jefe"}, {"newer", "Jefe"}, {"Jefe", "older"}} {
		s.held.Store(&held)
		if !s.signed([]byte(body), right) || !s.signed([]byte(body), strings.ToUpper(right)) {
			t.Errorf("%v: not taken", held)
		}
		for _, wrong := range []string{"", right[:62], right + "00", "x" + right[1:], "6" + right[1:]} {
			if s.signed([]byte(body), wrong) {
				t.Errorf("%q is taken", wrong)
			}
		}
		if s.signed([]byte(body+" "), right) || s.signed(nil, right) {
			t.Error("another body is taken")
		}
	}
	s.held.Store(&[]string{"other"})
	if s.signed([]byte(body), right) {
		t.Error("another secret is taken")
	}
	if (&secrets{}).signed(nil, hex.EncodeToString(hmac.New(sha256.New, nil).Sum(nil))) {
		t.Error("without secrets, the empty one is taken")
	}
}

func TestSecretFile(t *testing.T) {
	s := &secrets{path: filepath.Join(t.TempDir(), SecretFile)}
	if err := s.look(); err != nil || len(s.list()) != 0 {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"one-secret\n", "one-secret"}, {"# new\nnew-secret\r\n\n  old-secret  \n", "new-secret old-secret"}, {"", ""}, {"12345678", "12345678"}} {
		if err := os.WriteFile(s.path, []byte(c[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.look(); err != nil || strings.Join(s.list(), " ") != c[1] {
			t.Errorf("%q: %v %v", c[0], s.list(), err)
		}
	}
	if err := os.WriteFile(s.path, []byte("long-enough\n1234567\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.look(); !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), "line 2: 7 bytes") || strings.Contains(err.Error(), "1234567\n") || strings.Join(s.list(), " ") != "12345678" {
		t.Error(err, s.list())
	}
}
