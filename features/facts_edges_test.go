package features

import (
	"fmt"
	"testing"

	"recoup/data"
)

// factsAfter folds rows in the order given, each one microsecond after another
// where they share a time, and gives the facts of case c at t.
func factsAfter(t *testing.T, at data.Micros, rows ...any) Facts {
	t.Helper()
	s := NewState()
	for i, row := range rows {
		var e *data.Event
		switch r := row.(type) {
		case *data.Attempt:
			e = &r.Event
		case *data.Notice:
			e = &r.Event
		case *data.Poll:
			e = &r.Event
		case *data.Promise:
			e = &r.Event
		case *data.Mandate:
			e = &r.Event
		}
		e.Seq = int64(i + 1)
		must(t, s.foldRow(row))
	}
	f, err := s.Facts("c", at)
	must(t, err)
	return f
}

func attemptAt(caseID string, no int32, at data.Micros, status data.AttemptStatus) *data.Attempt {
	a := attempt(caseID, no, at, status)
	return &a
}

// Both sides of the edge of every window of the facts, one microsecond apart.
func TestFactsWindowEdges(t *testing.T) {
	at := data.IST(2025, 3, 10, 15, 0)
	midnight := data.IST(2025, 3, 10, 0, 0)
	link := func(when data.Micros) *data.Notice {
		return &data.Notice{Event: data.Event{EventID: "n", OccurredAt: when, KnownAt: when}, CaseID: "c", Kind: data.NoticePlainLink, Status: data.NoticeSent}
	}
	first := attemptAt("c", 0, at-40*data.Day, data.Failed)
	declined := func(when data.Micros) func(t *testing.T) Facts {
		return func(t *testing.T) Facts { return factsAfter(t, at, first, attemptAt("c", 1, when, data.Failed)) }
	}
	other := func(change func(*data.Attempt)) func(t *testing.T) Facts {
		a := attemptAt("d", 0, at-data.Hour, data.Failed)
		change(a)
		return func(t *testing.T) Facts { return factsAfter(t, at, first, a) }
	}
	for _, tt := range []struct {
		name string
		of   func(t *testing.T) Facts
		get  func(f *Facts) int
		want int
	}{
		{"a decline 30 days old", declined(at - 30*data.Day), func(f *Facts) int { return f.Declines30d }, 0},
		{"a decline not quite 30 days old", declined(at - 30*data.Day + 1), func(f *Facts) int { return f.Declines30d }, 1},
		{"a decline at India's midnight", declined(midnight), func(f *Facts) int { return f.DeclinesToday }, 1},
		{"a decline before India's midnight", declined(midnight - 1), func(f *Facts) int { return f.DeclinesToday }, 0},
		{"a decline of another case", other(func(*data.Attempt) {}), func(f *Facts) int { return f.Declines30d }, 1},
		{"of another amount", other(func(a *data.Attempt) { a.Amount++ }), func(f *Facts) int { return f.Declines30d }, 0},
		{"on another rail", other(func(a *data.Attempt) { a.Rail = data.Wallet }), func(f *Facts) int { return f.Declines30d }, 0},
		{"of another customer", other(func(a *data.Attempt) { a.CustomerID = "she" }), func(f *Facts) int { return f.Declines30d }, 0},
		{"a capture", other(func(a *data.Attempt) { a.Status = data.Captured }), func(f *Facts) int { return f.Declines30d }, 0},
		{"an outcome 7 days old", declined(at - 7*data.Day), func(f *Facts) int { return f.Outcomes7d }, 1},
		{"an outcome over 7 days old", declined(at - 7*data.Day - 1), func(f *Facts) int { return f.Outcomes7d }, 0},
		{"a contact 7 days old", func(t *testing.T) Facts { return factsAfter(t, at, first, link(at-7*data.Day)) }, func(f *Facts) int { return f.Contacts7d }, 1},
		{"a contact over 7 days old", func(t *testing.T) Facts { return factsAfter(t, at, first, link(at-7*data.Day-1)) }, func(f *Facts) int { return f.Contacts7d }, 0},
	} {
		f := tt.of(t)
		if got := tt.get(&f); got != tt.want {
			t.Errorf("%s: %d, expected %d", tt.name, got, tt.want)
		}
	}
}

// The 90th percentile is the nearest rank: of 10 amounts the ninth, of 11 the tenth.
func TestFactsOwnP90(t *testing.T) {
	for _, tt := range []struct{ n, want int }{{0, 0}, {1, 1}, {2, 2}, {9, 9}, {10, 9}, {11, 10}, {19, 18}, {20, 18}, {21, 19}} {
		var rows []any
		for i := range tt.n {
			a := attemptAt(fmt.Sprint("p", i), 0, epoch+data.Micros(i)*data.Hour, data.Captured)
			a.Amount = data.Rupees(int64(1 + (i*8)%tt.n)) // 8 is prime to most; equal amounts where not
			if tt.n%2 == 0 {
				a.Amount = data.Rupees(int64(tt.n - i))
			}
			rows = append(rows, a)
		}
		f := factsAfter(t, epoch+30*data.Day, append(rows, attemptAt("c", 0, epoch+20*data.Day, data.Failed))...)
		if f.Captures != tt.n || f.OwnP90 != data.Rupees(int64(tt.want)) {
			t.Errorf("%d captures of 1 to %d rupees: %d, 90th percentile %s, expected %d", tt.n, tt.n, f.Captures, f.OwnP90, tt.want)
		}
	}
}

// The latest contacts are listed, latest first, and no more than there is room for.
func TestFactsContacts(t *testing.T) {
	for _, n := range []int{0, 1, ContactsSeen, ContactsSeen + 1} {
		rows := []any{attemptAt("c", 0, epoch, data.Failed)}
		for i := range n {
			when := epoch + data.Micros(1+i)*data.Hour
			rows = append(rows, &data.Notice{Event: data.Event{OccurredAt: when, KnownAt: when}, CaseID: "c",
				Kind: data.NoticePlainLink, Status: data.NoticeSent})
		}
		f := factsAfter(t, epoch+30*data.Day, rows...)
		for i, got := range f.Contacts {
			want := epoch + data.Micros(n-i)*data.Hour
			if i >= n {
				want = 0
			}
			if got != want {
				t.Errorf("%d contacts: number %d is %s, expected %s", n, i, got, want)
			}
		}
	}
}

// A status check that comes before its attempt counts when the attempt comes
// within the days that a notice is kept, and not after.
func TestEarlyPolls(t *testing.T) {
	for _, tt := range []struct {
		gap  data.Micros
		want int
	}{{1, 2}, {earlyKept - data.Second, 2}, {earlyKept, 1}, {earlyKept + data.Minute, 0}} {
		poll := func(when data.Micros, says data.PollStatus) *data.Poll {
			return &data.Poll{Event: data.Event{OccurredAt: when, KnownAt: when}, AttemptID: "c.0", Status: says}
		}
		f := factsAfter(t, epoch+30*data.Day, poll(epoch, data.PollPending), poll(epoch+data.Second, data.PollFailed),
			attemptAt("c", 0, epoch+data.Second+tt.gap, data.Failed))
		says := data.PollFailed
		if tt.want == 0 {
			says = 0
		}
		if f.Polls != tt.want || f.LastPoll != says {
			t.Errorf("an attempt %d s after its checks: %d of them, %q: expected %d", tt.gap/data.Second, f.Polls, f.LastPoll, tt.want)
		}
	}
}

// Status checks of attempts that never come are forgotten, and those of another
// shard's attempts with the attempt.
func TestEarlyPollsAreForgotten(t *testing.T) {
	s := newShard(0, 1)
	must(t, Fold(s, &data.Poll{Event: data.Event{OccurredAt: epoch, KnownAt: epoch}, AttemptID: "never", Status: data.PollPending}))
	for _, tt := range []struct {
		after data.Micros
		left  int
	}{{earlyKept, 1}, {earlyKept + data.Minute + 1, 0}} {
		a := attempt("x", 0, epoch+tt.after, data.Captured)
		must(t, Fold(s, &a))
		if s.polls.Len() != tt.left {
			t.Errorf("%d days after: %d kept, expected %d", tt.after/data.Day, s.polls.Len(), tt.left)
		}
	}
	for shard := range 2 {
		s := newShard(shard, 2)
		must(t, Fold(s, &data.Poll{Event: data.Event{OccurredAt: epoch, KnownAt: epoch}, AttemptID: "c.0", Status: data.PollPending}))
		a := attempt("c", 0, epoch+1, data.Failed)
		must(t, Fold(s, &a))
		if s.polls.Len() != 0 {
			t.Errorf("shard %d keeps %d", shard, s.polls.Len())
		}
	}
}
