package razorpay

import (
	"bytes"
	"cmp"
	"encoding/binary"
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
	assumed                    bool
	verdict
}

// verdict is what is decided about an event.
type verdict struct {
	number  int32 // of its attempt
	drop    drop
	status  data.AttemptStatus // the row of the outcome, 0 = none
	present bool               // a pending row of the presentation goes first
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

// grouped is the places of facts in runs of equal keys.
type grouped struct {
	places []int32
	ends   []int32 // of each run
}

// group is the places of the facts that have a key, in runs by it, each in the
// order of the log.
func (f *facts) group(of func(*fact) key) grouped {
	type entry struct {
		word  uint64 // sorting this instead of the facts spares the cache
		place int32
	}
	n := 0
	for i := range f.all {
		if g := &f.all[i]; g.drop == 0 && of(g) != (key{}) {
			n++
		}
	}
	entries := make([]entry, 0, n)
	for i := range f.all {
		if g := &f.all[i]; g.drop == 0 {
			if k := of(g); k != (key{}) {
				entries = append(entries, entry{k[0], int32(i)})
			}
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.word, b.word) })
	out := grouped{places: make([]int32, len(entries))}
	for i, e := range entries {
		out.places[i] = e.place
	}
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to].word == entries[from].word {
			to++
		}
		run := out.places[from:to]
		slices.SortFunc(run, func(a, b int32) int {
			g, h := &f.all[a], &f.all[b]
			return cmp.Or(of(g).compare(of(h)), g.compare(h), cmp.Compare(a, b))
		})
		for i := range run {
			if i == len(run)-1 || of(&f.all[run[i]]) != of(&f.all[run[i+1]]) {
				out.ends = append(out.ends, int32(from+i+1))
			}
		}
		from = to
	}
	return out
}

// runs is every run with its number.
func (g *grouped) runs(yield func(int, []int32) bool) {
	from := int32(0)
	for i, to := range g.ends {
		if !yield(i, g.places[from:to]) {
			return
		}
		from = to
	}
}

// repeats drops all but the earliest delivery of an event. Where two bodies
// claim one id and one time, a checksum decides.
func (f *facts) repeats() {
	slots := make([]int32, 2*len(f.all)+1) // place + 1 of an event, by its hash
	for i := range f.all {
		g := &f.all[i]
		if g.drop > 0 {
			continue
		}
		at := binary.LittleEndian.Uint64(g.hash[:8]) % uint64(len(slots))
		for ; slots[at] > 0 && f.all[slots[at]-1].hash != g.hash; at = (at + 1) % uint64(len(slots)) {
		}
		if slots[at] == 0 {
			slots[at] = int32(i + 1)
			continue
		}
		first := &f.all[slots[at]-1]
		if cmp.Or(cmp.Compare(g.known, first.known), cmp.Compare(g.body, first.body)) < 0 {
			first.drop = again
			slots[at] = int32(i + 1)
		} else {
			g.drop = again
		}
	}
}

// currency is that of the log, else of most payments, so that a foreign one does
// not put all others aside by being the first; others are dropped. It is "" where
// no event has one.
func (f *facts) currency(of string) string {
	if of == "" {
		counts := make([]int, len(f.codes))
		for i := range f.all {
			if g := &f.all[i]; g.drop == 0 {
				counts[g.currency]++
			}
		}
		counts[0] = 0 // says nothing
		most := 0
		for i, n := range counts {
			if n > counts[most] || n > 0 && n == counts[most] && f.codes[i] < f.codes[most] {
				most = i
			}
		}
		if of = f.codes[most]; of == "" {
			return ""
		}
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

// verdicts is what a run goes on with; the rest of the facts may go.
func (f *facts) verdicts() []verdict {
	out := make([]verdict, len(f.all))
	for i := range f.all {
		out[i] = f.all[i].verdict
	}
	return out
}
