package data

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// createTemp opens a new file beside path, where it can be renamed over path. The
// writer holds a lock on it until it is closed; a file that nobody holds was left by a
// process that was killed, and is removed first.
func createTemp(path string) (*os.File, error) {
	dir, prefix := filepath.Dir(path), ".tmp-"+filepath.Base(path)+"-"
	entries, _ := os.ReadDir(dir) // a folder that cannot be read can still be written
	for _, e := range entries {
		if e.Type().IsRegular() && isTemp(e.Name(), prefix) {
			removeStale(filepath.Join(dir, e.Name()))
		}
	}
	for tries := 0; ; tries++ {
		f, err := os.CreateTemp(dir, prefix+"*")
		if err != nil {
			return nil, fmt.Errorf("data: %s: %w", path, err)
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if _, gone := os.Lstat(f.Name()); gone == nil && (err == nil || tries == 10) { // some file systems have no locks
			return f, nil
		}
		os.Remove(f.Name())
		f.Close() // another process took it for a stale one before it was locked
	}
}

// isTemp reports whether name is the prefix and then digits.
func isTemp(name, prefix string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// removeStale removes a file that no writer holds.
func removeStale(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(path)
	}
}
