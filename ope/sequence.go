package ope

// Episodes are cases of several decisions each. Rows hold every step, in any order;
// Order lists the rows episode by episode and step by step.
//
// In Rows, Q is the model of the return from this step on, given state and action,
// under the target. Clusters are of episodes, so Rows.Cluster is not read.
type Episodes struct {
	Rows    *Rows
	Order   []int32  // [rows] indexes of Rows
	First   []int32  // [episodes+1] offsets into Order
	IDs     []string // [episodes] names; nil = none
	Cluster []int32  // [episodes] the customer, from 0 without gaps; nil = unknown
}

// Len is the number of episodes.
func (e *Episodes) Len() int { return len(e.First) - 1 }

// Steps is the length of episode j.
func (e *Episodes) Steps(j int) int { return int(e.First[j+1] - e.First[j]) }

// Horizon is the length of the longest episode.
func (e *Episodes) Horizon() int {
	h := 0
	for j := range e.Len() {
		h = max(h, e.Steps(j))
	}
	return h
}

// row is the row of episode j at step t, from 0; ok is false when it has ended.
func (e *Episodes) row(j, t int) (i int, ok bool) {
	at := int(e.First[j]) + t
	if at >= int(e.First[j+1]) {
		return 0, false
	}
	return int(e.Order[at]), true
}

// check refuses episodes that do not fit their rows.
func (e *Episodes) check() error {
	m := e.Len()
	if m < 1 {
		return refuse(NoRows, 0, "", "no episode was logged")
	}
	if e.First[0] != 0 || int(e.First[m]) != len(e.Order) || len(e.Order) != e.Rows.Len() {
		return refuse(LengthsDiffer, 0, "", "First runs from %d to %d over %d entries of Order and %d rows", e.First[0], e.First[m], len(e.Order), e.Rows.Len())
	}
	if e.Cluster != nil && len(e.Cluster) != m {
		return refuse(LengthsDiffer, 0, "", "Cluster has %d episodes, First %d", len(e.Cluster), m)
	}
	seen := make([]bool, len(e.Order))
	for j := range m {
		if e.First[j] >= e.First[j+1] {
			return refuse(StepGap, 0, "step", "episode %d has no step", j+1)
		}
	}
	for _, i := range e.Order {
		if i < 0 || int(i) >= len(seen) || seen[i] {
			return refuse(LengthsDiffer, 0, "", "Order names row %d twice, or it is none", i)
		}
		seen[i] = true
	}
	return nil
}
