package features

import (
	"context"
	"errors"
	"slices"
	"testing"

	"recoup/data"
)

// Replay stops at every failure that leaves a case owed, in the order of the
// log, knows there what one State that is fed row by row knows, and no row
// after as_of.
func TestReplayStopsAtOwedFailures(t *testing.T) {
	l := richer(randomRows(41, 20, 4), 4).write(t, t.TempDir())
	o := oracleOf(t, l)
	asOf := o.attempts[len(o.attempts)*2/3].Cursor()
	var want []data.Cursor
	for _, a := range o.outcomes(asOf) {
		if a.Status == data.Failed && o.owedAt(a) {
			want = append(want, a.Cursor())
		}
	}
	one, rows := NewState(), items(t, l)
	var got []data.Cursor
	var done, total int64
	err := Replay(t.Context(), l, asOf, func(d, n int64) { done, total = d, n }, func(s *State, caseID string, at data.Micros) error {
		got = append(got, s.AsOf())
		for len(rows) > 0 && rows[0].at.Compare(s.AsOf()) <= 0 {
			must(t, rows[0].fold(one))
			rows = rows[1:]
		}
		f, err := s.Facts(caseID, at)
		must(t, err)
		w, err := one.Facts(caseID, at)
		must(t, err)
		if f != w || !f.Owed || at != s.AsOf().KnownAt {
			t.Errorf("case %s at %s:\n%+v\none State:\n%+v", caseID, at, f, w)
		}
		return nil
	})
	must(t, err)
	if !slices.Equal(got, want) || len(want) < 50 {
		t.Errorf("%d moments, expected %d", len(got), len(want))
	}
	if done != total || done < int64(len(want)) {
		t.Errorf("progress ended at %d of %d", done, total)
	}
	if len(rows) == 0 {
		t.Error("nothing lies after as_of: the bound was not tried")
	}
}

// What at returns ends the replay, and so does a context that is over.
func TestReplayEnds(t *testing.T) {
	l := randomRows(42, 5, 2).write(t, t.TempDir())
	enough, calls := errors.New("enough"), 0
	err := Replay(t.Context(), l, data.AsOf(never-1), nil, func(*State, string, data.Micros) error {
		if calls++; calls == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Replay(ctx, l, data.AsOf(never-1), nil, func(*State, string, data.Micros) error { calls++; return nil }); !errors.Is(err, context.Canceled) || calls != 3 {
		t.Errorf("a context that is over: %d calls, %v", calls, err)
	}
	if err := Replay(t.Context(), l, data.AsOf(epoch-400*data.Day), nil, func(*State, string, data.Micros) error { return enough }); err != nil {
		t.Errorf("nothing is known yet: %v", err)
	}
}
