package corrected

import (
	"math"
	"slices"
	"testing"

	"recoup/data"
)

var salt = []byte("a salt for tests, nothing more")

func fresh(t *testing.T) *Bandit {
	t.Helper()
	b, err := New(salt)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// month is a slot in each part of a month, which the model expects to do equally well but
// for one.
func month(best int) (out []Slot) {
	for k, last := range windows {
		s := Slot{At: data.IST(2026, 5, last, 9, 0), Expects: .47}
		if k == best {
			s.Expects = .5
		}
		out = append(out, s)
	}
	return out
}

// TestBeginsAsTheModel: before anything is learned it mostly takes what the model prefers,
// and every slot keeps its floor.
func TestBeginsAsTheModel(t *testing.T) {
	slots := month(4)
	_, p, err := fresh(t).Draw("d", data.IST(2026, 5, 1, 9, 0), data.RetryScheduled, slots)
	if err != nil {
		t.Fatal(err)
	}
	sum, most := 0.0, 0
	for i, v := range p {
		if sum += v; v < floor-1e-15 {
			t.Errorf("slot %d: %v, below the floor", i, v)
		}
		if v > p[most] {
			most = i
		}
	}
	if math.Abs(sum-1) > 1e-12 || most != 4 || p[4] < .2 {
		t.Errorf("%v sum to %v", p, sum)
	}
}

// TestLearnsWhereTheWorldDiffers: told that one part of the month pays and the one that the
// model prefers does not, it moves there; a trial that is open yet teaches nothing, and one
// that was replaced never does.
func TestLearnsWhereTheWorldDiffers(t *testing.T) {
	b, slots, start := fresh(t), month(4), data.IST(2026, 5, 1, 9, 0)
	last, paid := "", 0
	for n := range 300 {
		last = string(rune('a'+n%26)) + data.Micros(n).String()
		i, _, err := b.Draw(last, start, data.RetryScheduled, slots)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // planned again: one trial all the same
			if err := b.Plan(last, start+21*data.Day); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 {
			b.Succeed(last, start+data.Day)
			paid++
		}
	}
	before := b.Version()
	if _, _, err := b.Draw("x", start+20*data.Day, data.RetryScheduled, slots); err != nil || len(b.open) != 300 {
		t.Fatalf("%d trials are open, %v", len(b.open), err)
	}
	same := fresh(t)
	if _, _, err := same.Draw("x", start, data.RetryScheduled, slots); err != nil {
		t.Fatal(err)
	}
	if _, _, err := same.Draw("x", start+20*data.Day, data.RetryScheduled, slots); err != nil || same.Version() != b.Version() {
		t.Errorf("open trials taught something: %v", err)
	}
	_, p, err := b.Draw("x", start+23*data.Day, data.RetryScheduled, slots)
	if err != nil {
		t.Fatal(err)
	}
	if paid < 5 || b.Version() == before || len(b.open) != 0 || p[0] < .7 || p[4] > .1 {
		t.Errorf("%d of 300 paid, %d open; then %v", paid, len(b.open), p)
	}
	if _, q, err := b.Draw("y", start+23*data.Day, data.RetryScheduled, slots); err != nil || !slices.Equal(p, q) {
		t.Errorf("other probabilities on the same day: %v, %v", q, err)
	}
	if _, _, err := b.Draw("x", start+23*data.Day, data.RetryScheduled, nil); err == nil {
		t.Error("no slot, and no error")
	}
}

// TestRow: both sides of each edge.
func TestRow(t *testing.T) {
	now := data.IST(2026, 5, 1, 6, 0)
	for _, x := range []struct {
		at    data.Micros
		class data.Class
		ones  []int
	}{
		{data.IST(2026, 5, 2, 6, 0) - 1, data.RetryNow, []int{6, firstPart}},
		{data.IST(2026, 5, 2, 6, 0), data.RetryNow, []int{3, 6, firstPart}},
		{data.IST(2026, 5, 3, 6, 0) - 1, data.RetryScheduled, []int{6, firstPart, firstPart + len(windows)}},
		{data.IST(2026, 5, 3, 6, 0), data.RetryScheduled, []int{3, firstPart, firstPart + len(windows)}},
		{data.IST(2026, 5, 4, 12, 0), data.RetryNow, []int{4, firstPart + 1}},
		{data.IST(2026, 5, 31, 23, 0), data.RetryNow, []int{5, firstPart + 8}},
	} {
		got := row(x.at, now, x.class, 1)
		want := make([]float64, width)
		want[0], want[1], want[2] = 1, .5, float64(x.at-now)/float64(7*data.Day)
		for _, k := range x.ones {
			want[k] = 1
		}
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: %v, want %v", x.at, got, want)
		}
	}
	if logit(0) != logit(.01) || logit(1) != logit(.99) || logit(.5) != 0 {
		t.Error("the ends of the logit")
	}
}
