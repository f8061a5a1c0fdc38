package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Manifest lists what a log holds. Readers pin one; a later commit writes
// another with a higher generation and leaves the files of this one alone.
type Manifest struct {
	Format         int    `json:"format"`
	Generation     int64  `json:"generation"`       // 1 for the first commit
	Schema         string `json:"schema"`           // SchemaID of the tables
	Currency       string `json:"currency"`         // ISO 4217; amounts are in its hundredth
	Horizon        Micros `json:"horizon_us"`       // H of every attempt; 0 = its rail's own
	KnownAtAssumed bool   `json:"known_at_assumed"` // known_at of some rows was taken from occurred_at
	Ingest         Ingest `json:"ingest"`
	Files          []File `json:"files"` // by table, then by min cursor
	Hash           string `json:"-"`     // SHA-256 of the manifest's own bytes, in hex
}

// Ingest says what the commit of a generation did.
type Ingest struct {
	Rows       int64      `json:"rows"` // added
	Duplicates Duplicates `json:"duplicates"`
}

// File is a part of a table.
type File struct {
	Table   string `json:"table"`
	Path    string `json:"path"` // below the events folder, with slashes
	SHA256  string `json:"sha256"`
	Rows    int64  `json:"rows"`
	Bytes   int64  `json:"bytes"`
	Min     Cursor `json:"min"`
	Max     Cursor `json:"max"`
	LastSeq int64  `json:"last_seq"` // highest seq of the part
}

const (
	manifestName   = "manifest.json"
	manifestFormat = 1
)

// Rows is the number of rows of a table.
func (m *Manifest) Rows(table string) int64 {
	var n int64
	for _, f := range m.Files {
		if f.Table == table {
			n += f.Rows
		}
	}
	return n
}

func (m *Manifest) rows() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Rows
	}
	return n
}

// First is the lowest cursor of the log; ok is false when it has no rows.
func (m *Manifest) First() (c Cursor, ok bool) {
	for i, f := range m.Files {
		if i == 0 || f.Min.Compare(c) < 0 {
			c = f.Min
		}
	}
	return c, len(m.Files) > 0
}

// Last is the highest cursor of the log; ok is false when it has no rows.
func (m *Manifest) Last() (c Cursor, ok bool) {
	for _, f := range m.Files {
		if f.Max.Compare(c) > 0 {
			c = f.Max
		}
	}
	return c, len(m.Files) > 0
}

// maxSeq is the highest seq given so far, -1 for none. Late rows have a high
// seq and an early known_at, so every part is asked.
func (m *Manifest) maxSeq() int64 {
	seq := int64(-1)
	for _, f := range m.Files {
		seq = max(seq, f.LastSeq)
	}
	return seq
}

// SchemaID names the columns of all tables: the first half of the SHA-256 of
// their printed schemas.
func SchemaID() string {
	h := sha256.New()
	for _, t := range tables() {
		fmt.Fprintln(h, t.describe())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// readManifest reads the manifest of an events folder. When there is none the
// error Is fs.ErrNotExist.
func readManifest(events string) (Manifest, error) {
	path := filepath.Join(events, manifestName)
	b, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return Manifest{}, err
		}
		return Manifest{}, fmt.Errorf("data: %w", err)
	}
	m, err := parseManifest(b)
	if err != nil {
		return Manifest{}, Faultf(ErrContract, "data: %s: %w", path, err)
	}
	return m, nil
}

// parseManifest accepts nothing that writeManifest would not have written.
func parseManifest(b []byte) (Manifest, error) {
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("no manifest of an event log: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, errors.New("text after the manifest's end")
	}
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if m.Format != manifestFormat {
		fault("format %d, expected %d", m.Format, manifestFormat)
	}
	if m.Generation < 1 {
		fault("generation %d, expected at least 1", m.Generation)
	}
	if id := SchemaID(); m.Schema != id {
		fault("schema %q, expected %q: the log was written by another version", m.Schema, id)
	}
	if m.Horizon < 0 {
		fault("horizon_us %d, expected at least 0", m.Horizon)
	}
	names := map[string]bool{}
	for _, t := range tables() {
		names[t.tableName()] = true
	}
	for i, f := range m.Files {
		switch {
		case !names[f.Table]:
			fault("file %d: unknown table %q", i, f.Table)
		case !filepath.IsLocal(filepath.FromSlash(f.Path)) || !strings.HasPrefix(f.Path, f.Table+"/"):
			fault("file %d: path %q is not below %s/", i, f.Path, f.Table)
		case len(f.SHA256) != 64:
			fault("file %d: sha256 %q", i, f.SHA256)
		case f.Rows < 1 || f.Bytes < 1:
			fault("file %d: %d rows, %d bytes", i, f.Rows, f.Bytes)
		case f.Min.Compare(f.Max) > 0:
			fault("file %d: min cursor after max", i)
		}
	}
	if len(faults) > 0 {
		return m, errors.New(strings.Join(faults, "; "))
	}
	m.Hash = hashBytes(b)
	return m, nil
}

// writeManifest publishes a generation.
func writeManifest(events string, m *Manifest) error {
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fmt.Errorf("data: manifest: %w", err)
	}
	b = append(b, '\n')
	m.Hash = hashBytes(b)
	return WriteFile(filepath.Join(events, manifestName), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

func hashBytes(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
