package sim

import "recoup/data"

// Every number of the world, with its source. "Assumption" means that no public
// figure was found and that the value is ours to sweep.
const (
	// Cases and actions.
	maxRetries   = 3                // NPCI OC-215A: one attempt and three retries
	judged       = 21 * data.Day    // horizon of an outcome and of F0; assumption
	writtenOff   = 45 * data.Day    // an unpaid case is given up; assumption
	decisionLag  = 2 * data.Second  // from hearing of a failure to deciding; assumption
	retryCost    = data.Paise(200)  // TRIAGE's attempt cost
	contactCost  = data.Paise(35)   // Reclaim's cost of a WhatsApp message
	escalateCost = data.Paise(4000) // Reclaim's cost of a human
	gridDays     = 14               // Vasooli's grid: 6 h steps over 14 days

	// Customers. Incomes follow TRIAGE's tiers (12,000 to 150,000 rupees a month), as one lognormal.
	incomeMedian   = 32000.0       // rupees a month
	incomeSpread   = 0.45          // sd of log income
	keepMedian     = 0.6           // share of the pay left after rent and loans, in constrained households; assumption
	keepSpread     = 0.30          // assumption
	cushion        = 60.0          // the others keep this many times more; assumption
	drainMedian    = 8.0           // days in which the balance falls to 1/e; assumption
	drainSpread    = 0.20          // assumption
	monthSpread    = 0.30          // sd of a pay cycle's luck in log balance; assumption
	shockSpread    = 2.25          // sd of the fast shock in log balance; assumption
	swept          = 0.14          // chance that another debit or transfer emptied the account first; assumption
	squeezeEvery   = 70 * data.Day // an unforeseen expense; assumption
	squeezeMean    = 4 * data.Day  // assumption
	squeezeDepth   = 1.6           // how far it pushes log balance down; assumption
	secondSub      = 0.35          // customers with a second subscription; assumption
	thirdSub       = 0.08          // assumption
	affordability  = 0.9           // how far the price follows income, as a power; assumption
	issuerDecline  = 0.020         // an issuer's mood on a card debit; TRIAGE has .004 risk, .02 unknown
	accountDecline = 0.004         // the same on an account; assumption

	// Mandates. Revocations: 20 million a month, linked to low balance (Business Standard, Sep 2025);
	// Vasooli lets 8 % be revoked between decision and debit.
	revokeDaily    = 0.00025            // hazard a day of a mandate in peace; assumption
	revokeAfter    = 0.0035             // extra hazard a day after a failed charge, at middling intent
	revokeWindow   = 21 * data.Day      // how long a failed charge is resented; assumption
	renewMean      = 25 * data.Day      // until the customer registers a new mandate; assumption
	validShort     = 0.08               // mandates that end within the log; assumption
	pauseEvery     = 1500 * data.Day    // a customer pauses the mandate in his UPI app; assumption
	pauseMean      = 20 * data.Day      // assumption
	hikeShare      = 0.08               // subscriptions whose price rises once; assumption
	optOutRate     = 0.006              // opt-outs of one announced debit, at middling intent; assumption
	noticeFails    = 0.015              // notices that are not delivered; assumption
	blockEveryCard = 1000 * data.Day    // instrument blocked by bank or risk engine; assumption
	blockEveryBank = 2500 * data.Day    // the same on an account; assumption
	blockMean      = 11 * data.Day      // assumption
	cardLife       = 3 * 365 * data.Day // TRIAGE: card validity -45 to 1095 days
	cardUpdated    = 0.75               // expiries that the issuer's token service hides; assumption
	dayLimitUPI    = 0.004              // days on which the UPI count is used up; assumption
	dayLimitCard   = 0.006              // TRIAGE: breach .012 on 8 % prone

	// Technical. Published technical declines are .02 to .6 % in a normal month and 2 to 6 % in a bad one.
	batchFactor   = 2.0               // batch debits see this times the one-time technical decline; assumption
	healthDecay   = 0.985             // AR(1) coefficient an hour; Reclaim has .985 in 5 min
	healthSpread  = 1.0               // stationary sd in log decline; assumption
	outageEvery   = 9 * data.Day      // per bank; the press counted 32 in 18 months at four banks, smaller ones go unreported
	outageMean    = 300 * data.Minute // reported ones last 87 min on average; TRIAGE has 45 to 420
	gatewayErrors = 0.007             // assumption
	serverErrors  = 0.001             // assumption
	timeouts      = 0.012             // TRIAGE: unknown outcome .02
	lateShare     = 0.35              // unknown outcomes that turn out authorised; Razorpay: under .5 % of payments
	lateMean      = 9 * data.Hour     // until a late authorisation; assumption
	lateMax       = 3 * data.Day      // Razorpay polls the bank for three days

	// Reasons as reported.
	genericReason = 0.040 // payment_failed instead of the true reason; assumption
	wrongReason   = 0.010 // an opaque decline instead of insufficient funds; assumption

	// Cures. 12 to 18 % are fixed without more contact (Churn Buster); the median 12.7 % (Baremetrics, 2026).
	cureDaily    = 0.012 // hazard a day at middling intent; assumption
	cureIntent   = 2.2   // log hazard between no and full intent; assumption
	curePayFirst = 3.0   // factor in the first days after pay; assumption
	curePayDays  = 4.0   // what counts as the first days; assumption
	cureFade     = 9.0   // days in which the urge falls to 1/e, down to a fifth; assumption
	linkDaily    = 0.055 // extra hazard a day after a payment link, at middling intent; assumption
	nudgeDaily   = 0.030 // after a nudge; assumption
	contactFade  = 3.0   // days; assumption
	elsewhere    = 0.35  // cures that reach us as paid_elsewhere; assumption
	promises     = 0.04  // cases with a promise to pay; assumption

	// Lateness of what we are told. Razorpay re-sends webhooks for 24 h.
	tellMedian = 40 * data.Second // assumption
	tellSpread = 1.1              // sd of log delay; assumption
	tellLate   = 0.012            // told hours late; assumption
	tellMean   = 5 * data.Hour    // assumption
	tellMax    = 24 * data.Hour   // Razorpay gives up after a day
)

// payMix: most salaried people are paid on the last working day or the 1st
// (siply); TRIAGE has 1: .55, 7: .25, 2: .10, 10: .10.
var payMix = struct {
	rules   []payRule
	weights []float64
}{
	rules:   []payRule{0, 1, 5, 7, 10, 15, 25},
	weights: []float64{.42, .34, .05, .10, .05, .02, .02},
}

// railMix: Vasooli has 70 % UPI; eMandate is ours.
var railMix = []float64{.62, .22, .16}

var mixedRails = []data.Rail{data.UPIAutopay, data.Card, data.EMandate}

// prices in rupees, Vasooli's list; loans and insurance on eMandate are dearer.
var prices = map[data.Rail][]float64{
	data.UPIAutopay: {199, 299, 499, 799, 1299, 2499, 4999},
	data.Card:       {199, 299, 499, 799, 1299, 2499, 4999},
	data.EMandate:   {1499, 2499, 3999, 5999, 8999, 12999},
}

// headrooms are a mandate's maximum over its price (Vasooli).
var headrooms = []float64{1, 1.2, 1.5, 2}

// severity of an outage: the chance that a debit fails in it (TRIAGE) and how
// often it is of that kind (assumption).
var (
	severityFails = []float64{.08, .38, .85}
	severityMix   = []float64{.30, .40, .30}
)

// bankInfo is what is public about a bank.
type bankInfo struct {
	code       string
	weight     float64 // share of customers; assumption
	technical  float64 // technical decline of one-time UPI, remitter view, NPCI July 2025
	nachReturn float64 // share of NACH debits returned for funds, 18 months to June 2026; others: mean of the four
}

var banks = []bankInfo{
	{"SBIN", 24, .0061, .198},
	{"HDFC", 18, .0008, .187},
	{"ICIC", 14, .0002, .113},
	{"UTIB", 11, .0004, .215},
	{"PUNB", 8, .0019, .186},
	{"BARB", 7, .0022, .186},
	{"KKBK", 6, .0002, .186},
	{"CNRB", 5, .0024, .186},
	{"UBIN", 4, .0020, .186},
	{"BKID", 3, .0244, .186},
}

// constrainedPerReturn turns a bank's NACH returns into its share of households
// that run dry before the next pay; assumption.
const constrainedPerReturn = 2.0
