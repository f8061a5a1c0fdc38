package sim

import (
	"math"

	"recoup/data"
)

// key is the root of a family of dice. Dice with different tags or numbers are
// independent; the same path always gives the same number.
type key uint64

// sub is the key of a child, by its number.
func (k key) sub(n uint64) key {
	// splitmix64's finaliser (Steele, Lea, Flood 2014) over a golden-ratio walk.
	x := uint64(k) ^ (n+1)*0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return key(x ^ x>>31)
}

// unit is a uniform number in [0, 1) with 53 bits.
func (k key) unit(t tag) float64 { return float64(k.sub(uint64(t))>>11) * 0x1p-53 }

// happens is true with probability p.
func (k key) happens(t tag, p float64) bool { return k.unit(t) < p }

// normal is a standard normal number.
func (k key) normal(t tag) float64 {
	return math.Sqrt2 * math.Erfinv(2*(k.unit(t)+0x1p-54)-1)
}

// exp is an exponential number with mean 1.
func (k key) exp(t tag) float64 { return -math.Log1p(-k.unit(t)) }

// span is an exponential span of time.
func (k key) span(t tag, mean data.Micros) data.Micros {
	return data.Micros(k.exp(t) * float64(mean))
}

// pick chooses an index with probability proportional to its weight.
func (k key) pick(t tag, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := k.unit(t) * sum
	for i, w := range weights {
		if u -= w; u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// tag names a die. New tags go at the end: the numbers decide the draws.
type tag uint64

const (
	tagBank tag = iota + 1
	tagCustomer
	tagSubscription
	tagMandate
	tagCase
	tagAttempt
	tagDecision
	tagDay
	tagSpell
	tagContact
	tagMain // the one die of a key that needs no other
	tagSecond
	tagThird
	tagPayDay
	tagPayHour
	tagIncome
	tagConstrained
	tagKeep
	tagDrain
	tagIntent
	tagMonth
	tagRail
	tagPrice
	tagBilling
	tagStart
	tagHeadroom
	tagHike
	tagExpiry
	tagRenewal
	tagRevoke
	tagGateway
	tagBankAnswer
	tagIssuer
	tagFunds
	tagTimeout
	tagLate
	tagNotice
	tagOptOut
	tagReason
	tagNoise
	tagDelay
	tagDelayTail
	tagSettle
	tagCure
	tagRoad
	tagPromise
	tagSqueeze
	tagPause
	tagBlock
	tagOutage
	tagSeverity
	tagScope
	tagReported
	tagNetwork
	tagMerchant
	tagMinute
)

// phi is the standard normal distribution function.
func phi(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// days is a span in days.
func days(m data.Micros) float64 { return float64(m) / float64(data.Day) }

// lognormal is a span with a median and a sd of its logarithm.
func lognormal(k key, median data.Micros, sd float64) data.Micros {
	return data.Micros(float64(median) * math.Exp(sd*k.normal(tagMain)))
}
