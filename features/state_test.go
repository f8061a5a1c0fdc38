package features

import (
	"testing"

	"recoup/data"
)

// A State makes room for a rail's health when an outcome on it comes: one is
// made for every request.
func TestRailsWhenUsed(t *testing.T) {
	s := NewState()
	used := func() (n int) {
		for _, r := range s.rails {
			if r != nil {
				n++
			}
		}
		return n
	}
	pending, failed := attempt("a", 0, epoch, data.Pending), attempt("a", 0, epoch+data.Minute, data.Failed)
	for i, a := range []*data.Attempt{&pending, &failed} {
		must(t, Fold(s, a))
		if used() != i {
			t.Errorf("after %s: tiles of %d rails, not %d", a.Status, used(), i)
		}
	}
}
