package pages

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"recoup/api/report"
	"recoup/data"
)

// words are the functions of the templates.
var words = template.FuncMap{
	"when":   report.When,
	"list":   func(s []string) string { return strings.Join(s, ", ") },
	"rupees": rupees,
	"ist":    ist,
	"short":  short,
	"snake":  snake,

	"inForce":  inForce,
	"casePath": casePath,
}

// snake lets a browser break a long name after its underscores.
func snake(s string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(s), "_", "_<wbr>"))
}

var india = time.FixedZone("IST", int(data.ISTOffset/data.Second))

// ist is an instant on India's clock, seconds only where there are some:
// "Tue 3 Feb 2026, 06:00".
func ist(t data.Micros) string {
	at := t.Time().In(india)
	if at.Truncate(time.Minute).Equal(at) {
		return at.Format("Mon 2 Jan 2006, 15:04")
	}
	return at.Format("Mon 2 Jan 2006, 15:04:05")
}

// rupees prints money the Indian way: "₹1,00,000.00", "−₹0.40".
func rupees(p data.Paise) string {
	s := strings.TrimPrefix(p.String(), "-")
	whole, paise, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 2 {
		whole = whole[:i] + "," + whole[i:]
	}
	sign := ""
	if p < 0 {
		sign = "−"
	}
	return sign + "₹" + whole + "." + paise
}

// points is a difference of probabilities, "+11.2 points".
func points(v float64) string {
	s := strconv.FormatFloat(100*v, 'f', 1, 64)
	switch {
	case s == "0.0" || s == "-0.0":
		return "0.0"
	case v > 0:
		return "+" + s
	}
	return strings.Replace(s, "-", "−", 1)
}

// percent is a probability, "62.3 %".
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }

// span is a length of time in whole minutes: "3 days 2 h", "18 h", "40 min".
func span(d data.Micros) string {
	one, word, next := d/data.Minute, " min", data.Micros(0)
	switch {
	case d >= 2*data.Day:
		one, word, next = d/data.Day, " days", d%data.Day/data.Hour*data.Hour
	case d >= data.Hour:
		one, word, next = d/data.Hour, " h", d%data.Hour/data.Minute*data.Minute
	}
	s := strconv.FormatInt(int64(one), 10) + word
	if next > 0 {
		s += " " + span(next)
	}
	return s
}

// longAgo is before any rule: a rule from then has always been in force.
var longAgo = data.IST(2001, 1, 1, 0, 0)

// inForce says from when and until when a rule holds.
func inForce(from, to data.Micros) string {
	s := "always"
	if from > longAgo {
		s = "from " + from.Time().In(india).Format("2 Jan 2006")
	}
	if to != 0 {
		s += " until before " + to.Time().In(india).Format("2 Jan 2006")
	}
	return s
}

// day is ist without the year, for lists that span weeks: "Tue 3 Feb, 06:00".
func day(t data.Micros) string {
	s := ist(t)
	at := strings.LastIndex(s, ", ")
	return s[:at-5] + s[at:]
}

var actionWords = map[data.Action]string{
	data.Wait: "Wait", data.Retry: "Retry", data.PaymentLink: "Payment link", data.Nudge: "Nudge", data.Escalate: "Escalate",
}

var routeWords = map[data.Route]string{
	data.ReMandateLink: "link for a new mandate", data.AFAPaymentLink: "payment link with authentication", data.PlainLink: "plain payment link",
	data.MandateUpgrade: "ask for a higher mandate", data.Winback: "win-back message", data.Authenticate: "ask to authenticate",
	data.HumanReview: "a person reviews it", data.MerchantAlertRoute: "alert the merchant", data.StatusPoll: "check the status",
}

// lists are where a reason's name comes from.
var lists = map[string]string{
	"core110": "the provider's list of error reasons", "recurring": "the provider's pages on recurring payments",
	"turbo_upi": "the provider's list for Turbo UPI", "alias": "another spelling on the provider's pages", "recoup": "recoup's own, for files without reasons",
}

var recurring = map[string]string{
	"documented": "yes, the provider documents it", "inferred": "likely, from what it means", "no": "no",
}

var railWords = map[data.Rail]string{
	data.UPIAutopay: "UPI AutoPay", data.Card: "Card", data.EMandate: "e-mandate", data.Netbanking: "Netbanking", data.Wallet: "Wallet",
}
