package live

import (
	"fmt"
	"slices"

	"recoup/data"
)

// reported takes in an outcome; a later one of the same decision corrects it.
func (n *caseNote) reported(o *data.Outcome) {
	i := slices.Index(n.recovered, o.DecisionID)
	switch {
	case o.Recovered && i < 0:
		n.recovered = append(n.recovered, o.DecisionID)
	case !o.Recovered && i >= 0:
		n.recovered = slices.Delete(n.recovered, i, i+1)
	}
}

// reported says that somebody reported a case as recovered, and what to do if it did
// not; "" = nobody did. The money may be there before its event is, so nothing is
// debited and nobody is written to meanwhile. It is asked under the read lock.
func (d *Desk) reported(caseID string) string {
	n := d.cases[caseID]
	if n == nil || len(n.recovered) == 0 {
		return ""
	}
	return fmt.Sprintf("an outcome of decision %s says that it recovered: if it did not, post an outcome of that decision with recovered false", n.recovered[0])
}
