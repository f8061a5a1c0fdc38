package nightly

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"recoup/cmd/recoup/thompson"
	"recoup/data"
)

// TestBanditStage: where there is a bandit, the night learns it anew, once; an earlier
// night leaves a later state, and a log without a closed window the old one.
func TestBanditStage(t *testing.T) {
	dir := home(t)
	log, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []thompson.Kind{thompson.Beta, thompson.Logistic} {
		month := worldAsOf - 30*data.Day
		old, err := thompson.Learn(log, kind, month)
		if err != nil {
			t.Fatal(err)
		}
		j := &job{Config: night(dir), log: log}
		at := func(run string) {
			j.run = filepath.Join("runs", run+string(kind))
			if err := os.MkdirAll(j.path(j.run), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		at("")
		path := j.path(thompson.StateFile)
		os.Remove(path)
		if j.hasBandit() {
			t.Fatal("a bandit without a state")
		}
		if err := old.Write(path); err != nil {
			t.Fatal(err)
		}
		learn := func() (bool, *Relearned, *thompson.File) {
			t.Helper()
			st, err := j.banditStage()
			if err != nil {
				t.Fatal(err)
			}
			ran, err := j.do(t.Context(), st)
			if err != nil {
				t.Fatal(err)
			}
			said, err := j.relearned()
			if err != nil || said == nil {
				t.Fatal(said, err)
			}
			now, err := thompson.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if kept, err := thompson.Read(j.path(j.banditPath())); err != nil || !reflect.DeepEqual(kept, now) {
				t.Errorf("beside the run: %v, not what the server reads", err)
			}
			return ran, said, now
		}
		ran, said, now := learn()
		if !ran || said.Why != "" || said.Trials <= old.N || now.N != said.Trials || now.AsOf != worldAsOf || now.Kind != kind {
			t.Errorf("%s: ran %v, %+v, as of %s", kind, ran, said, now.AsOf)
		}
		if _, formula, err := now.Propose(); err != nil || formula != said.Formula || !strings.HasPrefix(formula, "thompson-"+string(kind)+"-1 ") {
			t.Errorf("%s: %q and %q, %v", kind, formula, said.Formula, err)
		}
		if ran, again, _ := learn(); ran || *again != *said {
			t.Errorf("%s: a second time: ran %v, %+v", kind, ran, again)
		}

		j.AsOf = month
		at("earlier-")
		ran, said, same := learn()
		if !ran || !strings.Contains(said.Why, "later time") || !slices.Equal(same.State, now.State) || said.Trials != now.N {
			t.Errorf("%s: an earlier night: %+v, as of %s", kind, said, same.AsOf)
		}
		if err := old.Write(path); err != nil {
			t.Fatal(err)
		}
		if old, err = thompson.Read(path); err != nil {
			t.Fatal(err)
		}
		j.AsOf = worldStart + data.Day
		at("first-")
		if ran, said, same = learn(); !ran || !strings.Contains(said.Why, "closed window") || !slices.Equal(same.State, old.State) {
			t.Errorf("%s: too early: %+v", kind, said)
		}
		// Asked for where there is none, or one of another kind: it begins, and then learns.
		for _, begun := range []func() error{func() error { return os.Remove(path) }, func() error {
			b, err := thompson.Begin(map[thompson.Kind]thompson.Kind{thompson.Beta: thompson.Logistic, thompson.Logistic: thompson.Beta}[kind], worldAsOf)
			return errors.Join(err, b.Write(path))
		}} {
			if err := errors.Join(begun(), os.RemoveAll(j.path("runs"))); err != nil {
				t.Fatal(err)
			}
			j.Bandit, j.AsOf = kind, worldStart+data.Day
			at("first-")
			if ran, said, now := learn(); !ran || !j.hasBandit() || !strings.Contains(said.Why, "closed window") || said.Trials != 0 || now.N != 0 || now.Kind != kind || now.AsOf != j.AsOf {
				t.Errorf("%s: begun: %+v, as of %s", kind, said, now.AsOf)
			}
			j.Bandit, j.AsOf = "", month
			at("next-")
			if ran, said, now := learn(); !ran || said.Why != "" || now.N != old.N || !slices.Equal(now.State, old.State) {
				t.Errorf("%s: the night after: %+v, as of %s", kind, said, now.AsOf)
			}
		}
		if err := os.WriteFile(path, []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := j.banditStage(); err == nil {
			t.Errorf("%s: half a state went through", kind)
		}
	}
}
