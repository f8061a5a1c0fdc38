package matrix

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"recoup/data"
)

// dice make stories whose times and amounts lie at and around the edges of the
// rules. The same number gives the same story.
type dice struct {
	*rand.Rand
	story
	now   data.Micros
	pivot data.Micros // a candidate's time, to which events are laid
	rail  data.Rail
	money data.Paise
	theme theme
}

// theme is what is too rare to be met by chance.
type theme int

const (
	ofTheBank  theme = iota + 1 // fails more than it used to
	ofDeclines                  // many of one amount
	ofLimits                    // of the account
	ofNoReason                  // nothing reported
)

// sides are the distances from an edge.
var sides = []data.Micros{-second, -1, 0, 0, 1, second}

func (d *dice) in(percent int) bool      { return d.IntN(100) < percent }
func (d *dice) side() data.Micros        { return sides[d.IntN(len(sides))] }
func pick[T any](d *dice, of ...T) T     { return of[d.IntN(len(of))] }
func (d *dice) upTo(n int64) data.Micros { return data.Micros(d.Int64N(n)) }

// past is a time not after now.
func (d *dice) past(t data.Micros) data.Micros { return min(t, d.now) }

// borders of days: windows, cut-off, quiet hours, the grid.
var borders = []int64{0, 6 * hour, 8 * hour, 9 * hour, 10 * hour, 12 * hour, 13 * hour, 17 * hour, 18 * hour, 21 * hour, 21*hour + 30*minute}

func (d *dice) border(on day) data.Micros {
	return startOf(on) + data.Micros(pick(d, borders...)) + d.side()
}

func dateOf(year, month, dayOfMonth int) day {
	return dayOf(startOf(day(data.IST(year, 1, 1, 0, 0).ISTDay()))) + day(data.IST(year, 1, 1, 0, 0).Time().AddDate(0, month-1, dayOfMonth-1).Unix()-data.IST(year, 1, 1, 0, 0).Time().Unix())/86400
}

// roll makes story number i of a seed.
func roll(seed, i uint64) *dice {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, i))}
	on := dateOf(2026, 1, 1) + day(d.IntN(365))
	switch n := d.IntN(100); {
	case n < 12: // month ends
		on = dateOf(2026, 2+d.IntN(12), 1) - day(d.IntN(3))
	case n < 22:
		on = pick(d, dateOf(2026, 1, 26), dateOf(2026, 4, 1), dateOf(2026, 8, 15), dateOf(2026, 10, 2), dateOf(2026, 12, 25)) - day(d.IntN(4))
	case n < 32:
		on = dateOf(2025, 8, 1) - day(d.IntN(5))
	case n < 36:
		on = dateOf(2022, 6, 16) - day(d.IntN(4))
	case n < 40:
		on = dateOf(2023, 12, 12) - day(d.IntN(4))
	}
	d.now = startOf(on) + d.upTo(days)
	if d.in(60) {
		d.now = d.border(on)
	}
	d.happens()
	return d
}

// rollAt makes a story that is asked about at a time.
func rollAt(seed, i uint64, now data.Micros) *dice {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, i)), now: now}
	d.happens()
	return d
}

// happens tells the story.
func (d *dice) happens() {
	on := dayOf(d.now)
	switch d.IntN(5) {
	case 0:
		d.pivot = d.now
	case 1:
		d.pivot = d.now + pick(d, data.Micros(24*hour), 25*hour, 36*hour+5*minute, 48*hour, 72*hour, 90*second) + d.side()
	case 2:
		d.pivot = d.border(on + day(d.IntN(22)))
	default:
		d.pivot = d.now + d.upTo(22*days)
	}
	d.pivot = max(d.pivot, d.now)
	d.rail = pick(d, data.UPIAutopay, data.UPIAutopay, data.UPIAutopay, data.UPIAutopay, data.Card, data.Card, data.Card, data.EMandate, data.EMandate, data.Netbanking, data.Wallet)
	d.theme = theme(d.IntN(40))
	if d.theme == ofDeclines {
		d.rail = data.Card
	}
	d.money = pick(d, data.Paise(499_00), 499_00, 499_00, 5_000_00, 15_000_00, 1_00_000_00)
	if d.money != 499_00 {
		d.money += data.Paise(d.IntN(3) - 1)
	}
	failed := d.charge()
	d.mandated()
	d.noticed()
	d.contacted()
	d.surroundings(failed)
}

func (d *dice) presents(at data.Micros, of string, no int32, status data.AttemptStatus) *data.Attempt {
	return d.attempt(at, data.Attempt{CaseID: of, AttemptNo: no, AttemptID: fmt.Sprintf("%s%d", of, no), CustomerID: "cust", SubscriptionID: "s", MandateID: "m",
		Rail: d.rail, Bank: "HDFC", Amount: d.money, Status: status})
}

var likely = []data.Reason{data.MustReason("duplicate_rrn_found"), data.MustReason("insufficient_funds"), data.MustReason("bank_technical_error"), data.MustReason("server_error"), data.MustReason("capture_failed")}

// limits are reasons whose cause is a limit of the account.
var limits = slices.DeleteFunc(data.Reasons(), func(r data.Reason) bool {
	return r.Info().Cause != data.CauseLimitExceeded || r.Class() != data.RetryScheduled
})

// charge tells of the attempts and their status checks; failed = when the latest failed.
func (d *dice) charge() (failed data.Micros) {
	failed = d.now - d.upTo(20*days)
	switch n := d.IntN(10); {
	case n < 5:
		back := pick(d, int64(0), hour, 2*hour, 24*hour, 48*hour, 72*hour, 72*hour, 72*hour, 96*hour, 120*hour, 144*hour, 192*hour, 240*hour, 14*days, 21*days)
		failed = d.past(d.pivot - data.Micros(back) + d.side())
	case n < 7:
		failed = d.now - data.Micros(pick(d, int64(0), 1, second, 90*second, hour)) // just now
	}
	network := pick(d, "", "visa", "visa", "mastercard", "mastercard", "rupay", "amex", "Diners Club")
	if d.rail != data.Card && !d.in(5) {
		network = ""
	}
	if d.theme == ofDeclines {
		network = pick(d, "visa", "mastercard")
	}
	tries := 1 + d.IntN(2)
	if d.in(35) {
		tries = 1 + d.IntN(6)
	}
	no := int32(0)
	for i := range tries {
		at := failed - data.Micros(int64(tries-1-i)*24*hour)
		shown := at - data.Micros(pick(d, int64(0), 0, 1, 90*second, 10*minute, 25*hour))
		who := pick(d, 0, data.ByRecoup, data.ByProvider, data.ByProvider, data.ByCustomer)
		reason := pick(d, likely...)
		if d.in(40) {
			reason = pick(d, data.Reasons()...)
		}
		if d.rail == data.EMandate && d.in(15) {
			reason = data.MustReason("payment_mandate_not_active")
		}
		switch d.theme {
		case ofTheBank:
			reason = pick(d, likely[2], data.MustReason("gateway_technical_error"))
		case ofDeclines:
			reason = likely[0]
		case ofLimits:
			reason = pick(d, limits...)
		case ofNoReason:
			reason = pick(d, data.NotReported, 0)
		}
		var rows []*data.Attempt
		if shown != at {
			rows = append(rows, d.presents(shown, "case", no, data.Pending))
		}
		rows = append(rows, d.presents(at, "case", no, data.Failed))
		for _, a := range rows {
			a.Initiator, a.Network = who, network
		}
		a := rows[len(rows)-1]
		a.Reason, a.ResponseCode, a.AdviceCode = reason, pick(d, "", "51", "14", "R0", "05"), pick(d, "", "", "01", "02", "03", "21", "24", "25", "26", "27", "28", "29", "30", "40", "41")
		if d.in(50) {
			polled := at
			for range 1 + d.IntN(4) {
				polled = d.past(max(polled, d.now-data.Micros(pick(d, int64(0), 90*second, 3*hour))+d.side()))
				d.poll(polled, a.AttemptID, pick(d, data.PollFailed, data.PollFailed, data.PollFailed, data.PollFailed, data.PollFailed, data.PollPending, data.PollUnknown, data.PollCaptured))
			}
		}
		no += int32(1 + d.IntN(20)/19)
	}
	if d.in(4) {
		d.presents(d.past(failed+d.upTo(hour)), "case", no, data.Pending)
	}
	return failed
}

// mandated tells of the mandate, the cycle and what was paid in it.
func (d *dice) mandated() {
	if d.in(85) {
		m := data.Mandate{Rail: d.rail, Status: data.MandateActive, Category: pick(d, "", "", "", "", "regular", "insurance", "mutual_fund", "credit_card", "fastag", "ncmc", "other")}
		if d.in(10) {
			m.Status = pick(d, data.MandatePaused, data.MandateRevoked, data.MandateExpired)
		}
		if d.in(5) {
			m.Rail = pick(d, data.Rails()...)
		}
		if d.in(40) {
			m.MaxAmount = pick(d, d.money-1, d.money, d.money+1, 2*d.money)
			if d.in(60) {
				m.MaxAmount = 2 * d.money
			}
		}
		if d.in(30) {
			m.ValidUntil = d.side() + pick(d, d.now, d.pivot, d.pivot, d.now+data.Micros(24*hour), d.now+25*hour, d.now+36*hour+5*minute, d.now+300*days, d.now+300*days)
		}
		if d.theme != ofDeclines && d.in(40) { // both together are a risk: a person's, after the gate
			m.CreatedAt = pick(d, d.pivot, d.now) - data.Micros(pick(d, int64(0), 48*hour, 48*hour, 120*hour)) + d.side()
		}
		d.mandate(d.now-data.Micros(pick(d, int64(0), hour, 50*days)), m)
	}
	if !d.in(45) {
		return
	}
	end := pick(d, d.now, d.pivot, startOf(dayOf(d.pivot)), startOf(dayOf(d.pivot)+1), startOf(dayOf(d.pivot)+2), d.pivot+data.Micros(20*days), d.pivot+20*days) + d.side()
	start := end - 30*days
	d.subscription(d.now-data.Micros(pick(d, int64(0), 31*days)), start, end)
	if d.in(30) {
		d.presents(d.past(pick(d, start, start+d.upTo(30*days), end)+d.side()), "paid", 0, data.Captured)
	}
}

// noticed tells of the notice of the debit.
func (d *dice) noticed() {
	if !d.in(80) {
		return
	}
	back := pick(d, int64(24*hour), 25*hour, 25*hour, 36*hour+5*minute, 48*hour, 72*hour, 97*hour, 108*hour+5*minute)
	sent := d.past(d.pivot - data.Micros(back) + d.side())
	if d.in(25) {
		sent = d.now - d.upTo(100*hour)
	}
	n := data.Notice{Kind: data.PreDebit, Status: data.NoticeSent, Amount: d.money, MandateID: "m"}
	if d.in(12) {
		n.Amount = pick(d, 0, d.money-1, d.money+1)
	}
	n.DebitAt = pick(d, 0, 0, d.pivot, d.pivot-data.Micros(72*hour)+d.side(), sent+25*hour)
	d.notice(sent, n)
	if d.in(40) {
		n.Status = pick(d, data.NoticeDelivered, data.NoticeDelivered, data.NoticeDelivered, data.NoticeFailed, data.NoticeOptedOut)
		d.notice(d.past(sent+data.Micros(pick(d, int64(0), 1, minute))), n)
	}
}

// contacted tells of links, nudges and promises.
func (d *dice) contacted() {
	if d.in(35) {
		for range 1 + d.IntN(5) {
			at := d.past(pick(d, d.pivot-data.Micros(24*hour), d.pivot-7*days, d.now-d.upTo(9*days)) + d.side())
			d.notice(at, data.Notice{CaseID: pick(d, "case", "paid"), Kind: pick(d, data.NoticePlainLink, data.NoticeAFAPaymentLink, data.NoticeWinback, data.NoticeAuthenticate), Status: data.NoticeSent})
		}
	}
	if d.in(15) {
		for i := range d.IntN(4) {
			of := fmt.Sprintf("old%d", i)
			d.presents(d.now-data.Micros(60*days), of, 0, data.Failed)
			d.promise(d.now-data.Micros(55*days), of, d.now-50*days, data.PromiseBroken)
		}
		d.promise(d.now-data.Micros(pick(d, int64(0), hour)), "case", pick(d, d.pivot+d.side(), d.pivot+30*days), pick(d, data.PromiseMade, data.PromiseMade, data.PromiseMade, data.PromiseKept, data.PromiseBroken))
	}
}

// surroundings tell of outages, the bank, declines of other charges, and ends.
func (d *dice) surroundings(failed data.Micros) {
	if d.in(25) && d.theme != ofTheBank {
		for i := range 1 + d.IntN(2) {
			begin := pick(d, d.now, d.pivot, failed, d.now-d.upTo(5*days)) + d.side()
			o := data.Downtime{DowntimeID: fmt.Sprint("down", i), Rail: d.rail, Bank: pick(d, "HDFC", "HDFC", "", "SBIN"), Severity: pick(d, data.SeverityLow, data.SeverityMedium, data.SeverityHigh), Begin: begin}
			o.Status = pick(d, data.DowntimeStarted, data.DowntimeUpdated, data.DowntimeResolved, data.DowntimeScheduled)
			if o.Status != data.DowntimeStarted {
				o.End = max(begin, pick(d, d.now, d.pivot, failed, begin+data.Micros(4*hour))+d.side())
			}
			d.outage(d.past(max(begin, d.now-d.upTo(hour))), o)
		}
	}
	if d.theme == ofTheBank {
		old, recent := 20+d.IntN(20), 12+d.IntN(12)
		oldBad, bad := d.IntN(6), d.IntN(12)
		for i := range old + recent {
			at := d.now - data.Micros(hour) - d.upTo(4*hour)
			if i < old {
				at -= 9 * days
			}
			a := d.presents(at, fmt.Sprint("other", i), 0, data.Captured)
			a.CustomerID, a.MandateID, a.SubscriptionID = a.CaseID, "", ""
			if i < oldBad || i >= old && i < old+bad {
				a.Status, a.Reason = data.Failed, likely[1]
			}
		}
	}
	if d.theme == ofDeclines {
		recent := d.past(d.now - d.upTo(3*hour))
		for i := range pick(d, 9, 10, 13, 14, 15, 33, 34, 35) {
			at := recent - data.Micros(i)
			if d.in(20) {
				at = d.now - data.Micros(pick(d, int64(30*days), 5*days, 20*days)) + d.side()
			}
			d.presents(at, fmt.Sprint("twin", i), 0, data.Failed)
		}
	}
	if d.in(4) {
		d.ends(d.past(failed+data.Micros(hour)), pick(d, data.PaidElsewhere, data.Disputed, data.CaseCancelled, data.WrittenOff))
	}
	if d.in(2) {
		d.presents(d.past(failed+data.Micros(hour)), "case", 0, pick(d, data.Captured, data.AuthorizedLate, data.Refunded))
	}
}
