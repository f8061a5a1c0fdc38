package compare

import "recoup/api/report"

// gain is what a hand has over the tuned rules in a world, in cases, and over how many.
type gain func(a, b *Played) (sum, cases float64)

func byPaid(a, b *Played) (float64, float64) {
	return float64(a.Recovered) - float64(b.Recovered), float64(a.Cases)
}

// byChance is the true chance of a hand's slots less that of the tuned rules': the regret
// of these less that of the hand. It is free of the luck of what was paid, so its interval
// is some three times narrower; what customers pay by themselves is not in it.
func byChance(a, b *Played) (sum, cases float64) {
	for m := range a.Months {
		sum += b.Months[m].Regret - a.Months[m].Regret
	}
	return sum, float64(a.Cases)
}

// inMonth is a gain in one month alone; until is that in all months up to it.
func inMonth(m int, of gain) gain {
	return func(a, b *Played) (float64, float64) { return of(a.in(m, m+1), b.in(m, m+1)) }
}

func until(m int, of gain) gain {
	return func(a, b *Played) (float64, float64) { return of(a.in(0, m+1), b.in(0, m+1)) }
}

// in is what was played in some months.
func (p *Played) in(from, to int) *Played {
	out := &Played{Months: p.Months[from:to]}
	for _, m := range out.Months {
		out.Cases += m.Cases
		out.Recovered += m.Recovered
	}
	return out
}

// shiftOf sums up the worlds at one shift.
func shiftOf(shift float64, worlds []*World, attempts int) Shift {
	out := Shift{Shift: shift}
	tuned := -1
	for h, p := range worlds[0].Hands {
		out.Cases = 0
		for _, w := range worlds {
			out.Cases += int64(w.Hands[h].Cases)
		}
		if p.Hand == Tuned {
			tuned = h
		}
	}
	for h := range worlds[0].Hands {
		out.Lines = append(out.Lines, lineOf(worlds, h, tuned, attempts))
	}
	return out
}

// lineOf sums up the h-th hand; tuned is the one it is set against, -1 = it did not play.
func lineOf(worlds []*World, h, tuned, attempts int) Line {
	l := Line{Hand: worlds[0].Hands[h].Hand, Over: report.Unknown("the tuned rules did not play"), Chance: report.Unknown("the tuned rules did not play")}
	mean := func(of func(w *World) (sum, count float64)) report.Estimate {
		var v []float64
		n := 0.0
		for _, w := range worlds {
			sum, count := of(w)
			if n += count; count > 0 {
				v = append(v, sum/count)
			}
		}
		return student(v, int64(n))
	}
	l.Recovery = mean(func(w *World) (float64, float64) { return float64(w.Hands[h].Recovered), float64(w.Hands[h].Cases) })
	l.Regret = mean(func(w *World) (float64, float64) { return w.Hands[h].Regret, float64(w.Hands[h].Decisions) })
	over := func(of gain) report.Estimate {
		return mean(func(w *World) (float64, float64) { return of(&w.Hands[h], &w.Hands[tuned]) })
	}
	monthly := byChance
	if attempts > 1 || l.Hand == Rules {
		monthly = byPaid
	}
	if tuned >= 0 {
		l.Over = over(byPaid)
		switch {
		case attempts > 1:
			l.Chance = report.Unknown("with several retries each hand has moments of its own")
		case l.Hand == Rules:
			l.Chance = report.Unknown("the rules choose in fewer cases")
		default:
			l.Chance = over(byChance)
		}
	}
	for _, w := range worlds {
		l.Retries += int64(w.Hands[h].Retries)
		l.Wasted += int64(w.Hands[h].Wasted)
	}
	var far []report.Estimate // the gain so far, by month
	for m := range worlds[0].Hands[h].Months {
		p := Point{Gain: report.Unknown("the tuned rules did not play")}
		p.Recovery = mean(func(w *World) (float64, float64) {
			x := &w.Hands[h].Months[m]
			return float64(x.Recovered), float64(x.Cases)
		})
		p.Lost = mean(func(w *World) (sum, one float64) {
			for _, x := range w.Hands[h].Months[:m+1] {
				sum += x.Regret
			}
			return sum, 1
		})
		if tuned >= 0 {
			p.Gain = over(inMonth(m, monthly))
			far = append(far, over(until(m, monthly)))
		}
		l.Curve = append(l.Curve, p)
	}
	if h != tuned {
		l.Ahead = above(len(l.Curve), func(m int) report.Estimate { return l.Curve[m].Gain })
		l.Even = above(len(far), func(m int) report.Estimate { return far[m] })
	}
	return l
}

// above is the first month, from 1, from which on all of them are above 0; nil = none.
// A month without cases says nothing.
func above(n int, of func(m int) report.Estimate) *int {
	var first *int
	for m := n - 1; m >= 0; m-- {
		switch e := of(m); {
		case e.Value == nil:
		case *e.Value > 0:
			from := m + 1
			first = &from
		default:
			return first
		}
	}
	return first
}
