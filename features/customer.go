package features

import (
	"recoup/data"
	"recoup/features/key"
)

// customer is what is remembered of a payer: a bounded ring of outcomes, and
// integer totals that no order of events can change.
type customer struct {
	ring      []past
	contacts  []data.Micros // latest links and nudges, oldest first
	firstSeen data.Micros
	paidTotal data.Paise
	lagTotal  data.Micros // first failure to payment, over recovered cases

	captures, failures, refunds, disputes int32
	cases, recovered, cured, ended        int32 // charges that failed; paid by a retry; paid by another road; given up
	broken                                int32 // promises
}

const contactsKept = 16

// seen keeps the first time the customer was heard of.
func (c *customer) seen(at data.Micros) {
	if c.firstSeen == 0 || at < c.firstSeen {
		c.firstSeen = at
	}
}

func (c *customer) contact(at data.Micros) {
	if len(c.contacts) == contactsKept {
		c.contacts = c.contacts[:copy(c.contacts, c.contacts[1:])]
	}
	c.contacts = append(c.contacts, at)
	for i := len(c.contacts) - 1; i > 0 && c.contacts[i-1] > c.contacts[i]; i-- {
		c.contacts[i-1], c.contacts[i] = c.contacts[i], c.contacts[i-1]
	}
}

// customers keeps them in chunks of values: few pointers, nothing moves. The
// first chunk is small: the State of a request holds one or two customers.
type customers struct {
	index  key.Map[uint32]
	few    []customer
	chunks [][]customer
	near   []*customer // scratch of warm
}

const (
	customersFew  = 8
	customerChunk = 4096
)

func (cs *customers) of(id key.ID) *customer {
	i, ok := cs.index.Get(id)
	if !ok {
		i = uint32(cs.index.Len())
		switch {
		case i == 0:
			cs.few = make([]customer, customersFew)
		case i >= customersFew && (i-customersFew)%customerChunk == 0:
			cs.chunks = append(cs.chunks, make([]customer, customerChunk))
		}
		cs.index.Put(id, i)
	}
	return cs.at(i)
}

func (cs *customers) at(i uint32) *customer {
	if i < customersFew {
		return &cs.few[i]
	}
	i -= customersFew
	return &cs.chunks[i/customerChunk][i%customerChunk]
}

// warm brings what is remembered of customers into the cache; see key.Map.Warm.
func (cs *customers) warm(ids []key.ID) (sum uint64) {
	cs.index.Warm(ids)
	cs.near = cs.near[:0]
	for _, id := range ids {
		if i, ok := cs.index.Get(id); ok {
			c := cs.at(i)
			sum += uint64(c.firstSeen) + uint64(c.ended)
			cs.near = append(cs.near, c)
		}
	}
	for _, c := range cs.near {
		if n := len(c.ring); n > 0 {
			sum += c.ring[n-1].caseLo
		}
	}
	return sum
}

// mandate is the latest version known, by (occurred_at, seq).
type mandate struct {
	occurred, since, created, until data.Micros // since: of the present status
	maxAmount                       data.Paise
	changed                         [4]data.Micros // latest changes of status
	status                          data.MandateStatus
	capLevel                        uint8
	rail                            data.Rail
	category                        Category
	paid                            data.Micros // latest capture on it
}

func (m *mandate) fold(e *event) {
	if e.occurred < m.occurred { // equal times: the later cursor wins
		return
	}
	status := data.MandateStatus(e.status)
	if status != m.status {
		if m.status != 0 {
			copy(m.changed[1:], m.changed[:3])
			m.changed[0] = e.stamp()
		}
		m.since = e.stamp()
	}
	m.occurred, m.status, m.capLevel = e.occurred, status, e.capLevel
	m.created, m.until, m.maxAmount = e.from, e.to, e.amount
	m.rail, m.category = e.rail, e.category
}

// changesSince counts changes of status at or after edge, at most 4.
func (m *mandate) changesSince(edge data.Micros) (n int32) {
	for _, at := range m.changed {
		if at != 0 && at >= edge {
			n++
		}
	}
	return n
}

// subscription is the latest version known, and the cycles that were told of.
type subscription struct {
	occurred, cycleStart, cycleEnd data.Micros
	status                         data.SubscriptionStatus
	told                           [cyclesKept]cycle // the latest told first
}

// cycle is a billing cycle, [start, end).
type cycle struct{ start, end data.Micros }

// cyclesKept is how many cycles are remembered: those of open charges are among the
// latest ones.
const cyclesKept = 4

func (s *subscription) fold(e *event) {
	if c := (cycle{e.from, e.to}); c.start != 0 && c.end > c.start {
		at := len(s.told) - 1
		for i, old := range s.told {
			if old == c {
				at = i
				break
			}
		}
		copy(s.told[1:at+1], s.told[:at])
		s.told[0] = c
	}
	if e.occurred >= s.occurred {
		s.occurred, s.cycleStart, s.cycleEnd, s.status = e.occurred, e.from, e.to, data.SubscriptionStatus(e.status)
	}
}

// cycleOf is the cycle that a charge fell due in, as told last; where none of those
// remembered holds that time, the one of the latest version.
func (s *subscription) cycleOf(due data.Micros) cycle {
	for _, c := range s.told {
		if c.start <= due && due < c.end {
			return c
		}
	}
	return cycle{s.cycleStart, s.cycleEnd}
}
