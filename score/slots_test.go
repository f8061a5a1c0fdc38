package score

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"recoup/data"
)

// The grid has 56 slots, with waiting 57, whenever it begins: at IST 00, 06, 12
// and 18 h, from t to before t + 14 days.
func TestGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := failedAt + data.Micros(rapid.Int64Range(0, int64(400*data.Day)).Draw(t, "t"))
		if rapid.Bool().Draw(t, "on a slot") {
			at -= at.ISTTimeOfDay() % (6 * data.Hour)
		}
		slots := Default().grid(nil, at, Default().retryHours)
		if len(slots) != 56 || slots[0] < at || slots[0] >= at+6*data.Hour {
			t.Fatalf("%d slots from %s", len(slots), at)
		}
		for i, s := range slots {
			if s.ISTTimeOfDay()%(6*data.Hour) != 0 || i > 0 && s-slots[i-1] != 6*data.Hour {
				t.Fatalf("slot %d: %s", i, s)
			}
		}
	})
}

// Beside the grid stand the slots that the rules arm and the ladder would take,
// each once and none before now.
func TestRetrySlots(t *testing.T) {
	d, h := data.Day, data.Hour
	for _, c := range []struct {
		reason string
		now    data.Micros   // after failedAt
		extra  []data.Micros // after failedAt, beside the grid
		arm    data.Micros   // after failedAt
		spent  int           // presentations
	}{
		{"duplicate_rrn_found", 0, []data.Micros{0, h, 6 * h, d, 2 * d, 3 * d}, h, 1},
		{"duplicate_rrn_found", h, []data.Micros{h, 6 * h, d, 2 * d, 3 * d}, 6 * h, 2},
		{"duplicate_rrn_found", 2 * h, []data.Micros{2 * h, 6 * h, d, 2 * d, 3 * d}, d, 3},
		{"duplicate_rrn_found", 5 * d, []data.Micros{5 * d}, 5 * d, 1},
		{"insufficient_funds", d, []data.Micros{3 * d, 17*d - 90*data.Minute}, 17*d - 90*data.Minute, 1},
		// 27 February 2026, a Friday, is the month's last working day; failedAt is the 10th, 09:30 IST.
		{"insufficient_funds", 0, []data.Micros{3 * d, 17*d - 90*data.Minute}, 17*d - 90*data.Minute, 1},
		{"insufficient_funds", 17*d - 30*data.Minute, []data.Micros{17*d - 30*data.Minute}, 17*d - 30*data.Minute, 1},
		{"insufficient_funds", 17 * d, []data.Micros{17 * d}, 17 * d, 1},
		{"insufficient_funds", 17*d + 1, []data.Micros{17*d + 1, 19*d - 90*data.Minute}, 19*d - 90*data.Minute, 1}, // the 1st, a Sunday
		{"bank_technical_error", 0, []data.Micros{2 * h, d, 2 * d, 3 * d}, 2 * h, 1},
		{"card_expired", 0, []data.Micros{0, d, 2 * d, 3 * d}, 0, 1},
	} {
		facts := situations(data.MustReason(c.reason))[0]
		facts.ByProvider = c.spent
		now := failedAt + c.now
		s := situationOf(without(t, "notice_missing"), &facts, now)
		want := Default().grid(nil, now, Default().retryHours)
		for _, x := range c.extra {
			want = append(want, failedAt+x)
		}
		if want = sortedOnce(want); !slices.Equal(s.retrySlots(), want) {
			t.Errorf("%s at +%v:\n%v\nexpected\n%v", c.reason, c.now, s.retrySlots(), want)
		}
		if got := s.armSlot(); s.row.arm == data.Retry && got != failedAt+c.arm {
			t.Errorf("%s at +%v: the rules arm retries at %s, expected %s", c.reason, c.now, got, failedAt+c.arm)
		}
	}
}

// After an outage the rules arm waits two hours more.
func TestArmAfterOutage(t *testing.T) {
	facts := situations(data.MustReason("bank_technical_error"))[0]
	o := &facts.Outages[0]
	o.Begin, o.End, o.Severity = failedAt-data.Hour, failedAt+5*data.Hour, data.SeverityMedium
	for now, want := range map[data.Micros]data.Micros{0: 7 * data.Hour, 6 * data.Hour: 7 * data.Hour, 8 * data.Hour: 8 * data.Hour} {
		if s := situationOf(without(t, "notice_missing"), &facts, failedAt+now); s.armSlot() != failedAt+want {
			t.Errorf("at +%v: %s, expected %s", now, s.armSlot(), failedAt+want)
		}
	}
}

func TestLastWorkingDay(t *testing.T) {
	for m, want := range map[int]int{1: 30, 2: 27, 3: 31, 5: 29, 8: 31, 11: 30, 12: 31} { // 2026
		if got := lastWorkingDay(2026, time.Month(m)); got != want {
			t.Errorf("2026-%02d: %d, expected %d", m, got, want)
		}
	}
}
