package features

import (
	"recoup/data"
	"recoup/features/key"
)

// downtime is the latest version known of an outage. Its end may be unknown.
type downtime struct {
	id                   key.ID
	occurred, begin, end data.Micros
	known                data.Micros
	bank                 uint64
	rail                 data.Rail
	network              uint8
	severity             data.Severity
	status               data.DowntimeStatus
	oneApp               bool // of one app or flow alone, not of the rail
}

const (
	downtimeKept  = 7 * data.Day // after its end
	openEndKept   = 3 * data.Day // after the latest word of one without an end
	openEndLasts  = 2 * data.Hour
	downtimesSeen = 4 // of one case, the latest by begin
)

// downtimes keeps the outages in the order in which they were heard of.
type downtimes struct{ list []downtime }

func (ds *downtimes) fold(e *event) {
	v := downtime{e.subject, e.occurred, e.from, e.to, e.cursor.KnownAt, e.bank, e.rail, e.networkLevel,
		data.Severity(e.what), data.DowntimeStatus(e.status), e.oneApp}
	if v.status == data.DowntimeResolved && v.end == 0 {
		v.end = e.stamp()
	}
	kept, found := ds.list[:0], false
	for _, d := range ds.list {
		if d.id == v.id {
			found = true
			if v.occurred >= d.occurred {
				d = v
			}
		}
		if d.alive(e.cursor.KnownAt) {
			kept = append(kept, d)
		}
	}
	if !found {
		kept = append(kept, v)
	}
	ds.list = kept
}

func (d *downtime) alive(now data.Micros) bool {
	if d.end == 0 {
		return now <= d.known+openEndKept
	}
	return now <= d.end+downtimeKept
}

// span is an outage as one case sees it; end 0 = unknown.
type span struct {
	begin, end data.Micros
	severity   data.Severity
}

// of collects the outages that touch a charge, latest begin first. An outage of
// one app or flow (psp) is not among them: the log does not say which app a
// charge goes through, and the rail as a whole is up.
func (ds *downtimes) of(c *charge, now data.Micros) (out [downtimesSeen]span) {
	n := 0
	for i := range ds.list {
		d := &ds.list[i]
		if d.oneApp || d.status == data.DowntimeCancelled || d.rail != c.rail || d.bank != 0 && d.bank != c.bank ||
			d.network != 0 && d.network != c.network || !d.alive(now) {
			continue
		}
		s := span{d.begin, d.end, d.severity}
		j := n
		for j > 0 && out[j-1].begin < s.begin {
			j--
		}
		if j == downtimesSeen {
			continue
		}
		copy(out[j+1:], out[j:])
		out[j] = s
		n = min(n+1, downtimesSeen)
	}
	return out
}

// downAt is the worst severity at a time, as known at now; 0 = up. An outage
// without an end is taken to last openEndLasts from now.
func downAt(spans *[downtimesSeen]span, at, now data.Micros) (worst data.Severity) {
	for _, s := range spans {
		end := s.end
		if end == 0 {
			end = max(now, s.begin) + openEndLasts
		}
		if s.severity > 0 && at >= s.begin && at < end {
			worst = max(worst, s.severity)
		}
	}
	return worst
}

// sinceDowntime is the time since the latest outage ended before at; 0 when
// there was none.
func sinceDowntime(spans *[downtimesSeen]span, at, now data.Micros) (since data.Micros, ok bool) {
	for _, s := range spans {
		end := s.end
		if end == 0 && s.begin != 0 {
			end = max(now, s.begin) + openEndLasts
		}
		if end != 0 && end <= at && (!ok || at-end < since) {
			since, ok = at-end, true
		}
	}
	return since, ok
}
