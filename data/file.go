package data

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile makes a file appear whole or not at all: it is written under
// another name, synced, renamed over path, and the folder is synced. Whatever
// was at path stays until then, and after any error.
func WriteFile(path string, write func(io.Writer) error) error {
	d, err := NewDraft(path)
	if err != nil {
		return err
	}
	defer d.Abort()
	if err := write(d); err != nil {
		return err
	}
	return d.Commit()
}

// Draft is a file under way that appears at its path with Commit, or not at all;
// see WriteFile.
type Draft struct {
	path string
	f    *os.File // nil = it is done
	w    *bufio.Writer
}

// NewDraft begins a file. The caller must Commit or Abort it.
func NewDraft(path string) (*Draft, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, Faultf(ErrUsage, "data: %s: a folder; a file is to be written there", path)
	}
	f, err := createTemp(path)
	if err != nil {
		return nil, err
	}
	return &Draft{path, f, bufio.NewWriterSize(f, 64<<10)}, nil
}

// Write adds to the file.
func (d *Draft) Write(p []byte) (int, error) { return d.w.Write(p) }

// Commit makes the file appear. After an error it is as after Abort.
func (d *Draft) Commit() error {
	defer d.Abort()
	if err := d.w.Flush(); err != nil {
		return fmt.Errorf("data: %s: %w", d.path, err)
	}
	if err := publish(d.f, d.path); err != nil {
		return err
	}
	d.f = nil
	return nil
}

// Abort takes an unfinished file away; after Commit it does nothing.
func (d *Draft) Abort() {
	if d.f != nil {
		d.f.Close()
		os.Remove(d.f.Name())
		d.f = nil
	}
}

// publish closes a finished file and gives it its name.
func publish(f *os.File, path string) error {
	if err := f.Chmod(0o644); err != nil {
		return fmt.Errorf("data: %s: %w", path, err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("data: %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("data: %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("data: %s: %w", path, err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("data: %s: %w", dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("data: %s: sync: %w", dir, err)
	}
	return nil
}

// HashFile is the SHA-256 of a file's bytes, in hex.
func HashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("data: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("data: %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Lock takes the lock file at path for this process and returns its release.
// The kernel drops the lock when the process dies, so none is left behind. When
// another holder lives the error Is ErrLocked.
func Lock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("data: lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if err == syscall.EWOULDBLOCK {
			return nil, Faultf(ErrLocked, "data: %s: another job works here; wait for it to end", path)
		}
		return nil, fmt.Errorf("data: %s: lock: %w", path, err)
	}
	return func() { f.Close() }, nil
}
