package score

import (
	"testing"

	"recoup/data"
)

// TestAmong: held to what another policy had, the engine takes the best of that; the
// gate still refuses what it refuses; with nothing on the table it waits; with its own
// free choice among it, it takes that.
func TestAmong(t *testing.T) {
	l, e := failure(everyAction), engine(t, testBundle(t, nil))
	free := l.decide(t, e, failedAt)
	own := data.Candidate{Action: free.Allowed[free.Chosen].Action, At: free.Allowed[free.Chosen].At}
	var others []data.Candidate
	for i, c := range free.Allowed {
		if i != free.Chosen {
			others = append(others, data.Candidate{Action: c.Action, At: c.At})
		}
	}
	soon := data.Candidate{Action: data.Retry, At: failedAt + data.Minute} // no notice is that fast
	for name, c := range map[string]struct {
		table []data.Candidate
		want  func(data.Candidate) bool
	}{
		"own choice among all": {append(others[:len(others):len(others)], own), func(c data.Candidate) bool { return c == own }},
		"without it":           {others, func(c data.Candidate) bool { return c != own }},
		"refused":              {[]data.Candidate{soon}, func(c data.Candidate) bool { return c.Action == data.Wait }},
		"nothing":              {nil, func(c data.Candidate) bool { return c.Action == data.Wait }},
	} {
		d, err := e.Among(l.state(t), "case", failedAt, c.table)
		must(t, err)
		check(t, &d)
		if got := (data.Candidate{Action: d.Allowed[d.Chosen].Action, At: d.Allowed[d.Chosen].At}); !c.want(got) {
			t.Errorf("%s: %v, its free choice is %v", name, got, own)
		}
		if name == "nothing" && len(d.Allowed) != 1 {
			t.Errorf("nothing was on the table, and %d candidates were looked at", len(d.Allowed))
		}
	}
}
