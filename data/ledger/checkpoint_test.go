package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"recoup/data"
)

// The root made along the way is the one that the library makes of all stored hashes.
func TestTree(t *testing.T) {
	var tr tree
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(at []int64) (out []tlog.Hash, _ error) {
		for _, i := range at {
			out = append(out, stored[i])
		}
		return out, nil
	})
	for n := range int64(300) {
		want, err := tlog.TreeHash(n, read)
		if err != nil {
			t.Fatal(err)
		}
		if tr.size != n || tr.root() != want {
			t.Fatalf("size %d: root %v, expected %v", n, tr.root(), want)
		}
		leaf := sha256.Sum256([]byte{byte(n), byte(n >> 8)})
		more, err := tlog.StoredHashes(n, leaf[:], read)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, more...)
		tr.add(tlog.RecordHash(leaf[:]))
	}
}

func TestCheckpoint(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		dir := t.TempDir()
		s := secret(t)
		b := keptBook(t, url, s, 5)
		key, public := signer(t, dir)
		v := Verification{Keys: Keys{s}, Public: public}
		first, err := b.Checkpoint(ctx, v, key)
		if err != nil || first.Size != 5 {
			t.Fatal(first, err)
		}
		if again, err := b.Checkpoint(ctx, v, key); err != nil || again != first {
			t.Errorf("nothing came since: %+v, %v", again, err)
		}
		put(t, b, event("e6", `{}`), event("e7", `{}`))
		b.ledger.config.Now = func() data.Micros { return day(100) } // far from the entries' times
		second, err := b.Checkpoint(ctx, v, key)
		if err != nil || second.Size != 8 {
			t.Fatal(second, err)
		}
		got := mustVerify(t, b, v)
		if got.Checkpoints != 2 || got.Signed != 8 || got.Entries != 9 || len(got.Warnings) != 0 {
			t.Errorf("%+v", got)
		}
		if before, after := all(t, b)[6].KnownAt, all(t, b)[8].KnownAt; after != before+2 {
			t.Errorf("a checkpoint moves the clock: %v, %v", before, after)
		}
		path, err := second.Keep(dir)
		if err != nil || filepath.Base(path) != "main-8.txt" {
			t.Fatal(path, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := ParseHead(string(text), public)
		if err != nil || kept != second || kept.Tenant() != "main" {
			t.Fatalf("%+v, %v", kept, err)
		}

		// The tail cut off, and the book made to say so.
		tamper(t, b, `DELETE FROM entries WHERE seq > 6`, `UPDATE books SET seq = 6, hash = (SELECT hash FROM entries WHERE seq = 6)`)
		if got := mustVerify(t, b, v); got.Signed != 5 {
			t.Errorf("%+v", got)
		}
		v.Heads = []Head{kept}
		broken(t, b, v, 7, "it and the entries up to 8, the last ones, are missing: a checkpoint says that there were 8")
		if _, err := b.Checkpoint(ctx, v, key); err == nil {
			t.Error("a broken chain was signed")
		}
	})
}

func TestCheckpointOfAnother(t *testing.T) {
	ctx := context.Background()
	b := keptBook(t, filepath.Join(t.TempDir(), "ledger.db"), Secret{}, 5)
	key, public := signer(t, t.TempDir())
	_, strangers := signer(t, t.TempDir())
	h, err := b.Checkpoint(ctx, Verification{}, key)
	if err != nil {
		t.Fatal(err)
	}
	broken(t, b, Verification{Public: strangers}, 6, "signed with another key")
	for _, c := range []struct{ name, text, what string }{
		{"a stranger's", h.Note, "another key"},
		{"not a note", "x", "no signed checkpoint"},
		{"changed", strings.Replace(h.Note, "\n5\n", "\n4\n", 1), "invalid signature"},
	} {
		keys := public
		if c.name == "a stranger's" {
			keys = strangers
		}
		if _, err := ParseHead(c.text, keys); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if unsigned, err := ParseHead(h.Note, nil); err != nil || unsigned.Signed {
		t.Errorf("%+v, %v", unsigned, err)
	}
	if got := mustVerify(t, b, Verification{}); got.Checkpoints != 1 || got.Signed != 0 {
		t.Errorf("%+v", got)
	}
	another := keptBook(t, filepath.Join(t.TempDir(), "ledger.db"), Secret{}, 5)
	if _, err := another.ledger.Verify(ctx, Verification{Heads: []Head{h}}); err == nil || !strings.Contains(err.Error(), "no such book") {
		t.Errorf("a checkpoint of another ledger: %v", err)
	}
	forged := h
	forged.Root[0]++
	broken(t, b, Verification{Heads: []Head{forged}}, 1, "rewritten")
}

// An entry that holds a checkpoint which it cannot hold is named.
func TestCheckpointThatDoesNotBelong(t *testing.T) {
	key, public := signer(t, t.TempDir())
	for name, head := range map[string]func(b *Book) (string, int64){
		"its checkpoint is of recoup/other/main, size 1": func(*Book) (string, int64) { return "recoup/other/main", 1 },
		", size 6":                  func(b *Book) (string, int64) { return origin(b.ledger.id, "main"), 6 },
		"its body is no checkpoint": nil,
	} {
		b := keptBook(t, filepath.Join(t.TempDir(), "ledger.db"), Secret{}, 5)
		body := []byte(`[]`)
		if head != nil {
			from, size := head(b)
			h, err := key.sign(from, size, tlog.Hash{})
			if err != nil {
				t.Fatal(err)
			}
			if body, err = json.Marshal(sealed{Note: h.Note}); err != nil {
				t.Fatal(err)
			}
		}
		put(t, b, Draft{Kind: Checkpoint, Key: "x", Body: body})
		broken(t, b, Verification{Public: public}, 6, name)
	}
}
