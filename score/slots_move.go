package score

import "recoup/data"

// moved is the first time not before at that lies in no window and on a day of
// clearing; where windows leave none, at.
func (s *situation) moved(a data.Action, at data.Micros) data.Micros {
	to := at
	for range 64 {
		next := to
		if s.moves&movesPeak != 0 && a == data.Retry || s.moves&movesNight != 0 && contacts(a) {
			next = max(next, s.policy.windowEnd(contacts(a), s.Rail, next))
		}
		if a == data.Retry && s.moves&movesBank != 0 {
			next = s.clearing(s.limits(next), next)
		}
		if next == to {
			return to
		}
		to = next
	}
	return at
}

// legal is the first time not before from, nor before t, at which no rule about
// a time need refuse a retry: every wait is over, a notice holds or can still be
// sent, and no window holds. Where there is none, some later time that the rules
// refuse.
func (s *situation) legal(from data.Micros) data.Micros {
	at := max(from, s.t)
	for range 16 {
		l := s.limits(at)
		next := s.waited(l, at)
		next = s.moved(data.Retry, s.firstNoticed(l, next))
		if next == at {
			return at
		}
		at = next
	}
	return at
}

// waited is the first time not before at that no wait forbids.
func (s *situation) waited(l *limits, at data.Micros) data.Micros {
	if s.moves&movesWait != 0 {
		at = max(at, s.earliest(l))
	}
	if s.moves&movesFresh != 0 {
		at = max(at, s.settled(l))
	}
	if s.moves&movesPromise != 0 {
		at = max(at, s.promisedUntil(l))
	}
	if s.moves&movesQueued != 0 {
		at = max(at, s.queuedUntil())
	}
	if s.moves&movesRest != 0 && l[finalRest] != silent {
		at = max(at, s.LastFinal+l.span(finalRest, data.Hour))
	}
	if s.moves&movesAdvice != 0 && l[adviceWait] != silent {
		at = max(at, s.LastFinal+l.span(adviceWait, data.Hour))
	}
	if s.moves&movesOutage != 0 && s.row.retry == afterOutage {
		for _, o := range s.Outages {
			if o.Severity > 0 && at >= o.Begin && at < o.End {
				at = o.End
			}
		}
	}
	if s.moves&movesPoll != 0 && s.mayBeCaptured(l, at) {
		if !s.pollsLeft(l, s.UnresolvedPolls) {
			at = s.Unresolved + l.span(lateCapture, data.Hour)
		} else if from := s.pollFrom(l); at <= from {
			at = from + data.Minute // a status check takes a moment
		}
	}
	return at
}
