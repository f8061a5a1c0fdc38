package sim

import (
	"math"
	"sort"

	"recoup/data"
)

// customer holds the slow hidden traits of a household.
type customer struct {
	nature      *Nature
	key         key
	id          string
	bank        *bank
	rule        payRule
	pays        []data.Micros // when pay came in, ascending, from before the log until after it
	luck        []float64     // log balance shift of the cycle that each pay opens
	income      float64       // rupees a month
	keep        float64       // share of pay left after rent and loans
	drain       float64       // days in which the balance falls to 1/e
	constrained bool
	intent      float64 // wish to pay, in (0, 1)
	squeeze     spells  // unforeseen expenses
	limits      bool    // whether daily limits bite
	subs        []*subscription
}

// newCustomer draws the n-th customer of the world.
func (w *world) newCustomer(n uint64) *customer {
	k := w.root.sub(uint64(tagCustomer)).sub(n)
	c := &customer{nature: &w.nature, key: k, id: "cust_" + number(n, 7)}
	c.bank = w.banks[k.pick(tagBank, w.bankWeights)]
	c.rule = payMix.rules[k.pick(tagPayDay, w.nature.PayDays)]
	hour := data.Micros(k.unit(tagPayHour) * float64(12*data.Hour))
	y, m, _ := w.from.ISTDate()
	for i := 0; ; i++ {
		t := payTime(y, m+monthOf(i), c.rule, hour)
		c.pays = append(c.pays, t)
		c.luck = append(c.luck, monthSpread*k.sub(uint64(tagMonth)).sub(uint64(i)).normal(tagMain))
		if t > w.until {
			break
		}
	}
	c.income = incomeMedian * math.Exp(incomeSpread*k.normal(tagIncome))
	c.constrained = k.happens(tagConstrained, min(0.9, w.nature.Constrained*c.bank.nachReturn))
	c.keep = w.nature.Keep * math.Exp(keepSpread*k.normal(tagKeep))
	if !c.constrained {
		c.keep *= cushion
	}
	c.drain = w.nature.Drain * math.Exp(drainSpread*k.normal(tagDrain))
	c.intent = (k.unit(tagIntent) + k.sub(uint64(tagIntent)).unit(tagMain)) / 2
	every := squeezeEvery
	if w.off&Funds != 0 {
		every = 0
	}
	c.squeeze = newSpells(k.sub(uint64(tagSqueeze)), every, squeezeMean, w.from, w.until)
	c.limits = w.off&Limits == 0

	subs := 1
	if k.happens(tagSecond, secondSub) {
		subs++
	}
	if k.happens(tagThird, thirdSub) {
		subs++
	}
	for i := range subs {
		c.subs = append(c.subs, w.newSubscription(c, n, uint64(i)))
	}
	return c
}

// cycle is the index of the last pay at or before t.
func (c *customer) cycle(t data.Micros) int {
	return max(0, sort.Search(len(c.pays), func(i int) bool { return c.pays[i] > t })-1)
}

// limitUsed reports whether the daily limit of a rail is used up on the IST day of t.
func (c *customer) limitUsed(r data.Rail, t data.Micros) bool {
	return c.key.sub(uint64(tagDay)).sub(uint64(t.ISTDay())).happens(tag(r), c.limitRate(r))
}

func (c *customer) limitRate(r data.Rail) float64 {
	switch {
	case !c.limits:
		return 0
	case r == data.UPIAutopay:
		return dayLimitUPI
	case r == data.Card:
		return dayLimitCard
	}
	return 0
}

// limitChance is the probability that the limit is used up at t, as seen from
// now: today's state is known, other days are independent of it.
func (c *customer) limitChance(r data.Rail, now, t data.Micros) float64 {
	if now.ISTDay() != t.ISTDay() {
		return c.limitRate(r)
	}
	if c.limitUsed(r, t) {
		return 1
	}
	return 0
}
