package ingest

import (
	"testing"

	"recoup/data"
)

// TestReasonNamed: a name is found as looking through the whole table finds it.
func TestReasonNamed(t *testing.T) {
	for _, r := range data.Reasons() {
		n, want := normal(r.String()), ""
		for _, first := range data.Reasons() {
			if normal(first.String()) == n {
				want = first.String()
				break
			}
		}
		if got, ok := reasonNamed(n); !ok || got != want {
			t.Errorf("%s: %q, %t; want %q", n, got, ok, want)
		}
	}
	for _, n := range []string{"", "nosuchreason", "Insufficient_Funds"} {
		if got, ok := reasonNamed(n); ok {
			t.Errorf("%q is %q", n, got)
		}
	}
}
