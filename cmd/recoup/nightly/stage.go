package nightly

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/data"
)

// stage is one step of the night: a func from files to files. Its done-file
// says from which bytes it made which bytes; while both are as they were, the
// stage has nothing to do.
type stage struct {
	name    string
	version int               // raised when the stage makes other bytes of the same input
	setting map[string]any    // what else decides the output
	inputs  map[string]string // name -> file; the name goes in the done-file
	outputs []string          // files, relative to D
	run     func(context.Context) error
}

// done is what a done-file holds.
type done struct {
	Stage   string            `json:"stage"`
	Version int               `json:"version"`
	Setting json.RawMessage   `json:"setting"`
	Inputs  map[string]string `json:"inputs"`  // name -> sha256
	Outputs map[string]string `json:"outputs"` // path -> sha256
}

// do runs the stage unless its done-file still holds. The done-file is written
// last, so a killed stage is simply run again: it starts from the same inputs
// and makes the same bytes.
func (j *job) do(ctx context.Context, s stage) (ran bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	setting, err := json.Marshal(s.setting)
	if err != nil {
		return false, fmt.Errorf("nightly: %s: %w", s.name, err)
	}
	now := done{Stage: s.name, Version: s.version, Setting: setting, Inputs: map[string]string{}}
	for name, file := range s.inputs {
		if now.Inputs[name], err = data.HashFile(file); err != nil {
			return false, fmt.Errorf("nightly: %s: %w", s.name, err)
		}
	}
	path := j.path(j.run, "stages", s.name+".json")
	if j.stands(path, now) {
		return false, nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := s.run(ctx); err != nil {
		return true, err
	}
	if now.Outputs, err = j.hashes(s.outputs); err != nil {
		return true, fmt.Errorf("nightly: %s left no output: %w", s.name, err)
	}
	return true, writeJSON(path, now)
}

// stands reports whether a done-file is of these very inputs and its outputs
// are still the bytes it names. Anything unreadable counts as not done.
func (j *job) stands(path string, now done) bool {
	b, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var was done
	if json.Unmarshal(b, &was) != nil {
		return false
	}
	outputs := make([]string, 0, len(was.Outputs))
	for p := range was.Outputs {
		outputs = append(outputs, p)
	}
	has, err := j.hashes(outputs)
	if err != nil {
		return false
	}
	now.Outputs = has
	a, err := marshal(now)
	return err == nil && string(a) == string(b)
}

// hashes is the sha256 of each file, by its path relative to D.
func (j *job) hashes(paths []string) (map[string]string, error) {
	out := make(map[string]string, len(paths))
	for _, p := range paths {
		h, err := data.HashFile(j.path(p))
		if err != nil {
			return nil, err
		}
		out[p] = h
	}
	return out, nil
}

// path joins elements below D.
func (j *job) path(elem ...string) string {
	return filepath.Join(append([]string{j.Dir}, elem...)...)
}

// marshal is the one form in which the job writes JSON: keys of maps sorted,
// indented, a newline at the end.
func marshal(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

// writeJSON writes v through a temporary file, so that the path holds all of it or nothing new.
func writeJSON(path string, v any) error {
	b, err := marshal(v)
	if err != nil {
		return fmt.Errorf("nightly: %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return data.WriteFile(path, writes(b))
}

// writes writes the bytes.
func writes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}

// readJSON reads what writeJSON wrote; a file that another program changed is a
// broken contract.
func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return data.Faultf(data.ErrContract, "nightly: %s: %w", path, err)
	}
	return nil
}
