package features

import "recoup/data"

// num and cat describe a column; the tables it may read stand last.
func num(group, name, unit, doc string, def float64, get func(v *view) float64, tables ...string) column {
	return column{Column{Name: name, Unit: unit, Doc: doc, Group: group, Default: def, Tables: tables,
		Candidate: group == GroupCandidate}, get}
}

func cat(group, name, doc string, levels []string, get func(v *view) uint8, tables ...string) column {
	return column{Column{Name: name, Doc: doc, Group: group, Levels: levels, Tables: tables,
		Candidate: group == GroupCandidate}, func(v *view) float64 { return float64(get(v)) }}
}

const (
	attempts  = "attempts"
	cases     = "case_events"
	subs      = "subscriptions"
	mandates  = "mandates"
	notices   = "notices"
	polls     = "polls"
	promises  = "promises"
	outages   = "downtimes"
	farHours  = 7.0 // log1p of 1,096 hours: long ago or never
	farDays   = 5.9 // log1p of 364 days
	someHours = 4.0
)

// The columns that both schemas share.

func caseColumns() []column {
	g := GroupCase
	return []column{
		cat(g, "class", "what the latest failure's reason calls for", classLevels, func(v *view) uint8 { return uint8(v.failed.reason.Class()) }, attempts),
		cat(g, "cause", "the cause behind the latest failure's reason", causeLevels, causeLevel, attempts),
		cat(g, "rail", "the road of the charge", railLevels, func(v *view) uint8 { return uint8(v.rail) }, attempts),
		cat(g, "bank", "the customer's bank, or the provider that took the attempt", bankLevels, func(v *view) uint8 { return v.bankLevel }, attempts),
		num(g, "amount", "log rupees", "amount owed", 0, func(v *view) float64 { return logRupees(v.amount) }, attempts),
		num(g, "next_no", "count", "number of the attempt that would come next", 1, func(v *view) float64 { return float64(min(v.failed.no+1, 10)) }, attempts),
		num(g, "subscribed", "0 or 1", "the charge belongs to a subscription", 0, func(v *view) float64 { return flag(v.subscribed) }, attempts),
		num(g, "same_reason", "count", "failures in a row for the latest reason", 1, func(v *view) float64 { return float64(min(v.same, 10)) }, attempts),
		num(g, "opted_out", "0 or 1", "the customer opted out of a notice of this case", 0, func(v *view) float64 { return flag(v.optedOut) }, notices),
	}
}

func causeLevel(v *view) uint8 {
	return uint8(max(causeOf(v.failed.reason), data.CauseUnknown) - data.CauseUnknown)
}

func mandateColumns() []column {
	g := GroupMandate
	return []column{
		cat(g, "mandate_status", "the mandate's state at as_of", mandateLevels, func(v *view) uint8 { return uint8(v.mandate.status) }, mandates),
		num(g, "mandate_age", "log days", "since the mandate was created", 0, func(v *view) float64 {
			if v.mandate.created == 0 {
				return 0
			}
			return logDays(v.T - v.mandate.created)
		}, mandates),
		num(g, "mandate_cap_share", "ratio", "amount over the mandate's cap, at most 2", 0.5, (*view).capShare, mandates, attempts),
		num(g, "mandate_changes_30d", "count", "changes of the mandate's state in 30 days, at most 4", 0, func(v *view) float64 { return float64(v.mandateChanges) }, mandates),
	}
}

func customerColumns() []column {
	g := GroupCustomer
	return []column{
		num(g, "cust_tenure", "log days", "since the customer was first seen", 0, func(v *view) float64 { return logDays(v.T - v.firstSeen) }, attempts, mandates, subs),
		num(g, "cust_captures", "log count", "captures ever", 0, func(v *view) float64 { return logCount(v.captures) }, attempts),
		num(g, "cust_rate_90d", "rate", "captured of captured and failed in 90 days, shrunk to 3/4 by 4", 0.75, func(v *view) float64 {
			h := v.history[history90d]
			return shrunk(h.paid, h.paid+h.failed, 3, 4)
		}, attempts),
		num(g, "cust_unpaid_cases", "log count", "failed charges neither paid nor given up, this one included", 0.69, func(v *view) float64 {
			return logCount(v.cases - v.recovered - v.cured - v.ended)
		}, attempts, cases),
		num(g, "cust_cases", "log count", "earlier charges that failed", 0, func(v *view) float64 { return logCount(max(0, v.cases-1)) }, attempts),
		num(g, "cust_cured_rate", "rate", "cases the customer paid by himself, shrunk to 1/10 by 5", 0.1, func(v *view) float64 {
			return float64(2*v.cured+1) / float64(2*max(v.cases-1, v.cured)+10)
		}, attempts, cases),
		num(g, "cust_payday_evidence", "share", "how sure the learned pay day is", 0, func(v *view) float64 {
			return float64(v.payday.evidence) / float64(v.payday.evidence+2*paydayPoints)
		}, attempts),
		num(g, "cust_contacts_7d", "log count", "links and nudges sent to the customer in 7 days", 0, func(v *view) float64 { return logCount(v.contacts7d) }, notices),
		num(g, "cust_streak", "log count", "failures since the latest capture", 0, func(v *view) float64 { return logCount(v.streak) }, attempts),
	}
}
