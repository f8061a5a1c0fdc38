package models

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"recoup/data"
)

var updateCard = flag.Bool("update-card", false, "rewrite testdata/card.md")

func registry(t testing.TB) *Registry {
	t.Helper()
	r, err := OpenRegistry(filepath.Join(t.TempDir(), "models"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func save(t testing.TB, r *Registry, b *Bundle) ID {
	t.Helper()
	id, err := r.Save(b)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// forget takes back every promotion.
func forget(t testing.TB, r *Registry) {
	t.Helper()
	must(t, os.RemoveAll(r.aliasPath()))
	must(t, os.RemoveAll(r.promotionPath()))
}

func TestSaveLoad(t *testing.T) {
	for name, b := range map[string]*Bundle{"both": bundle(t, 1), "no cure": noCure(t)} {
		t.Run(name, func(t *testing.T) {
			r := registry(t)
			id := save(t, r, b)
			got, err := r.Load(string(id))
			must(t, err)
			for _, row := range goldenRows {
				raw, p, _ := b.Attempt.Score(row)
				raw2, p2, err := got.Attempt.Score(row)
				if err != nil || !sameBits(raw, raw2) || !sameBits(p, p2) {
					t.Errorf("row %v: %v, %v became %v, %v (%v)", row, raw, p, raw2, p2, err)
				}
			}
			if !bytes.Equal(got.Card, b.Card) || got.Manifest.AsOf != b.Manifest.AsOf {
				t.Error("card or manifest changed")
			}
			if again := save(t, r, got); again != id {
				t.Errorf("what was loaded is saved as %s, not %s", again, id)
			}
			if other := save(t, registry(t), b); other != id {
				t.Errorf("elsewhere the id is %s, not %s", other, id)
			}
		})
	}
	if r := registry(t); save(t, r, bundle(t, 1)) == save(t, r, bundle(t, 1.0000000000000002)) {
		t.Error("one bit more is the same model")
	}
}

func TestCard(t *testing.T) {
	b := bundle(t, 1)
	save(t, registry(t), b)
	path := filepath.Join("testdata", "card.md")
	if *updateCard {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, b.Card, 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if d := cmp.Diff(string(want), string(b.Card)); d != "" {
		t.Error(d)
	}
	for interval, says := range map[Interval]string{{-.1, .1}: "NOT DISTINGUISHABLE", {-.2, -.1}: "WORSE", {.1, .2}: "Better"} {
		b.Manifest.Attempt.OverBaseInterval = &interval
		if !strings.Contains(string(card(b)), says) {
			t.Errorf("gain in %v: the card does not say %q", interval, says)
		}
	}
}

// Any change of any file, and any file more or less, is refused, by name.
func TestDamagedFolderRefused(t *testing.T) {
	damage := map[string]func(dir string) error{
		"file added":     func(d string) error { return os.WriteFile(filepath.Join(d, "notes.txt"), nil, 0o644) },
		"folder added":   func(d string) error { return os.Mkdir(filepath.Join(d, "more"), 0o755) },
		"file lost":      func(d string) error { return os.Remove(filepath.Join(d, fileCure)) },
		"card lost":      func(d string) error { return os.Remove(filepath.Join(d, fileCard)) },
		"files swapped":  func(d string) error { return os.Rename(filepath.Join(d, fileCure), filepath.Join(d, fileAttempt)) },
		"link":           func(d string) error { return os.Symlink("/dev/null", filepath.Join(d, "zero")) },
		"file truncated": func(d string) error { return os.Truncate(filepath.Join(d, fileAttempt), 100) },
	}
	for _, name := range []string{fileManifest, fileAttempt, fileCure, fileGolden, fileCard} {
		damage["bit in "+name] = func(d string) error {
			b, err := os.ReadFile(filepath.Join(d, name))
			if err != nil {
				return err
			}
			b[len(b)/2] ^= 1
			return os.WriteFile(filepath.Join(d, name), b, 0o644)
		}
	}
	for name, spoil := range damage {
		t.Run(name, func(t *testing.T) {
			r := registry(t)
			id := save(t, r, bundle(t, 1))
			must(t, r.Promote(id, "first", "2026-11-01T00:00:00Z"))
			must(t, spoil(r.Path(id)))
			_, err := r.Load(Champion)
			if !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), string(id)) {
				t.Errorf("%v", err)
			}
			if _, err := r.Save(bundle(t, 1)); err == nil {
				t.Error("the damaged folder was taken for the model saved again")
			}
			if err := r.SetChallenger(id); err == nil {
				t.Error("a damaged model became challenger")
			}
			e, err := r.List()
			if err != nil || len(e) != 1 || e[0].Fault == "" || e[0].Manifest != nil {
				t.Errorf("list: %+v, %v", e, err)
			}
		})
	}
	r := registry(t)
	id := save(t, r, bundle(t, 1))
	moved := filepath.Join(t.TempDir(), "renamed")
	must(t, os.Rename(r.Path(id), moved))
	if _, err := LoadFolder(moved); !errors.Is(err, data.ErrContract) {
		t.Errorf("renamed folder: %v", err)
	}
}

// A folder whose hash is right is still asked its golden rows.
func TestGoldenVerifiedAtLoad(t *testing.T) {
	b := bundle(t, 1)
	files, _, err := b.files()
	must(t, err)
	for i := range files {
		if files[i].name == fileAttempt {
			files[i].bytes = bytes.Replace(files[i].bytes, []byte("-0.93"), []byte("-0.94"), 1)
		}
	}
	dir := t.TempDir()
	final := filepath.Join(dir, string(idOf(files)))
	must(t, placeFolder(dir, final, files))
	if _, err := LoadFolder(final); !errors.Is(err, data.ErrUnsafe) || !strings.Contains(err.Error(), "golden row 0") {
		t.Errorf("%v", err)
	}
}

func TestResolve(t *testing.T) {
	r := registry(t)
	if e, err := r.List(); err != nil || len(e) != 0 {
		t.Errorf("empty registry: %v, %v", e, err)
	}
	if _, err := r.Load(Champion); !errors.Is(err, data.ErrUsage) {
		t.Errorf("no champion: %v", err)
	}
	id := save(t, r, bundle(t, 1))
	for _, name := range []string{string(id), string(id)[:4]} {
		if got, err := r.Resolve(name); err != nil || got != id {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for _, name := range []string{"", string(id)[:3], string(id) + "0", "../" + string(id), "registry.lock"} {
		if got, err := r.Resolve(name); !errors.Is(err, data.ErrUsage) {
			t.Errorf("%q: %s, %v", name, got, err)
		}
	}
}

func TestPromoteAndRollback(t *testing.T) {
	r := registry(t)
	a, b := save(t, r, bundle(t, 1)), save(t, r, bundle(t, 2))
	if err := r.Rollback("x", "2026-11-01T00:00:00Z"); !errors.Is(err, data.ErrUsage) {
		t.Errorf("rollback of nothing: %v", err)
	}
	must(t, r.SetChallenger(a))
	must(t, r.Promote(a, "first", "2026-11-01T00:00:00Z"))
	must(t, r.Promote(a, "first", "2026-11-01T00:00:00Z")) // nothing
	must(t, r.SetChallenger(b))
	must(t, r.Promote(b, "better", "2026-11-02T00:00:00Z"))
	if got, err := r.Aliases(); err != nil || got != (Aliases{Champion: b, Previous: a}) {
		t.Errorf("%+v, %v", got, err)
	}
	must(t, r.Rollback("worse after all", "2026-11-03T00:00:00Z"))
	if got, err := r.Aliases(); err != nil || got != (Aliases{Champion: a, Previous: b}) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := r.Promotions()
	must(t, err)
	want := []Promotion{
		{"2026-11-01T00:00:00Z", a, Challenger, Champion, "", "first"},
		{"2026-11-02T00:00:00Z", b, Challenger, Champion, a, "better"},
		{"2026-11-03T00:00:00Z", a, Previous, Champion, b, "worse after all"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if err := r.Promote("0123456789abcdef", "", "2026-11-01T00:00:00Z"); !errors.Is(err, data.ErrUsage) {
		t.Errorf("unknown id: %v", err)
	}
	if err := r.Promote(b, "", "now"); !errors.Is(err, data.ErrUsage) {
		t.Errorf("as_of: %v", err)
	}
}

// A job killed between the log and the aliases, or in the middle of a line,
// comes to the same bytes when it runs again.
func TestPromotionKilled(t *testing.T) {
	r := registry(t)
	a, b := save(t, r, bundle(t, 1)), save(t, r, bundle(t, 2))
	run := func(kill func(r *Registry)) (string, string) {
		forget(t, r)
		must(t, r.Promote(a, "first", "2026-11-01T00:00:00Z"))
		before, err := os.ReadFile(r.aliasPath())
		must(t, err)
		must(t, r.Promote(b, "better", "2026-11-02T00:00:00Z"))
		if kill != nil {
			must(t, os.WriteFile(r.aliasPath(), before, 0o644))
			kill(r)
			must(t, r.Promote(b, "better", "2026-11-02T00:00:00Z"))
		}
		x, err := os.ReadFile(r.aliasPath())
		must(t, err)
		y, err := os.ReadFile(r.promotionPath())
		must(t, err)
		return string(x), string(y)
	}
	aliases, log := run(nil)
	for _, cut := range []int{0, 1, 2, 60, 120} {
		x, y := run(func(r *Registry) {
			info, err := os.Stat(r.promotionPath())
			must(t, err)
			must(t, os.Truncate(r.promotionPath(), info.Size()-int64(cut)))
			if p, err := r.Promotions(); err != nil || len(p) != 2-min(cut, 1) {
				t.Errorf("cut %d: torn log reads as %v, %v", cut, p, err)
			}
		})
		if x != aliases || y != log {
			t.Fatalf("cut %d: other bytes:\n%s\n%s", cut, x, y)
		}
	}
}

func TestStaleTemporaryFolder(t *testing.T) {
	r := registry(t)
	b := bundle(t, 1)
	_, id, err := b.files()
	must(t, err)
	stale := filepath.Join(r.dir, ".tmp-"+string(id))
	must(t, os.MkdirAll(stale, 0o755))
	must(t, os.WriteFile(filepath.Join(stale, fileCard), []byte("half"), 0o644))
	save(t, r, b)
	if _, err := os.Stat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
}

func TestLocked(t *testing.T) {
	r := registry(t)
	id := save(t, r, bundle(t, 1))
	release, err := r.lock()
	must(t, err)
	defer release()
	for name, err := range map[string]error{"save": func() error { _, err := r.Save(bundle(t, 3)); return err }(), "promote": r.Promote(id, "", "2026-11-01T00:00:00Z")} {
		if !errors.Is(err, data.ErrLocked) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBrokenAliases(t *testing.T) {
	for _, s := range []string{"", "{", `{"champion":"../../etc"}`, `{"king":"0123456789abcdef"}`} {
		r := registry(t)
		id := save(t, r, bundle(t, 1))
		must(t, os.WriteFile(r.aliasPath(), []byte(s), 0o644))
		if err := r.Promote(id, "", "2026-11-01T00:00:00Z"); !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), "aliases.json") {
			t.Errorf("%q: %v", s, err)
		}
		if list, err := r.List(); !errors.Is(err, ErrAliases) || !errors.Is(err, data.ErrContract) || len(list) != 1 || list[0].ID != id || len(list[0].Aliases) > 0 {
			t.Errorf("%q: listed as %+v, %v", s, list, err)
		}
	}
}

// Whatever is done, the log replayed gives the aliases' champion and previous.
func TestLogExplainsAliases(t *testing.T) {
	r := registry(t)
	var ids []ID
	for _, s := range []float64{1, 2, 3} {
		ids = append(ids, save(t, r, bundle(t, s)))
	}
	rapid.Check(t, func(rt *rapid.T) {
		forget(t, r)
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			switch id := rapid.SampledFrom(ids).Draw(rt, "id"); rapid.IntRange(0, 2).Draw(rt, "act") {
			case 0:
				must(t, r.SetChallenger(id))
			case 1:
				must(t, r.Promote(id, "better", "2026-11-02T00:00:00Z"))
			case 2:
				if err := r.Rollback("worse", "2026-11-02T00:00:00Z"); err != nil && !errors.Is(err, data.ErrUsage) {
					rt.Fatal(err)
				}
			}
		}
		log, err := r.Promotions()
		must(t, err)
		var want Aliases
		for _, p := range log {
			if p.Replaced != want.Champion {
				rt.Fatalf("%+v replaces %q", p, want.Champion)
			}
			want.Previous, want.Champion = want.Champion, p.ID
		}
		got, err := r.Aliases()
		must(t, err)
		if got.Champion != want.Champion || got.Previous != want.Previous {
			rt.Fatalf("%+v, the log says %+v", got, want)
		}
	})
}

// Bytes in any file are read or refused, never a panic.
func FuzzFolder(f *testing.F) {
	files, _, err := bundle(f, 1).files()
	if err != nil {
		f.Fatal(err)
	}
	for i := range files {
		f.Add(i, files[i].bytes)
	}
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		changed := append([]folderFile(nil), files...)
		i = ((i % len(files)) + len(files)) % len(files)
		changed[i].bytes = b
		if got, err := parseFolder(idOf(changed), changed); err == nil {
			if _, _, err := got.Attempt.Score(goldenRows[0]); err != nil {
				t.Errorf("loaded, but does not answer: %v", err)
			}
		}
	})
}
