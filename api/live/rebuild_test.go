package live

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"recoup/data"
)

// picture is what a desk answers about every open case.
func (o *office) picture() (out []string) {
	o.t.Helper()
	for _, id := range o.openCases() {
		f, err := o.Facts(id, o.Now())
		must(o.t, err)
		f.AsOf = data.Cursor{}
		out = append(out, fmt.Sprintf("%+v", f))
	}
	return out
}

// A desk that is opened anew knows the same, whatever was exported, and whether or not
// the export came to its mark.
func TestReopen(t *testing.T) {
	o := begin(t, true)
	rows := stream(t, 3, 60)
	third := len(rows) / 3
	for i, part := range [][]data.AnyRow{rows[:third], rows[third : 2*third]} {
		o.post(part...)
		want, standing := o.picture(), o.Stats().Standing
		o.restart()
		if got := o.picture(); len(got) == 0 || !slices.Equal(got, want) || o.Stats().Standing != standing {
			t.Errorf("part %d: %d cases, were %d", i, len(got), len(want))
		}
		o.export()
		o.restart()
		if got := o.picture(); !slices.Equal(got, want) {
			t.Errorf("part %d: exported, and the picture is another", i)
		}
	}
	o.post(rows[2*third:]...)
	want := o.picture()
	o.exportWithoutMark()
	o.restart()
	if got := o.picture(); !slices.Equal(got, want) {
		t.Error("an export that broke off before its mark, and the picture is another")
	}
}

// What comes into the log from elsewhere, between what the book has, counts from the
// next refresh on, as it does after a restart.
func TestRefresh(t *testing.T) {
	o := begin(t, true)
	rows := stream(t, 4, 60)
	third := len(rows) / 3
	o.elsewhere(rows[:third]...)
	must(t, o.Refresh(t.Context()))
	o.restart()
	var mine, theirs []data.AnyRow
	for i, r := range rows[third:] {
		if i%4 == 0 {
			theirs = append(theirs, r)
		} else {
			mine = append(mine, r)
		}
	}
	o.post(mine[:len(mine)/2]...)
	o.elsewhere(theirs...)
	must(t, o.Refresh(t.Context()))
	refreshed := o.picture()
	o.restart()
	if got := o.picture(); len(got) == 0 || !slices.Equal(got, refreshed) {
		t.Errorf("%d cases after a restart, %d after the refresh, or others", len(got), len(refreshed))
	}
	o.post(mine[len(mine)/2:]...)
	must(t, o.ready(t.Context()))
	went := o.picture()
	o.restart()
	if got := o.picture(); !slices.Equal(got, went) {
		t.Errorf("later: %d cases after a restart, %d before, or others", len(got), len(went))
	}
}

// Many may read while the book's follower folds.
func TestReadWhileFolding(t *testing.T) {
	o := begin(t, true)
	rows := stream(t, 3, 30)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for i, id := range o.openCases() {
					if i == 10 {
						break
					}
					if _, err := o.Facts(id, o.Now()); err != nil {
						continue // paid meanwhile and forgotten
					}
					if _, err := o.Score(t.Context(), id); err != nil {
						continue
					}
				}
				o.Stats()
			}
		})
	}
	for part := range slices.Chunk(rows, 50) {
		o.post(part...)
	}
	close(stop)
	wg.Wait()
	if len(o.openCases()) == 0 {
		t.Error("nothing is open")
	}
}
