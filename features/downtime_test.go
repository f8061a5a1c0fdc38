package features

import (
	"testing"

	"recoup/data"
)

// An outage of one app or flow is not one of the rail, in Facts and columns
// alike; a later version that names no app is.
func TestOutageOfOneApp(t *testing.T) {
	at := epoch + 10*data.Day
	down := func(known data.Micros, psp string) *data.Downtime {
		return &data.Downtime{Event: data.Event{EventID: "d", OccurredAt: known, KnownAt: known}, DowntimeID: "d", Rail: data.Card,
			PSP: psp, Severity: data.SeverityHigh, Status: data.DowntimeStarted, Begin: at - data.Hour}
	}
	for _, c := range []struct {
		name     string
		versions []*data.Downtime
		want     data.Severity
	}{
		{"of the rail", []*data.Downtime{down(at-data.Hour, "")}, data.SeverityHigh},
		{"of one app", []*data.Downtime{down(at-data.Hour, "phonepe")}, 0},
		{"grown to the rail", []*data.Downtime{down(at-data.Hour, "phonepe"), down(at-data.Minute, "")}, data.SeverityHigh},
		{"found to be of one flow", []*data.Downtime{down(at-data.Hour, ""), down(at-data.Minute, "flow:collect")}, 0},
	} {
		s := NewState()
		for _, d := range c.versions {
			must(t, Fold(s, d))
		}
		a := attempt("c", 0, at, data.Failed)
		must(t, Fold(s, &a))
		f, err := s.Facts("c", at)
		must(t, err)
		p, err := s.Past("c", at)
		must(t, err)
		x, err := p.AttemptRow(nil, data.Candidate{Action: data.Retry, At: at})
		must(t, err)
		if f.RailDown != c.want || f.Outages[0].Severity != c.want || x[AttemptSchema().Index("downtime")] != float64(c.want) {
			t.Errorf("%s: facts %v and %v, column %v: want %v", c.name, f.RailDown, f.Outages[0].Severity, x[AttemptSchema().Index("downtime")], c.want)
		}
	}
}
