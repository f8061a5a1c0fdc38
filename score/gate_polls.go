package score

import "recoup/data"

// pollRules are about attempts whose outcome is not certain. A failed payment
// may still be captured: a retry in that time needs a status check that says
// failed first. Until it does, a candidate says from when it can be made
// (Choice.PollFrom); a retry at once is refused.
var pollRules = map[string]gateRule{
	"pending": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.StatusPoll, charges(a) && s.Pending > 0
	}, becomes: "status_poll",
		test: "retry, payment_link: pending > 0"},
	"poll_captured": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.StatusPoll, reaches(a) && s.LastPoll == data.PollCaptured
	}, becomes: "status_poll",
		test: "retry, payment_link, nudge: last_poll = captured"},
	"await_status": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.StatusPoll, a == data.Retry && s.uncertain
	}, becomes: "status_poll",
		test: "retry: the row says after_failed_poll, and last_poll is not failed"},
	"polls_left": {refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return data.StatusPoll, a == data.Escalate && s.row.escalate == afterPolls && s.pollsLeft(l, s.LastPolls)
	}, becomes: "status_poll",
		test: "escalate: the row says after_polls, and last_polls < polls"},
	"late_capture": {hard: true, moves: movesPoll, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		if c.Action != data.Retry || !s.mayBeCaptured(l, c.At) {
			return 0, false
		}
		if !s.pollsLeft(l, s.UnresolvedPolls) {
			return 0, true
		}
		return data.StatusPoll, c.At <= s.pollFrom(l)
	}, becomes: "status_poll while unresolved_polls < polls",
		test: "retry: unresolved, at < unresolved + late_capture, and (unresolved_polls >= polls, or at <= the later of t, unresolved + poll_first and, after a status check, unresolved_poll_at + poll_gap)"},
}

// mayBeCaptured says whether a failed attempt that no status check has called
// failed may still be captured at a time.
func (s *situation) mayBeCaptured(l *limits, at data.Micros) bool {
	return s.Unresolved != 0 && l[lateCapture] != silent && at < s.Unresolved+l.span(lateCapture, data.Hour)
}

func (s *situation) pollsLeft(l *limits, made int) bool { return int64(made) < l[polls] }

// pollFrom is the first time at which a status check of the unresolved attempt
// can be made.
func (s *situation) pollFrom(l *limits) data.Micros {
	from := max(s.t, s.Unresolved+l.span(pollFirst, data.Second))
	if s.UnresolvedPolls > 0 {
		from = max(from, s.UnresolvedPollAt+l.span(pollGap, data.Second))
	}
	return from
}
