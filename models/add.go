package models

import (
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
)

// Add brings a model in that was made elsewhere, and makes it the challenger: the next
// night judges it beside its own. from is its folder, or a folder that holds that one
// alone. It is verified as Load does; a model that is there already is not copied again.
// why goes to the promotion log with at, RFC 3339.
func (r *Registry) Add(from, why, at string) (ID, error) {
	from, err := onlyModel(from)
	if err != nil {
		return "", err
	}
	files, err := readFolder(from)
	if err != nil {
		return "", err
	}
	id := ID(filepath.Base(from))
	if _, err := parseFolder(id, files); err != nil {
		return "", fmt.Errorf("models: %s: %w", from, err)
	}
	if err := r.place(id, files); err != nil {
		return "", err
	}
	return id, r.change(id, func(a Aliases) (Aliases, *Promotion, error) {
		if a.Champion == id {
			return a, nil, data.Faultf(data.ErrUsage, "models: %s is the champion already", id)
		}
		if a.Challenger == id {
			return a, nil, nil
		}
		p := &Promotion{AsOf: at, ID: id, To: Challenger, Replaced: a.Challenger, Why: why}
		a.Challenger = id
		return a, p, nil
	})
}

// place makes a verified model's folder appear, unless it is there.
func (r *Registry) place(id ID, files []folderFile) error {
	release, err := r.lock()
	if err != nil {
		return err
	}
	defer release()
	if _, err := os.Stat(r.Path(id)); err == nil {
		_, err := LoadFolder(r.Path(id))
		return err
	}
	return placeFolder(r.dir, r.Path(id), files)
}

// onlyModel is the folder itself, or the one model's folder in it.
func onlyModel(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil || idForm.MatchString(filepath.Base(abs)) {
		return abs, err
	}
	ids, err := (&Registry{abs}).ids()
	if err != nil {
		return "", err
	}
	if len(ids) != 1 {
		return "", data.Faultf(data.ErrUsage, "models: %s: a model's folder bears its id, 16 digits and letters from a to f; this is none, and it holds %d of them", path, len(ids))
	}
	return filepath.Join(abs, string(ids[0])), nil
}
