package doctor

import (
	"context"
	"math/bits"

	"recoup/data"
	"recoup/data/ingest"
	"recoup/features"
	"recoup/features/key"
)

// attemptCensus counts the rows of the attempts.
type attemptCensus struct {
	rows, failed, paid         int64
	pending                    int64 // attempts that have no later status
	originals, originalsFailed int64 // first attempts
	noInitiator                int64 // of retries
	retries                    int64 // rows of attempts after the first
	byRail                     [8]int64
	byClass                    [16]int64 // failures, by class of the reason
	notReported, noReason      int64     // failures
	without                    map[string]int64
	zero                       int64
	amounts                    [65]int64 // rows by bits of the amount
	biggest                    data.Paise
	personal                   map[string]*personalIDs
	looked                     int64
}

// personalIDs is a column of ids that look like personal details.
type personalIDs struct {
	n    int64
	kind string
}

// oneIn is the share of rows whose ids are looked at for personal details.
const oneIn = 16

var attemptColumns = []string{"case_id", "attempt_no", "attempt_id", "initiator", "customer_id", "subscription_id", "mandate_id", "instrument_id",
	"rail", "bank", "network", "amount_paise", "status", "reason"}

// readAttempts is the second pass over the attempts.
func (e *exam) readAttempts(ctx context.Context) error {
	t := Table{Table: "attempts"}
	e.attempts.without, e.attempts.personal = map[string]int64{}, map[string]*personalIDs{}
	var pending key.Map[data.Micros] // attempts that are pending so far, and when they were presented
	for rows, err := range data.Scan[data.Attempt](e.log, e.at, attemptColumns...) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		for i := range rows {
			a := &rows[i]
			t.event(&a.Event)
			e.attempts.count(a)
			e.customers.Put(key.Of(a.CustomerID), struct{}{})
			id, presented := key.Of(a.AttemptID), a.OccurredAt
			before, waits := pending.Get(id)
			switch {
			case a.Status == data.Pending && !waits:
				pending.Put(id, a.OccurredAt)
			case a.Status != data.Pending && waits:
				presented = before
				pending.Delete(id)
			}
			m := e.month(a.OccurredAt)
			m.Rows++
			if a.Status == data.Failed {
				m.Failed++
				e.failure(a, presented)
			}
		}
		e.progress("attempts", t.Rows, e.whole)
	}
	e.attempts.pending = int64(pending.Len())
	e.tables = append(e.tables, t)
	return nil
}

func (e *exam) month(t data.Micros) *Month {
	name := t.UTCDate()[:7]
	m := e.months[name]
	if m == nil {
		m = &Month{Month: name}
		e.months[name] = m
	}
	return m
}

func (c *attemptCensus) count(a *data.Attempt) {
	c.rows++
	switch {
	case a.Status == data.Failed:
		c.failed++
		c.byClass[a.Reason.Class()]++
		switch a.Reason {
		case 0:
			c.noReason++
		case data.NotReported:
			c.notReported++
		}
	case a.Status.Paid():
		c.paid++
	}
	if a.AttemptNo == 0 {
		c.originals++
		if a.Status == data.Failed {
			c.originalsFailed++
		}
	} else {
		c.retries++
		if a.Initiator == 0 {
			c.noInitiator++
		}
	}
	c.byRail[a.Rail&7]++
	if a.Amount == 0 {
		c.zero++
	}
	c.amounts[bits.Len64(uint64(max(0, a.Amount)))]++
	c.biggest = max(c.biggest, a.Amount)
	for _, f := range [...]struct{ name, value string }{
		{"bank", a.Bank}, {"mandate_id", a.MandateID}, {"subscription_id", a.SubscriptionID}, {"instrument_id", a.InstrumentID}, {"network", a.Network}} {
		if f.value == "" && (f.name != "network" || a.Rail == data.Card) {
			c.without[f.name]++
		}
	}
	if c.rows%oneIn == 1 {
		c.looked++
		c.look("customer_id", a.CustomerID)
		c.look("mandate_id", a.MandateID)
		c.look("instrument_id", a.InstrumentID)
		c.look("subscription_id", a.SubscriptionID)
		c.look("case_id", a.CaseID)
	}
}

func (c *attemptCensus) look(column, id string) {
	if kind := ingest.Personal(id); kind != "" {
		p := c.personal[column]
		if p == nil {
			p = &personalIDs{kind: kind}
			c.personal[column] = p
		}
		p.n++
	}
}

// failure counts the days that a failed case waits for a cure, by the rules of
// features: until the next attempt of ours, payment, the case's end or 21 days,
// as far as they have closed.
func (e *exam) failure(a *data.Attempt, presented data.Micros) {
	id := key.Of(a.CaseID)
	became, ok := e.index.Find(id)
	if paid, _ := e.strays.Get(id); paid || !ok || a.Initiator == data.ByCustomer {
		return
	}
	cut, cured, ends := e.index.Cut(became, presented)
	if ends && cut <= a.KnownAt {
		return
	}
	for day := range features.CureDays {
		at := a.KnownAt + data.Micros(day)*data.Day
		end := at + data.Day
		if end > e.until {
			return
		}
		over := ends && cut < end
		e.days.count(at, over && cured)
		if over || ends && cut <= end {
			return
		}
	}
}
