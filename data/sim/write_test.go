package sim

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

func TestOracleApart(t *testing.T) {
	root := t.TempDir()
	d := filepath.Join(root, "d")
	link := filepath.Join(root, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	for _, oracle := range []string{d, filepath.Join(d, "o"), root, filepath.Join(link, "d", "deep"), filepath.Join(d, "..", "d")} {
		if _, err := Write(context.Background(), config(5), Uniform(), d, oracle); !errors.Is(err, data.ErrUsage) {
			t.Errorf("oracle %s: got %v", oracle, err)
		}
	}
	if _, err := os.Stat(d); err == nil {
		t.Error("a refused run made the folder")
	}
	if _, err := Write(context.Background(), config(5), Uniform(), "", ""); !errors.Is(err, data.ErrUsage) {
		t.Errorf("no folder: got %v", err)
	}
}

// TestWrite: what is stored is what the world made; a second world is refused;
// the same world has the same manifest.
func TestWrite(t *testing.T) {
	hashes := [2]map[string]string{{}, {}} // by file: put together in the order of a map they differed one time in five
	for i := range hashes {
		root := t.TempDir()
		d, o := filepath.Join(root, "d"), filepath.Join(root, "o")
		s, err := Write(context.Background(), config(60), Uniform(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		l, err := data.OpenLog(d)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for rows, err := range data.Scan[data.Attempt](l, data.AsOf(config(1).end())) {
			if err != nil {
				t.Fatal(err)
			}
			n += len(rows)
		}
		if n != s.Rows.Attempts {
			t.Errorf("%d attempts in the log, %d made", n, s.Rows.Attempts)
		}
		for file, want := range map[string]int{CandidatesFile: s.Rows.Candidates, CuresFile: s.Rows.Cures} {
			f, err := data.OpenFrames(filepath.Join(o, file))
			if err != nil {
				t.Fatal(err)
			}
			if f.Rows() != int64(want) {
				t.Errorf("%s: %d rows, want %d", file, f.Rows(), want)
			}
			f.Close()
			h, err := data.HashFile(filepath.Join(o, file))
			if err != nil {
				t.Fatal(err)
			}
			hashes[i][file] = h
		}
		h, err := data.HashFile(filepath.Join(d, "events", "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		hashes[i]["manifest.json"] = h
		if _, err := Write(context.Background(), config(60), Uniform(), d, ""); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), d) {
			t.Errorf("a second world in the same folder: %v", err)
		}
	}
	for file, h := range hashes[0] {
		if hashes[1][file] != h {
			t.Errorf("the same world has another %s", file)
		}
	}
}
