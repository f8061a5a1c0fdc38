package features

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"recoup/data"
)

// The oracle answers from the definitions, with plain loops over all rows of a
// log; it shares no code with the State.
type oracle struct {
	attempts  []data.Attempt
	cases     []data.CaseEvent
	mandates  []data.Mandate
	notices   []data.Notice
	downtimes []data.Downtime
}

func oracleOf(t testing.TB, l *data.Log) *oracle {
	t.Helper()
	return &oracle{all[data.Attempt](t, l), all[data.CaseEvent](t, l), all[data.Mandate](t, l), all[data.Notice](t, l), all[data.Downtime](t, l)}
}

func all[T data.Row](t testing.TB, l *data.Log) (out []T) {
	t.Helper()
	for batch, err := range data.Scan[T](l, data.AsOf(never-1)) {
		must(t, err)
		out = append(out, batch...)
	}
	return out
}

// outcomes are the visible rows that count: nothing but a refund follows a
// payment, and a pending row does not undo a failure.
func (o *oracle) outcomes(asOf data.Cursor) (out []data.Attempt) {
	last := map[string]data.AttemptStatus{}
	for _, a := range o.attempts {
		if !asOf.Sees(a.Cursor()) {
			break
		}
		before := last[a.AttemptID]
		if before.Paid() && a.Status != data.Refunded || before == data.Failed && a.Status == data.Pending {
			continue
		}
		last[a.AttemptID] = a.Status
		out = append(out, a)
	}
	return out
}

func (o *oracle) tally(asOf data.Cursor, customer string, edge data.Micros) (t tally) {
	for _, a := range o.outcomes(asOf) {
		switch {
		case a.CustomerID != customer || a.Stamp() < edge:
		case a.Status.Paid():
			t.paid++
			t.paise += a.Amount
		case a.Status == data.Failed:
			t.failed++
			if a.Reason.Info().Cause == data.CauseInsufficientFunds {
				t.funds++
			}
		}
	}
	return t
}

// health counts raw rows: a bank does not care whose they are.
func (o *oracle) health(asOf data.Cursor, bank string, rail data.Rail, t, span data.Micros) (h health) {
	grid := data.Minute
	if span > 6*data.Hour {
		grid = data.Hour
	}
	for _, a := range o.attempts {
		tileStart := a.Stamp() / grid * grid
		if !asOf.Sees(a.Cursor()) || a.Bank != bank || bank == "" || a.Rail != rail || tileStart < t-span {
			continue
		}
		if a.Status == data.Captured || a.Status == data.Failed {
			h.n++
		}
		if a.Status == data.Failed {
			h.failed++
			if c := a.Reason.Info().Cause; c == data.CauseTechnical || c == data.CauseBankDowntime {
				h.technical++
			}
		}
	}
	return h
}

func (o *oracle) mandate(asOf data.Cursor, id string) (m data.Mandate) {
	for _, v := range o.mandates {
		if v.MandateID == id && asOf.Sees(v.Cursor()) && (m.MandateID == "" || v.OccurredAt >= m.OccurredAt) {
			m = v
		}
	}
	return m
}

// contacts counts sent links and nudges to a case that was known by then.
func (o *oracle) contacts(asOf data.Cursor, caseID string, action data.Action) (n int32, last data.Micros) {
	for _, v := range o.notices {
		if v.CaseID == caseID && asOf.Sees(v.Cursor()) && v.Kind.Action() == action && v.Status == data.NoticeSent {
			n++
			last = max(last, v.Stamp())
		}
	}
	return n, last
}

func (o *oracle) down(asOf data.Cursor, rail data.Rail, at data.Micros) (worst data.Severity) {
	latest := map[string]data.Downtime{}
	for _, d := range o.downtimes {
		if v, known := latest[d.DowntimeID]; asOf.Sees(d.Cursor()) && (!known || d.OccurredAt >= v.OccurredAt) {
			latest[d.DowntimeID] = d
		}
	}
	for _, d := range latest {
		end := d.End
		if end == 0 {
			if at > d.KnownAt+openEndKept {
				continue
			}
			end = max(at, d.Begin) + openEndLasts
		}
		if d.Rail == rail && d.PSP == "" && at >= d.Begin && at < end {
			worst = max(worst, d.Severity)
		}
	}
	return worst
}

// The State agrees with the oracle at every failure of random logs.
func TestOracleState(t *testing.T) {
	asked := 0
	for seed := range uint64(4) {
		l := randomRows(100+seed, 16, 5).write(t, t.TempDir())
		o, s := oracleOf(t, l), NewState()
		for _, i := range items(t, l) {
			must(t, i.fold(s))
			k := slices.IndexFunc(o.attempts, func(a data.Attempt) bool { return a.Cursor() == i.at })
			if k < 0 || o.attempts[k].Status != data.Failed {
				continue
			}
			a := o.attempts[k]
			at := a.KnownAt + data.Micros(k%3)*data.Hour
			f, err := s.Facts(a.CaseID, at)
			if owed := err == nil && f.Owed; owed != o.owedAt(a) {
				t.Errorf("case %s at %s: owed: %t, the oracle says %t", a.CaseID, at, owed, o.owedAt(a))
			}
			p, err := s.Past(a.CaseID, at)
			if err != nil {
				continue // paid before: no case
			}
			asked++
			o.compare(t, p, a, at)
		}
	}
	if asked < 300 {
		t.Errorf("only %d failures compared", asked)
	}
}

func (o *oracle) compare(t *testing.T, p *Past, a data.Attempt, at data.Micros) {
	t.Helper()
	asOf := a.Cursor()
	same := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("case %s at %s: %s: %v, the oracle says %v", a.CaseID, at, what, got, want)
		}
	}
	for w, span := range historySpans {
		same(fmt.Sprintf("history %d", w), p.history[w], o.tally(asOf, a.CustomerID, at-span))
	}
	for w, span := range healthSpans {
		same(fmt.Sprintf("bank health %d", w), p.bank[w], o.health(asOf, a.Bank, a.Rail, at, span))
	}
	m := o.mandate(asOf, a.MandateID)
	same("mandate", p.mandate.status, m.Status)
	same("mandate's end", p.mandate.until, m.ValidUntil)
	links, lastLink := o.contacts(asOf, a.CaseID, data.PaymentLink)
	nudges, lastNudge := o.contacts(asOf, a.CaseID, data.Nudge)
	same("links", [2]int32{p.links, p.nudges}, [2]int32{links, nudges})
	same("last contacts", [2]data.Micros{p.lastLink, p.lastNudge}, [2]data.Micros{lastLink, lastNudge})
	same("outage", downAt(&p.spans, at, at), o.down(asOf, a.Rail, at))
}

// period is a row of the period table, by its keys and labels.
type period struct {
	caseID         string
	no, day        int
	exposure, y    float64
	at, seqOfCause int64
}

// periods makes the person-periods of a log from their definition.
func (o *oracle) periods(until data.Micros) (out []period) {
	first := map[string]data.Attempt{}
	for _, a := range o.attempts {
		if _, known := first[a.AttemptID]; !known {
			first[a.AttemptID] = a
		}
	}
	for _, f := range o.attempts {
		if f.Status != data.Failed || f.Initiator == data.ByCustomer || !o.owedAt(f) {
			continue
		}
		cut, cured := never, false
		for _, a := range o.attempts {
			if a.CaseID == f.CaseID && a.Status.Paid() && a.OccurredAt < cut {
				cut, cured = a.OccurredAt, a.Initiator == data.ByCustomer
			}
		}
		for _, c := range o.cases {
			if c.CaseID == f.CaseID && (c.OccurredAt < cut) {
				cut, cured = c.OccurredAt, c.Kind == data.PaidElsewhere
			}
		}
		for _, a := range first {
			if a.CaseID == f.CaseID && a.AttemptNo > 0 && a.Initiator != data.ByCustomer && a.OccurredAt > first[f.AttemptID].OccurredAt && a.OccurredAt <= cut {
				cut, cured = a.OccurredAt, false
			}
		}
		for day := range CureDays {
			start := f.KnownAt + data.Micros(day)*data.Day
			if start >= cut || start+data.Day > until {
				break
			}
			p := period{caseID: f.CaseID, no: int(f.AttemptNo), day: day, exposure: 1, at: int64(start), seqOfCause: f.Seq}
			if cut < start+data.Day && cured {
				p.y = 1
			} else if cut < start+data.Day {
				p.exposure = float64(cut-start) / float64(data.Day)
			}
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b period) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seqOfCause, b.seqOfCause)) })
	return out
}

// owedAt says whether a failed row, when it became known, left a case owed.
func (o *oracle) owedAt(f data.Attempt) bool {
	for _, a := range o.attempts {
		if a.CaseID == f.CaseID && a.Status.Paid() && a.Cursor().Compare(f.Cursor()) < 0 {
			return false
		}
	}
	for _, c := range o.cases {
		if c.CaseID == f.CaseID && c.Cursor().Compare(f.Cursor()) < 0 {
			return false
		}
	}
	return true
}

// The period table has the rows, exposures and outcomes of the definition.
func TestOraclePeriods(t *testing.T) {
	for seed := range uint64(3) {
		l := randomRows(200+seed, 12, 5).write(t, t.TempDir())
		until := epoch + 120*data.Day
		_, rows := build(t, l, until, 2)
		var got []period
		for _, r := range rows {
			got = append(got, period{caseID: r.text["case_id"], no: int(r.num["attempt_no"]), day: int(r.num["day"]),
				exposure: r.num["exposure"], y: r.num["y"], at: int64(r.num["at"])})
		}
		seen := oracleOf(t, l)
		seen.attempts = kept(seen.attempts, func(a *data.Attempt) bool { return a.KnownAt <= until })
		seen.cases = kept(seen.cases, func(c *data.CaseEvent) bool { return c.KnownAt <= until })
		want := seen.periods(until)
		for i := range want {
			want[i].seqOfCause = 0
		}
		if len(got) != len(want) || len(got) < 100 {
			t.Errorf("seed %d: %d rows, the definition gives %d", seed, len(got), len(want))
		}
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("seed %d, row %d: %+v, the definition gives %+v", seed, i, got[i], want[i])
			}
		}
	}
}
