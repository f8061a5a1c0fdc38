package ledger

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recoup/data"
)

// KeyFile is where a folder keeps its secrets, for its owner's eyes alone.
const KeyFile = "ledger.key"

// secretBytes is how long a secret is that NewSecret makes, and the least that is taken.
const secretBytes = 32

// Keys are the secrets of a chain, the present one first: the older ones are
// needed to verify what was written under them. None = tamper-evident only.
type Keys []Secret

// NewSecret draws a secret.
func NewSecret(random io.Reader) (Secret, error) {
	key := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, key); err != nil {
		return Secret{}, fmt.Errorf("ledger: a new secret: %w", err)
	}
	return named(key), nil
}

// named gives a secret its id: 8 digits of a hash, so that a wrong key is told
// from a wrong entry.
func named(key []byte) Secret {
	h := sha256.New()
	h.Write([]byte("recoup-ledger-key\x00"))
	h.Write(key)
	return Secret{hex.EncodeToString(h.Sum(nil)[:4]), key}
}

// ParseKeys reads secrets in base64, the present one first, with white space between
// them; from # to the end of a line is a remark. Errors tell the place, never the text.
func ParseKeys(text string) (Keys, error) {
	var keys Keys
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			key, err := base64.StdEncoding.Strict().DecodeString(word)
			if err != nil {
				return nil, data.Faultf(data.ErrUsage, "line %d: no base64: a secret is what head -c 32 /dev/urandom | base64 prints", i+1)
			}
			if len(key) < secretBytes {
				return nil, data.Faultf(data.ErrUsage, "line %d: %d bytes: a secret has at least %d", i+1, len(key), secretBytes)
			}
			s := named(key)
			if _, twice := keys.find(s.ID); twice {
				return nil, data.Faultf(data.ErrUsage, "line %d: the secret of id %s is there twice", i+1, s.ID)
			}
			keys = append(keys, s)
		}
	}
	if len(keys) == 0 {
		return nil, data.Faultf(data.ErrUsage, "no secret in it")
	}
	return keys, nil
}

// FindKeys finds the secrets of folder dir: those of env, the text of RECOUP_LEDGER_KEY,
// where it is not "", else those of its key file. Where there is neither, one is made
// and kept; with random nil there are none.
func FindKeys(dir, env string, random io.Reader) (Keys, error) {
	if env != "" {
		keys, err := ParseKeys(env)
		if err != nil {
			return nil, fmt.Errorf("ledger: RECOUP_LEDGER_KEY: %w", err)
		}
		return keys, nil
	}
	path := filepath.Join(dir, KeyFile)
	text, err := os.ReadFile(path)
	if err == nil {
		keys, err := ParseKeys(string(text))
		if err != nil {
			return nil, fmt.Errorf("ledger: %s: %w", path, err)
		}
		return keys, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if random == nil {
		return nil, nil
	}
	s, err := NewSecret(random)
	if err != nil {
		return nil, err
	}
	if err := keepSecret(path, Keys{s}.text(), false); err != nil {
		if errors.Is(err, fs.ErrExist) { // another process was faster
			return FindKeys(dir, env, nil)
		}
		return nil, err
	}
	return Keys{s}, nil
}

// Keep writes the secrets to the key file of folder dir, in the place of what is there.
func (k Keys) Keep(dir string) error {
	return keepSecret(filepath.Join(dir, KeyFile), k.text(), true)
}

// Current is the secret that new entries are hashed with; the zero Secret where there is none.
func (k Keys) Current() Secret {
	if len(k) == 0 {
		return Secret{}
	}
	return k[0]
}

func (k Keys) find(id string) (Secret, bool) {
	i := slices.IndexFunc(k, func(s Secret) bool { return s.ID == id })
	if i < 0 {
		return Secret{}, false
	}
	return k[i], true
}

func (k Keys) text() string {
	var b strings.Builder
	b.WriteString("# Secrets of the ledger's hash chain, the present one first. Keep the old ones: what they hashed is verified with them.\n")
	for _, s := range k {
		fmt.Fprintf(&b, "%s # id %s\n", base64.StdEncoding.EncodeToString(s.Key), s.ID)
	}
	return b.String()
}

// keepSecret makes a file that its owner alone can read appear whole or not at all.
// Unless replace, one that is there stays, and the error Is fs.ErrExist.
func keepSecret(path, text string, replace bool) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("ledger: %s: %w", path, err)
		}
	}()
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-") // for its owner's eyes alone
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if replace {
		err = os.Rename(f.Name(), path)
	} else {
		err = os.Link(f.Name(), path)
	}
	if err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// ids lists the ids, to be told.
func (k Keys) ids() string {
	ids := make([]string, len(k))
	for i, s := range k {
		ids[i] = s.ID
	}
	return strings.Join(ids, ", ")
}
