package features

import "recoup/data"

// early is what was heard of a charge before any attempt of it: notices and
// promises for a while, and what closes it for as long as an owed charge is
// remembered.
type early struct {
	events   []event
	heard    data.Micros        // known_at of the latest of them
	closed   data.CaseEventKind // the first case event; 0 = none
	disputes int32
	told     data.Micros // known_at of the latest case event
}

const earlyKept = 10 * data.Day

// until is when nothing of it counts any more.
func (n *early) until() data.Micros {
	if n.closed == 0 {
		return n.heard + earlyKept
	}
	return max(n.heard+earlyKept, n.told+chargeKept)
}

// heardEarly keeps an event that came before any attempt of its charge.
func (s *State) heardEarly(e *event) {
	now := e.cursor.KnownAt
	n, known := s.early.Get(e.caseKey)
	if !known || n.until() < now {
		n = &early{}
		s.early.Put(e.caseKey, n)
		s.earlies.push(now+earlyKept, e.caseKey)
	}
	if e.kind == kindCaseEvent {
		if n.told+chargeKept < now {
			n.closed, n.disputes = 0, 0
		}
		n.told = now
		if n.closed == 0 {
			n.closed = data.CaseEventKind(e.what)
		}
		if data.CaseEventKind(e.what) == data.Disputed {
			n.disputes++
		}
		return
	}
	if n.heard+earlyKept < now {
		n.events = nil
	}
	n.events, n.heard = append(n.events, *e), now
}

// replay folds into a new charge what was heard before it.
func (s *State) replay(c *charge, who *customer, now data.Micros) {
	n, ok := s.early.Get(c.key)
	if !ok {
		return
	}
	s.early.Delete(c.key)
	if n.heard+earlyKept >= now {
		for i := range n.events {
			c.tell(who, &n.events[i])
		}
	}
	if n.closed != 0 && n.told+chargeKept >= now {
		c.disputed = n.disputes > 0
		who.disputes += n.disputes
		c.close(who, n.closed)
	}
}

// sweepEarly forgets what was heard of charges that never came.
func (s *State) sweepEarly(now data.Micros) {
	for id, ok := s.earlies.pop(now); ok; id, ok = s.earlies.pop(now) {
		if n, known := s.early.Get(id); !known {
			continue
		} else if until := n.until(); until >= now {
			s.earlies.push(min(until, now+earlyKept), id)
		} else {
			s.early.Delete(id)
		}
	}
	s.sweepPolls(now)
}

// heardPoll is a status check of an attempt that nothing has been heard of yet.
type heardPoll struct {
	at, known data.Micros // at: its stamp
	says      data.PollStatus
}

// heardPollEarly keeps a status check that came before its attempt, for as long
// as a notice that came before its charge.
func (s *State) heardPollEarly(e *event) {
	polls, _ := s.polls.Get(e.subject)
	s.polls.Put(e.subject, append(polls, heardPoll{e.stamp(), e.cursor.KnownAt, data.PollStatus(e.status)}))
	s.pollsDue.push(e.cursor.KnownAt+earlyKept, e.subject)
}

// replayPolls folds into an attempt the status checks that came before it.
func (s *State) replayPolls(a *presented, now data.Micros) {
	polls, ok := s.polls.Get(a.id)
	if !ok {
		return
	}
	s.polls.Delete(a.id)
	for _, p := range polls {
		if p.known+earlyKept >= now {
			a.poll(p.says, p.at)
		}
	}
}

// sweepPolls forgets the status checks of attempts that never came.
func (s *State) sweepPolls(now data.Micros) {
	for id, ok := s.pollsDue.pop(now); ok; id, ok = s.pollsDue.pop(now) {
		if polls, known := s.polls.Get(id); known && polls[len(polls)-1].known+earlyKept < now {
			s.polls.Delete(id)
		}
	}
}
