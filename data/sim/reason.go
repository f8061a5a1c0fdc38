package sim

import (
	"sync"

	"recoup/data"
)

// vocabulary is the reasons that the world's mechanisms speak.
type vocabulary struct {
	funds, paymentDeclined, overLimit, actionRequired, optedOut, gateway, server, cardExpired, cardDeclined,
	mandateDead, mandateExpired, bankDown, bankError, issuerError, traffic, requestTimeout, paymentTimeout,
	blocked, inactive, restricted, risk, frequency, dailyLimit, debitDeclined, generic data.Reason
}

// words is the vocabulary, looked up once.
var words = sync.OnceValue(func() *vocabulary {
	r := data.MustReason
	return &vocabulary{
		funds: r("insufficient_funds"), paymentDeclined: r("payment_declined"), overLimit: r("transaction_limit_exceeded"),
		actionRequired: r("customer_action_required"), optedOut: r("payment_cancelled"), gateway: r("gateway_technical_error"),
		server: r("server_error"), cardExpired: r("card_expired"), cardDeclined: r("card_declined"),
		mandateDead: r("mandate_not_active"), mandateExpired: r("mandate_expired"), bankDown: r("bank_not_available"),
		bankError: r("bank_technical_error"), issuerError: r("issuer_technical_error"),
		traffic: r("payment_declined_due_to_high_traffic"), requestTimeout: r("request_timed_out"),
		paymentTimeout: r("payment_timed_out"), blocked: r("debit_instrument_blocked"), inactive: r("debit_instrument_inactive"),
		restricted: r("account_restricted"), risk: r("payment_risk_check_failed"),
		frequency: r("transaction_frequency_limit_exceeded"), dailyLimit: r("transaction_daily_limit_exceeded"),
		debitDeclined: r("debit_declined"), generic: r("payment_failed"),
	}
})

// deadReason: UPI names an expired mandate, eMandate does not; a card's revoked
// mandate shows as a plain decline by the issuer.
func deadReason(r data.Rail, expired bool) data.Reason {
	switch {
	case r == data.Card:
		return words().paymentDeclined
	case r == data.UPIAutopay && expired:
		return words().mandateExpired
	}
	return words().mandateDead
}

func bankReason(r data.Rail, outage bool, k key) data.Reason {
	switch {
	case r == data.UPIAutopay && outage:
		return words().bankDown
	case r == data.UPIAutopay && k.happens(tagReason, .25):
		return words().traffic
	case r == data.Card && outage:
		return words().issuerError
	}
	return words().bankError
}

// blockReason holds for a whole spell, so k is the spell's key.
func blockReason(r data.Rail, k key) data.Reason {
	list := []data.Reason{words().blocked, words().inactive, words().restricted, words().risk}
	weights := []float64{.4, .2, .3, .1}
	switch r {
	case data.Card:
		list[2], weights = words().cardDeclined, []float64{.25, .10, .50, .15}
	case data.EMandate:
		weights = []float64{.5, .4, 0, .1}
	}
	return list[k.pick(tagReason, weights)]
}

func moodReason(r data.Rail) data.Reason {
	switch r {
	case data.Card:
		return words().cardDeclined
	case data.UPIAutopay:
		return words().debitDeclined
	}
	return words().paymentDeclined
}

func dayLimitReason(r data.Rail) data.Reason {
	if r == data.Card {
		return words().dailyLimit
	}
	return words().frequency
}

func timeoutReason(r data.Rail) data.Reason {
	if r == data.EMandate {
		return words().paymentTimeout
	}
	return words().requestTimeout
}

// reported is the reason that reaches the log: now and then a generic one, or an
// opaque decline where the balance was short.
func (q *charge) reported(v verdict, k key) data.Reason {
	if q.w.off&ReasonNoise != 0 {
		return v.reason
	}
	switch u := k.unit(tagNoise); {
	case u < genericReason:
		return words().generic
	case u < genericReason+wrongReason && v.cause == Funds:
		if q.s.rail == data.Card {
			return words().cardDeclined
		}
		return words().paymentDeclined
	}
	return v.reason
}

// errorCode is Razorpay's coarse code for a reason.
func errorCode(r data.Reason) string {
	switch r {
	case words().server:
		return "SERVER_ERROR"
	case words().gateway, words().bankDown, words().bankError, words().issuerError, words().traffic, words().requestTimeout,
		words().paymentTimeout, words().generic:
		return "GATEWAY_ERROR"
	}
	return "BAD_REQUEST_ERROR"
}
