package sim

import (
	"math"

	"recoup/data"
)

// subscription is a monthly charge on one instrument.
type subscription struct {
	key        key
	stem       string // <customer>_<n>
	id         string
	instrument string
	merchant   string
	rail       data.Rail
	network    string
	price      data.Paise
	hikeFrom   int // cycle from which the price is higher; -1 never
	hike       float64
	headroom   float64
	day        int         // of the month
	hour       data.Micros // IST time of day of the charge
	first      data.Micros // no charge before
	pause      spells
	block      spells
	expiry     interval // when the card is past its date and not yet renewed; empty: never
	mandates   int      // registered so far
}

func (w *world) newSubscription(c *customer, n, i uint64) *subscription {
	k := c.key.sub(uint64(tagSubscription)).sub(i)
	stem := number(n, 7) + "_" + number(i+1, 1)
	s := &subscription{key: k, stem: stem, id: "sub_" + stem, instrument: "tok_" + stem, hikeFrom: -1}
	s.merchant = "merch_" + number(k.sub(uint64(tagMerchant)).sub(0).modulo(40), 2)
	s.rail = mixedRails[k.pick(tagRail, railMix)]
	list := prices[s.rail]
	// The price follows income: people buy what they can afford.
	tilt := affordability * math.Log(c.income/incomeMedian)
	weights := make([]float64, len(list))
	for j := range list {
		weights[j] = math.Exp(tilt * (float64(j) - float64(len(list)-1)/2))
	}
	s.price = data.Rupees(int64(list[k.pick(tagPrice, weights)]))
	s.headroom = headrooms[k.pick(tagHeadroom, []float64{1, 1, 1, 1})]
	if w.off&Limits == 0 && k.happens(tagHike, hikeShare) {
		s.hikeFrom = 1 + int(k.sub(uint64(tagHike)).modulo(uint64(w.months)))
		s.hike = 1.1 + .5*k.sub(uint64(tagHike)).unit(tagMain)
	}
	s.day = 1 + int(k.sub(uint64(tagBilling)).modulo(28))
	if k.happens(tagBilling, .35) { // many merchants bill early in the month
		s.day = 1 + (s.day-1)/4
	}
	s.hour = w.chargeHour(k, s.rail)
	s.first = w.start
	if k.happens(tagStart, .3) { // three in ten join during the first eight months
		s.first += data.Micros(k.sub(uint64(tagStart)).unit(tagMain) * float64(min(8, w.months)) * 30 * float64(data.Day))
	}
	if s.rail == data.Card {
		s.network = []string{"VISA", "MC", "RUPAY"}[k.pick(tagNetwork, []float64{.45, .35, .20})]
	}
	s.spells(w, c)
	return s
}

// spells draws when the subscription's instrument is paused, blocked or expired.
func (s *subscription) spells(w *world, c *customer) {
	pause, block := data.Micros(0), data.Micros(0)
	if s.rail == data.UPIAutopay && w.off&Mandates == 0 {
		pause = pauseEvery // customers pause in the UPI app; merchants cannot
	}
	if w.off&Instruments == 0 {
		block = blockEveryBank
		if s.rail == data.Card {
			block = blockEveryCard
		}
	}
	s.pause = newSpells(s.key.sub(uint64(tagPause)), pause, pauseMean, w.from, w.until)
	s.block = newSpells(s.key.sub(uint64(tagBlock)), block, blockMean, w.from, w.until)
	if s.rail != data.Card || block == 0 {
		return
	}
	k := s.key.sub(uint64(tagExpiry))
	at := w.start + data.Micros(k.unit(tagMain)*float64(cardLife))
	if !k.happens(tagSecond, cardUpdated) {
		s.expiry = interval{at, at + k.span(tagRenewal, renewMean)}
	}
}

// modulo is a number below n.
func (k key) modulo(n uint64) uint64 { return uint64(k) % n }

// chargeHour is when a subscription's charges run, within its rail's windows.
func (w *world) chargeHour(k key, r data.Rail) data.Micros {
	minute := data.Micros(k.sub(uint64(tagMinute)).modulo(60)) * data.Minute
	switch r {
	case data.UPIAutopay:
		hours := []data.Micros{0, 5, 6, 7, 8, 9, 13, 14, 15, 22}
		return hours[k.sub(uint64(tagMinute)).sub(1).modulo(uint64(len(hours)))]*data.Hour + minute
	case data.EMandate:
		return 8*data.Hour + minute // the NACH cut-off is 09:00 (Razorpay)
	}
	return data.Micros(k.sub(uint64(tagMinute)).sub(1).modulo(24))*data.Hour + minute
}

// amount of a cycle's charge.
func (s *subscription) amount(cycle int) data.Paise {
	if s.hikeFrom >= 0 && cycle >= s.hikeFrom {
		return data.Paise(math.Round(float64(s.price)*s.hike/100)) * 100
	}
	return s.price
}

// newMandate registers the next mandate, at the price of a cycle; it is known
// to live at seen.
func (s *subscription) newMandate(w *world, c *customer, created, seen data.Micros, cycle int) *mandate {
	k := s.key.sub(uint64(tagMandate)).sub(uint64(s.mandates))
	s.mandates++
	m := &mandate{id: "mdt_" + s.stem + "_" + number(uint64(s.mandates), 1), created: created, spentTo: seen, death: never,
		left: k.exp(tagRevoke), raisedFrom: -revokeWindow}
	m.maxAmount = data.Paise(float64(s.amount(cycle)) * s.headroom)
	if w.off&Mandates != 0 {
		m.left = math.Inf(1)
	} else if s.rail != data.Card && k.happens(tagExpiry, validShort) {
		m.validUntil = midnight(seen + 60*data.Day + data.Micros(k.sub(1).unit(tagExpiry)*float64(540*data.Day)))
	}
	m.raise = w.nature.Revoke * 2 * (1 - c.intent)
	return m
}
