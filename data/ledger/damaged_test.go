package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"recoup/data"
)

// TestDamagedFile: a file with a page of rubbish is broken, not away, and nobody is told to try again.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	b := keptBook(t, path, Secret{}, 400)
	if err := b.ledger.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 3 * 4096; i < len(text); i++ {
		text[i] = 0xA5
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ := testConfig(path)
	c.ReadOnly = true
	l, err := Open(context.Background(), c)
	if err == nil {
		_, err = l.Verify(context.Background(), Verification{})
		err = errors.Join(err, l.Close())
	}
	if !errors.Is(err, ErrBroken) && !errors.Is(err, data.ErrContract) {
		t.Error(err)
	}
}
