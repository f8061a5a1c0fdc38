package features

import (
	"slices"
	"testing"

	"recoup/data"
)

// The quick form for contacts gives the row of the whole one, bit for bit: every
// case of a log, every day, contacts before, at and after its start.
func TestCureContactsEqualsCureRow(t *testing.T) {
	l := randomRows(11, 80, 2).write(t, t.TempDir())
	asOf := epoch + 36*data.Day
	states, err := FoldLog(t.Context(), l, data.AsOf(asOf), 2, nil)
	must(t, err)
	n, moved := 0, 0
	for _, s := range states {
		for _, id := range s.OpenCases() {
			p, err := s.Past(id, asOf)
			must(t, err)
			for day := range CureDays {
				plain, err := p.CureRow(nil, day, nil)
				must(t, err)
				for _, c := range []Contact{{p.dayStart(day), data.PaymentLink}, {p.dayStart(day) + 1, data.PaymentLink}, {p.dayStart(day) - data.Hour, data.Nudge}} {
					want, err := p.CureRow(nil, day, []Contact{c})
					must(t, err)
					got := slices.Clone(plain)
					must(t, p.Rows().CureContacts(got, day, []Contact{c}))
					if n++; !slices.Equal(got, want) {
						t.Fatalf("case %s, day %d, %v:\n%v\n%v", id, day, c, got, want)
					}
					if !slices.Equal(got, plain) {
						moved++
					}
				}
			}
		}
	}
	if n < 500 || moved < n/3 {
		t.Errorf("%d rows, %d moved by a contact: too few to tell", n, moved)
	}
}

// Whatever the number of buckets, the same cases are open and the same is known
// of them; and one State that folds all rows one by one agrees.
func TestFoldLogByBuckets(t *testing.T) {
	l := randomRows(12, 80, 2).write(t, t.TempDir())
	asOf := data.AsOf(epoch + 36*data.Day)
	one := NewState()
	for _, it := range items(t, l) {
		if asOf.Sees(it.at) {
			must(t, it.fold(one))
		}
	}
	must(t, one.Until(asOf))
	want := one.OpenCases()
	if len(want) < 5 {
		t.Fatalf("%d open cases: too few to tell", len(want))
	}
	for _, workers := range []int{1, 2, 7} {
		states, err := FoldLog(t.Context(), l, asOf, workers, nil)
		must(t, err)
		var got []string
		for _, s := range states {
			for _, id := range s.OpenCases() {
				got = append(got, id)
				f, err := s.Facts(id, asOf.KnownAt)
				must(t, err)
				w, err := one.Facts(id, asOf.KnownAt)
				must(t, err)
				if f != w {
					t.Errorf("%d buckets: case %s:\n%+v\n%+v", workers, id, f, w)
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%d buckets: open %v, expected %v", workers, got, want)
		}
	}
	for _, id := range want {
		if f, err := one.Facts(id, asOf.KnownAt); err != nil || !f.Owed {
			t.Errorf("case %s: %+v, %v", id, f, err)
		}
	}
	if err := one.Until(data.AsOf(epoch)); err == nil {
		t.Error("as_of moved back")
	}
}
