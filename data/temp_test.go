package data

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// What a killed writer left goes away with the next write; a live writer's file
// and files of other names stay.
func TestStaleTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	stale, other := filepath.Join(dir, ".tmp-out.csv-123"), filepath.Join(dir, ".tmp-out.csv-old-123")
	for _, p := range []string{stale, other} {
		if err := os.WriteFile(p, []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	err := WriteFile(path, func(w io.Writer) error {
		if err := WriteFile(path, func(w io.Writer) error { _, err := w.Write([]byte("inner")); return err }); err != nil {
			return err
		}
		_, err := w.Write([]byte("outer"))
		return err
	})
	if err != nil {
		t.Fatalf("a live writer's file was taken for a stale one: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "outer" {
		t.Errorf("%q", b)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("the stale file is still there: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("another file was removed: %v", err)
	}
}

func TestWriteFileOverFolder(t *testing.T) {
	if err := WriteFile(t.TempDir(), func(io.Writer) error { return nil }); !errors.Is(err, ErrUsage) {
		t.Errorf("%v", err)
	}
}
