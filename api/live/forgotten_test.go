package live

import (
	"testing"

	"recoup/data"
)

// TestDueForgotten: a decision of a case that the present has long forgotten does not
// keep the list of the others from its readers.
func TestDueForgotten(t *testing.T) {
	o := begin(t, false)
	o.failed("old", "insufficient_funds")
	o.decide("old")
	o.at(o.now() + 400*data.Day)
	o.failed("new", "insufficient_funds")
	if _, err := o.state.Facts("old", o.now()); err == nil {
		t.Fatal("the case is not forgotten: the test shows nothing")
	}
	c := chosen(o.decide("new"))
	o.at(c.NoticeBy)
	o.due("a year later", "notice new:1")
}
