package score

import (
	"testing"

	"recoup/data"
)

// The control arm retries on the merchant's day for the next attempt, or as soon
// after it as waits are over and a notice can be out, on every rail; it waits
// where the gate refuses retries or the ladder has ended.
func TestByLadder(t *testing.T) {
	control := divided(t, false, nil, Explorer{Only: data.ArmControl})
	hours := func(n data.Micros) data.Micros { return failedAt + n*data.Hour }
	for _, c := range []struct {
		name, reason string
		rail         data.Rail
		retries      int32 // failed a day after each other
		now, want    data.Micros
	}{
		{"the merchant's day", "duplicate_rrn_found", data.UPIAutopay, 0, failedAt, data.IST(2026, 2, 11, 13, 0)},
		{"card: a day later than the notice lets", "duplicate_rrn_found", data.Card, 0, failedAt, failedAt + 2195*data.Minute},
		{"card: its day has passed", "duplicate_rrn_found", data.Card, 0, hours(120), hours(120) + 2195*data.Minute},
		{"UPI: its day has passed", "duplicate_rrn_found", data.UPIAutopay, 0, hours(120), data.IST(2026, 2, 16, 13, 0)},
		{"eNACH: three days after the status, on the next day of clearing", "duplicate_rrn_found", data.EMandate, 0, failedAt, data.IST(2026, 2, 16, 0, 0)},
		{"funds: the class's own wait", "insufficient_funds", data.Card, 0, failedAt, hours(72)},
		{"the second step", "duplicate_rrn_found", data.UPIAutopay, 1, hours(24), data.IST(2026, 2, 12, 13, 0)},
		{"the third step", "duplicate_rrn_found", data.UPIAutopay, 2, hours(48), data.IST(2026, 2, 13, 13, 0)},
		{"no fourth step", "duplicate_rrn_found", data.UPIAutopay, 3, hours(72), 0},
		{"the class allows none", "card_expired", data.Card, 0, failedAt, 0},
	} {
		l := failure(data.MustReason(c.reason))
		for no := range c.retries {
			l.attempt(hours(24*data.Micros(no+1)), no+1, data.Failed, data.MustReason(c.reason))
		}
		for _, r := range l.rows {
			r.Row.(*data.Attempt).Rail = c.rail
		}
		d := l.decide(t, control, c.now)
		want := data.Candidate{Action: data.Retry, At: c.want}
		if c.want == 0 {
			want = data.Candidate{Action: data.Wait, At: c.now}
		}
		if got := (data.Candidate{Action: d.Allowed[d.Chosen].Action, At: d.Allowed[d.Chosen].At}); got != want || d.Arm != data.ArmControl {
			t.Errorf("%s: %s by %s, expected %s", c.name, got, d.Arm, want)
		}
	}
}
