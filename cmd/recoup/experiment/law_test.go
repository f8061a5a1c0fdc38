package experiment

import (
	"slices"
	"testing"

	"recoup/data"
)

// lawLog is a charge that failed on the first day, and one retry of it, to be bent.
type lawLog struct {
	Rows
}

func event(at data.Micros, id string) data.Event {
	return data.Event{EventID: id, OccurredAt: at, KnownAt: at}
}

// retryOf is a lawful log: charge at 06:00, its failure, a notice and a retry on it.
func retryOf(rail data.Rail, network string, noticed, at data.Micros) *lawLog {
	l := &lawLog{}
	a := data.Attempt{Event: event(day+6*data.Hour, "a0"), CaseID: "c", AttemptID: "p0", Initiator: data.ByProvider, CustomerID: "cust", SubscriptionID: "s",
		MandateID: "m", InstrumentID: "t", Rail: rail, Network: network, Amount: 500_00, Status: data.Failed}
	l.Attempts = append(l.Attempts, a)
	a.Event, a.AttemptNo, a.AttemptID, a.Initiator, a.Status = event(at, "a1"), 1, "p1", data.ByRecoup, data.Captured
	l.Attempts = append(l.Attempts, a)
	l.Mandates = []data.Mandate{{Event: event(day-90*data.Day, "m0"), MandateID: "m", Rail: rail, Status: data.MandateActive, MaxAmount: 1000_00, Category: "regular"}}
	l.Subscriptions = []data.Subscription{{Event: event(day+6*data.Hour, "s0"), SubscriptionID: "s", Status: data.SubPending, CycleStart: day + 6*data.Hour, CycleEnd: day + 30*data.Day + 6*data.Hour}}
	l.Notices = []data.Notice{{Event: event(noticed, "n0"), CaseID: "c", Kind: data.PreDebit, Status: data.NoticeSent, Amount: 500_00, DebitAt: at},
		{Event: event(noticed+data.Second, "n1"), CaseID: "c", Kind: data.PreDebit, Status: data.NoticeDelivered, Amount: 500_00, DebitAt: at}}
	return l
}

// earlier adds declines of the same debit, one every gap before the retry.
func (l *lawLog) earlier(n int, gap data.Micros, code, advice string) *lawLog {
	for i := range n {
		a := l.Attempts[0]
		id := string(rune('A' + i))
		a.Event, a.CaseID, a.AttemptID, a.ResponseCode, a.AdviceCode = event(l.Attempts[1].OccurredAt-data.Micros(i+1)*gap, "x"+id), "old"+id, "q"+id, code, advice
		a.Initiator = data.ByProvider
		l.Attempts = append(l.Attempts, a)
	}
	return l
}

func TestLaw(t *testing.T) {
	const s = data.Second
	upi := func(tod data.Micros) *lawLog {
		return retryOf(data.UPIAutopay, "", day+3*data.Day+tod-30*data.Hour, day+3*data.Day+tod)
	}
	aged := func(rail data.Rail, age data.Micros) *lawLog {
		at := day + 5*data.Day + 8*data.Hour
		return retryOf(rail, "VISA", at-age, at)
	}
	bent := func(l *lawLog, bend func(l *lawLog)) *lawLog { bend(l); return l }
	calm := func() *lawLog { return upi(8 * data.Hour) }
	at := day + 3*data.Day + 8*data.Hour // of calm's retry
	card := func(network string) *lawLog { return retryOf(data.Card, network, at-40*data.Hour, at) }
	cases := []struct {
		name string
		log  *lawLog
		want string // the one rule broken; "" = none
	}{
		{"nothing", calm(), ""},
		{"before the morning peak", upi(10*data.Hour - 1), ""}, {"in it", upi(10 * data.Hour), "peak_window"},
		{"still in it", upi(13*data.Hour - 1), "peak_window"}, {"after it", upi(13 * data.Hour), ""},
		{"before the evening peak", upi(17*data.Hour - 1), ""}, {"in the evening", upi(17 * data.Hour), "peak_window"},
		{"at its end", upi(21*data.Hour + 30*data.Minute - 1), "peak_window"}, {"after the evening", upi(21*data.Hour + 30*data.Minute), ""},
		{"cards know no peak", retryOf(data.Card, "VISA", day+3*data.Day-30*data.Hour, day+3*data.Day+11*data.Hour), ""},

		{"24 h", aged(data.EMandate, 24*data.Hour), ""}, {"a second less", aged(data.EMandate, 24*data.Hour-s), "notice_young"},
		{"UPI 25 h", aged(data.UPIAutopay, 25*data.Hour), ""}, {"UPI less", aged(data.UPIAutopay, 25*data.Hour-s), "notice_rail"},
		{"UPI 48 h", aged(data.UPIAutopay, 48*data.Hour), ""}, {"UPI more", aged(data.UPIAutopay, 48*data.Hour+s), "notice_old"},
		{"card 36 h 05", aged(data.Card, 36*data.Hour+5*data.Minute), ""}, {"card less", aged(data.Card, 36*data.Hour+5*data.Minute-s), "notice_rail"},
		{"no notice", bent(calm(), func(l *lawLog) { l.Notices = nil }), "notice_missing"},
		{"another's notice", bent(calm(), func(l *lawLog) { l.Notices[0].CaseID = "d" }), "notice_missing"},
		{"failed notice", bent(calm(), func(l *lawLog) { l.Notices[1].Status = data.NoticeFailed }), "notice_missing"},
		{"a failure not known yet", bent(calm(), func(l *lawLog) { l.Notices[1].Status, l.Notices[1].KnownAt = data.NoticeFailed, at+1 }), ""},
		{"a link is no notice", bent(calm(), func(l *lawLog) { l.Notices[0].Kind = data.NoticePlainLink }), "notice_missing"},
		{"another amount", bent(calm(), func(l *lawLog) { l.Notices[0].Amount++ }), "notice_amount"},
		{"opted out", bent(calm(), func(l *lawLog) { l.Notices[1].Status = data.NoticeOptedOut }), "opted_out"},
		{"opted out later", bent(calm(), func(l *lawLog) { l.Notices[1].Status, l.Notices[1].KnownAt = data.NoticeOptedOut, at+1 }), ""},

		{"at the cap", bent(calm(), func(l *lawLog) { l.Mandates[0].MaxAmount = 500_00 }), ""},
		{"a paisa above", bent(calm(), func(l *lawLog) { l.Mandates[0].MaxAmount = 499_99 }), "mandate_cap"},
		{"revoked", bent(calm(), func(l *lawLog) { l.mandate(at, data.MandateRevoked) }), "mandate_state"},
		{"paused", bent(calm(), func(l *lawLog) { l.mandate(at, data.MandatePaused) }), "mandate_state"},
		{"revoked, not known", bent(calm(), func(l *lawLog) { l.mandate(at+1, data.MandateRevoked) }), ""},
		{"resumed", bent(calm(), func(l *lawLog) { l.mandate(at-2, data.MandatePaused); l.mandate(at-1, data.MandateActive) }), ""},
		{"over", bent(calm(), func(l *lawLog) { l.Mandates[0].ValidUntil = at }), "mandate_state"},
		{"nearly over", bent(calm(), func(l *lawLog) { l.Mandates[0].ValidUntil = at + 1 }), ""},
		{"15,000", bent(calm(), func(l *lawLog) { l.amount(15_000_00) }), ""},
		{"and a paisa", bent(calm(), func(l *lawLog) { l.amount(15_000_01) }), "afa_cap"},
		{"insurance 1,00,000", bent(calm(), func(l *lawLog) { l.amount(1_00_000_00); l.Mandates[0].Category = "insurance" }), ""},
		{"insurance and a paisa", bent(calm(), func(l *lawLog) { l.amount(1_00_000_01); l.Mandates[0].Category = "insurance" }), "afa_cap"},
		{"RuPay has no wide cap", bent(card("RUPAY"), func(l *lawLog) { l.amount(15_000_01); l.Mandates[0].Category = "insurance" }), "afa_cap"},

		{"paid before", bent(calm(), func(l *lawLog) { l.ended(at, data.PaidElsewhere) }), "after_payment"},
		{"paid, not known", bent(calm(), func(l *lawLog) { l.ended(at+1, data.PaidElsewhere) }), ""},
		{"disputed", bent(calm(), func(l *lawLog) { l.ended(at, data.Disputed) }), "after_dispute"},
		{"cancelled", bent(calm(), func(l *lawLog) { l.ended(at, data.CaseCancelled) }), "after_end"},
		{"captured before", bent(calm(), func(l *lawLog) { l.Attempts[0].Status = data.Captured }), "after_payment"},
		{"paid by himself", bent(calm(), func(l *lawLog) {
			a := l.Attempts[0]
			a.Event, a.AttemptID, a.Initiator, a.Status = event(at-1, "b"), "own", data.ByCustomer, data.Captured
			l.Attempts = append(l.Attempts, a)
		}), "after_payment"},
		{"no answer yet", bent(calm(), func(l *lawLog) { l.Attempts[0].Status = data.Pending }), "unanswered"},
		{"an answer later", bent(calm(), func(l *lawLog) { l.Attempts[0].KnownAt = at + 1 }), "unanswered"},

		{"fourth presentation", calm().more(2), ""}, {"fifth", calm().more(3), "budget"},
		{"the day before the last", bent(calm(), func(l *lawLog) { l.Subscriptions[0].CycleEnd = day + 4*data.Day + 1 }), ""},
		{"the last day", bent(calm(), func(l *lawLog) { l.Subscriptions[0].CycleEnd = day + 4*data.Day }), "last_day"},
		{"another cycle's last day", bent(calm(), func(l *lawLog) {
			o := l.Subscriptions[0]
			o.Event, o.CycleStart, o.CycleEnd = event(at-1, "s1"), day-30*data.Day, day
			l.Subscriptions = append(l.Subscriptions, o)
		}), ""},
		{"another charge took the debit", bent(calm(), func(l *lawLog) { l.other(at) }), "second_debit"},
		{"not known", bent(calm(), func(l *lawLog) { l.other(at + 1) }), ""},
		{"eNACH after 3 days", retryOf(data.EMandate, "", day+2*data.Day, day+3*data.Day+6*data.Hour), ""},
		{"eNACH sooner", retryOf(data.EMandate, "", day+2*data.Day-s, day+3*data.Day+6*data.Hour-s), "enach_rest"},
		{"card after 36 h", retryOf(data.Card, "VISA", day+5*data.Hour, day+42*data.Hour), ""},
		{"card sooner", retryOf(data.Card, "VISA", day+5*data.Hour-s, day+42*data.Hour-s), "card_rest"},

		{"Visa 05", card("VISA").earlier(1, data.Day, "05", ""), ""}, {"Visa 04", card("VISA").earlier(1, data.Day, "04", ""), "network_stop"},
		{"04 of another network", card("MC").earlier(1, data.Day, "04", ""), ""}, {"MAC 02", card("MC").earlier(1, data.Day, "", "02"), ""},
		{"MAC 21", card("MC").earlier(1, data.Day, "", "21"), "network_stop"},
		{"Visa 15 reattempts", card("VISA").earlier(14, 36*data.Hour, "51", ""), ""}, {"and one", card("VISA").earlier(15, 36*data.Hour, "51", ""), "network_count"},
		{"older than 30 days", card("VISA").earlier(15, 3*data.Day, "51", ""), ""},
		{"Mastercard 34", card("MC").earlier(33, 20*data.Hour, "51", ""), ""}, {"Mastercard 35", card("MC").earlier(34, 20*data.Hour, "51", ""), "network_count"},
		{"ten today", card("MC").earlier(10, data.Minute, "51", ""), "network_count"}, {"nine today", card("MC").earlier(9, data.Minute, "51", ""), ""},
	}
	for _, c := range cases {
		var got []string
		for _, b := range Breaches(c.log.Rows) {
			got = append(got, b.Rule)
		}
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

func (l *lawLog) mandate(known data.Micros, s data.MandateStatus) {
	m := l.Mandates[0]
	m.Event, m.Status = event(known, "m"+known.String()), s
	l.Mandates = append(l.Mandates, m)
}

func (l *lawLog) amount(p data.Paise) {
	for i := range l.Attempts {
		l.Attempts[i].Amount = p
	}
	for i := range l.Notices {
		l.Notices[i].Amount = p
	}
	l.Mandates[0].MaxAmount = p
}

func (l *lawLog) ended(known data.Micros, k data.CaseEventKind) {
	l.CaseEvents = append(l.CaseEvents, data.CaseEvent{Event: event(known, "e"), CaseID: "c", Kind: k})
}

// more adds presentations of the same case between charge and retry.
func (l *lawLog) more(n int) *lawLog {
	for i := range n {
		a := l.Attempts[0]
		id := string(rune('A' + i))
		a.Event, a.AttemptID = event(day+8*data.Hour+data.Micros(i)*data.Minute, "y"+id), "r"+id
		l.Attempts = append(l.Attempts, a)
	}
	return l
}

// other is another charge of the token in the same cycle, captured and known then.
func (l *lawLog) other(known data.Micros) {
	a := l.Attempts[0]
	a.Event, a.CaseID, a.AttemptID, a.Status = event(day+7*data.Hour, "z"), "other", "z", data.Captured
	a.KnownAt = known
	l.Attempts = append(l.Attempts, a)
}

// TestLawLooksAtRetriesAlone: what the provider presents by itself is not recoup's.
func TestLawLooksAtRetriesAlone(t *testing.T) {
	l := retryOf(data.UPIAutopay, "", day, day+11*data.Hour)
	l.Attempts[1].Initiator = data.ByProvider
	if got := Breaches(l.Rows); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
