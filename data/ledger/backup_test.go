package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
)

// elsewhere is the URL of an empty ledger of the same kind.
func elsewhere(t *testing.T, b *Book) string {
	t.Helper()
	if b.ledger.postgres {
		return postgresURL(t)
	}
	return filepath.Join(t.TempDir(), "restored.db")
}

func TestBackup(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		s := secret(t)
		b := keptBook(t, url, s, 700) // more than a page
		other := mustBook(t, b.ledger, "another")
		put(t, other, event("e1", `{}`))
		if _, err := b.Append(ctx, Job{
			Drafts: []Draft{{Kind: Event, Key: "a1", CaseID: "case1", Body: []byte(`{}`), Claims: []Claim{{Name: "case1:1"}},
				Move: &Move{CaseID: "case1", No: 1, AttemptID: "att1", To: Intended}}},
			Once: &Once{Key: "k", Fingerprint: [32]byte{1}, Answer: func([]Receipt) (int, []byte) { return 200, []byte("answer") }},
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Erase(ctx, "cust1", ""); err != nil {
			t.Fatal(err)
		}
		if err := b.mark(ctx, 3); err != nil {
			t.Fatal(err)
		}
		v := Verification{Keys: Keys{s}}
		file := filepath.Join(t.TempDir(), "copy.db")
		var last, total int64
		made, err := b.ledger.Backup(ctx, file, v, func(d, t int64) { last, total = d, t })
		if err != nil || len(made.Tenants) != 2 || made.Tenants[1].Entries != 702 || made.Rows != total || last != total {
			t.Fatal(made, last, total, err)
		}
		if left, _ := filepath.Glob(filepath.Dir(file) + "/*"); len(left) != 1 {
			t.Error("left behind:", left)
		}
		put(t, b, event("later", `{}`))
		c, _ := testConfig(elsewhere(t, b))
		restored, err := Restore(ctx, file, c, v, nil)
		if err != nil || restored.Ledger != b.ledger.id || restored.Rows != made.Rows || !cmp.Equal(restored.Tenants, made.Tenants) {
			t.Fatal(restored, err)
		}
		c.Secret = s
		l := mustOpen(t, c)
		back := mustBook(t, l, "main")
		if d := cmp.Diff(all(t, b)[:702], all(t, back)); d != "" {
			t.Error(d)
		}
		if n, err := back.Exported(ctx); err != nil || n != 3 {
			t.Error("exported", n, err)
		}
		// It goes on as the first would: same keys, claims, states and answers.
		if a, ok, err := back.Attempt(ctx, "att1"); err != nil || !ok || a.State != Intended {
			t.Error(a, ok, err)
		}
		if _, err := back.Append(ctx, Job{Drafts: []Draft{{Kind: Event, Key: "a2", Body: []byte(`{}`), Claims: []Claim{{Name: "case1:1"}}}}}); !errors.Is(err, ErrConflict) {
			t.Error(err)
		}
		if d, err := back.Append(ctx, Job{Drafts: []Draft{event("k2", `{}`)}, Once: &Once{Key: "k", Fingerprint: [32]byte{1}}}); err != nil || !d.Replayed || string(d.Body) != "answer" {
			t.Error(d, err)
		}
		put(t, back, event("on", `{}`))
		put(t, mustBook(t, l, "a third"), event("e1", `{}`))
		if _, err := l.Verify(ctx, v); err != nil {
			t.Error(err)
		}
		if _, err := Restore(ctx, file, c, v, nil); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "holds a ledger already") {
			t.Error("a second time:", err)
		}
	})
}

func TestBackupRefused(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		s := secret(t)
		b := keptBook(t, url, s, 5)
		v := Verification{Keys: Keys{s}}
		file := filepath.Join(t.TempDir(), "copy.db")
		if _, err := b.ledger.Backup(ctx, file, v, nil); err != nil {
			t.Fatal(err)
		}
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Error("a backup is its owner's alone:", info.Mode(), err)
		}
		if _, err := b.ledger.Backup(ctx, file, v, nil); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "there already") {
			t.Error("over what is there:", err)
		}
		tamper(t, b, `UPDATE entries SET key = 'x' WHERE seq = 2`)
		unwritten := filepath.Join(t.TempDir(), "copy.db")
		if _, err := b.ledger.Backup(ctx, unwritten, v, nil); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "entry 2") {
			t.Error(err)
		}
		if _, err := os.Lstat(unwritten); !errors.Is(err, os.ErrNotExist) {
			t.Error("a broken ledger was copied", err)
		}
		if still, err := os.ReadFile(file); err != nil || string(still) != string(good) {
			t.Error("the good copy was touched", err)
		}
		c, _ := testConfig(elsewhere(t, b))
		if _, err := Restore(ctx, file, c, Verification{Keys: Keys{secret(t)}}, nil); !errors.Is(err, ErrBroken) {
			t.Error("another's secret:", err)
		}
		if _, err := Restore(ctx, filepath.Join(t.TempDir(), "none.db"), c, v, nil); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		other := filepath.Join(t.TempDir(), "text.db")
		if err := os.WriteFile(other, []byte(strings.Repeat("no ledger\n", 500)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(ctx, other, c, v, nil); !errors.Is(err, data.ErrContract) {
			t.Error(err)
		}
		if _, err := Restore(ctx, file, c, v, nil); err != nil {
			t.Error("what was refused is in the way:", err)
		}
	})
}
