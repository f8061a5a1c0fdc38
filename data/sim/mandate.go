package sim

import (
	"math"

	"recoup/data"
)

// mandate is one registration. It dies once: revoked by a hazard that rises
// after a failed charge, or at its stated end.
type mandate struct {
	id         string
	created    data.Micros
	validUntil data.Micros // 0: open-ended
	maxAmount  data.Paise
	left       float64     // hazard still to be spent before revocation; exponential at first
	spentTo    data.Micros // how far it has been spent
	raisedFrom data.Micros // start of the raised hazard after the latest failed charge
	raise      float64     // raised hazard a day
	death      data.Micros // never while it lives
	expired    bool        // died at its end, not by revocation
}

// spend runs the revocation hazard from spentTo to t, where the hazard is
// raised after a failed charge at raisedFrom, and sets death when it runs out.
func (m *mandate) spend(t data.Micros) {
	if m.death != never {
		return
	}
	cuts := []data.Micros{m.raisedFrom, m.raisedFrom + revokeWindow, t}
	for _, to := range cuts {
		to = min(to, t)
		if to <= m.spentTo {
			continue
		}
		rate := revokeDaily
		if (interval{m.raisedFrom, m.raisedFrom + revokeWindow}).has(m.spentTo) {
			rate += m.raise
		}
		if need := rate * days(to-m.spentTo); need >= m.left {
			m.death = m.spentTo + data.Micros(m.left/rate*float64(data.Day))
			break
		} else {
			m.left -= need
		}
		m.spentTo = to
	}
	if m.validUntil != 0 && m.validUntil <= min(m.death, t) {
		m.death, m.expired = m.validUntil, true
	}
}

// survives is the probability that the mandate lives at t, given its state at now.
func (m *mandate) survives(now, t data.Micros) float64 {
	if m.death <= now || m.validUntil != 0 && m.validUntil <= t {
		return 0
	}
	if math.IsInf(m.left, 1) { // never revoked in this world
		return 1
	}
	raised := max(0, min(t, m.raisedFrom+revokeWindow)-max(now, m.raisedFrom))
	return math.Exp(-float64(revokeDaily*days(t-now)) - float64(m.raise*days(raised)))
}
