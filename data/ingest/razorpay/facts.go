package razorpay

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"

	"recoup/data"
)

// key stands for an id: 128 bits of a hash that differs from run to run. Nothing
// that is written depends on the order of keys.
type key [2]uint64

// keys makes them.
type keys [2]maphash.Seed

func newKeys() keys { return keys{maphash.MakeSeed(), maphash.MakeSeed()} }

func (k keys) of(id string) key {
	if id == "" {
		return key{}
	}
	return key{maphash.String(k[0], id) | 1, maphash.String(k[1], id)} // never the zero key
}

func (k key) compare(l key) int { return cmp.Or(cmp.Compare(k[0], l[0]), cmp.Compare(k[1], l[1])) }

// fact is what stays in memory of an event: enough to tell how the payments of
// the run hang together. It has no pointers.
type fact struct {
	hash                       [16]byte // of the event's id
	pay, order, invoice        key      // order: what its case is without the invoice
	occurred, known, presented data.Micros
	at                         int64 // place in the spill
	body                       uint32
	currency                   uint16 // place in codes, 0 = says nothing
	rank                       byte
	seen                       seen
	road                       road
	drop                       drop
	status                     data.AttemptStatus // decided: the row of the outcome, 0 = none
	assumed                    bool
	present                    bool  // decided: a pending row goes first
	number                     int32 // decided
}

// road is what the order key of a fact is, the better the higher.
type road uint8

const (
	byPayment road = iota
	byCycle
	byOrder
)

// drop is why an event has no rows.
type drop uint8

const (
	bad     drop = iota + 1 // a reject
	again                   // the same event, delivered once more
	foreign                 // another currency
)

// compare orders facts as the log orders their rows.
func (f *fact) compare(g *fact) int {
	return cmp.Or(cmp.Compare(f.known, g.known), cmp.Compare(f.occurred, g.occurred), cmp.Compare(f.rank, g.rank),
		bytes.Compare(f.hash[:], g.hash[:]))
}

// facts are those of a run, in the order of its lines.
type facts struct {
	keys  keys
	spill *spill
	all   []fact
	codes []string         // currencies; the first is ""
	names map[int32]string // the cases of facts that are not their own
}

// loadFacts reads the spill.
func loadFacts(s *spill) (*facts, error) {
	f := &facts{keys: newKeys(), spill: s, all: make([]fact, s.n), codes: []string{""}, names: map[int32]string{}}
	return f, s.each(func(i int, at int64, r *record) error {
		g := &f.all[i]
		g.at = at
		if r.fault.Message != "" {
			g.drop = bad
			return nil
		}
		copy(g.hash[:], r.Hash)
		g.pay, g.invoice, g.order = f.keys.of(r.Payment), f.keys.of(r.Invoice), f.keys.of(r.orderCase())
		g.occurred, g.known, g.presented, g.body = r.OccurredAt, r.KnownAt, r.PresentedAt, r.Body
		g.rank, g.seen, g.assumed = r.rank(), r.Seen, r.Assumed && r.Kept == ""
		switch {
		case r.Order != "":
			g.road = byOrder
		case r.Subscription != "" && r.CycleStart > 0:
			g.road = byCycle
		}
		if r.Currency != "" {
			k := slices.Index(f.codes, r.Currency)
			if k < 0 {
				k = len(f.codes)
				f.codes = append(f.codes, r.Currency)
			}
			g.currency = uint16(k)
		}
		return nil
	})
}

// pick is the places of the facts that match, in the order of less.
func (f *facts) pick(match func(*fact) bool, compare func(a, b *fact) int) []int32 {
	n := 0
	for i := range f.all {
		if f.all[i].drop == 0 && match(&f.all[i]) {
			n++
		}
	}
	out := make([]int32, 0, n)
	for i := range f.all {
		if f.all[i].drop == 0 && match(&f.all[i]) {
			out = append(out, int32(i))
		}
	}
	slices.SortFunc(out, func(a, b int32) int {
		return cmp.Or(compare(&f.all[a], &f.all[b]), cmp.Compare(a, b))
	})
	return out
}

// runs cuts places into runs of equal facts.
func (f *facts) runs(places []int32, same func(a, b *fact) bool, use func(run []int32) error) error {
	for from := 0; from < len(places); {
		to := from + 1
		for to < len(places) && same(&f.all[places[from]], &f.all[places[to]]) {
			to++
		}
		if err := use(places[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// repeats drops all but the earliest delivery of an event. Where two bodies
// claim one id and one time, a checksum decides.
func (f *facts) repeats() {
	sorted := f.pick(func(*fact) bool { return true }, func(a, b *fact) int {
		return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.known, b.known), cmp.Compare(a.body, b.body))
	})
	for k := 1; k < len(sorted); k++ {
		if f.all[sorted[k-1]].hash == f.all[sorted[k]].hash {
			f.all[sorted[k]].drop = again
		}
	}
}

// currency is that of the log, else of the earliest payment; others are dropped.
// It is "" where no event has one.
func (f *facts) currency(of string) string {
	if of == "" {
		var first *fact
		for i := range f.all {
			g := &f.all[i]
			if g.drop > 0 || g.currency == 0 {
				continue
			}
			if first == nil || g.compare(first) < 0 {
				first = g
			}
		}
		if first == nil {
			return ""
		}
		of = f.codes[first.currency]
	}
	for i := range f.all {
		if g := &f.all[i]; g.drop == 0 && g.currency > 0 && f.codes[g.currency] != of {
			g.drop = foreign
		}
	}
	return of
}

// assumed reports whether known_at of some event was taken from the event.
func (f *facts) assumed() bool {
	return slices.ContainsFunc(f.all, func(g fact) bool { return g.assumed && g.drop == 0 })
}
