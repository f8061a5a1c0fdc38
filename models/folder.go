package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"recoup/data"
)

// The files of a model's folder; a LightGBM model has those of forest_files.go besides.
const (
	fileManifest = "manifest.json"
	fileAttempt  = "attempt.json"
	fileCure     = "cure.json" // absent when not assessed
	fileGolden   = "golden.json"
	fileCard     = "card.md"
)

type folderFile struct {
	name  string
	bytes []byte
}

// files are the bytes of a bundle's folder and the ID they give.
func (b *Bundle) files() ([]folderFile, ID, error) {
	b.Manifest.Format = manifestFormat
	if err := b.check(); err != nil {
		return nil, "", err
	}
	b.Card = card(b)
	files := []folderFile{{fileCard, b.Card}}
	for _, f := range []struct {
		name string
		v    any
	}{{fileManifest, &b.Manifest}, {fileAttempt, b.Attempt}, {fileCure, b.Cure}, {fileGolden, &b.Golden}} {
		if f.name == fileCure && b.Cure == nil {
			continue
		}
		js, err := indented(f.v)
		if err != nil {
			return nil, "", fmt.Errorf("models: %s: %w", f.name, err)
		}
		files = append(files, folderFile{f.name, js})
	}
	for _, s := range []struct {
		of            *Scorer
		text, columns string
	}{{b.Attempt, fileAttemptText, fileAttemptColumns}, {b.Cure, fileCureText, fileCureColumns}} {
		more, err := s.of.textFiles(s.text, s.columns)
		if err != nil {
			return nil, "", err
		}
		files = append(files, more...)
	}
	return files, idOf(files), nil
}

// indented is JSON for people and for diffs; numbers keep their bits.
func indented(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return buf.Bytes(), err
}

// idOf hashes names, lengths and contents, so that no two folders read alike.
func idOf(files []folderFile) ID {
	slices.SortFunc(files, func(a, b folderFile) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %x\n", f.name, sha256.Sum256(f.bytes))
	}
	return ID(hex.EncodeToString(h.Sum(nil))[:16])
}

// placeFolder writes the files under another name and renames the folder. What a
// killed writer left under such a name is swept away first.
func placeFolder(dir, final string, files []folderFile) error {
	stale, err := filepath.Glob(filepath.Join(dir, ".tmp-*"))
	if err != nil {
		return fmt.Errorf("models: %w", err)
	}
	for _, s := range stale {
		if err := os.RemoveAll(s); err != nil {
			return fmt.Errorf("models: %w", err)
		}
	}
	tmp := filepath.Join(dir, ".tmp-"+filepath.Base(final))
	if err := os.Mkdir(tmp, 0o755); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	defer os.RemoveAll(tmp) // gone already when all went well
	for _, f := range files {
		if err := data.WriteFile(filepath.Join(tmp, f.name), func(w io.Writer) error {
			_, err := w.Write(f.bytes)
			return err
		}); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, final); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	return syncFolder(dir)
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("models: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("models: %s: %w", dir, err)
	}
	return nil
}

// LoadFolder reads a model's folder, wherever it lies, and verifies it: the
// content must give the folder's name, every file must read without an unknown
// key, and the golden rows must answer bit for bit as when it was fitted.
func LoadFolder(path string) (*Bundle, error) {
	b, err := loadFolder(path)
	if err != nil {
		return nil, fmt.Errorf("models: %s: %w", path, err)
	}
	return b, nil
}

func loadFolder(path string) (*Bundle, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	files, err := readFolder(abs)
	if err != nil {
		return nil, err
	}
	return parseFolder(ID(filepath.Base(abs)), files)
}

// parseFolder is LoadFolder after the reading.
func parseFolder(id ID, files []folderFile) (*Bundle, error) {
	b := &Bundle{ID: id}
	if got := idOf(files); got != b.ID {
		return nil, data.Faultf(data.ErrContract, "refused: its content is that of %s: a file was changed, added or lost, or the folder was renamed; restore it or register the model again", got)
	}
	have, texts := map[string]bool{}, map[string][]byte{}
	for _, f := range files {
		have[f.name] = true
		into, ok := map[string]any{fileManifest: &b.Manifest, fileAttempt: &b.Attempt, fileCure: &b.Cure, fileGolden: &b.Golden}[f.name]
		switch f.name {
		case fileCard:
			b.Card = f.bytes
			continue
		case fileAttemptText, fileAttemptColumns, fileCureText, fileCureColumns:
			texts[f.name] = f.bytes
			continue
		}
		if !ok {
			return nil, data.Faultf(data.ErrContract, "%s: not a file of a model", f.name)
		}
		if err := strict(f.bytes, into); err != nil {
			return nil, data.Faultf(data.ErrContract, "%s: %w", f.name, err)
		}
	}
	for _, name := range []string{fileManifest, fileAttempt, fileGolden, fileCard} {
		if !have[name] {
			return nil, data.Faultf(data.ErrContract, "no %s", name)
		}
	}
	if b.Manifest.Format != manifestFormat {
		return nil, data.Faultf(data.ErrContract, "%s: format %d: this recoup reads %d", fileManifest, b.Manifest.Format, manifestFormat)
	}
	if err := b.takeTexts(texts); err != nil {
		return nil, err
	}
	return b, b.check()
}

// maxFile bounds what is read of one file: a model is a few MiB of JSON.
const maxFile = 256 << 20

func readFolder(path string) ([]folderFile, error) {
	entries, err := os.ReadDir(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, data.Faultf(data.ErrUsage, "no such folder")
	}
	if err != nil {
		return nil, err
	}
	var files []folderFile
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() > maxFile {
			return nil, data.Faultf(data.ErrContract, "%s: not a file of a model", e.Name())
		}
		b, err := os.ReadFile(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, folderFile{e.Name(), b})
	}
	if len(files) == 0 {
		return nil, data.Faultf(data.ErrContract, "the folder is empty: not a model")
	}
	return files, nil
}
