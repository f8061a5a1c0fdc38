package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"recoup/data"
)

func TestOpenRefused(t *testing.T) {
	good, _ := testConfig(filepath.Join(t.TempDir(), "ledger.db"))
	for _, c := range []struct {
		name string
		is   func(*Config)
		want string
	}{
		{"no URL", func(c *Config) { c.URL = "" }, "no URL"},
		{"no clock", func(c *Config) { c.Now = nil }, "a clock"},
		{"no salts", func(c *Config) { c.Random = nil }, "salts"},
		{"id alone", func(c *Config) { c.Secret.ID = "s" }, "an id and a key"},
		{"key alone", func(c *Config) { c.Secret.Key = bytesOf(1, 32) }, "an id and a key"},
		{"short key", func(c *Config) { c.Secret = Secret{"s", bytesOf(1, 31)} }, "31 bytes"},
		{"no folder", func(c *Config) { c.URL += "/a/b" }, "no such file"},
		{"to read what is not there", func(c *Config) { c.ReadOnly = true }, "no such file"},
	} {
		cfg := good
		c.is(&cfg)
		l, err := Open(context.Background(), cfg)
		if !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			l.Close()
		}
	}
	away := good
	away.URL = "postgres://recoup:hush@/postgres?host=" + t.TempDir()
	if _, err := Open(context.Background(), away); !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
	away.URL = "postgres://recoup:hush@host:port/db"
	if _, err := Open(context.Background(), away); !errors.Is(err, data.ErrUsage) || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
	junk := good
	junk.URL = filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk.URL, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), junk); err == nil {
		t.Error("a file of junk was opened")
	}
}

// A server that answers before the disk has it is told to wait.
func TestDurable(t *testing.T) {
	url := postgresURL(t) + "&options=-csynchronous_commit%3Doff"
	b, _ := newBook(t, url)
	var is string
	if err := b.ledger.write.QueryRow(`SHOW synchronous_commit`).Scan(&is); err != nil || is != "on" {
		t.Error(is, err)
	}
	if err := b.ledger.read.QueryRow(`SHOW synchronous_commit`).Scan(&is); err != nil || is != "off" {
		t.Error("the server's default is not what the test says:", is, err)
	}
}

// The schema's version is the last migration's, and a newer one is refused.
func TestSchemaVersion(t *testing.T) {
	for _, dir := range []string{"sqlite", "postgres"} {
		files, err := migrations.ReadDir("migrations/" + dir)
		if err != nil || len(files) != schemaVersion {
			t.Error(dir, len(files), err)
		}
	}
	both(t, func(t *testing.T, url string) {
		c, _ := testConfig(url)
		l := mustOpen(t, c)
		if _, err := l.write.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, $2)`, schemaVersion+1, true); err != nil {
			t.Fatal(err)
		}
		for _, c.ReadOnly = range []bool{false, true} {
			if _, err := Open(context.Background(), c); !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), "version 2, this recoup knows 1") {
				t.Error(err)
			}
		}
	})
}

// Customers' data are for the owner's eyes alone.
func TestFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	b, _ := newBook(t, path)
	put(t, b, event("e", `1`))
	for _, end := range []string{"", "-wal", "-shm"} {
		if i, err := os.Stat(path + end); err != nil || i.Mode().Perm() != 0o600 {
			t.Error(end, i, err)
		}
	}
}

func TestReadOnly(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		put(t, b, event("e", `1`))
		l := mustOpen(t, Config{URL: url, ReadOnly: true})
		r := mustBook(t, l, "main")
		if e := all(t, r); len(e) != 1 {
			t.Error(e)
		}
		if _, err := r.Append(context.Background(), Job{Drafts: []Draft{event("f", `1`)}}); !errors.Is(err, ErrUnavailable) {
			t.Error(err)
		}
		if _, err := l.Book(context.Background(), "new", 0); !errors.Is(err, data.ErrUsage) {
			t.Error(err)
		}
		if err := r.Follow(context.Background(), 0, func([]Entry) {}); err != nil {
			t.Error(err)
		}
	})
}

// A chain goes on with the secret that it was begun with, or changed to.
func TestSecrets(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		c, _ := testConfig(url)
		c.Secret = Secret{"s1", bytesOf(1, 32)}
		b := mustBook(t, mustOpen(t, c), "main")
		put(t, b, event("e1", `1`))
		other := c
		other.Secret = Secret{"s2", bytesOf(2, 32)}
		b2 := mustBook(t, mustOpen(t, other), "main")
		if _, err := b2.Append(ctx, Job{Drafts: []Draft{event("e2", `2`)}}); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "goes on with secret s1, and this process has secret s2") {
			t.Error(err)
		}
		put(t, b, Draft{Kind: KeyChange, Key: "s2", Body: []byte(`{}`)})
		if _, err := b.Append(ctx, Job{Drafts: []Draft{event("e2", `2`)}}); !errors.Is(err, ErrBroken) {
			t.Error(err)
		}
		put(t, b2, event("e2", `2`))
		none := c
		none.Secret = Secret{}
		if _, err := mustBook(t, mustOpen(t, none), "main").Append(ctx, Job{Drafts: []Draft{event("e3", `3`)}}); !errors.Is(err, ErrBroken) {
			t.Error(err)
		}
		if e := all(t, b); len(e) != 3 {
			t.Error(e)
		}
	})
}

func TestClose(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		c, _ := testConfig(url)
		l := mustOpen(t, c)
		b := mustBook(t, l, "main")
		var wait sync.WaitGroup
		errs := make([]error, 40)
		for i := range errs {
			wait.Go(func() {
				_, errs[i] = b.Append(context.Background(), Job{Drafts: []Draft{event(string(rune('a'+i)), `1`)}})
			})
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		wait.Wait()
		written := 0
		for _, err := range errs {
			if err == nil {
				written++
			} else if !errors.Is(err, ErrUnavailable) {
				t.Error(err)
			}
		}
		if err := l.Close(); err != nil {
			t.Error("closed twice:", err)
		}
		if e := all(t, mustBook(t, mustOpen(t, c), "main")); len(e) != written {
			t.Error("answered", written, "and there are", len(e))
		}
	})
}

// A caller who has gone does not hold the others up, and is not written for where
// the writer knows.
func TestCancelled(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := b.Append(ctx, Job{Drafts: []Draft{event("e", `1`)}}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
			t.Error(err)
		}
		ctx, cancel = context.WithTimeout(context.Background(), time.Nanosecond)
		defer cancel()
		if _, err := b.Append(ctx, Job{Drafts: []Draft{event("e", `1`)}}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		put(t, b, event("f", `1`))
	})
}

// Two ledgers on one database, as two processes are: what one wrote the other
// gets on Sync, and before what it writes itself.
func TestTwoServers(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		c, clock := testConfig(url)
		var got [2][]Entry
		var books [2]*Book
		var open sync.WaitGroup
		for i := range books {
			open.Go(func() { // both make the schema, or find it
				c := c
				c.Random = rand.Reader
				books[i] = mustBook(t, mustOpen(t, c), "main")
			})
		}
		open.Wait()
		for i, b := range books {
			if err := b.Follow(ctx, 0, func(e []Entry) { got[i] = append(got[i], e...) }); err != nil {
				t.Fatal(err)
			}
		}
		put(t, books[0], event("a", `1`))
		if len(got[1]) != 0 {
			t.Error(got[1])
		}
		if err := books[1].Sync(ctx); err != nil || len(got[1]) != 1 {
			t.Error(err, got[1])
		}
		clock.Store(5) // the other one's clock is behind
		put(t, books[0], event("b", `1`), event("c", `1`))
		if r := put(t, books[1], event("b", `1`), event("d", `1`)); !r[0].Duplicate || r[0].Seq != 2 || r[1].Seq != 4 || r[1].KnownAt != 1_000_003 {
			t.Error(r)
		}
		if len(got[1]) != 4 || got[1][3].Key != "d" {
			t.Error(got[1])
		}
		var wait sync.WaitGroup
		for i := range 60 {
			wait.Go(func() {
				if _, err := books[i%2].Append(ctx, Job{Drafts: []Draft{event(string(rune('A'+i/2)), `1`)}}); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		for i, b := range books {
			if err := b.Sync(ctx); err != nil {
				t.Error(err)
			}
			if len(got[i]) != 34 {
				t.Error(len(got[i]))
			}
			for n, e := range got[i] {
				if e.Seq != int64(n)+1 {
					t.Fatal("out of order:", e.Seq, n)
				}
			}
		}
		checkChain(t, books[0], Secret{})
	})
}
