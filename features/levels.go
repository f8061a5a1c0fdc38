package features

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"recoup/data"
)

// The vocabularies of the categories. Level 0 is always "unknown"; an open
// vocabulary names what is common and ends in "other", or in several "other",
// among which a hash of the text chooses: a file with providers or steps that
// nobody here has heard of still tells them apart.
var (
	classLevels   = levelsOf(data.Classes())
	railLevels    = levelsOf(data.Rails())
	causeLevels   = levelsOf(data.FailureClasses()[1:]) // CauseUnknown is level 0
	mandateLevels = []string{"unknown", "active", "paused", "revoked", "expired"}
	noticeLevels  = []string{"unknown", "sent", "delivered", "failed", "opted_out"}
	subLevels     = []string{"unknown", "created", "authenticated", "active", "pending", "halted", "paused", "cancelled", "completed", "expired"}
	weekdayLevels = []string{"unknown", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

	bankLevels = append([]string{"unknown", "sbi", "hdfc", "icici", "axis", "kotak", "pnb", "bob", "canara", "union", "boi",
		"iob", "indusind", "yes", "idfc", "federal", "idbi", "airtel", "paytm"}, others(32)...)
	networkLevels = []string{"unknown", "visa", "mastercard", "rupay", "amex", "diners", "other"}
	sourceLevels  = []string{"unknown", "customer", "customer_psp", "bank", "issuer_bank", "beneficiary_bank", "gateway",
		"network", "business", "internal", "other"}
	stepLevels = append([]string{"unknown", "payment_initiation", "payment_authentication", "payment_authorization",
		"payment_request", "payment_debit_request", "payment_debit_response", "payment_response", "payment_capture"}, others(8)...)
	// Mastercard's merchant advice codes; 24 to 30 name a wait.
	adviceLevels = []string{"unknown", "01", "02", "03", "04", "21", "24", "25", "26", "27", "28", "29", "30", "other"}
	// ISO 8583 response codes that issuers use for recurring debits.
	responseLevels = []string{"unknown", "04", "05", "12", "14", "41", "43", "51", "54", "57", "59", "61", "62", "65", "91", "96", "other"}
	// What RBI's additional-factor caps tell apart.
	capLevels = []string{"unknown", "regular", "insurance", "mutual_fund", "credit_card", "other"}
)

// others are n levels for texts that a vocabulary does not name.
func others(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("other_%d", i+1)
	}
	return out
}

// levelsOf names a typed word's values after level 0.
func levelsOf[E interface{ String() string }](words []E) []string {
	out := []string{"unknown"}
	for _, w := range words {
		out = append(out, w.String())
	}
	return out
}

// openLevel finds a text in an open vocabulary: 0 when empty, one of the levels
// for others when it is not named there. Case does not count.
func openLevel(levels []string, s string) uint8 {
	if s == "" {
		return 0
	}
	other := slices.IndexFunc(levels, func(l string) bool { return strings.HasPrefix(l, "other") })
	for i := 1; i < other; i++ {
		if strings.EqualFold(levels[i], s) {
			return uint8(i)
		}
	}
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(s))) // a hash never fails
	return uint8(other + int(h.Sum32()%uint32(len(levels)-other)))
}

// aliases are the other spellings of an open vocabulary's levels.
var aliases = map[string]string{
	"master": "mastercard", "mc": "mastercard", "american express": "amex", "sbin": "sbi", "utib": "axis", "icic": "icici",
	"kkbk": "kotak", "punb": "pnb", "punb_r": "pnb", "barb_r": "bob", "barb": "bob", "cnrb": "canara", "ubin": "union", "bkid": "boi",
	"ioba": "iob", "indb": "indusind", "yesb": "yes", "idfb": "idfc", "fdrl": "federal", "ibkl": "idbi",
	"airp": "airtel", "pytm": "paytm", "issuer": "issuer_bank", "beneficiary": "beneficiary_bank",
}

// spelled is openLevel after the aliases.
func spelled(levels []string, s string) uint8 {
	l := openLevel(levels, s)
	if !strings.HasPrefix(levels[l], "other") {
		return l
	}
	if a, ok := aliases[strings.ToLower(s)]; ok {
		return openLevel(levels, a)
	}
	return l
}
