package key

// Map finds values by ID. IDs are uniform hashes, so the slot is read off the
// ID and the next free one taken: one wait for memory where a general map has
// three. The zero Map is empty.
type Map[V any] struct {
	slots []slot[V] // a power of two, at most three quarters full
	n     int
	loads uint64 // means nothing: keeps the loads of Warm
}

type slot[V any] struct {
	id ID // zero = free
	v  V
}

// Len is the number of IDs.
func (m *Map[V]) Len() int { return m.n }

// Get is the value of an ID, zero when it has none.
func (m *Map[V]) Get(id ID) (v V, ok bool) {
	if len(m.slots) == 0 {
		return v, false
	}
	s := &m.slots[m.find(id.orNone())]
	return s.v, s.id != (ID{})
}

// Put sets the value of an ID.
func (m *Map[V]) Put(id ID, v V) {
	if (m.n+1)*4 > len(m.slots)*3 {
		m.grow()
	}
	id = id.orNone()
	s := &m.slots[m.find(id)]
	if s.id != id {
		s.id = id
		m.n++
	}
	s.v = v
}

// Delete takes an ID out, and moves up those that had to give way to it.
func (m *Map[V]) Delete(id ID) {
	if len(m.slots) == 0 {
		return
	}
	free := m.find(id.orNone())
	if m.slots[free].id == (ID{}) {
		return
	}
	m.n--
	mask := uint64(len(m.slots) - 1)
	for i := (free + 1) & mask; m.slots[i].id != (ID{}); i = (i + 1) & mask {
		home := m.slots[i].id.Lo & mask
		if (i-home)&mask >= (i-free)&mask { // its home is not between the hole and it
			m.slots[free], free = m.slots[i], i
		}
	}
	m.slots[free] = slot[V]{}
}

// find is the slot of an ID, or the free one where it would go.
func (m *Map[V]) find(id ID) uint64 {
	mask := uint64(len(m.slots) - 1)
	i := id.Lo & mask
	for m.slots[i].id != id && m.slots[i].id != (ID{}) {
		i = (i + 1) & mask
	}
	return i
}

func (m *Map[V]) grow() {
	old := m.slots
	m.slots = make([]slot[V], max(64, 2*len(old)))
	for i := range old {
		if old[i].id != (ID{}) {
			m.slots[m.find(old[i].id)] = old[i]
		}
	}
}

// Warm brings the slots of IDs into the cache: look-ups wait for memory one
// after the other, these loads all at once.
func (m *Map[V]) Warm(ids []ID) {
	if len(m.slots) == 0 {
		return
	}
	mask := uint64(len(m.slots) - 1)
	for i := range ids {
		m.loads += m.slots[ids[i].Lo&mask].id.Hi
	}
}

// orNone gives the zero ID, which marks free slots, a place of its own.
func (id ID) orNone() ID {
	if id == (ID{}) {
		id.Hi = 1
	}
	return id
}

// Values are the values in no promised order. The map must not change meanwhile.
func (m *Map[V]) Values(yield func(V) bool) {
	for i := range m.slots {
		if m.slots[i].id != (ID{}) && !yield(m.slots[i].v) {
			return
		}
	}
}
