package experiment

import (
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// oracle knows p_true. Of the retries it plans the best sequence that the
// budget and the notices leave, and takes the first of it; a link or a nudge is
// taken where it is worth more.
func oracle(_ *features.State, t *sim.Turn, d *score.Decision) (int, error) {
	f0 := t.Truth(data.Wait, t.Now)
	worth := func(p float64, cost data.Paise) float64 { return p*float64(d.Amount) - float64(cost) } // paise
	captures := sequence(t, d)
	chosen, best := 0, worth(f0, 0)
	for i, c := range d.Allowed {
		p := f0
		switch c.Action {
		case data.Retry:
			p = f0 + float64(captures[i]*(1-f0))
		case data.PaymentLink, data.Nudge:
			p = t.Truth(c.Action, c.At)
		default:
			continue
		}
		if v := worth(p, c.Cost); v > best {
			chosen, best = i, v
		}
	}
	return chosen, nil
}

// sequence is, for each allowed retry, the chance that it or one of those that
// can still follow captures; 0 for other candidates. The answer to a retry and
// the notice of the next take their time.
func sequence(t *sim.Turn, d *score.Decision) []float64 {
	gap := t.NoticeFloor() + 2*data.Hour
	if t.Rail == data.EMandate {
		gap += 2 * data.Day // the bank answers on the next day or the one after
	}
	out := make([]float64, len(d.Allowed))
	var index []int
	var slots []slot
	for i, c := range d.Allowed { // by time
		if c.Action == data.Retry {
			index, slots = append(index, i), append(slots, slot{c.At, t.Truth(data.Retry, c.At)})
		}
	}
	for k, v := range plan(slots, gap, 4-t.AttemptNo) { // one attempt and three retries
		out[index[k]] = v
	}
	return out
}

// slot is a time and the chance that a retry then captures.
type slot struct {
	at data.Micros
	q  float64
}

// plan is, for each slot, the best chance that it or one of at most most-1 later
// ones captures, each at least gap after the one before: backward induction.
func plan(slots []slot, gap data.Micros, most int) []float64 {
	value, next := make([]float64, len(slots)), make([]float64, len(slots))
	for range most {
		copy(next, value)
		best, k := 0.0, len(slots) // of next[k:]
		for i := len(slots) - 1; i >= 0; i-- {
			for k > 0 && slots[k-1].at >= slots[i].at+gap {
				k--
				best = max(best, next[k])
			}
			value[i] = slots[i].q + float64((1-slots[i].q)*best)
		}
	}
	return value
}
