package features

import "recoup/data"

// Bank and rail health: integer counts per minute, and per hour for windows
// longer than six hours. The lower edge of a window lies on the grid of its
// tiles, by definition: a window W at t begins at the first minute (hour) that
// starts at or after t - W.

// health counts outcomes. It wraps at 2^32 and only differences of it are used.
type health struct {
	n, failed, technical uint32 // technical: failed for a technical cause or a downtime
}

func (h *health) add(o health) {
	h.n += o.n
	h.failed += o.failed
	h.technical += o.technical
}

func (h health) minus(o health) health {
	return health{h.n - o.n, h.failed - o.failed, h.technical - o.technical}
}

// tiles is the health of one key over the last 30 days.
type tiles struct{ minutes, hours sums }

const (
	minutesKept = 6*60 + 2
	hoursKept   = 30*24 + 2
)

func newTiles() *tiles {
	return &tiles{sums{data.Minute, 0, make([]health, minutesKept)}, sums{data.Hour, 0, make([]health, hoursKept)}}
}

func (t *tiles) add(at data.Micros, one health) {
	t.minutes.add(at, one)
	t.hours.add(at, one)
}

// within is the window of w up to now: minutes for w up to six hours, else
// hours. Nil tiles counted nothing.
func (t *tiles) within(now, w data.Micros) health {
	if t == nil {
		return health{}
	}
	if w <= 6*data.Hour {
		return t.minutes.since(now - w)
	}
	return t.hours.since(now - w)
}

// sums is a ring of running totals: at tile k stands the total of all tiles up
// to k. A window is one difference, an event in time one addition; a late one
// moves the totals from its tile on.
type sums struct {
	grid data.Micros
	last int64 // the latest tile
	ring []health
}

func (s *sums) at(k int64) *health { return &s.ring[k%int64(len(s.ring))] }

func (s *sums) add(at data.Micros, one health) {
	k, size := int64(at/s.grid), int64(len(s.ring))
	if k < 0 || k <= s.last-size+1 { // before every window, now and later
		return
	}
	if k > s.last {
		total := *s.at(s.last)
		from := max(s.last+1, k-size+1)
		for i, left := from%size, k-from; left >= 0; left-- {
			s.ring[i] = total
			if i++; i == size {
				i = 0
			}
		}
		s.last = k
	}
	for ; k <= s.last; k++ {
		s.at(k).add(one)
	}
}

// since is the total of the tiles that start at or after an instant.
func (s *sums) since(edge data.Micros) health {
	before := int64((edge+s.grid-1)/s.grid) - 1 // the last tile left out
	if before >= s.last {
		return health{}
	}
	total := *s.at(s.last)
	if size := int64(len(s.ring)); before <= s.last-size {
		before = s.last - size + 1 // older tiles are in no window; see add
	}
	return total.minus(*s.at(before))
}
