package data

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestWriteFileIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	text := func(s string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			io.WriteString(w, s)
			return err
		}
	}
	if err := WriteFile(path, text("one", nil)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := WriteFile(path, text("two", broken)); !errors.Is(err, broken) {
		t.Errorf("%v, expected the writer's own error", err)
	}
	if b, err := os.ReadFile(path); string(b) != "one" || err != nil {
		t.Errorf("%q, %v, expected what was there", b, err)
	}
	if err := WriteFile(path, text("three", nil)); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "three" {
		t.Errorf("%q, expected the new text", b)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("%v are left, expected one file", names)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v", info.Mode())
	}
	if err := WriteFile(filepath.Join(dir, "no", "f"), text("", nil)); err == nil {
		t.Error("a file in no folder")
	}
}

// A draft is nothing until Commit, and Abort leaves what was there.
func TestDraft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for i, end := range []struct {
		with func(*Draft) error
		want string
	}{{(*Draft).Commit, "0"}, {func(d *Draft) error { d.Abort(); return nil }, "0"}, {(*Draft).Commit, "2"}} {
		d, err := NewDraft(path)
		if err != nil {
			t.Fatal(err)
		}
		d.Write([]byte{byte('0' + i)})
		if b, _ := os.ReadFile(path); i > 0 && string(b) != "0" {
			t.Errorf("draft %d shows: %q", i, b)
		}
		if err := end.with(d); err != nil {
			t.Fatal(err)
		}
		d.Abort() // once more does nothing
		if b, err := os.ReadFile(path); string(b) != end.want || err != nil {
			t.Errorf("after draft %d: %q, %v, expected %q", i, b, err, end.want)
		}
		if names, _ := os.ReadDir(dir); len(names) != 1 {
			t.Errorf("%v are left, expected one file", names)
		}
	}
	if _, err := NewDraft(dir); !errors.Is(err, ErrUsage) {
		t.Errorf("a folder: %v", err)
	}
}

func TestHashFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, appendix B.1
	if got, err := HashFile(path); got != want || err != nil {
		t.Errorf("%s, %v, expected %s", got, err, want)
	}
	if _, err := HashFile(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("%v, expected a busy lock", err)
	}
	release()
	if release, err = Lock(path); err != nil {
		t.Fatalf("a released lock is taken: %v", err)
	}
	release()
	if _, err := Lock(filepath.Join(path, "x")); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a lock below a file gives %v", err)
	}
}
