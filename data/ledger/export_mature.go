package ledger

import (
	"strings"

	"recoup/data"
)

// Maturity says how many decisions of an event log can be judged as of a time: those whose
// window has closed by then, whatever came of them. A fast success does not count
// early, for then failures would be missing.
type Maturity struct {
	AsOf      string `json:"as_of"`
	Window    int64  `json:"window_days"` // after the decision in which a payment counts
	Decisions int64  `json:"decisions"`   // known by then
	Matured   int64  `json:"matured"`
	Censored  int64  `json:"censored"`     // their window is open
	Reported  int64  `json:"reported"`     // matured, and an outcome says that the window is closed
	Recovered int64  `json:"recovered"`    // of these, by the latest outcome
	Awaited   int64  `json:"not_reported"` // matured, and no outcome says so
	// Through is the time up to which a decision is matured.
	Through string `json:"labels_mature_through"`
}

// Mature counts the decisions of folder dir's event log that are known at asOf.
// window is whole days.
func Mature(dir string, asOf, window data.Micros) (Maturity, error) {
	out := Maturity{AsOf: asOf.String(), Window: int64(window / data.Day), Through: (asOf - window).String()}
	l, err := data.OpenLog(dir)
	if err != nil {
		return out, err
	}
	matured := map[string]struct{}{}
	for rows, err := range data.Scan[data.Decision](l, data.AsOf(asOf), "decision_id", "decided_at") {
		if err != nil {
			return out, err
		}
		for i := range rows {
			out.Decisions++
			if rows[i].DecidedAt > asOf-window {
				out.Censored++
				continue
			}
			out.Matured++
			matured[strings.Clone(rows[i].DecisionID)] = struct{}{}
		}
	}
	reported := map[string]bool{}
	for rows, err := range data.Scan[data.Outcome](l, data.AsOf(asOf), "decision_id", "recovered", "window_closed") {
		if err != nil {
			return out, err
		}
		for i := range rows {
			o := &rows[i]
			if _, is := matured[o.DecisionID]; is && o.WindowClosed {
				reported[strings.Clone(o.DecisionID)] = o.Recovered
			}
		}
	}
	out.Reported = int64(len(reported))
	for _, recovered := range reported {
		if recovered {
			out.Recovered++
		}
	}
	out.Awaited = int64(len(matured)) - out.Reported
	return out, nil
}
