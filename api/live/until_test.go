package live

import (
	"errors"
	"testing"

	"recoup/data"
)

// A retry may be made until the gate would refuse it: here the peak hours begin.
func TestDueUntilThePeak(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.at(o.now() + data.Minute)
	c := chosen(o.decide("c"))
	o.at(c.NoticeBy)
	o.post(o.notice("c", data.NoticeDelivered, c.At))
	o.at(c.At + 7*data.Second + 1)
	l, err := o.Due(t.Context(), 0)
	must(t, err)
	if len(l.Steps) != 1 || l.Steps[0].Kind != StepRetry {
		t.Fatalf("%+v", l)
	}
	until := l.Steps[0].Until
	if until >= c.At+RetryLapse || until <= l.At {
		t.Fatalf("until %s of a debit at %s", until, c.At)
	}
	if tod := until.ISTTimeOfDay(); tod != 10*data.Hour && tod != 17*data.Hour {
		t.Errorf("until %s: no peak begins", until)
	}
	o.at(until - 1)
	o.due("the last moment", "retry c:1")
	o.at(until)
	o.due("the peak", "held retry peak_window")
}

// The first refusal is found to the second, on whichever side of a quarter; nothing is
// asked about before t or after until.
func TestFirstRefused(t *testing.T) {
	noon := data.IST(2026, 3, 2, 12, 0)
	for name, c := range map[string]struct{ t, until, from, want data.Micros }{
		"never":                   {noon + 1, noon + data.Hour + 1, noon + data.Day, noon + data.Hour + 1},
		"at a quarter":            {noon + 1, noon + data.Hour, noon + 15*data.Minute, noon + 15*data.Minute},
		"at a later quarter":      {noon, noon + data.Hour, noon + 45*data.Minute, noon + 45*data.Minute},
		"a second before it":      {noon, noon + data.Hour, noon + 45*data.Minute - data.Second, noon + 45*data.Minute - data.Second},
		"a second after it":       {noon, noon + data.Hour, noon + 30*data.Minute + data.Second, noon + 30*data.Minute + data.Second},
		"within a second":         {noon, noon + data.Hour, noon + 20*data.Minute + 1, noon + 20*data.Minute + data.Second},
		"at once":                 {noon + 5, noon + data.Hour, noon + 6, noon + data.Second},
		"at the end":              {noon, noon + data.Hour + 7, noon + data.Hour + 7, noon + data.Hour + 7},
		"the end within a second": {noon + 5, noon + 9, noon + 6, noon + 9},
		"a second and a half":     {noon + 5, noon + 1_500_000, noon + 6, noon + data.Second},
	} {
		got, err := firstRefused(c.t, c.until, func(at data.Micros) (bool, error) {
			if at <= c.t || at > c.until {
				t.Errorf("%s: asked about %s", name, at)
			}
			return at >= c.from, nil
		})
		if err != nil || got != c.want {
			t.Errorf("%s: %s, expected %s (%v)", name, got, c.want, err)
		}
	}
	away := errors.New("away")
	if _, err := firstRefused(noon, noon+data.Hour, func(data.Micros) (bool, error) { return false, away }); !errors.Is(err, away) {
		t.Error(err)
	}
}
