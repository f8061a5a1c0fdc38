package data

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Log is one generation of an event log, for reading. It holds no open files.
type Log struct {
	events string
	m      Manifest
}

// lastCursor sees everything.
var lastCursor = Cursor{math.MaxInt64, math.MaxInt64}

// OpenLog pins the newest manifest of folder dir and checks every file that it
// names: size, SHA-256, schema by name, type and optionality, row count. Errors
// name the file and Is ErrContract.
func OpenLog(dir string) (*Log, error) {
	events := filepath.Join(dir, "events")
	m, err := readManifest(events)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Faultf(ErrContract, "data: %s: no event log: there is no %s; make one with recoup ingest or recoup simulate",
			events, manifestName)
	}
	if err != nil {
		return nil, err
	}
	return openLog(events, m)
}

func openLog(events string, m Manifest) (*Log, error) {
	byName := map[string]anyTable{}
	for _, t := range tables() {
		byName[t.tableName()] = t
	}
	for _, f := range m.Files {
		if err := checkPart(filepath.Join(events, filepath.FromSlash(f.Path)), f, byName[f.Table]); err != nil {
			return nil, err
		}
	}
	return &Log{events, m}, nil
}

func checkPart(path string, f File, t anyTable) error {
	info, err := os.Stat(path)
	if err != nil {
		return Faultf(ErrContract, "data: %s: the manifest names it, but: %w", path, err)
	}
	if info.Size() != f.Bytes {
		return Faultf(ErrContract, "data: %s: %d bytes, the manifest says %d", path, info.Size(), f.Bytes)
	}
	hash, err := HashFile(path)
	if err != nil {
		return err
	}
	if hash != f.SHA256 {
		return Faultf(ErrContract, "data: %s: sha256 %s, the manifest says %s", path, hash, f.SHA256)
	}
	p, err := openParquet(path, func(p *parquetFile) error {
		if err := t.checkFile(p); err != nil {
			return err
		}
		if p.NumRows() != f.Rows {
			return fmt.Errorf("%d rows, the manifest says %d", p.NumRows(), f.Rows)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.Close()
}

// Manifest is the pinned manifest.
func (l *Log) Manifest() Manifest { return l.m }

// Horizon is H: how long after its presentation a capture still counts as an
// attempt's success, by the log's mapping or else by rail.
func (l *Log) Horizon(r Rail) Micros { return cmp.Or(l.m.Horizon, r.Horizon()) }
