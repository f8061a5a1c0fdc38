package matrix

import (
	"recoup/data"
	"recoup/features"
)

// candidates lie at both sides of what the facts make an edge, and anywhere.
func (d *dice) candidates(f *features.Facts) []data.Candidate {
	debits := []data.Micros{d.pivot, d.now, d.border(dayOf(d.now) + day(d.IntN(22))), d.border(dayOf(d.pivot)), d.now + d.upTo(22*days)}
	for _, floor := range []int64{24 * hour, 25 * hour, 36*hour + 5*minute} {
		debits = append(debits, d.now+data.Micros(floor)+d.side(), f.NoticeSent+data.Micros(floor)+d.side(), f.NoticeSent+data.Micros(floor+72*hour)+d.side())
	}
	debits = append(debits, f.NoticeSent+data.Micros(48*hour)+d.side(), f.NoticeDebit+data.Micros(72*hour)+d.side(), f.MandateUntil+d.side(), f.CycleEnd+d.side(),
		startOf(dayOf(max(f.CycleEnd, days)))+d.side(), f.PromiseDue+d.side(), f.Unresolved+data.Micros(72*hour)+d.side(), f.Unresolved+data.Micros(90*second)+d.side(),
		f.UnresolvedPollAt+data.Micros(90*second)+d.side(), f.LastFinal+data.Micros(72*hour)+d.side(), f.Outages[0].Begin+d.side(), f.Outages[0].End+d.side(),
		f.LastFailure+data.Micros(pick(d, int64(hour), 2*hour, 24*hour, 72*hour, 120*hour, 14*days, 21*days))+d.side(),
		f.LastFinal+data.Micros(pick(d, int64(hour), 24*hour, 48*hour, 96*hour, 144*hour, 192*hour, 240*hour))+d.side())
	debits = append(debits, f.MandateCreated+data.Micros(48*hour)+d.side(), f.MandateCreated+data.Micros(120*hour)+d.side(), f.LastFinal+data.Micros(36*hour)+d.side())
	contacts := []data.Micros{d.pivot, d.now, d.border(dayOf(d.now) + day(d.IntN(22))), f.Contacts[0] + data.Micros(24*hour) + d.side(), f.Contacts[2] + data.Micros(7*days) + d.side(), f.LastFailure + data.Micros(21*days) + d.side()}
	seen, out := map[data.Candidate]bool{}, []data.Candidate(nil)
	put := func(a data.Action, at data.Micros) {
		if c := (data.Candidate{Action: a, At: at}); at >= d.now && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	for _, at := range debits {
		put(data.Retry, at)
	}
	for _, at := range contacts {
		put(data.PaymentLink, at)
		put(data.Nudge, at)
	}
	put(data.Escalate, d.now)
	put(data.Escalate, f.LastFailure+data.Micros(21*days)+d.side())
	return out
}
