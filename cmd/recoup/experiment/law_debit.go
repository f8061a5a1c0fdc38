package experiment

import (
	"fmt"
	"slices"

	"recoup/data"
)

// judge holds one retry to every rule; n = presentations of the case before it.
func (c *court) judge(d *debit, n int) {
	c.owed(d)
	c.mandate(d)
	c.amount(d)
	c.notice(d)
	c.network(d)
	if d.Rail == data.UPIAutopay {
		if n >= presentable {
			c.law(d, "budget", fmt.Sprintf("presentation %d of the cycle", n+1))
		}
		if t := d.at.ISTTimeOfDay(); t >= peakOne && t < peakOneEnd || t >= peakTwo && t < peakTwoEnd {
			c.law(d, "peak_window", "presented in NPCI's peak hours")
		}
		start, end := c.cycle(d)
		if end != 0 && d.at.ISTDay() >= (end-1).ISTDay() {
			c.terms(d, "last_day", "presented on the cycle's last day or after it; the cycle ends at "+end.String())
		}
		for _, o := range c.tokens[d.InstrumentID] {
			if end != 0 && o.CaseID != d.CaseID && o.at >= start && o.at < end && o.paid != 0 && o.paid <= d.at {
				c.terms(d, "second_debit", "attempt "+o.AttemptID+" of another charge took the cycle's one debit")
				break
			}
		}
	}
}

// owed: no debit after a payment, a dispute or an end that was known, nor while
// an earlier one has no answer.
func (c *court) owed(d *debit) {
	for _, o := range c.cases[d.CaseID] {
		if o == d || o.at > d.at {
			continue
		}
		switch {
		case o.paid != 0 && o.paid <= d.at:
			c.law(d, "after_payment", "attempt "+o.AttemptID+" was known to be paid at "+o.paid.String())
			return
		case o.failed == 0 && o.paid == 0, o.failed > d.at || o.failed == 0 && o.paid > d.at:
			c.law(d, "unanswered", "attempt "+o.AttemptID+" had no answer yet")
			return
		}
	}
	for _, e := range c.ends[d.CaseID] {
		if e.KnownAt > d.at {
			continue
		}
		rule := "after_payment"
		switch e.Kind {
		case data.Disputed:
			rule = "after_dispute"
		case data.CaseCancelled, data.WrittenOff:
			rule = "after_end"
		}
		c.law(d, rule, e.Kind.String()+" was known at "+e.KnownAt.String())
		return
	}
}

// mandateAt is what was known of the debit's mandate; false = nothing.
func (c *court) mandateAt(d *debit) (m data.Mandate, known bool) {
	for _, row := range c.mandates[d.MandateID] {
		if row.KnownAt <= d.at {
			m, known = row, true
		}
	}
	return m, known
}

func (c *court) mandate(d *debit) {
	m, known := c.mandateAt(d)
	if !known {
		return
	}
	switch {
	case m.Status != data.MandateActive:
		c.law(d, "mandate_state", "the mandate was known to be "+m.Status.String())
	case m.ValidUntil != 0 && d.at >= m.ValidUntil:
		c.law(d, "mandate_state", "the mandate ended at "+m.ValidUntil.String())
	}
	if m.MaxAmount != 0 && d.Amount > m.MaxAmount {
		c.law(d, "mandate_cap", fmt.Sprintf("%d paise, the mandate allows %d", d.Amount, m.MaxAmount))
	}
}

// amount: a debit above the cap needs the customer's second factor.
func (c *court) amount(d *debit) {
	limit := withoutAFA
	if m, _ := c.mandateAt(d); d.Network != "RUPAY" && slices.Contains(wideCategories, m.Category) {
		limit = wideAFA
	}
	if d.Amount > limit {
		c.law(d, "afa_cap", fmt.Sprintf("%d paise without a second factor, allowed are %d", d.Amount, limit))
	}
}

// notice: a debit runs on the latest notice sent before it.
func (c *court) notice(d *debit) {
	var n data.Notice
	for _, row := range c.notices[d.CaseID] {
		if row.Status == data.NoticeOptedOut && row.KnownAt <= d.at {
			c.law(d, "opted_out", "the customer opted out at "+row.OccurredAt.String())
			return
		}
		switch {
		case row.OccurredAt > d.at:
		case row.Status == data.NoticeSent:
			n = row
		case row.Status == data.NoticeFailed && row.DebitAt == n.DebitAt && row.KnownAt <= d.at:
			n = data.Notice{}
		}
	}
	age := d.at - n.OccurredAt
	switch {
	case n.EventID == "":
		c.law(d, "notice_missing", "no notice that was not known to have failed")
		return
	case age < legalNotice:
		c.law(d, "notice_young", fmt.Sprintf("sent %s before", span(age)))
	case d.Rail == data.UPIAutopay && age < upiNotice, d.Rail == data.Card && age < cardNotice:
		c.terms(d, "notice_rail", fmt.Sprintf("sent %s before", span(age)))
	case d.Rail == data.UPIAutopay && age > upiStale:
		c.law(d, "notice_old", fmt.Sprintf("sent %s before", span(age)))
	case d.Network == "RUPAY" && n.DebitAt != 0 && d.at > n.DebitAt+rupayStale:
		c.terms(d, "notice_old", "the notice lapsed three days after "+n.DebitAt.String())
	}
	if n.Amount != 0 && n.Amount != d.Amount {
		c.law(d, "notice_amount", fmt.Sprintf("%d paise debited, %d announced", d.Amount, n.Amount))
	}
	c.rest(d)
}

// rest: an eNACH retry waits after the final word on the one before, a card's
// after its presentation.
func (c *court) rest(d *debit) {
	for _, o := range c.cases[d.CaseID] {
		switch {
		case o.at >= d.at:
		case d.Rail == data.EMandate && o.final != 0 && o.failed <= d.at && d.at < o.final+enachRest:
			c.terms(d, "enach_rest", fmt.Sprintf("%s after the final status of %s", span(d.at-o.final), o.AttemptID))
			return
		case d.Rail == data.Card && d.at < o.at+cardRest:
			c.terms(d, "card_rest", fmt.Sprintf("%s after %s", span(d.at-o.at), o.AttemptID))
			return
		}
	}
}

// network: what Visa and Mastercard forbid, where they said something.
func (c *court) network(d *debit) {
	month, today := 0, 0
	for _, o := range c.tokens[d.InstrumentID] {
		if o.at >= d.at || o.failed == 0 || o.failed > d.at {
			continue
		}
		never := d.Network == "VISA" && slices.Contains(visaNever, o.code) || d.Network == "MC" && slices.Contains(adviceNever, o.advice)
		if never && o.Amount == d.Amount {
			c.terms(d, "network_stop", "attempt "+o.AttemptID+" was answered with "+o.code+o.advice)
			return
		}
		if o.Amount == d.Amount && o.at > d.at-30*data.Day {
			month++
			if o.at.ISTDay() == d.at.ISTDay() {
				today++
			}
		}
	}
	if d.Network == "VISA" && month > visaMost || d.Network == "MC" && (month >= mcMost || today >= mcDaily) {
		c.terms(d, "network_count", fmt.Sprintf("%d declines in 30 days, %d today", month, today))
	}
}

// cycle is the cycle that the case's charge fell due in, as known then; 0, 0 = not known.
func (c *court) cycle(d *debit) (start, end data.Micros) {
	due := c.cases[d.CaseID][0].at
	for _, s := range c.subs[d.SubscriptionID] {
		if s.KnownAt <= d.at && s.CycleStart <= due && due < s.CycleEnd {
			start, end = s.CycleStart, s.CycleEnd
		}
	}
	return start, end
}

func span(d data.Micros) string {
	return fmt.Sprintf("%d h %02d min", d/data.Hour, d%data.Hour/data.Minute)
}
