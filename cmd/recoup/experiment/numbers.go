package experiment

import (
	"fmt"
	"regexp"

	"recoup/data"
	"recoup/score"
)

// numbers are those of a policy that the worth of waiting hangs on.
type numbers struct {
	Again string `json:"again"`     // a further attempt against the one before it
	Rest  int    `json:"rest_days"` // from a contact to the next attempt
	Defer int    `json:"grid_days"` // how far ahead slots lie
}

func (n numbers) String() string {
	return fmt.Sprintf("again %s, rest %d days, deferral %d days", n.Again, n.Rest, n.Defer)
}

// tried are the settings that are held against one another.
func tried() (out []numbers) {
	for _, deferral := range []int{14, 7, 4} {
		for _, rest := range []int{3, 5, 7} {
			for _, again := range []string{"0.88", "1"} {
				out = append(out, numbers{again, rest, deferral})
			}
		}
	}
	return out
}

// places are where the numbers stand in a policy's file: each exactly once.
var places = []*regexp.Regexp{regexp.MustCompile(`\bagain: *([0-9.]+)`), regexp.MustCompile(`\brest_days: *([0-9]+)`), regexp.MustCompile(`(?m)^grid:\s+days: *([0-9]+)`)}

// in is the policy with other numbers.
func (n numbers) in(text []byte) (*score.Policy, error) {
	for i, value := range []string{n.Again, fmt.Sprint(n.Rest), fmt.Sprint(n.Defer)} {
		found := places[i].FindAllSubmatchIndex(text, -1)
		if len(found) != 1 {
			return nil, data.Faultf(data.ErrUsage, "experiment: policy: %d places look like %s: expected one, as in the file that recoup gate --policy-text prints", len(found), places[i])
		}
		from, to := found[0][2], found[0][3]
		text = append(append(append([]byte{}, text[:from]...), value...), text[to:]...)
	}
	return score.ParsePolicy("policy.yaml", text)
}
