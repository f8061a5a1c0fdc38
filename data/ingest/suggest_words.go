package ingest

import (
	"slices"
	"strings"
	"sync"

	"recoup/data"
)

// known are other people's words for a field's, in the form of normal. What
// could be two things is in no list.
var known = map[string]map[string][]string{
	"status": {
		"captured": {"captured", "success", "succeeded", "successful", "successfull", "ok", "paid", "settled", "approved", "complete", "completed",
			"charged", "done", "credit", "confirmed", "txnsuccess", "paymentsuccess", "erfolgreich", "bezahlt"},
		"failed": {"failed", "fail", "failure", "declined", "decline", "error", "rejected", "denied", "unsuccessful", "notok", "nok", "bounced", "bounce",
			"returned", "authenticationfailed", "authorizationfailed", "txnfailure", "paymentfailed", "requirespaymentmethod", "abgelehnt", "fehlgeschlagen"},
		"pending": {"pending", "processing", "inprogress", "initiated", "created", "started", "new", "authorized", "authorised", "pendingvbv",
			"requiresaction", "requiresconfirmation", "authorizing", "submitted", "offen"},
		"authorized_late": {"authorizedlate", "lateauthorized", "lateauthorised"},
		"refunded":        {"refunded", "refund", "fullyrefunded", "autorefunded", "reversed", "erstattet"},
	},
	"truth": {
		"captured": {"1", "true", "yes", "y", "t"},
		"failed":   {"0", "false", "no", "n", "f"},
	},
	"rail": {
		"card":        {"card", "cards", "creditcard", "debitcard", "cc", "dc", "prepaidcard", "visa", "mastercard", "rupay", "kreditkarte"},
		"upi_autopay": {"upiautopay", "upimandate", "upirecurring", "autopay"},
		"emandate":    {"emandate", "nach", "enach", "enachmandate", "physicalnach", "directdebit", "npcinach"},
		"netbanking":  {"netbanking", "nb", "internetbanking"},
		"wallet":      {"wallet", "wallets", "ppi"},
	},
	"network": {
		"visa": {"visa"}, "mastercard": {"mastercard", "master", "mc", "maestro"}, "rupay": {"rupay"},
		"amex": {"amex", "americanexpress"}, "diners": {"diners", "dinersclub"},
		"": {"jcb", "discover", "unionpay", "cartesbancaires", "unknown", "other"}, // taken as they are
	},
	"initiator": {
		"recoup":   {"recoup"},
		"provider": {"provider", "gateway", "psp", "auto", "automatic", "system", "scheduler"},
		"customer": {"customer", "user", "manual", "payer"},
	},
	"reason": {
		"insufficient_funds": {"insufficientbalance", "lowbalance", "insufficientfundsinaccount", "notsufficientfunds", "nsf"},
		"card_expired":       {"expiredcard"},
		"incorrect_cvv":      {"invalidcvv", "incorrectcvc"},
		"incorrect_otp":      {"invalidotpentered"},
		"payment_timed_out":  {"timeout", "timedout", "paymenttimeout"},
		"payment_cancelled":  {"cancelledbyuser", "usercancelled", "canceledbyuser"},
		"mandate_not_active": {"mandateinactive"},
	},
}

// nothingWords say that there is nothing: a reason of a success, as a rule.
var nothingWords = []string{"", "na", "none", "null", "nil", "success", "successful", "ok", "approved", "noerror", "e000"}

// translate is the field's word for a word of the file; ok is false where the
// lists do not know it.
func translate(field, word string) (to string, ok bool) {
	n := normal(word)
	if field == "reason" {
		if r, ok := reasonNamed(n); ok {
			return r, true
		}
	}
	for to, words := range known[field] {
		if slices.Contains(words, n) { // no word is in two lists: a test
			return to, true
		}
	}
	return "", false
}

// reasonNamed finds a reason whose name differs in capitals and marks alone.
func reasonNamed(n string) (string, bool) {
	name, ok := normalReasons()[n]
	return name, ok
}

// normalReasons are the reasons' names by their letters and digits; of two alike
// the first in the table.
var normalReasons = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, r := range data.Reasons() {
		if n := normal(r.String()); out[n] == "" {
			out[n] = r.String()
		}
	}
	return out
})

// nearReasons are at most two reasons that an unknown text may mean: nearest by
// edits, or made of the same words.
func nearReasons(word string) []string {
	type near struct {
		name string
		far  int
	}
	var all []near
	n, words := normal(word), wordsOf(word)
	for _, r := range data.Reasons() {
		name := r.String()
		far := edits(n, normal(name))
		if far > max(3, len(name)/4) {
			shared, of := 0, wordsOf(name)
			for _, w := range of {
				if slices.Contains(words, w) {
					shared++
				}
			}
			if 3*shared < 2*len(of) || shared < 2 {
				continue
			}
			far = 10 + len(words) - shared
		}
		all = append(all, near{name, far})
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.far - b.far })
	var out []string
	for _, x := range all[:min(2, len(all))] {
		out = append(out, x.name)
	}
	return out
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
}

// edits is the Levenshtein distance of two texts, in bytes.
func edits(a, b string) int {
	if len(a) > 80 || len(b) > 80 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// wordReading is what a column's words are to a field.
type wordReading struct {
	values  []wordValue // in the order of the file
	read    int         // rows whose word is known
	unknown int         // words that are not
}

type wordValue struct {
	from    string
	rows    int
	code    uint32
	to      string // "" and known: null
	known   bool
	literal bool // it is the field's own word: no values: line is needed
}

// asWords reads a column's words by the lists of a field.
func (c *examined) asWords(field, lists string) *wordReading {
	w := &wordReading{}
	for i := range c.levels {
		l := &c.levels[i]
		if l.s == c.name() { // the header again: such a row is put aside
			continue
		}
		v := wordValue{from: l.raw(), rows: l.rows, code: uint32(i + 1)}
		v.to, v.known = translate(lists, v.from)
		if !v.known && field == "reason" && slices.Contains(nothingWords, normal(v.from)) {
			v.known = true
		}
		v.literal = v.known && v.to == v.from && l.kind == textCell
		if v.known {
			w.read += l.rows
		} else {
			w.unknown++
		}
		w.values = append(w.values, v)
	}
	return w
}
