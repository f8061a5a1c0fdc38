package sim

import (
	"math"
	"sort"

	"recoup/data"
)

const never = data.Micros(math.MaxInt64)

// interval is half-open: from <= t < to.
type interval struct{ from, to data.Micros }

func (iv interval) has(t data.Micros) bool { return iv.from <= t && t < iv.to }

// spells is a state that comes and goes with constant rates (a two-state Markov
// process): a pause, a block, a squeeze. Its path is drawn once; its chances
// are known in closed form.
type spells struct {
	every, mean data.Micros // mean time off, mean time on; every = 0: never on
	list        []interval
}

// newSpells draws a path over [from, to) that is stationary from the start.
func newSpells(k key, every, mean, from, to data.Micros) spells {
	s := spells{every: every, mean: mean}
	if every == 0 {
		return s
	}
	t := from
	on := k.happens(tagMain, float64(mean)/float64(every+mean))
	for i := uint64(0); t < to; i++ {
		d := k.sub(uint64(tagSpell)).sub(i)
		if on {
			n := d.span(tagMain, mean)
			s.list = append(s.list, interval{t, t + n})
			t += n
		} else {
			t += d.span(tagMain, every)
		}
		on = !on
	}
	return s
}

// at is the number of the spell that holds at t; -1 for none.
func (s *spells) at(t data.Micros) int {
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].to > t })
	if i < len(s.list) && s.list[i].has(t) {
		return i
	}
	return -1
}

// chance is the probability that the state is on at t, given what it was at
// the earlier time now.
func (s *spells) chance(now, t data.Micros) float64 {
	if s.every == 0 {
		return 0
	}
	share := float64(s.mean) / float64(s.every+s.mean)
	fade := math.Exp(-float64(t-now) * (1/float64(s.every) + 1/float64(s.mean)))
	if s.at(now) >= 0 {
		return share + float64((1-share)*fade)
	}
	return share * (1 - fade)
}
