package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// forge rewrites a book as one would who has the database, the source of this program
// and a secret: entry seq says something else, and all hashes from there on are made anew.
func forge(t *testing.T, b *Book, seq int64, s Secret, keyID string) {
	t.Helper()
	ctx := context.Background()
	links, err := b.links(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	previous := genesis(b.ledger.id, b.tenant)
	h := newHasher(s)
	h.keyID = keyID
	var statements []string
	for _, l := range links {
		if l.Seq == seq {
			l.Body = []byte(`{"n":"forged"}`)
		}
		if l.Seq >= seq {
			d := digest(l.salt, l.CaseID, l.CustomerID, l.Body)
			hash := h.next(previous, l.Seq, int64(l.KnownAt), l.Kind, l.Key, d)
			l.hash = hash[:]
			hex := func(x []byte) string {
				if b.ledger.postgres {
					return fmt.Sprintf(`'\x%x'`, x)
				}
				return fmt.Sprintf("X'%x'", x)
			}
			statements = append(statements, fmt.Sprintf(`UPDATE entries SET body = %s, digest = %s, hash = %s, key_id = '%s' WHERE seq = %d`, hex(l.Body), hex(d[:]), hex(hash[:]), keyID, l.Seq),
				fmt.Sprintf(`UPDATE books SET hash = %s, key_id = '%s'`, hex(hash[:]), keyID))
		}
		previous = [32]byte(l.hash)
	}
	tamper(t, b, statements...)
}

func TestForged(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		s, other := secret(t), secret(t)
		b := keptBook(t, url, s, 8)
		forge(t, b, 3, other, s.ID)
		broken(t, b, Verification{Keys: Keys{s}}, 3, "hashed with another secret than "+s.ID)
		broken(t, b, Verification{Keys: Keys{other, s}}, 3, "hashed with another secret than "+s.ID)
		forge(t, b, 1, other, other.ID)
		broken(t, b, Verification{Keys: Keys{s}}, 1, "hashed with secret "+other.ID+", which is not among the secrets given ("+s.ID+")")
		forge(t, b, 1, Secret{}, "")
		broken(t, b, Verification{Keys: Keys{s}}, 8, "hashed without a secret, and there is one")
	})
}

// Without a secret a chain that was made anew is whole; a checkpoint kept elsewhere tells.
func TestForgedWithoutSecret(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b := keptBook(t, url, Secret{}, 8)
		key, public := signer(t, t.TempDir())
		v := Verification{Public: public}
		kept, err := b.Checkpoint(context.Background(), v, key)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustVerify(t, b, v); got.Strength != TamperEvident || got.Signed != 8 {
			t.Errorf("%+v", got)
		}
		tamper(t, b, `DELETE FROM entries WHERE seq = 9`, `UPDATE books SET seq = 8`)
		forge(t, b, 3, Secret{}, "")
		if got := mustVerify(t, b, Verification{}); got.Strength != TamperEvident || len(got.Warnings) != 2 {
			t.Errorf("%+v", got)
		}
		v.Heads = []Head{kept}
		broken(t, b, v, 1, "one of the entries up to 8 was rewritten after the checkpoint of size 8")
	})
}

func TestWithoutTheSecretAtHand(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		s := secret(t)
		b := keptBook(t, url, s, 8)
		got := mustVerify(t, b, Verification{})
		if got.Strength != TamperEvident || got.Unchecked != 8 || !strings.Contains(got.Warnings[0], "not checked") {
			t.Errorf("%+v", got)
		}
		// A signed checkpoint covers what the hashes cover, for those who have no secret.
		key, public := signer(t, t.TempDir())
		v := Verification{Keys: Keys{s}, Public: public}
		if _, err := b.Checkpoint(context.Background(), v, key); err != nil {
			t.Fatal(err)
		}
		v.Keys = nil
		if got := mustVerify(t, b, v); got.Strength != TamperEvident || got.Unchecked != 9 || got.Signed != 8 {
			t.Errorf("%+v", got)
		}
		tamper(t, b, `UPDATE entries SET key = 'x' WHERE seq = 5`)
		broken(t, b, v, 1, "one of the entries up to 8 was rewritten")
	})
}

func TestRotate(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		first, second, stranger := secret(t), secret(t), secret(t)
		b := keptBook(t, url, Secret{}, 3)
		c := b.ledger.config
		mustBook(t, b.ledger, "another")
		for i, keys := range []Keys{{first}, {second, first}} {
			changed, err := Rotate(ctx, c, keys)
			if err != nil || len(changed) != 2 {
				t.Fatal(changed, err)
			}
			if again, err := Rotate(ctx, c, keys); err != nil || len(again) != 0 {
				t.Errorf("a second time: %+v, %v", again, err)
			}
			if _, err := b.Append(ctx, Job{Drafts: []Draft{event("late", `{}`)}}); err == nil {
				t.Error("the old secret goes on")
			}
			c.Secret = keys.Current()
			b = mustBook(t, mustOpen(t, c), "main")
			put(t, b, event(fmt.Sprint("after", i), `{}`))
			if err := b.ledger.CheckSecret(ctx); err != nil {
				t.Error(err)
			}
		}
		keys := Keys{second, first}
		got := mustVerify(t, b, Verification{Keys: keys})
		if got.Strength != Keyed || got.KeyedFrom != 5 || got.Entries != 7 || fmt.Sprint(got.Secrets) != fmt.Sprint([]string{first.ID, second.ID}) {
			t.Errorf("%+v", got)
		}
		broken(t, b, Verification{Keys: Keys{second}}, 5, "not among the secrets given")
		c.Secret = stranger
		if err := mustOpen(t, c).CheckSecret(ctx); err == nil || !strings.Contains(err.Error(), "goes on with secret "+second.ID) {
			t.Errorf("a stranger's secret: %v", err)
		}
		if _, err := Rotate(ctx, c, Keys{stranger}); err == nil || !strings.Contains(err.Error(), "not among the secrets at hand") {
			t.Errorf("a stranger's rotation: %v", err)
		}
		// A key change that another made has no proof of the new secret.
		forge(t, b, 6, stranger, first.ID)
		broken(t, b, Verification{Keys: keys}, 6, "")
	})
}
