package compare

import (
	"slices"
	"testing"

	"recoup/data"
	"recoup/data/sim"
	"recoup/ope/bandit"
	"recoup/score"
)

// moment is a scene with retries at some times.
func moment(now data.Micros, at ...data.Micros) *scene {
	d := &score.Decision{Class: data.RetryScheduled}
	s := &scene{turn: &sim.Turn{Situation: &sim.Situation{Now: now, AttemptNo: 3, Rail: data.Card, Bank: "SBIN", FailedAt: now}}, d: d, attempts: 3}
	for i, t := range at {
		d.Allowed = append(d.Allowed, score.Choice{Action: data.Retry, At: t})
		s.retries = append(s.retries, i)
	}
	return s
}

func TestByDelay(t *testing.T) {
	now := data.IST(2026, 5, 10, 9, 0)
	first := data.IST(2026, 5, 12, 6, 0)
	s := moment(now, first, first+24*data.Hour, first+84*data.Hour-1, first+168*data.Hour+12*data.Hour, first+400*data.Hour)
	if got, _ := byDelay(s); !slices.Equal(got, []int{0, 1, 2, -1, -1}) {
		t.Errorf("%v", got)
	}
	if s.from(first+data.Hour) != 1 || s.from(first+9999*data.Hour) != 4 || s.nearest(first+11*data.Hour) != 0 || s.nearest(first+13*data.Hour) != 1 {
		t.Error("from or nearest")
	}
	if c := fineCell(s, nil); c != "RETRY_SCHEDULED/1/2/SBIN" {
		t.Errorf("cell %s", c)
	}
}

// Both sides of the edges between parts of the month, and the hour of the day.
func TestByMonth(t *testing.T) {
	first := data.IST(2026, 5, 28, 0, 0)
	s := moment(first-data.Day, first, first+12*data.Hour, data.IST(2026, 5, 31, 0, 0), data.IST(2026, 5, 31, 6, 0), data.IST(2026, 6, 3, 18, 0), data.IST(2026, 6, 4, 0, 0), data.IST(2026, 6, 4, 6, 0))
	got, _ := byMonth(s)
	want := slices.Repeat([]int{-1}, 1+len(windows))
	want[0], want[9], want[1], want[2] = 0, 3, 4, 6
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for at, want := range map[data.Micros]int{first: 0, first + data.Day - 1: 0, first + data.Day: 9, data.IST(2026, 6, 3, 23, 59): 1, data.IST(2026, 6, 4, 0, 0): 2} {
		if got := monthArm(first, at); got != want {
			t.Errorf("%s: arm %d, want %d", at, got, want)
		}
	}
	if len(monthNames()) != 1+len(windows) || monthNames()[9] != "28 to 31" {
		t.Errorf("%v", monthNames())
	}
}

// The month's parts and the pay cycle's phases cover every day.
func TestDaysOfMonth(t *testing.T) {
	for d := 1; d <= 31; d++ {
		at := data.IST(2026, 5, d, 23, 59)
		k := window(at)
		if d > windows[k] || k > 0 && d <= windows[k-1] {
			t.Errorf("day %d: part %d", d, k)
		}
		want := 2
		if d <= 4 {
			want = 0
		} else if d <= 14 {
			want = 1
		}
		if phase(at) != want {
			t.Errorf("day %d: phase %d", d, phase(at))
		}
	}
}

// A learner counts a payment by any road within 21 days of the first failure, or, alone,
// only the attempt's own and the customer's.
func TestTracker(t *testing.T) {
	for _, c := range []struct {
		name  string
		alone bool
		row   any
		want  []bool // of attempts 1 and 2
	}{
		{"its own capture", true, &data.Attempt{CaseID: "c", AttemptNo: 1, Initiator: data.ByRecoup, Status: data.Captured}, []bool{true, false}},
		{"a later attempt's", false, &data.Attempt{CaseID: "c", AttemptNo: 2, Initiator: data.ByRecoup, Status: data.Captured}, []bool{true, true}},
		{"the customer's", true, &data.Attempt{CaseID: "c", AttemptNo: 1, Initiator: data.ByCustomer, Status: data.Captured}, []bool{true, true}},
		{"elsewhere", true, &data.CaseEvent{CaseID: "c", Kind: data.PaidElsewhere}, []bool{true, true}},
		{"a failure", false, &data.Attempt{CaseID: "c", AttemptNo: 1, Initiator: data.ByRecoup, Status: data.Failed}, []bool{false, false}},
		{"a dispute", false, &data.CaseEvent{CaseID: "c", Kind: data.Disputed}, []bool{false, false}},
		{"another case", false, &data.CaseEvent{CaseID: "d", Kind: data.PaidElsewhere}, []bool{false, false}},
	} {
		k := tracker{alone: c.alone}
		for no := 1; no <= 2; no++ {
			if err := k.plan(bandit.Trial{ID: trialID("c", no), Closes: judged, Arm: 7}); err != nil {
				t.Fatal(err)
			}
			if err := k.plan(bandit.Trial{ID: trialID("c", no), Closes: judged, Arm: no - 1}); err != nil { // decided again
				t.Fatal(err)
			}
		}
		k.seen(c.row)
		if len(k.book.Close(judged-1)) != 0 {
			t.Errorf("%s: counted before its time", c.name)
		}
		got := []bool{false, false}
		for _, o := range k.book.Close(judged) {
			got[o.Arm] = o.Success
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestGridBest(t *testing.T) {
	g := grid{cells: map[string]*[steps]struct{ sum, n float64 }{"a": {}}}
	cell := g.cells["a"]
	cell[3].sum, cell[3].n = 40, 100
	cell[9].sum, cell[9].n = 30, 50
	cell[11].sum, cell[11].n = 49, 49 // fewer than half can take it
	if got := g.best(); got["a"] != 9 {
		t.Errorf("%v", got)
	}
}
