package sim

import (
	"math"

	"recoup/data"
)

// urge is the hazard that the customer of a case pays by himself: a step
// function of the IST day from the case's first failure until it is written
// off. It knows nothing of retries.
type urge struct {
	from, to data.Micros
	day0     int64
	sums     []float64 // hazard spent by the start of each IST day since day0
	intent   float64
	contact  float64 // how strongly contacts work, 1 = as usual
}

// newUrge is the urge of a case whose first failure became known at from.
func (q *charge) newUrge(from data.Micros, cause Mechanism) urge {
	u := urge{from: from, to: from + writtenOff, day0: from.ISTDay(), intent: q.c.intent, contact: q.w.nature.Contact}
	n := int((u.to - midnight(from)) / data.Day)
	u.sums = make([]float64, 1, n+2)
	for i := range n + 1 {
		noon := midnight(from) + data.Micros(i)*data.Day + data.Day/2
		rate := 0.0
		if q.w.off&Cures == 0 {
			rate = q.w.nature.Cure * math.Exp(cureIntent*(q.c.intent-.5)) * (.2 + .8*math.Exp(-float64(i)/cureFade))
			if cause == Funds {
				// who was short pays when pay comes
				if days(noon-q.c.pays[q.c.cycle(noon)]) < curePayDays {
					rate *= curePayFirst
				} else {
					rate *= .7
				}
			}
		}
		u.sums = append(u.sums, u.sums[i]+rate)
	}
	return u
}

// spent is the hazard spent from the case's start until t.
func (u *urge) spent(t data.Micros) float64 { return u.raw(t) - u.raw(u.from) }

func (u *urge) raw(t data.Micros) float64 {
	t = min(max(t, u.from), u.to)
	i := t.ISTDay() - u.day0
	part := days(t.ISTTimeOfDay())
	return u.sums[i] + float64(part*(u.sums[i+1]-u.sums[i]))
}

// within is the probability of a cure in (a, b], given none before a.
func (u *urge) within(a, b data.Micros) float64 { return -math.Expm1(u.spent(a) - u.spent(b)) }

// first is when the cure comes if nothing is done; never if it does not.
func (u *urge) first(k key) data.Micros {
	target := k.exp(tagCure) + u.raw(u.from)
	for i := 1; i < len(u.sums); i++ {
		if u.sums[i] > target {
			part := (target - u.sums[i-1]) / (u.sums[i] - u.sums[i-1])
			t := midnight(u.from) + data.Micros((float64(i-1)+part)*float64(data.Day))
			if t > u.from && t <= u.to {
				return t
			}
			return never
		}
	}
	return never
}

// contactSpent is the extra hazard that a contact at a time has spent by t.
func (u *urge) contactSpent(kind data.Action, at, t data.Micros) float64 {
	t = min(t, u.to)
	if t <= at || len(u.sums) == 0 || u.sums[len(u.sums)-1] == 0 { // no cures in this world
		return 0
	}
	return 2 * u.intent * u.contactRate(kind) * contactFade * -math.Expm1(-days(t-at)/contactFade)
}

// answered is when a contact alone would lead to a payment; never if it does not.
func (u *urge) answered(k key, kind data.Action, at data.Micros) data.Micros {
	target, whole := k.exp(tagContact), u.contactSpent(kind, at, u.to)
	if target >= whole {
		return never
	}
	full := 2 * u.intent * u.contactRate(kind) * contactFade // what an endless case would spend
	return at + data.Micros(-math.Log1p(-target/full)*contactFade*float64(data.Day))
}

func (u *urge) contactRate(kind data.Action) float64 {
	if kind == data.Nudge {
		return nudgeDaily * u.contact
	}
	return linkDaily * u.contact
}
