package bracket

import (
	"math"

	"recoup/ope"
)

// level is that of every interval.
const level = 0.95

// fewCustomers is below how many customers, with a row that a policy would have chosen
// as well, intervals by customer are too narrow to be taken at their word.
const fewCustomers = 100

// against is a policy less the incumbent. Both are estimated in the same way, from the
// same rows and with the same reward model, so that what the model gets wrong about the
// rows cancels: a policy that does nearly what was done differs by nearly nothing. Less
// the plain mean, it would differ by the model's error there.
func (j *Judged) against(x *line) error {
	if x.alike = same(x.rows.Target, x.rows.Behaviour[0]); x.alike {
		return nil
	}
	var err error
	if x.minus, err = ope.Compare(x.net.Estimators.Find("dr"), j.base.net.Estimators.Find("dr"), level); err != nil {
		return err
	}
	if x.draws != nil && j.base.draws != nil && x.minus.Value != nil {
		if x.minus.CIBootstrap, err = x.draws.Difference("dr", j.base.draws, "dr"); err != nil {
			return err
		}
	}
	x.recMinus, err = ope.Compare(x.paid.Estimators.Find("dr"), j.base.paid.Estimators.Find("dr"), level)
	return err
}

// same says whether two policies give every candidate the same probability.
func same(a, b []float64) bool {
	for k := range a {
		if math.Abs(a[k]-b[k]) > 1e-9 {
			return false
		}
	}
	return len(a) == len(b)
}

// carriers counts the customers with a row of a weight above 0.
func carriers(r *ope.Rows) int {
	seen := map[int32]struct{}{}
	for i := range r.Len() {
		if r.Target[r.At(i)] > 0 {
			seen[r.Cluster[i]] = struct{}{}
		}
	}
	return len(seen)
}

// twinOf finds the policy judged before that chooses alike at every row.
func (j *Judged) twinOf(x *line) {
	if x.alike && x.policy.Name != Incumbent {
		x.twin = Incumbent
		return
	}
	for _, y := range j.order {
		if y.twin == "" && y.policy.Name != Incumbent && same(x.rows.Target, y.rows.Target) {
			x.twin = y.policy.Name
			return
		}
	}
}
