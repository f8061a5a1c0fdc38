package sim

import (
	"slices"

	"recoup/data"
)

// candidates fills s.Candidates: wait; every legal retry slot of the grid (IST
// 00, 06, 12 and 18 h for 14 days) and of the ladder and the rules; contacts
// where the merchant has them. A slot that a window moves is moved to the next
// legal time; equal slots are one. A retry needs its own notice, so slots that
// come before one could be out are left out, and so is the last day before the
// next charge.
func candidates(s *Situation, contacts bool) {
	floor := noticeFloor(s.Rail)
	first, last := s.Now+floor, s.NextCharge-data.Day
	list := append(s.Candidates[:0], data.Option{Action: data.Wait, At: s.Now})
	add := func(t data.Micros) {
		if t = nextLegal(s.Rail, max(t, first)); t < last {
			list = append(list, data.Option{Action: data.Retry, At: t, NoticeBy: t - floor})
		}
	}
	for t := midnight(s.Now); t <= s.Now+gridDays*data.Day; t += 6 * data.Hour {
		if t >= first {
			add(t)
		}
	}
	ladder := nextLegal(s.Rail, max(ladderSlot(s), first))
	add(ladder)
	action, at := rulesSlot(s)
	if action == data.Retry {
		at = nextLegal(s.Rail, max(at, first))
		add(at)
	}
	slices.SortStableFunc(list[1:], func(a, b data.Option) int { return int(a.At - b.At) })
	list = slices.CompactFunc(list, func(a, b data.Option) bool { return a.Action == b.Action && a.At == b.At })
	if contacts {
		list = append(list, data.Option{Action: data.PaymentLink, Kind: data.PlainLink, At: s.Now},
			data.Option{Action: data.Nudge, Kind: data.Authenticate, At: s.Now},
			data.Option{Action: data.Escalate, Kind: data.MerchantAlertRoute, At: s.Now})
	}
	s.Candidates = list
	s.Ladder = find(list, data.Retry, ladder)
	s.Rules = find(list, action, at)
}

// find is the index of a candidate; 0, which is wait, when there is none.
func find(list []data.Option, a data.Action, at data.Micros) int {
	return max(0, slices.IndexFunc(list, func(o data.Option) bool { return o.Action == a && o.At == at }))
}
