package razorpay

import "strings"

// currencies are the codes of ISO 4217 with two decimals: amounts of the log are
// in the hundredth, and others would be misread.
const currencies = " AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP " +
	"CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS " +
	"KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP " +
	"PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD " +
	"UYU UZS VES WST XCD YER ZAR ZMW "

// currency reads a code.
func (f *fields) currency(at slot) string {
	if !f.need(at) {
		return ""
	}
	b := f.bytes(at)
	if b == nil {
		return ""
	}
	w := string(b)
	if len(w) != 3 || !strings.Contains(currencies, " "+w+" ") {
		f.fault(at, "", "unknown currency: expected a code of ISO 4217 with two decimals, such as INR")
		return ""
	}
	return w
}
