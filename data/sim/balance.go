package sim

import (
	"math"

	"recoup/data"
)

// covers is the probability that the balance at t covers the amount, over the
// fast shock alone:
//
//	balance(t) = income * keep * exp(luck - days since pay / drain - squeeze) * exp(shock * Z)
//
// with Z standard normal, drawn anew for every presentation; in a household that
// lives from pay to pay the account may also just have been swept by others.
func (c *customer) covers(t data.Micros, amount data.Paise, squeezed bool) float64 {
	i := c.cycle(t)
	x := math.Log(c.income*c.keep*100/float64(amount)) + c.luck[i] - days(t-c.pays[i])/c.drain
	if squeezed {
		x -= squeezeDepth
	}
	p := phi(x / c.nature.Shock)
	if c.constrained {
		p *= 1 - c.nature.Swept
	}
	return p
}

// coversAhead is covers as seen from now, over the squeezes that may come or go until t.
func (c *customer) coversAhead(now, t data.Micros, amount data.Paise) float64 {
	s := c.squeeze.chance(now, t)
	p := (1 - s) * c.covers(t, amount, false)
	if s > 0 {
		p += s * c.covers(t, amount, true)
	}
	return p
}
