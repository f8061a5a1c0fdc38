package key

// Map finds a number by ID. IDs are uniform hashes, so the slot is read off the
// ID and the next free one taken: one cache miss where a general map has three.
// Nothing can be deleted. The zero Map is empty.
type Map struct {
	slots []slot // a power of two, at most three quarters full
	n     int
}

type slot struct {
	id ID // zero = free
	v  uint32
}

// Len is the number of IDs.
func (m *Map) Len() int { return m.n }

// Get is the number of an ID.
func (m *Map) Get(id ID) (v uint32, ok bool) {
	if len(m.slots) == 0 {
		return 0, false
	}
	id = id.orNone()
	s := m.find(id)
	return s.v, s.id == id
}

// orNone gives the zero ID, which marks free slots, a place of its own.
func (id ID) orNone() ID {
	if id == (ID{}) {
		id.Hi = 1
	}
	return id
}

// Put sets the number of an ID.
func (m *Map) Put(id ID, v uint32) {
	id = id.orNone()
	if (m.n+1)*4 > len(m.slots)*3 {
		m.grow()
	}
	s := m.find(id)
	if s.id != id {
		s.id = id
		m.n++
	}
	s.v = v
}

// find is the slot of an ID, or the free one where it would go.
func (m *Map) find(id ID) *slot {
	mask := uint64(len(m.slots) - 1)
	for i := id.Lo & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; s.id == id || s.id == (ID{}) {
			return s
		}
	}
}

func (m *Map) grow() {
	old := m.slots
	m.slots = make([]slot, max(64, 2*len(old)))
	for _, s := range old {
		if s.id != (ID{}) {
			*m.find(s.id) = s
		}
	}
}
