package score

import "recoup/features"

// What attempts are worth that are kept for later is worked out backwards over
// (attempts left, days left). All numbers are shares of the amount, as floats.
//
// Let surv(d) be the chance that nobody pays of himself on day d, q(d) the best
// capture among the day's allowed retries as the model sees it now, a the policy's
// share of a further attempt against the one before it, K the attempts left now,
// g the days from one attempt to the next, c the cost of an attempt over the
// amount, D the horizon. The loss, what stays unpaid and what attempts cost, from
// the morning of day d on with k attempts left, is
//
//	L(k, D) = 1
//	L(0, d) = surv(d) L(0, d+1)
//	L(k, d) = min( surv(d) L(k, d+1),
//	               c + surv(d) (1 - a^(K-k) q(d)) surv(d+1)...surv(d+g-1) L(k-1, d+g) )
//
// with day d+g no later than D. A retry on day d with capture q goes on to day
// e = d+g; of what is unpaid then, S = surv(first)...surv(e-1) (1-q), it leaves
//
//	Later       = S (L(0, e) - L(K, e))     what K attempts would bring from there
//	Opportunity = S (L(K-1, e) - L(K, e))   what is missing because one was used
//
// A contact uses no attempt: its Later counts from the policy's days of rest on,
// with the days' hazards as the contact leaves them.

// maxAhead is how many attempts are looked ahead: more hardly fit a horizon.
const maxAhead = 8

// days is a share for each day of the horizon.
type days [features.CureDays]float64

// ahead is one such table.
type ahead struct {
	first, end int // day of the decision, and D
	k, gap     int
	cost       float64
	again      float64 // a
	surv, q    days
	loss       [maxAhead + 1][features.CureDays + 1]float64
}

// solve fills the losses.
func (a *ahead) solve() {
	for k := 0; k <= a.k; k++ {
		a.loss[k][a.end] = 1
	}
	for k := 0; k <= a.k; k++ {
		share := 1.0 // a^(K-k)
		for range a.k - k {
			share *= a.again
		}
		for d := a.end - 1; d >= a.first; d-- {
			a.loss[k][d] = float64(a.surv[d] * a.loss[k][d+1])
			if k == 0 || a.q[d] == 0 {
				continue
			}
			e := a.next(d, a.gap)
			tried := a.cost + float64(float64(1-float64(share*a.q[d]))*a.unpaid(d, e)*a.loss[k-1][e])
			a.loss[k][d] = min(a.loss[k][d], tried)
		}
	}
}

// next is the day some days after d, or the end.
func (a *ahead) next(d, days int) int { return min(d+days, a.end) }

// unpaid is the chance that nobody pays of himself on days d to before e.
func (a *ahead) unpaid(d, e int) float64 {
	out := 1.0
	for ; d < e; d++ {
		out *= a.surv[d]
	}
	return out
}

// afterRetry is what a retry on day d that captures with q leaves to later ones.
func (a *ahead) afterRetry(d int, q float64) (later, opportunity float64) {
	e := a.next(d, a.gap)
	s := float64((1 - q) * a.unpaid(a.first, e))
	return float64(s * (a.loss[0][e] - a.loss[a.k][e])), float64(s * (a.loss[max(a.k-1, 0)][e] - a.loss[a.k][e]))
}

// afterContact is what retries are worth that follow a contact on day d.
func (a *ahead) afterContact(d, rest int) float64 {
	e := a.next(d, rest)
	return float64(a.unpaid(a.first, e) * (a.loss[0][e] - a.loss[a.k][e]))
}
