package features

import "recoup/data"

// Bank and rail health: integer counts per minute, and per hour for windows
// longer than six hours. The lower edge of a window lies on the grid of its tiles,
// by definition: a window W at t begins at the first minute (hour) that starts
// at or after t - W.

// health counts outcomes.
type health struct {
	n         int64 // captured or failed
	failed    int64
	technical int64 // failed for a technical cause or a downtime
}

func (h *health) add(o health) {
	h.n += o.n
	h.failed += o.failed
	h.technical += o.technical
}

const (
	minutesKept = 6*60 + 1
	hoursKept   = 30*24 + 1
)

// tile is one minute or hour; its number tells a live tile from a stale one.
type tile struct {
	number               int32
	n, failed, technical uint32
}

// tiles is the health of one key over the last 30 days.
type tiles struct {
	minutes [minutesKept]tile
	hours   [hoursKept]tile
}

func (t *tiles) add(at data.Micros, failed, technical bool) {
	minute, hour := int64(at/data.Minute), int64(at/data.Hour)
	bump(&t.minutes[minute%minutesKept], int32(minute), failed, technical)
	bump(&t.hours[hour%hoursKept], int32(hour), failed, technical)
}

// bump counts in a tile unless a later one has taken its place.
func bump(t *tile, number int32, failed, technical bool) {
	if t.number > number {
		return
	}
	if t.number < number {
		*t = tile{number: number}
	}
	t.n++
	if failed {
		t.failed++
	}
	if technical {
		t.technical++
	}
}

// within sums the window of w up to t: minutes for w up to six hours, else hours.
func (t *tiles) within(now, w data.Micros) health {
	if w <= 6*data.Hour {
		return sum(t.minutes[:], now, w, data.Minute)
	}
	return sum(t.hours[:], now, w, data.Hour)
}

func sum(ring []tile, now, w, grid data.Micros) (h health) {
	first, last := int64((now-w+grid-1)/grid), int64(now/grid)
	size := int64(len(ring))
	i := first % size
	for k := first; k <= last; k++ {
		if t := &ring[i]; int64(t.number) == k {
			h.n += int64(t.n)
			h.failed += int64(t.failed)
			h.technical += int64(t.technical)
		}
		if i++; i == size {
			i = 0
		}
	}
	return h
}
