package features

import (
	"context"
	"testing"

	"recoup/data"
)

func TestBuildMakesBothTables(t *testing.T) {
	l := randomRows(1, 40, 8).write(t, t.TempDir())
	dir := t.TempDir()
	s, err := Build(context.Background(), l, BuildOptions{AsOf: data.AsOf(epoch + 240*data.Day), Dir: dir, Workers: 2})
	must(t, err)
	t.Logf("%+v", s)
	if s.Attempts.Rows == 0 || s.Periods.Rows == 0 {
		t.Fatalf("empty tables: %+v", s)
	}
	for _, path := range []string{s.Attempts.Path, s.Periods.Path} {
		f, err := data.OpenFrames(path)
		must(t, err)
		for frame, err := range f.Frames() {
			must(t, err)
			frame.Check()
		}
		must(t, f.Close())
	}
}
