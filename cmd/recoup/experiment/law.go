package experiment

import (
	"cmp"
	"slices"
	"strings"

	"recoup/data"
)

// The law checker reads a log and counts what nobody may do to a customer's
// account. It shares no code and no number with the gate: it is the second
// opinion on it. It judges by what was known when a debit was presented.

// Breach is one debit against one rule.
type Breach struct {
	Rule    string      `json:"rule"`
	Terms   bool        `json:"terms"` // against the provider's or network's terms, not against law
	Case    string      `json:"case_id"`
	Attempt string      `json:"attempt_id"`
	At      data.Micros `json:"at"`
	Why     string      `json:"why"`
}

// Numbers of the law, with their sources.
const (
	legalNotice = 24 * data.Hour                // RBI e-mandate framework: pre-transaction notice at least 24 h before
	upiNotice   = 25 * data.Hour                // Razorpay: a UPI debit runs 25 h after its notice
	cardNotice  = 36*data.Hour + 5*data.Minute  // Razorpay: a card debit runs 36 h 05 min after its notice
	upiStale    = 48 * data.Hour                // NPCI: 24 to 48 h before execution
	rupayStale  = 3 * data.Day                  // Razorpay: a RuPay notice lapses three days after its debit date
	enachRest   = 3 * data.Day                  // Razorpay: an eNACH retry comes 3 days after the final status
	cardRest    = 36 * data.Hour                // Razorpay: a card order is retried by hand every 36 h
	withoutAFA  = data.Paise(15_000_00)         // RBI: no second factor needed up to 15,000 rupees
	wideAFA     = data.Paise(1_00_000_00)       // RBI: up to 1,00,000 rupees in some categories
	presentable = 4                             // NPCI OC-215A: one attempt and three retries
	visaMost    = 15                            // Visa: reattempts of categories 2 to 4 in 30 days
	mcMost      = 35                            // Mastercard: in 30 days
	mcDaily     = 10                            // Mastercard: declines in a day
	peakOne     = 10 * data.Hour                // NPCI: no AutoPay execution from 10:00 to 13:00
	peakOneEnd  = 13 * data.Hour                //
	peakTwo     = 17 * data.Hour                // nor from 17:00 to 21:30 IST
	peakTwoEnd  = 21*data.Hour + 30*data.Minute //
)

var (
	wideCategories = []string{"insurance", "insurance_premium", "mutual_fund", "mutual_fund_subscription", "credit_card_bill"}
	visaNever      = []string{"04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"} // Visa category 1
	adviceNever    = []string{"03", "21"}                                                             // Mastercard: never; stop recurring
)

// Rows are the tables that the law is checked on, as a log holds them.
type Rows struct {
	Attempts      []data.Attempt
	CaseEvents    []data.CaseEvent
	Subscriptions []data.Subscription
	Mandates      []data.Mandate
	Notices       []data.Notice
}

// debit is one presentation with what came of it.
type debit struct {
	data.Attempt             // its first row
	at           data.Micros // presented
	failed, paid data.Micros // when the final word was known; 0 = none
	final        data.Micros // when it was final
	code, advice string
}

// court holds a log by what it is asked for.
type court struct {
	cases    map[string][]*debit // by case, in the order of presentation
	tokens   map[string][]*debit // by instrument
	ends     map[string][]data.CaseEvent
	mandates map[string][]data.Mandate
	subs     map[string][]data.Subscription
	notices  map[string][]data.Notice // pre-debit, by case
	breaches []Breach
}

// Breaches lists every breach of the retries that recoup made, by case and time.
func Breaches(r Rows) []Breach {
	c := &court{cases: map[string][]*debit{}, tokens: map[string][]*debit{}, ends: map[string][]data.CaseEvent{},
		mandates: map[string][]data.Mandate{}, subs: map[string][]data.Subscription{}, notices: map[string][]data.Notice{}}
	c.file(r)
	var ids []string
	for id := range c.cases {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		for n, d := range c.cases[id] {
			if d.Initiator == data.ByRecoup {
				c.judge(d, n)
			}
		}
	}
	return c.breaches
}

// file sorts the log into what is asked for.
func (c *court) file(r Rows) {
	byID := map[string]*debit{}
	for i := range r.Attempts {
		a := &r.Attempts[i]
		if a.Initiator == data.ByCustomer {
			c.ended(a.CaseID, a.Event)
			continue
		}
		d := byID[a.AttemptID]
		if d == nil {
			d = &debit{Attempt: *a, at: a.OccurredAt}
			byID[a.AttemptID] = d
			c.cases[a.CaseID] = append(c.cases[a.CaseID], d)
			if a.InstrumentID != "" {
				c.tokens[a.InstrumentID] = append(c.tokens[a.InstrumentID], d)
			}
		}
		d.at = min(d.at, a.OccurredAt)
		switch {
		case a.Status == data.Failed:
			d.failed, d.final, d.code, d.advice = a.KnownAt, a.OccurredAt, a.ResponseCode, a.AdviceCode
		case a.Status.Paid():
			d.paid = a.KnownAt
		}
	}
	for _, list := range []map[string][]*debit{c.cases, c.tokens} {
		for _, l := range list {
			slices.SortFunc(l, func(a, b *debit) int {
				return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.AttemptID, b.AttemptID))
			})
		}
	}
	for _, e := range r.CaseEvents {
		c.ends[e.CaseID] = append(c.ends[e.CaseID], e)
	}
	for _, m := range r.Mandates {
		c.mandates[m.MandateID] = append(c.mandates[m.MandateID], m)
	}
	for _, l := range c.mandates {
		slices.SortFunc(l, func(a, b data.Mandate) int {
			return cmp.Or(cmp.Compare(a.KnownAt, b.KnownAt), strings.Compare(a.EventID, b.EventID))
		})
	}
	for _, s := range r.Subscriptions {
		c.subs[s.SubscriptionID] = append(c.subs[s.SubscriptionID], s)
	}
	for _, n := range r.Notices {
		if n.Kind == data.PreDebit {
			c.notices[n.CaseID] = append(c.notices[n.CaseID], n)
		}
	}
	for _, l := range c.notices {
		slices.SortFunc(l, func(a, b data.Notice) int {
			return cmp.Or(cmp.Compare(a.OccurredAt, b.OccurredAt), strings.Compare(a.EventID, b.EventID))
		})
	}
}

// ended files the customer's own payment with what ends a case.
func (c *court) ended(caseID string, e data.Event) {
	c.ends[caseID] = append(c.ends[caseID], data.CaseEvent{Event: e, CaseID: caseID, Kind: data.PaidElsewhere})
}

// law and terms note a breach.
func (c *court) law(d *debit, rule, why string)   { c.note(d, rule, why, false) }
func (c *court) terms(d *debit, rule, why string) { c.note(d, rule, why, true) }

func (c *court) note(d *debit, rule, why string, terms bool) {
	c.breaches = append(c.breaches, Breach{Rule: rule, Terms: terms, Case: d.CaseID, Attempt: d.AttemptID, At: d.at, Why: why})
}
