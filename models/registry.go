package models

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"recoup/data"
)

// ID names a registered model: the first 16 hex digits of the SHA-256 over its
// files. A folder whose content does not give its name is damaged or edited, and
// refused.
type ID string

var idForm = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Registry is a folder of models: one immutable folder a model, named by its
// ID, aliases.json and promotions.jsonl.
type Registry struct{ dir string }

// OpenRegistry names the folder, D/models; it need not exist before the first Save.
func OpenRegistry(dir string) (*Registry, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, data.Faultf(data.ErrUsage, "models: %s: not a folder", dir)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("models: %w", err)
	}
	return &Registry{dir}, nil
}

// lock keeps other writers out until release.
func (r *Registry) lock() (release func(), err error) {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	return data.Lock(filepath.Join(r.dir, "registry.lock"))
}

// Save registers a model: it writes the card, checks everything, asks the
// golden rows, and makes the folder appear whole or not at all. Saving the same
// model again changes nothing. No alias is set.
func (r *Registry) Save(b *Bundle) (ID, error) {
	files, id, err := b.files()
	if err != nil {
		return "", err
	}
	if err := r.place(id, files); err != nil {
		return "", err
	}
	return id, nil
}

// Path is the folder of a model.
func (r *Registry) Path(id ID) string { return filepath.Join(r.dir, string(id)) }

// Load reads and verifies a model by alias (champion, challenger, previous), by
// ID, or by the first digits of an ID, at least 4, when only one model has them.
func (r *Registry) Load(name string) (*Bundle, error) {
	id, err := r.Resolve(name)
	if err != nil {
		return nil, err
	}
	return LoadFolder(r.Path(id))
}

// Resolve finds the ID that an alias, an ID or its first digits stand for.
func (r *Registry) Resolve(name string) (ID, error) {
	if isAlias(name) {
		a, err := r.Aliases()
		if err != nil {
			return "", err
		}
		if id := a.get(name); id != "" {
			return id, nil
		}
		return "", data.Faultf(data.ErrUsage, "models: %s: there is no %s yet", r.dir, name)
	}
	ids, err := r.ids()
	if err != nil {
		return "", err
	}
	var found []ID
	for _, id := range ids {
		if string(id) == name || len(name) >= 4 && strings.HasPrefix(string(id), name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", data.Faultf(data.ErrUsage, "models: %s: no model %q: recoup models list shows what is there", r.dir, name)
	case 1:
		return found[0], nil
	}
	return "", data.Faultf(data.ErrUsage, "models: %s: %q is the beginning of %d models: give more digits", r.dir, name, len(found))
}

// ids are the folders that bear the name of a model.
func (r *Registry) ids() ([]ID, error) {
	entries, err := os.ReadDir(r.dir) // sorted
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	var ids []ID
	for _, e := range entries {
		if e.IsDir() && idForm.MatchString(e.Name()) {
			ids = append(ids, ID(e.Name()))
		}
	}
	return ids, nil
}

// Entry is one model of a list.
type Entry struct {
	ID       ID        `json:"id"`
	Kind     Kind      `json:"kind,omitempty"` // of the attempt model
	Aliases  []string  `json:"aliases"`
	Manifest *Manifest `json:"manifest"` // nil when the folder is refused
	Fault    string    `json:"fault,omitempty"`
}

// List verifies every model and lists them by as_of, then ID. A damaged one is
// listed with its fault. An error that Is ErrAliases comes with the list, in which
// no model has a part then.
func (r *Registry) List() ([]Entry, error) {
	ids, err := r.ids()
	if err != nil {
		return nil, err
	}
	aliases, unknown := r.Aliases()
	if unknown != nil && !errors.Is(unknown, ErrAliases) {
		return nil, unknown
	}
	out := make([]Entry, 0, len(ids))
	for _, id := range ids {
		e := Entry{ID: id, Aliases: aliases.of(id)}
		if b, err := LoadFolder(r.Path(id)); err != nil {
			e.Fault = err.Error()
		} else {
			e.Manifest, e.Kind = &b.Manifest, b.Kind()
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return cmp.Compare(a.asOf(), b.asOf()) })
	return out, unknown
}

func (e Entry) asOf() string {
	if e.Manifest == nil {
		return ""
	}
	return e.Manifest.AsOf
}
