package main

import (
	"time"

	"recoup/data"
)

// parseAsOf reads a --as-of: RFC 3339, or a date, which stands for its first
// instant in UTC (what was known when the day began). Years other than those that
// a log may hold are refused, as the service refuses them.
func parseAsOf(verb, s string) (data.Micros, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			asOf := data.MicrosOf(t)
			if !asOf.Plausible() {
				return 0, data.Faultf(data.ErrUsage, "%s: --as-of %q: expected a time from 2000 to 2099", verb, s)
			}
			return asOf, nil
		}
	}
	return 0, data.Faultf(data.ErrUsage, "%s: --as-of %q: expected a time such as 2026-02-01T03:30:00+05:30, or a date (its first instant in UTC)", verb, s)
}
