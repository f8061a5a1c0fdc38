package features

import (
	"slices"
	"sync"

	"recoup/data"
)

// attemptColumns are the columns of the attempt model: will the attempt that is
// presented at the candidate's time capture?
var attemptColumns = sync.OnceValue(func() []column {
	return slices.Concat(caseColumns(), attemptCaseColumns(), mandateColumns(), attemptMandateColumns(),
		customerColumns(), attemptCustomerColumns(), healthColumns(), candidateColumns())
})

func attemptCaseColumns() []column {
	g := GroupCase
	return []column{
		cat(g, "network", "card network", networkLevels, func(v *view) uint8 { return v.network }, attempts),
		cat(g, "source", "who failed, by the latest failure", sourceLevels, func(v *view) uint8 { return v.failed.source }, attempts),
		cat(g, "step", "where it failed, by the latest failure", stepLevels, func(v *view) uint8 { return v.failed.step }, attempts),
		cat(g, "advice", "the network's advice code with the latest failure", adviceLevels, func(v *view) uint8 { return v.failed.advice }, attempts),
		cat(g, "response", "the issuer's response code with the latest failure", responseLevels, func(v *view) uint8 { return v.failed.response }, attempts),
		num(g, "first_failure_age", "log seconds", "from the first known failure to the decision", 0, func(v *view) float64 { return logSeconds(v.T - v.first) }, attempts),
		num(g, "result_lag", "log seconds", "from the latest failed attempt's presentation until its failure was known", 0, func(v *view) float64 {
			return logSeconds(v.failed.cursor.KnownAt - v.failed.presented)
		}, attempts),
		num(g, "retries_provider", "count", "retries made by the provider", 0, func(v *view) float64 { return float64(v.byProvider) }, attempts),
		num(g, "retries_customer", "count", "attempts made by the customer", 0, func(v *view) float64 { return float64(v.byCustomer) }, attempts),
		num(g, "polls", "log count", "status checks of the case's attempts", 0, func(v *view) float64 { return logCount(v.polls) }, polls),
		num(g, "links", "log count", "payment links sent for the case", 0, func(v *view) float64 { return logCount(v.Past.links) }, notices),
		num(g, "nudges", "log count", "nudges sent for the case", 0, func(v *view) float64 { return logCount(v.Past.nudges) }, notices),
		num(g, "promises_broken", "log count", "promises of the case broken", 0, func(v *view) float64 { return logCount(v.broken) }, promises),
	}
}

func attemptMandateColumns() []column {
	g := GroupMandate
	return []column{
		cat(g, "mandate_cap_kind", "which cap without second factor applies", capLevels, func(v *view) uint8 { return v.mandate.capLevel }, mandates),
		cat(g, "notice_status", "how far the latest pre-debit notice got", noticeLevels, func(v *view) uint8 { return uint8(v.notice.status) }, notices),
		num(g, "notice_differs", "0 or 1", "the notice named another amount", 0, func(v *view) float64 {
			return flag(v.notice.amount != 0 && v.notice.amount != v.amount)
		}, notices, attempts),
		cat(g, "subscription_status", "the subscription's state at as_of", subLevels, func(v *view) uint8 { return uint8(v.sub.status) }, subs),
	}
}

func attemptCustomerColumns() []column {
	g := GroupCustomer
	return []column{
		num(g, "cust_failures_30d", "log count", "failed attempts in 30 days", 0, func(v *view) float64 { return logCount(v.history[history30d].failed) }, attempts),
		num(g, "cust_failures_7d", "log count", "failed attempts in 7 days", 0, func(v *view) float64 { return logCount(v.history[history7d].failed) }, attempts),
		num(g, "cust_recovered_rate", "rate", "earlier cases paid by a retry, shrunk to 1/2 by 4", 0.5, func(v *view) float64 {
			return shrunk(v.recovered, max(v.cases-1, v.recovered), 2, 4)
		}, attempts),
		num(g, "cust_retry_rate", "rate", "captured of all retries remembered, shrunk to 1/3 by 3", 0.33, func(v *view) float64 {
			return shrunk(v.retriesPaid, v.retries, 1, 3)
		}, attempts),
		num(g, "cust_funds_rate", "rate", "charges that lacked funds and were paid after all, shrunk to 1/2 by 4", 0.5, func(v *view) float64 {
			return shrunk(v.fundsPaid, v.funds, 2, 4)
		}, attempts),
		num(g, "cust_funds_share", "rate", "failures for lack of funds among outcomes of 180 days, shrunk to 1/5 by 5", 0.2, func(v *view) float64 {
			h := v.history[history180d]
			return shrunk(h.funds, h.paid+h.failed, 1, 5)
		}, attempts),
		num(g, "cust_recovery_lag", "log hours", "mean time from failure to payment by a retry", someHours, func(v *view) float64 {
			if v.recovered == 0 {
				return someHours
			}
			return logHours(v.lagTotal / data.Micros(v.recovered))
		}, attempts),
		num(g, "cust_paid_total", "log rupees", "captured ever", 0, func(v *view) float64 { return logRupees(v.paidTotal) }, attempts),
		num(g, "cust_paid_30d", "log rupees", "captured in 30 days", 0, func(v *view) float64 { return logRupees(v.history[history30d].paise) }, attempts),
		num(g, "cust_amount_deviation", "mean absolute deviations", "amount against past captures, in [-5, 5]", 0, (*view).amountDeviation, attempts),
		num(g, "cust_amount_rank", "share", "past captures of a smaller amount, shrunk to 1/2 by 2", 0.5, func(v *view) float64 { return shrunk(v.smaller, v.captured, 1, 2) }, attempts),
		num(g, "cust_last_capture", "log hours", "since the latest capture", farHours, func(v *view) float64 { return logHoursSince(v.T, v.lastPaid, farHours) }, attempts),
		num(g, "cust_last_failure", "log hours", "since the latest failure of another case", farHours, func(v *view) float64 { return logHoursSince(v.T, v.lastFailed, farHours) }, attempts),
		num(g, "cust_refunds", "log count", "refunds ever", 0, func(v *view) float64 { return logCount(v.refunds) }, attempts),
		num(g, "cust_disputes", "log count", "disputes ever", 0, func(v *view) float64 { return logCount(v.disputes) }, cases),
	}
}

func healthColumns() []column {
	g := GroupHealth
	worse := func(name, doc string, w int) column {
		return num(g, name, "rate", doc, 0, func(v *view) float64 {
			base := v.bank[health30d]
			return deviation(v.bank[w].failed, v.bank[w].n, base.failed, base.n)
		}, attempts)
	}
	technical := func(name, doc string, w int) column {
		return num(g, name, "rate", doc, 0, func(v *view) float64 {
			base := v.bank[health30d]
			return deviation(v.bank[w].technical, v.bank[w].n, base.technical, base.n)
		}, attempts)
	}
	rail := func(name, doc string, w int) column {
		return num(g, name, "rate", doc, 0, func(v *view) float64 {
			base := v.railHealth[health30d]
			return deviation(v.railHealth[w].failed, v.railHealth[w].n, base.failed, base.n)
		}, attempts)
	}
	return []column{
		num(g, "bank_fails_30d", "rate", "the bank's own baseline: failed of all outcomes on this rail, shrunk to 1/4 by 20", 0.25, func(v *view) float64 {
			return shrunk(v.bank[health30d].failed, v.bank[health30d].n, 5, 20)
		}, attempts),
		worse("bank_worse_10m", "bank's failure rate in 10 minutes over its own 30-day baseline, shrunk by 20", health10m),
		worse("bank_worse_1h", "the same, 1 hour", health1h),
		worse("bank_worse_6h", "the same, 6 hours", health6h),
		worse("bank_worse_24h", "the same, 24 hours", health24h),
		worse("bank_worse_7d", "the same, 7 days", health7d),
		technical("bank_down_1h", "bank's technical failures in 1 hour over its own 30-day baseline, shrunk by 20", health1h),
		technical("bank_down_6h", "the same, 6 hours", health6h),
		technical("bank_down_24h", "the same, 24 hours", health24h),
		num(g, "bank_volume_1h", "log count", "outcomes of the bank in 1 hour", 0, func(v *view) float64 { return logCount(v.bank[health1h].n) }, attempts),
		num(g, "rail_fails_30d", "rate", "the rail's own baseline, shrunk to 1/4 by 20", 0.25, func(v *view) float64 {
			return shrunk(v.railHealth[health30d].failed, v.railHealth[health30d].n, 5, 20)
		}, attempts),
		rail("rail_worse_1h", "rail's failure rate in 1 hour over its own 30-day baseline, shrunk by 20", health1h),
		rail("rail_worse_24h", "the same, 24 hours", health24h),
		num(g, "other_rails_1h", "rate", "failed of all outcomes on the other rails in 1 hour, shrunk to 1/4 by 20", 0.25, func(v *view) float64 {
			return shrunk(v.other1h.failed, v.other1h.n, 5, 20)
		}, attempts),
		num(g, "downtime", "0 to 3", "worst severity of an outage of the rail or bank at the decision", 0, func(v *view) float64 {
			return float64(downAt(&v.spans, v.T, v.T))
		}, outages),
	}
}

func candidateColumns() []column {
	g := GroupCandidate
	return append([]column{
		num(g, "cand_delay", "log seconds", "from the latest known failure to the candidate", 0, func(v *view) float64 {
			return logSeconds(v.at - v.failed.cursor.KnownAt)
		}, attempts),
		num(g, "cand_hour_sin", "sine", "time of day, IST", 0, func(v *view) float64 { return v.hour.sin }),
		num(g, "cand_hour_cos", "cosine", "time of day, IST", 0, func(v *view) float64 { return v.hour.cos }),
		num(g, "cand_peak", "0 or 1", "inside NPCI's peak windows, 10:00-13:00 and 17:00-21:30 IST", 0, func(v *view) float64 { return flag(peakWindow(v.at)) }),
		num(g, "cand_notice_age", "log hours", "since the pre-debit notice", farHours, func(v *view) float64 { return logHoursSince(v.at, v.notice.at, farHours) }, notices),
		num(g, "cand_debit_gap", "log hours", "after the debit time that the notice announced", farHours, func(v *view) float64 { return logHoursSince(v.at, v.notice.debit, farHours) }, notices),
		num(g, "cand_downtime", "0 to 3", "worst severity of an outage at the candidate, as known at the decision", 0, func(v *view) float64 {
			return float64(downAt(&v.spans, v.at, v.T))
		}, outages),
		num(g, "cand_since_downtime", "log hours", "since the latest outage's end, at most 7 days", 5.13, (*view).sinceDowntime, outages),
		num(g, "cand_last_link", "log hours", "since the latest payment link", farHours, func(v *view) float64 { return logHoursSince(v.at, v.lastLink, farHours) }, notices),
		num(g, "cand_last_nudge", "log hours", "since the latest nudge", farHours, func(v *view) float64 { return logHoursSince(v.at, v.lastNudge, farHours) }, notices),
	}, momentColumns("cand_", g)...)
}

// AttemptSchema describes the rows of the attempt model.
func AttemptSchema() Schema {
	return Schema{Name: "attempt", Version: 1, Columns: described(attemptColumns()), Blocks: []Block{
		{"class x delay", "class", "cand_delay"},
		{"class x pay-cycle position", "class", "cand_payday_expected"},
		{"class x pay day crossed", "class", "cand_payday_crossed"},
		{"class x common pay day", "class", "cand_common_since"},
		{"class x bank health", "class", "bank_worse_6h"},
		{"class x rail health", "class", "rail_worse_1h"},
		{"class x outage at the candidate", "class", "cand_downtime"},
		{"class x attempt number", "class", "next_no"},
		{"attempt number x pay-cycle position", "next_no", "cand_payday_expected"},
		{"pay day evidence x common pay day", "cust_payday_evidence", "cand_common_since"},
		{"delay x bank outage", "bank_down_1h", "cand_delay"},
	}}
}

func described(cs []column) []Column {
	out := make([]Column, len(cs))
	for i, c := range cs {
		out[i] = c.Column
		out[i].Levels, out[i].Tables = slices.Clone(c.Levels), slices.Clone(c.Tables)
	}
	return out
}

// AttemptRow appends the row of a candidate: one number a column of
// AttemptSchema, a category as the index of its level. The candidate is a
// retry, not before the decision time.
func (p *Past) AttemptRow(dst []float64, c data.Candidate) ([]float64, error) {
	return p.Rows().Attempt(dst, c)
}

// Rows makes many rows of one Past without allocating for each: a grid of
// candidates, say. It is for one goroutine; several may share the Past.
type Rows struct {
	past *Past
	v    view
}

// Rows is a maker of rows.
func (p *Past) Rows() *Rows { return &Rows{past: p} }

// Attempt is AttemptRow.
func (r *Rows) Attempt(dst []float64, c data.Candidate) ([]float64, error) {
	if c.Action != data.Retry {
		return dst, data.Faultf(data.ErrUsage, "features: case %s: candidate %s: the attempt model speaks of retries only", r.past.CaseID, c)
	}
	if c.At < r.past.T {
		return dst, data.Faultf(data.ErrUsage, "features: case %s: candidate %s is before the decision at %s", r.past.CaseID, c, r.past.T)
	}
	r.v = r.past.viewAt(c.At)
	return r.v.row(dst, attemptColumns()), nil
}
