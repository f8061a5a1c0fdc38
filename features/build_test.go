package features

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
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

// An attempt after a charge that was paid at once is no retry, and its failure no case.
func TestAttemptAfterPaymentIsNoCase(t *testing.T) {
	at := epoch + 10*data.Day
	r := rows{attempts: []data.Attempt{attempt("c1", 0, at, data.Captured), attempt("c1", 1, at+data.Hour, data.Failed),
		attempt("c1", 2, at+2*data.Hour, data.Captured), attempt("c2", 0, at+30*data.Day, data.Captured)}}
	attempts, periods := build(t, r.write(t, t.TempDir()), at+30*data.Day, 1)
	if len(attempts)+len(periods) != 0 {
		t.Errorf("%d retries and %d days of a case that never was", len(attempts), len(periods))
	}
}

// A row says what its table says it says: golden values of one case, worked out by hand.
func TestRowOfOneCase(t *testing.T) {
	charge := data.IST(2026, 3, 3, 9, 0)
	old, failed := attempt("c0", 0, data.IST(2026, 2, 3, 9, 0), data.Captured), attempt("c1", 0, charge, data.Failed)
	retry := attempt("c1", 1, data.IST(2026, 3, 7, 8, 30), data.Captured)
	end := attempt("c9", 0, charge+60*data.Day, data.Captured)
	r := rows{attempts: []data.Attempt{old, failed, retry, end}}
	r.mandates = []data.Mandate{{Event: data.Event{EventID: "m", OccurredAt: epoch, KnownAt: epoch}, MandateID: "m", CustomerID: "who",
		Rail: data.Card, Status: data.MandateActive, MaxAmount: 1000_00}}
	for i := range r.attempts {
		r.attempts[i].MandateID = "m"
	}
	attempts, _ := build(t, r.write(t, t.TempDir()), charge+60*data.Day, 1)
	if len(attempts) != 1 {
		t.Fatalf("%d rows, expected 1", len(attempts))
	}
	row := attempts[0]
	for name, want := range map[string]any{
		"class": "RETRY_SCHEDULED", "cause": "INSUFFICIENT_FUNDS", "rail": "card", "bank": "hdfc", "mandate_status": "active", "cand_weekday": "saturday",
		"y": 1.0, "attempt_no": 1.0, "next_no": 1.0, "mandate_cap_share": 0.5, "cust_captures": math.Log(2), "cust_rate_90d": 4.0 / 6,
		"cand_delay": math.Log1p((3*24 + 23.5) * 3600), "cand_peak": 0.0, "cand_common_since": 0.0, "cand_common_crossed": 1.0, "amount": math.Log1p(500),
		"cust_last_capture": math.Log1p(28 * 24),
	} {
		var got any = row.num[name]
		if text, ok := row.text[name]; ok {
			got = text
		}
		if w, number := want.(float64); number {
			if math.Abs(got.(float64)-w) > 1e-12 {
				t.Errorf("%s: %v, expected %v", name, got, want)
			}
		} else if got != want {
			t.Errorf("%s: %v, expected %v", name, got, want)
		}
	}
}

// A cancelled build, before or in its middle, gives the cause and leaves nothing.
func TestCancelledBuildLeavesNothing(t *testing.T) {
	l := randomRows(1, 60, 8).write(t, t.TempDir())
	for _, early := range []bool{true, false} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		if early {
			cancel()
		}
		_, err := Build(ctx, l, BuildOptions{AsOf: data.AsOf(epoch + 240*data.Day), Dir: dir, Workers: 3,
			Progress: func(int64, int64) { cancel() }})
		cancel()
		if err == nil {
			if early {
				t.Error("a cancelled build succeeds")
			}
			continue // the log was read to its end before the cancellation was seen
		}
		left, _ := filepath.Glob(filepath.Join(dir, "*"))
		hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
		if !errors.Is(err, context.Canceled) || len(left)+len(hidden) > 0 {
			t.Errorf("%v; left behind: %v %v", err, left, hidden)
		}
	}
}

// When one table cannot be published the other is not there either.
func TestBothTablesOrNone(t *testing.T) {
	l := randomRows(1, 20, 8).write(t, t.TempDir())
	for _, blocked := range []string{AttemptsFile, PeriodsFile} {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(dir, blocked, "in the way"), 0o755))
		_, err := Build(context.Background(), l, BuildOptions{AsOf: data.AsOf(epoch + 240*data.Day), Dir: dir, Workers: 1})
		if err == nil {
			t.Errorf("%s: a folder was replaced", blocked)
		}
		left, err := os.ReadDir(dir)
		must(t, err)
		if len(left) != 1 || left[0].Name() != blocked {
			t.Errorf("%s: left behind: %v", blocked, left)
		}
	}
}
