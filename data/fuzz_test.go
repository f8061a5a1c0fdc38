package data

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzManifest: any bytes are refused with an error or describe files that a
// writer could have written.
func FuzzManifest(f *testing.F) {
	dir := f.TempDir()
	commit(f, dir, inr, attemptAt("a", day0))
	b, err := os.ReadFile(filepath.Join(dir, "events", manifestName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseManifest(b)
		if err != nil {
			return
		}
		for _, p := range m.Files {
			if !filepath.IsLocal(p.Path) || p.Rows < 1 {
				t.Errorf("accepted %+v", p)
			}
		}
	})
}

// FuzzDamagedPart puts any bytes in a part's place, with a manifest that agrees
// to them: opening and reading give rows or an error of the contract, never a panic.
func FuzzDamagedPart(f *testing.F) {
	dir := f.TempDir()
	rows := []Attempt{attemptAt("a", day0), attemptAt("b", day0+1), attemptAt("c", day0+2)}
	rows[1].Bank = "B"
	m := commit(f, dir, inr, rows...)
	part := filepath.Join(dir, "events", filepath.FromSlash(m.Files[0].Path))
	good, err := os.ReadFile(part)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(0, good)
	for i := 0; i < len(good); i += 97 {
		f.Add(i, good)
	}
	f.Fuzz(func(t *testing.T, at int, b []byte) {
		if len(b) > 1<<16 || len(b) == 0 {
			return
		}
		b = bytes.Clone(b)
		b[uint(at)%uint(len(b))] ^= 1 << (uint(at) % 7)
		if err := os.WriteFile(part, b, 0o644); err != nil {
			t.Fatal(err)
		}
		p := m.Files[0]
		p.Bytes, p.SHA256 = int64(len(b)), hashBytes(b)
		l, err := openLog(filepath.Join(dir, "events"), Manifest{Files: []File{p}})
		if err == nil {
			for _, e := range Scan[Attempt](l, lastCursor) {
				err = errors.Join(err, e)
			}
		}
		if err != nil && !errors.Is(err, ErrContract) {
			t.Errorf("%v, expected a broken contract", err)
		}
		file, err := OpenFrames(part)
		if err != nil {
			return
		}
		defer file.Close()
		for range file.Frames() {
		}
	})
}
