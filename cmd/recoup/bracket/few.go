package bracket

import (
	"fmt"
	"math"

	"recoup/api/report"
	"recoup/data"
)

// tooFewCustomers says that a log has too few customers to predict each by a model of
// others.
type tooFewCustomers struct {
	customers int
	why       string
}

// Error names what was missing.
func (e *tooFewCustomers) Error() string { return "ope: " + e.says() }

func (e *tooFewCustomers) says() string {
	return fmt.Sprintf("too few customers: %d, and the reward model needs some in each of %d parts (%s)", e.customers, Folds, e.why)
}

// nothingYet says why a log has no case that counts, where as_of is the reason: the log
// starts later, or no window has closed; "" = it has one.
func (r *run) nothingYet() (string, error) {
	c := r.log.Counts
	switch {
	case c.Decisions > 0 && c.Open == c.Decisions:
		return fmt.Sprintf("no decision has matured: %s are known at as_of %s, and the %g days of each case are not over", report.Count(int64(c.Decisions)), r.AsOf, float64(r.log.Horizon)/float64(data.Day)), nil
	case c.Decisions > 0:
		return "", nil
	}
	first := data.Micros(math.MaxInt64)
	err := each(r.on, data.AsOf(math.MaxInt64), func(d *data.Decision) error {
		first = min(first, d.KnownAt)
		return nil
	}, "known_at")
	switch {
	case err != nil:
		return "", err
	case first == math.MaxInt64:
		return "the log holds no decision: nothing was decided by recoup or by anybody who said so", nil
	}
	return fmt.Sprintf("the log starts later: its first decision became known at %s, and as_of is %s", first, r.AsOf), nil
}
