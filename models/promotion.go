package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"recoup/data"
)

// The aliases of a registry.
const (
	Champion   = "champion"   // answers
	Challenger = "challenger" // newest candidate
	Previous   = "previous"   // the champion before this one: where a rollback leads
)

// Aliases say which model has which part; "" = none.
type Aliases struct {
	Champion   ID `json:"champion"`
	Challenger ID `json:"challenger"`
	Previous   ID `json:"previous"`
}

func isAlias(name string) bool {
	return name == Champion || name == Challenger || name == Previous
}

func (a Aliases) get(name string) ID {
	return map[string]ID{Champion: a.Champion, Challenger: a.Challenger, Previous: a.Previous}[name]
}

// of are the aliases of a model, in the order champion, challenger, previous.
func (a Aliases) of(id ID) []string {
	out := []string{}
	for _, name := range []string{Champion, Challenger, Previous} {
		if a.get(name) == id {
			out = append(out, name)
		}
	}
	return out
}

// Promotion is one line of promotions.jsonl: model ID went from one part to
// another, and Replaced left that part. A model that a night made the challenger has no
// line; one that was brought in has.
type Promotion struct {
	AsOf     string `json:"as_of"` // RFC 3339; of the data that decided, no clock
	ID       ID     `json:"id"`
	From     string `json:"from"` // challenger, previous, or "" = registered only
	To       string `json:"to"`   // champion; challenger = brought in from elsewhere
	Replaced ID     `json:"replaced"`
	Why      string `json:"why"`
}

func (r *Registry) aliasPath() string     { return filepath.Join(r.dir, "aliases.json") }
func (r *Registry) promotionPath() string { return filepath.Join(r.dir, "promotions.jsonl") }

// ErrAliases is an aliases.json that cannot be read: nobody knows which model has
// which part. It comes with data.ErrContract.
var ErrAliases = errors.New("nobody knows which model has which part; restore the file, or remove it and promote a model again")

// Aliases reads who has which part. A damaged file is ErrAliases.
func (r *Registry) Aliases() (Aliases, error) {
	var a Aliases
	b, err := os.ReadFile(r.aliasPath())
	if errors.Is(err, os.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return a, fmt.Errorf("models: %w", err)
	}
	if err := strict(b, &a); err != nil {
		return Aliases{}, data.Faultf(data.ErrContract, "models: %s: %w: %w", r.aliasPath(), err, ErrAliases)
	}
	for _, id := range []ID{a.Champion, a.Challenger, a.Previous} {
		if id != "" && !idForm.MatchString(string(id)) {
			return Aliases{}, data.Faultf(data.ErrContract, "models: %s: %q is no model id: %w", r.aliasPath(), id, ErrAliases)
		}
	}
	return a, nil
}

// SetChallenger makes a registered model the challenger.
func (r *Registry) SetChallenger(id ID) error {
	return r.change(id, func(a Aliases) (Aliases, *Promotion, error) {
		a.Challenger = id
		return a, nil, nil
	})
}

// Promote makes a registered model the champion; the champion becomes previous.
// why goes to the log with asOf, RFC 3339. Promoting the champion changes nothing,
// so a job that was killed may promote again.
func (r *Registry) Promote(id ID, why, asOf string) error {
	return r.change(id, func(a Aliases) (Aliases, *Promotion, error) {
		if a.Champion == id {
			return a, nil, nil
		}
		p := &Promotion{AsOf: asOf, ID: id, To: Champion, Replaced: a.Champion, Why: why}
		if of := a.of(id); len(of) > 0 {
			p.From = of[0]
		}
		if a.Challenger == id {
			a.Challenger = ""
		}
		a.Champion, a.Previous = id, a.Champion
		return a, p, nil
	})
}

// Rollback gives the part of champion back to previous, and previous to the
// champion that failed, so that a rollback can be undone.
func (r *Registry) Rollback(why, asOf string) error {
	a, err := r.Aliases()
	if err != nil {
		return err
	}
	if a.Previous == "" {
		return data.Faultf(data.ErrUsage, "models: %s: no previous champion to roll back to", r.dir)
	}
	return r.change(a.Previous, func(now Aliases) (Aliases, *Promotion, error) {
		if now != a {
			return a, nil, data.Faultf(data.ErrLocked, "models: %s: another job moved the aliases meanwhile", r.dir)
		}
		return Aliases{Champion: a.Previous, Previous: a.Champion, Challenger: a.Challenger},
			&Promotion{AsOf: asOf, ID: a.Previous, From: Previous, To: Champion, Replaced: a.Champion, Why: why}, nil
	})
}

// change verifies the model, then writes log and aliases in this order: the log
// line is what makes a promotion, and a job killed in between writes no second one.
func (r *Registry) change(id ID, next func(Aliases) (Aliases, *Promotion, error)) error {
	if !idForm.MatchString(string(id)) {
		return data.Faultf(data.ErrUsage, "models: %q is no model id", id)
	}
	if _, err := LoadFolder(r.Path(id)); err != nil {
		return err
	}
	release, err := r.lock()
	if err != nil {
		return err
	}
	defer release()
	now, err := r.Aliases()
	if err != nil {
		return err
	}
	then, p, err := next(now)
	if err != nil {
		return err
	}
	if p != nil {
		if err := r.log(*p); err != nil {
			return err
		}
	}
	if then == now {
		return nil
	}
	js, err := indented(then)
	if err != nil {
		return fmt.Errorf("models: %w", err)
	}
	return data.WriteFile(r.aliasPath(), func(w io.Writer) error {
		_, err := w.Write(js)
		return err
	})
}

// log appends a line. A torn last line, left by a kill, is cut off first; a line
// that is there already, for the same reason, is not written again.
func (r *Registry) log(p Promotion) error {
	if _, err := time.Parse(time.RFC3339Nano, p.AsOf); err != nil {
		return data.Faultf(data.ErrUsage, "models: as_of %q: expected RFC 3339", p.AsOf)
	}
	line, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("models: %w", err)
	}
	f, err := os.OpenFile(r.promotionPath(), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("models: %w", err)
	}
	defer f.Close()
	have, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("models: %s: %w", f.Name(), err)
	}
	whole := have[:bytes.LastIndexByte(have, '\n')+1]
	lines := bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	if bytes.Equal(lines[len(lines)-1], line) {
		return nil
	}
	if err := f.Truncate(int64(len(whole))); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	if _, err := f.WriteAt(append(line, '\n'), int64(len(whole))); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("models: %s: %w", f.Name(), err)
	}
	return syncFolder(r.dir)
}

// Promotions reads the log, oldest first. A torn last line is left out; any
// other line that does not read is an error that names it.
func (r *Registry) Promotions() ([]Promotion, error) {
	b, err := os.ReadFile(r.promotionPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	var out []Promotion
	for i, line := range bytes.Split(b[:bytes.LastIndexByte(b, '\n')+1], []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var p Promotion
		if err := strict(line, &p); err != nil {
			return nil, data.Faultf(data.ErrContract, "models: %s: line %d: %w", r.promotionPath(), i+1, err)
		}
		out = append(out, p)
	}
	return out, nil
}
