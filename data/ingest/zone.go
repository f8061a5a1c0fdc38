package ingest

import (
	"math"
	"time"

	"recoup/data"
)

const (
	noZone      = "a time without offset, and the mapping names no zone"
	notATime    = "not a time"
	twiceInZone = "this clock stood twice in the zone"
	notInZone   = "this clock never stood in the zone"
	outOfRange  = "out of range"
)

// zone turns clocks on the wall into instants. It remembers the last span of
// constant offset, since neighbours in a file are neighbours in time. Not for
// concurrent use.
type zone struct {
	location   *time.Location
	offset     data.Micros // between from and to, well inside
	from, to   data.Micros // as wall clocks
	remembered bool
}

// instant is the only instant at which the wall clock stood at wall, the clock
// being counted as if it were UTC.
func (z *zone) instant(wall data.Micros) (at data.Micros, why string) {
	if z == nil {
		return 0, noZone
	}
	if z.remembered && wall >= z.from && wall < z.to {
		return wall - z.offset, ""
	}
	// No zone is more than 26 h away from another of its own offsets, so the
	// offsets a little more than a day to either side are the candidates.
	before, after := z.offsetAt(wall-2*data.Day), z.offsetAt(wall+2*data.Day)
	var found []data.Micros
	for _, o := range []data.Micros{before, after} {
		if z.offsetAt(wall-o) == o && (len(found) == 0 || found[0] != wall-o) {
			found = append(found, wall-o)
		}
	}
	switch len(found) {
	case 0:
		return 0, notInZone
	case 2:
		return 0, twiceInZone
	}
	z.remember(found[0])
	return found[0], ""
}

func (z *zone) offsetAt(at data.Micros) data.Micros {
	_, s := at.Time().In(z.location).Zone()
	return data.Micros(s) * data.Second
}

func (z *zone) remember(at data.Micros) {
	start, end := at.Time().In(z.location).ZoneBounds()
	z.offset, z.remembered = z.offsetAt(at), true
	z.from, z.to = math.MinInt64, math.MaxInt64
	if !start.IsZero() {
		z.from = data.MicrosOf(start) + z.offset + 2*data.Day
	}
	if !end.IsZero() {
		z.to = data.MicrosOf(end) + z.offset - 2*data.Day
	}
}
