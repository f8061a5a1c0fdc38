package experiment

import (
	"crypto/sha256"
	"encoding/binary"

	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// uniformly draws among all that the gate allows, but for escalation, by a hash
// of the decision.
func uniformly(salt string) Chooser {
	return func(t *sim.Turn, d *score.Decision) ([]float64, int, error) {
		out, n := make([]float64, len(d.Allowed)), 0
		for _, c := range d.Allowed {
			if c.Action != data.Escalate {
				n++
			}
		}
		sum := sha256.Sum256([]byte(salt + "\x00" + t.DecisionID))
		k := int(binary.BigEndian.Uint64(sum[:8]) % uint64(n))
		chosen := 0
		for i, c := range d.Allowed {
			if c.Action == data.Escalate {
				continue
			}
			if out[i] = 1 / float64(n); k == 0 {
				chosen = i
			}
			k--
		}
		return out, chosen, nil
	}
}

// ladderInside takes the merchant's own slot where the gate allows it, else the
// first allowed retry within a day of it, else it waits.
func ladderInside(t *sim.Turn, d *score.Decision) ([]float64, int, error) {
	chosen := 0
	if slot := t.Candidates[t.Ladder]; slot.Action == data.Retry {
		for i, c := range d.Allowed {
			if c.Action == data.Retry && c.At >= slot.At && c.At <= slot.At+data.Day {
				chosen = i
				break
			}
		}
	}
	return only(len(d.Allowed), chosen), chosen, nil
}

// oracle knows p_true. Of the retries it plans the best sequence that the
// budget and the notices leave, and takes the first of it; a link or a nudge is
// taken where it is worth more.
func oracle(t *sim.Turn, d *score.Decision) ([]float64, int, error) {
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
	return only(len(d.Allowed), chosen), chosen, nil
}

// sequence is, for each allowed retry, the chance that it or one of those that
// can still follow captures: backward induction over slots and attempts left.
// The answer to a retry and the notice of the next take their time.
func sequence(t *sim.Turn, d *score.Decision) []float64 {
	gap := t.NoticeFloor() + 2*data.Hour
	if t.Rail == data.EMandate {
		gap += 2 * data.Day // the bank answers on the next day or the one after
	}
	n := len(d.Allowed)
	q, value, next := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, c := range d.Allowed {
		if c.Action == data.Retry {
			q[i] = t.Truth(data.Retry, c.At)
		}
	}
	for left := 1; left <= 4-t.AttemptNo; left++ { // one attempt and three retries
		copy(next, value)
		for i, c := range d.Allowed {
			if c.Action != data.Retry {
				continue
			}
			rest := 0.0
			for k := i + 1; k < n; k++ {
				if o := d.Allowed[k]; o.Action == data.Retry && o.At >= c.At+gap {
					rest = max(rest, next[k])
				}
			}
			value[i] = q[i] + float64((1-q[i])*rest)
		}
	}
	return value
}
