package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"recoup/data"
	"recoup/data/ingest/razorpay"
)

// webhooks turns archives of Razorpay webhooks into events of the log.
func (c *ingestCmd) webhooks(ctx context.Context, e *env) error {
	for _, path := range c.Files { // before anything is made
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("ingest: %w", err)
		}
	}
	key, err := c.identityKey()
	if err != nil {
		return err
	}
	// A run holds a few numbers for every line and leaves much behind: collecting
	// more often costs little and keeps a million lines in half the memory.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	bad := c.newRejects()
	o := razorpay.Options{Files: c.Files, Dir: c.Dir, Key: key, Reject: bad.add}
	if e.tty {
		o.Progress = func(file string, lines int64) { fmt.Fprintf(e.stderr, "\r%s: %d lines", filepath.Base(file), lines) }
	}
	s, err := razorpay.Run(ctx, o)
	if e.tty {
		fmt.Fprint(e.stderr, "\r\x1b[K")
	}
	path, err := bad.close(err)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(struct {
			razorpay.Summary
			Rejects string `json:"rejects"` // the file, "" = there are none
		}{s, path})
	}
	printWebhooks(e.stdout, s, c.Dir)
	if path != "" {
		fmt.Fprintf(e.stdout, "put aside: see %s\n", path)
	}
	return nil
}

func printWebhooks(w io.Writer, s razorpay.Summary, dir string) {
	fmt.Fprintf(w, "webhooks: %d lines read, %d put aside, %d delivered again, %d new events in %s\n", s.Lines, s.Rejected, s.Duplicates, s.Events, dir)
	for _, name := range slices.Sorted(maps.Keys(s.Types)) {
		note := ""
		if s.Unknown[name] > 0 {
			note = " (unknown type: kept)"
		}
		fmt.Fprintf(w, "  %7d %s%s\n", s.Types[name], name, note)
	}
	for _, t := range slices.Sorted(maps.Keys(s.Rows)) {
		if s.Rows[t] > 0 {
			fmt.Fprintf(w, "new in %s: %d\n", t, s.Rows[t])
		}
	}
	for _, why := range slices.Sorted(maps.Keys(s.Asides)) {
		fmt.Fprintf(w, "no attempts: %d %s\n", s.Asides[why], why)
	}
	if s.Kept > 0 {
		fmt.Fprintf(w, "kept by id: %d events that the log has no table for, see %s\n", s.Kept, filepath.Join(dir, razorpay.KeptName))
	}
	for _, a := range s.Assumptions {
		fmt.Fprintln(w, "assumed:", a)
	}
}

// identityKey reads the key of the hashes that stand for customers without an
// id. The log's own is made at its first use: who has it can tell whether a
// telephone number is in the log, so it is for its owner's eyes.
func (c *ingestCmd) identityKey() ([]byte, error) {
	path := cmp.Or(c.IdentityKey, filepath.Join(c.Dir, "identity.key"))
	key, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && c.IdentityKey == "" {
		if key, err = newIdentityKey(path); err != nil {
			return nil, fmt.Errorf("ingest: identity key: %w", err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("ingest: --identity-key: %w", err)
	}
	if len(key) < razorpay.MinKey {
		return nil, data.Faultf(data.ErrUsage, "ingest: %s: %d bytes, an identity key has at least %d", path, len(key), razorpay.MinKey)
	}
	return key, nil
}

// newIdentityKey makes a key of 256 random bits as text. Of two that do so at once,
// both have the key of the first.
func newIdentityKey(path string) (key []byte, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".identity-*") // for its owner's eyes alone
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	key = []byte(rand.Text() + rand.Text() + "\n")
	_, err = f.Write(key)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err = os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return os.ReadFile(path)
	}
	return key, err
}
