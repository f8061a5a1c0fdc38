package features

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"recoup/data"
)

// rows is a small event log in memory.
type rows struct {
	attempts  []data.Attempt
	cases     []data.CaseEvent
	subs      []data.Subscription
	mandates  []data.Mandate
	notices   []data.Notice
	polls     []data.Poll
	promises  []data.Promise
	downtimes []data.Downtime
	decisions []data.Decision
}

var epoch = data.IST(2025, 1, 1, 0, 0)

// write stores the rows as a log, or adds them to one.
func (r *rows) write(t testing.TB, dir string) *data.Log {
	t.Helper()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	must(t, err)
	must(t, data.Add(w, r.attempts...))
	must(t, data.Add(w, r.cases...))
	must(t, data.Add(w, r.subs...))
	must(t, data.Add(w, r.mandates...))
	must(t, data.Add(w, r.notices...))
	must(t, data.Add(w, r.polls...))
	must(t, data.Add(w, r.promises...))
	must(t, data.Add(w, r.downtimes...))
	must(t, data.Add(w, r.decisions...))
	_, err = w.Commit(context.Background())
	must(t, err)
	l, err := data.OpenLog(dir)
	must(t, err)
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// randomRows makes a log in which everything happens: several cases a
// customer, late results, links, promises, mandates, outages, decisions.
func randomRows(seed uint64, customers, cycles int) *rows {
	g := rand.New(rand.NewPCG(seed, 7))
	r := &rows{}
	n := 0
	stamp := func(occurred, lag data.Micros) data.Event {
		n++
		return data.Event{EventID: fmt.Sprintf("e%06d", n), OccurredAt: occurred, KnownAt: occurred + lag}
	}
	lag := func() data.Micros {
		switch g.IntN(10) {
		case 0:
			return data.Micros(g.IntN(int(3 * data.Day)))
		case 1:
			return -data.Micros(g.IntN(int(data.Hour))) // a provider whose clock is ahead
		case 2, 3, 4:
			return data.Micros(g.IntN(int(data.Minute)))
		}
		return 0
	}
	banks := []string{"HDFC", "SBIN", "", "Some Cooperative", "icici"}
	reasons := append(data.Reasons(), slices.Repeat([]data.Reason{data.MustReason("insufficient_funds")}, 60)...)
	for c := range customers {
		cust, mandate, sub := fmt.Sprintf("cust%03d", c), fmt.Sprintf("m%03d", c), fmt.Sprintf("s%03d", c)
		rail := data.Rail(1 + g.IntN(3))
		bank := banks[g.IntN(len(banks))]
		r.mandates = append(r.mandates, data.Mandate{Event: stamp(epoch, 0), MandateID: mandate, CustomerID: cust, Rail: rail,
			Status: data.MandateActive, CreatedAt: epoch - data.Day, MaxAmount: data.Paise(800_00 + g.IntN(900_00)), ValidUntil: epoch + 300*data.Day})
		r.subs = append(r.subs, data.Subscription{Event: stamp(epoch, 0), SubscriptionID: sub, CustomerID: cust, Status: data.SubActive})
		for k := range cycles {
			at := epoch + data.Micros(k)*30*data.Day + data.Micros(g.IntN(int(5*data.Day)))
			caseID := fmt.Sprintf("case%03d.%02d", c, k)
			amount := data.Paise(100_00 + 100*g.IntN(900_00/100))
			r.notices = append(r.notices, data.Notice{Event: stamp(at-data.Day-data.Hour, lag()), CaseID: caseID, MandateID: mandate,
				Kind: data.PreDebit, Status: data.NoticeSent, Amount: amount, DebitAt: at})
			if g.IntN(6) == 0 {
				r.mandates = append(r.mandates, data.Mandate{Event: stamp(at, lag()), MandateID: mandate, CustomerID: cust, Rail: rail,
					Status: data.MandateStatus(1 + g.IntN(3)), CreatedAt: epoch - data.Day, MaxAmount: 2000_00})
			}
			if (c+k)%7 == 0 { // known before anything of the case
				r.cases = append(r.cases, data.CaseEvent{Event: stamp(at-data.Micros(1+k*9)*data.Day, 0), CaseID: caseID,
					Kind: data.CaseEventKind(1 + (c+k)/7%4)})
			}
			for no := int32(0); no < 5; no++ {
				decision := ""
				if no > 0 && g.IntN(3) == 0 {
					decision = fmt.Sprintf("dec%03d.%02d.%d", c, k, no)
					asOf := data.AsOf(at - data.Micros(g.IntN(int(data.Hour))))
					r.decisions = append(r.decisions, data.Decision{Event: stamp(asOf.KnownAt, 0), DecisionID: decision, CaseID: caseID,
						CustomerID: cust, DecidedAt: asOf.KnownAt, AsOf: asOf, Arm: data.ArmExplorer, ArmShare: 1, Logger: "test", PolicyID: "test",
						RowHash: "-", Allowed: []data.Option{{Action: data.Retry, At: at, Propensity: 1, Mix: 1}}})
				}
				a := data.Attempt{CaseID: caseID, AttemptNo: no, AttemptID: fmt.Sprintf("a%03d.%02d.%d", c, k, no), CustomerID: cust,
					SubscriptionID: sub, MandateID: mandate, Rail: rail, Bank: bank, Network: "Visa", Amount: amount, Initiator: data.ByRecoup, DecisionID: decision}
				if g.IntN(5) == 0 && no > 0 {
					a.Initiator, a.DecisionID = data.ByCustomer, ""
				}
				result := lag()
				if g.IntN(3) == 0 {
					a.Event, a.Status = stamp(at, max(0, lag())/10), data.Pending
					r.attempts = append(r.attempts, a)
					if g.IntN(3) == 0 {
						r.polls = append(r.polls, data.Poll{Event: stamp(at+data.Minute, 0), AttemptID: a.AttemptID, Status: data.PollPending})
					}
				}
				failedAt := at + max(0, result)/3
				a.Event = stamp(failedAt, result)
				if g.IntN(100) < 45 {
					a.Status = data.Captured
					r.attempts = append(r.attempts, a)
					if g.IntN(12) == 0 {
						a.Event, a.Status = stamp(at+3*data.Day, lag()), data.Refunded
						r.attempts = append(r.attempts, a)
					}
					if no == 0 && (c+k)%3 == 1 { // what came late about it, and one presentation too many
						a.Event, a.Status = stamp(at, a.KnownAt-at+data.Hour), data.Pending
						r.attempts = append(r.attempts, a)
						a.AttemptNo, a.AttemptID, a.DecisionID, a.Initiator = 1, a.AttemptID+"+", "", data.ByProvider
						a.Event, a.Status, a.Reason = stamp(a.KnownAt+data.Hour, 0), data.Failed, data.MustReason("insufficient_funds")
						r.attempts = append(r.attempts, a)
					}
					break
				}
				a.Status, a.Reason, a.Source = data.Failed, reasons[g.IntN(len(reasons))], "bank"
				r.attempts = append(r.attempts, a)
				if g.IntN(20) == 0 {
					a.Event, a.Status, a.Reason = stamp(failedAt+data.Day, 2*data.Day), data.AuthorizedLate, 0
					r.attempts = append(r.attempts, a)
				}
				if g.IntN(4) == 0 {
					r.notices = append(r.notices, data.Notice{Event: stamp(failedAt+data.Hour, lag()), CaseID: caseID,
						Kind: data.NoticeKind(2 + g.IntN(6)), Status: data.NoticeSent})
				}
				if g.IntN(8) == 0 {
					r.promises = append(r.promises, data.Promise{Event: stamp(failedAt+2*data.Hour, lag()), CaseID: caseID,
						PromisedFor: failedAt + 3*data.Day, Status: data.PromiseMade})
				}
				if g.IntN(10) == 0 {
					r.cases = append(r.cases, data.CaseEvent{Event: stamp(failedAt+data.Micros(g.IntN(int(9*data.Day))), lag()), CaseID: caseID,
						Kind: data.CaseEventKind(1 + g.IntN(4))})
				}
				at = failedAt + data.Micros(1+g.IntN(int(4*data.Day)))
				if g.IntN(6) == 0 {
					at = failedAt + data.Second
				}
			}
		}
	}
	for d := range cycles * 4 {
		at := epoch + data.Micros(g.IntN(cycles*30))*data.Day
		id := fmt.Sprintf("d%02d", d)
		down := data.Downtime{Event: stamp(at, lag()), DowntimeID: id, Rail: data.Rail(1 + g.IntN(3)), Severity: data.SeverityHigh,
			Status: data.DowntimeStarted, Begin: at}
		if d%3 == 1 {
			down.PSP = []string{"phonepe", "flow:collect"}[d/3%2]
		}
		r.downtimes = append(r.downtimes, down)
		down.Event, down.Status, down.End = stamp(at+3*data.Hour, lag()), data.DowntimeResolved, at+3*data.Hour
		r.downtimes = append(r.downtimes, down)
	}
	return r
}

// item is a row of any table, ready to fold.
type item struct {
	at   data.Cursor
	fold func(*State) error
}

// itemsOf reads one table of a log.
func itemsOf[T data.Row](t testing.TB, l *data.Log, cursor func(*T) data.Cursor) (out []item) {
	t.Helper()
	for batch, err := range data.Scan[T](l, data.AsOf(never-1)) {
		must(t, err)
		for i := range batch {
			row := batch[i]
			out = append(out, item{cursor(&row), func(s *State) error { return Fold(s, &row) }})
		}
	}
	return out
}

// items reads every table that a State folds, in cursor order.
func items(t testing.TB, l *data.Log) []item {
	t.Helper()
	all := slices.Concat(
		itemsOf(t, l, func(r *data.Attempt) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.CaseEvent) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.Subscription) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.Mandate) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.Notice) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.Poll) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.Promise) data.Cursor { return r.Cursor() }),
		itemsOf(t, l, func(r *data.Downtime) data.Cursor { return r.Cursor() }))
	slices.SortFunc(all, func(a, b item) int { return a.at.Compare(b.at) })
	return all
}

// tableRow is one row of a table as read back: texts and numbers by name.
type tableRow struct {
	text map[string]string
	num  map[string]float64
	x    []float64 // the features in schema order
}

// read reads a table back.
func read(t testing.TB, path string, schema Schema) (out []tableRow) {
	t.Helper()
	f, err := data.OpenFrames(path)
	must(t, err)
	defer f.Close()
	for frame, err := range f.Frames() {
		must(t, err)
		for i := range frame.N {
			r := tableRow{map[string]string{}, map[string]float64{}, make([]float64, len(schema.Columns))}
			for k := range frame.Columns {
				c := &frame.Columns[k]
				at := schema.Index(c.Name)
				switch c.Kind {
				case data.String:
					r.text[c.Name] = c.Text(i)
					if at >= 0 {
						r.x[at] = float64(slices.Index(schema.Columns[at].Levels, c.Text(i)))
					}
				case data.Float64:
					r.num[c.Name] = c.F[i]
					if at >= 0 {
						r.x[at] = c.F[i]
					}
				default:
					r.num[c.Name] = float64(c.I[i])
				}
			}
			out = append(out, r)
		}
	}
	return out
}

// cursor is the row's as_of.
func (r *tableRow) cursor() data.Cursor {
	c := data.Cursor{KnownAt: data.Micros(r.num["as_of_known_at"]), Seq: int64(r.num["as_of_seq"])}
	if r.num["as_of_seq"] > 1<<62 { // the end of an instant, rounded as a float64
		c.Seq = math.MaxInt64
	}
	return c
}

// build makes both tables.
func build(t testing.TB, l *data.Log, asOf data.Micros, workers int) (attempts, periods []tableRow) {
	t.Helper()
	s, err := Build(context.Background(), l, BuildOptions{AsOf: data.AsOf(asOf), Dir: t.TempDir(), Workers: workers})
	must(t, err)
	return read(t, s.Attempts.Path, AttemptSchema()), read(t, s.Periods.Path, CureSchema())
}
