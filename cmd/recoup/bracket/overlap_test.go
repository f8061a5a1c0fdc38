package bracket_test

import (
	"context"
	"math"
	"testing"

	. "recoup/cmd/recoup/bracket"
)

// TestCarried: over the arms, and over each cut that leaves no part out, the parts make up
// the whole; each part is what a plain count of the log shows.
func TestCarried(t *testing.T) {
	w := divided(t, 700)
	b, err := Run(context.Background(), Config{Dir: w.stored(t), AsOf: w.end, Seed: 1, Draws: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := w.log(t)
	arms := map[string]int64{}
	for _, i := range l.Firsts() {
		arms[l.Decisions[i].Assigned.String()]++
	}
	if len(b.Carried) == 0 || len(b.Carried) != len(b.Overlap[0].Wanted) {
		t.Fatalf("%+v", b.Carried)
	}
	for _, c := range b.Carried {
		line := b.Line(c.Policy)
		type whole struct {
			rows, matched int64
			share, most   float64
		}
		by := map[string]*whole{}
		for _, p := range c.Parts {
			x := by[p.By]
			if x == nil {
				x = &whole{}
				by[p.By] = x
			}
			x.rows, x.matched, x.share, x.most = x.rows+p.Rows, x.matched+p.Matched, x.share+p.Share, max(x.most, p.MaxWeight)
			if p.Rows < 50 || p.Matched > p.Rows || p.ESS > float64(p.Matched)+1e-9 || p.Unsupported < 0 || p.Unsupported > 1 {
				t.Errorf("%s: %+v", c.Policy, p)
			}
			if p.Least.Value == nil || *p.Least.Value <= 0 || p.MaxWeight > 1 / *p.Least.Value + 1e-9 {
				t.Errorf("%s: %+v: a weight above what the rarest propensity allows", c.Policy, p)
			}
			if p.By == "arm" && p.Rows != arms[p.Level] {
				t.Errorf("%s: %+v, the log has %d", c.Policy, p, arms[p.Level])
			}
		}
		complete := 0
		for name, x := range by {
			if x.rows != line.N {
				continue
			}
			complete++
			if x.matched != line.Matched || math.Abs(x.share-1) > 1e-9 || math.Abs(x.most-line.MaxWeight) > 1e-9 {
				t.Errorf("%s by %s: %+v, all %d match, the largest weight is %v", c.Policy, name, x, line.Matched, line.MaxWeight)
			}
		}
		if by["arm"] == nil || by["arm"].rows != line.N || complete < 2 || len(by) < 5 {
			t.Errorf("%s: parts by %v of %d rows, %d of them whole", c.Policy, by["arm"], line.N, complete)
		}
	}
}
