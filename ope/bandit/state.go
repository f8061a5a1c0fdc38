package bandit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"recoup/data"
)

// stateVersion is raised when the same file would mean something else.
const stateVersion = 1

// stateFile is a posterior and its open trials as JSON.
type stateFile struct {
	Version int         `json:"version"`
	Config  Config      `json:"config"`
	Last    data.Micros `json:"last"`
	Cells   []stateCell `json:"cells"` // by name
	Open    []Trial     `json:"open"`  // by id
}

type stateCell struct {
	Cell   Cell        `json:"cell"`
	At     data.Micros `json:"at"`
	Counts []count     `json:"counts"` // by arm, as they weigh at At
}

func (p *Posterior) file() stateFile {
	f := stateFile{Version: stateVersion, Config: p.Config, Last: p.last, Cells: []stateCell{}, Open: []Trial{}}
	for _, name := range slices.Sorted(maps.Keys(p.cells)) {
		c := p.cells[name]
		f.Cells = append(f.Cells, stateCell{name, c.at, slices.Clone(c.by)})
	}
	return f
}

// Version names what the posterior has learned: 12 hex digits of the SHA-256 of its
// settings and counts. With the version, the time and the cell, the probabilities of
// a decision can be worked out again, bit for bit.
func (p *Posterior) Version() string {
	b, err := json.Marshal(p.file())
	if err != nil {
		panic(err) // finite numbers and texts alone
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])[:12]
}

// EncodeState writes a posterior and its open trials as JSON: the same state, the
// same bytes.
func EncodeState(p *Posterior, b *Book) ([]byte, error) {
	f := p.file()
	f.Open = b.Trials()
	out, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, fmt.Errorf("bandit: state: %w", err)
	}
	return append(out, '\n'), nil
}

// DecodeState reads what EncodeState wrote, and refuses everything else.
func DecodeState(text []byte) (*Posterior, *Book, error) {
	bad := func(format string, args ...any) (*Posterior, *Book, error) {
		return nil, nil, data.Faultf(data.ErrContract, "bandit: state: "+format, args...)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var f stateFile
	if err := d.Decode(&f); err != nil {
		return bad("%w", err)
	}
	if d.More() {
		return bad("something follows the object")
	}
	if f.Version != stateVersion {
		return bad("version %d: expected %d", f.Version, stateVersion)
	}
	p, err := New(f.Config)
	if err != nil {
		return bad("%w", err)
	}
	p.last = f.Last
	for _, c := range f.Cells {
		if p.cells[c.Cell] != nil {
			return bad("cell %q is there twice", c.Cell)
		}
		if len(c.Counts) != len(p.Arms) {
			return bad("cell %q: %d counts: expected %d", c.Cell, len(c.Counts), len(p.Arms))
		}
		for _, n := range c.Counts {
			if !(n.Successes >= 0 && n.Failures >= 0) || math.IsInf(n.Successes+n.Failures, 0) {
				return bad("cell %q: counts %v, %v: expected 0 or more", c.Cell, n.Successes, n.Failures)
			}
		}
		p.cells[c.Cell] = &counts{c.At, c.Counts}
	}
	b := &Book{}
	for _, t := range f.Open {
		if t.Arm < 0 || t.Arm >= len(p.Arms) {
			return bad("trial %q: arm %d: expected 0 to %d", t.ID, t.Arm, len(p.Arms)-1)
		}
		if err := b.Open(t); err != nil {
			return bad("%w", err)
		}
	}
	return p, b, nil
}
