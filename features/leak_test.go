package features

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
	"recoup/features/key"
)

// The tests of this file prove that a row holds nothing that was not known at
// its as_of. mutants_test.go breaks the code one line at a time and demands
// that one of them fails.

const leakEnd = 150 * data.Day // of the random logs, after epoch

var sameRows = cmp.AllowUnexported(tableRow{})

// A late event is invisible until it is known, one cursor later it counts.
func TestLeakLateEvent(t *testing.T) {
	failed := attempt("c1", 0, epoch+10*data.Day, data.Failed)
	late := attempt("c0", 0, epoch+9*data.Day, data.Captured) // happened before, known after
	late.KnownAt = epoch + 10*data.Day + 5
	failed.Seq, late.Seq = 1, 2
	s := NewState()
	must(t, Fold(s, &failed))
	before, err := s.Past("c1", failed.KnownAt)
	must(t, err)
	must(t, Fold(s, &late))
	after, err := s.Past("c1", late.KnownAt)
	must(t, err)
	if before.captures != 0 || before.history[history7d].paid != 0 {
		t.Errorf("a capture known later is visible: %d", before.captures)
	}
	for i, m := range []data.Mandate{
		{Event: data.Event{OccurredAt: epoch + 2, KnownAt: late.KnownAt, Seq: 3}, Status: data.MandateRevoked},
		{Event: data.Event{OccurredAt: epoch + 1, KnownAt: late.KnownAt, Seq: 4}, Status: data.MandatePaused}, // older, heard of later
		{Event: data.Event{OccurredAt: epoch + 2, KnownAt: late.KnownAt, Seq: 5}, Status: data.MandateActive}, // a tie: the later cursor
	} {
		m.MandateID, m.CustomerID, m.Rail = "m", "who", data.Card
		must(t, Fold(s, &m))
		want := []data.MandateStatus{data.MandateRevoked, data.MandateRevoked, data.MandateActive}[i]
		if m, _ := s.mandates.Get(key.Of("m")); m.status != want {
			t.Errorf("after version %d the mandate is %s, expected %s", i+1, m.status, want)
		}
	}
	if after.captures != 1 || after.history[history7d].paid != 1 || after.lastPaid != late.OccurredAt {
		t.Errorf("a known capture is not visible: %+v", after.history)
	}
}

// Three events of one microsecond: as_of at each gives its own answer.
func TestLeakTies(t *testing.T) {
	at := epoch + 10*data.Day
	s := NewState()
	for k := range 3 {
		a := attempt(fmt.Sprintf("c%d", k), 0, at, data.Failed)
		a.Seq = int64(k + 1)
		must(t, Fold(s, &a))
		p, err := s.Past(a.CaseID, at)
		must(t, err)
		if int(p.allFailures) != k+1 || int(p.bank[health1h].failed) != k+1 {
			t.Errorf("as_of at event %d: %d failures, bank %d: expected %d", k+1, p.allFailures, p.bank[health1h].failed, k+1)
		}
	}
	again := attempt("c9", 0, at, data.Failed)
	again.Seq = 3
	if err := Fold(s, &again); err == nil {
		t.Error("an event at the cursor of the last one was folded")
	}
}

// A retry in the very microsecond of the failure it follows sees that failure,
// and nothing of itself; a decision sees the event its as_of names.
func TestLeakSameInstant(t *testing.T) {
	at := epoch + 10*data.Day
	failed, retry := attempt("c1", 0, at, data.Failed), attempt("c1", 1, at, data.Captured)
	failed.EventID, retry.EventID = "a", "b"
	other := attempt("c2", 0, at-data.Hour, data.Failed)
	decided := attempt("c2", 1, at, data.Captured)
	other.EventID, decided.EventID, decided.DecisionID = "0", "c", "d"
	end := attempt("c3", 0, at+9*data.Day, data.Captured)
	end.EventID = "z"
	r := rows{attempts: []data.Attempt{failed, retry, other, decided, end}}
	waits := attempt("c4", 0, at+data.Day, data.Failed)
	link := data.Notice{Event: data.Event{EventID: "zz", OccurredAt: at + data.Day, KnownAt: at + data.Day}, CaseID: "c4",
		Kind: data.NoticePlainLink, Status: data.NoticeSent} // in the instant of the failure, after it
	r.attempts, r.notices = append(r.attempts, waits), []data.Notice{link}
	r.decisions = []data.Decision{{Event: data.Event{EventID: "dd", OccurredAt: at, KnownAt: at}, DecisionID: "d", CaseID: "c2",
		CustomerID: "who", DecidedAt: at, AsOf: data.Cursor{KnownAt: at - data.Hour, Seq: 0}, Arm: data.ArmRules, ArmShare: 1, Logger: "l",
		PolicyID: "p", RowHash: "-", Allowed: []data.Option{{Action: data.Retry, At: at, Propensity: 1, Mix: 1}}}}
	rows, days := build(t, r.write(t, t.TempDir()), at+9*data.Day, 1)
	links := CureSchema().Index("day_links")
	for _, d := range days {
		if want := logCount(int32(min(1, d.num["day"]))); d.text["case_id"] == "c4" && d.x[links] != want {
			t.Errorf("day %v: day_links %v, expected %v", d.num["day"], d.x[links], want)
		}
	}
	if len(rows) != 2 {
		t.Fatalf("%d rows, expected 2: the retries of c1 and c2", len(rows))
	}
	col := AttemptSchema().Index("cust_failures_7d")
	for i, want := range []float64{logCount(int32(2)), logCount(int32(1))} {
		if rows[i].x[col] != want {
			t.Errorf("case %s: cust_failures_7d %v, expected %v", rows[i].text["case_id"], rows[i].x[col], want)
		}
	}
}

// Windows are closed at their lower edge, and time of day is India's.
func TestLeakEdges(t *testing.T) {
	at := epoch + 40*data.Day
	for _, tt := range []struct {
		before data.Micros
		want   int32
	}{{7 * data.Day, 1}, {7*data.Day + 1, 0}, {7*data.Day - 1, 1}} {
		s := NewState()
		old, failed := attempt("c0", 0, at-tt.before, data.Captured), attempt("c1", 0, at, data.Failed)
		old.Seq, failed.Seq = 1, 2
		link := data.Notice{Event: data.Event{OccurredAt: at, KnownAt: at, Seq: 3}, CaseID: "c1", Kind: data.NoticePlainLink, Status: data.NoticeSent}
		must(t, Fold(s, &old))
		must(t, Fold(s, &failed))
		must(t, Fold(s, &link))
		p, err := s.Past("c1", at)
		must(t, err)
		if p.history[history7d].paid != tt.want {
			t.Errorf("capture %d us before: %d in 7 days, expected %d", tt.before, p.history[history7d].paid, tt.want)
		}
		p, err = s.Past("c1", at+tt.before)
		must(t, err)
		if p.contacts7d != tt.want {
			t.Errorf("link %d us before: %d contacts in 7 days, expected %d", tt.before, p.contacts7d, tt.want)
		}
	}
	for _, tt := range []struct {
		before data.Micros
		want   uint32
	}{{data.Hour, 2}, {data.Hour + 1, 1}, {data.Hour - 1, 2}} { // at lies on the grid of minutes, so the edge does
		s := NewState()
		old, failed := attempt("c0", 0, at-tt.before, data.Captured), attempt("c1", 0, at, data.Failed)
		old.Seq, failed.Seq = 1, 2
		must(t, Fold(s, &old))
		must(t, Fold(s, &failed))
		p, err := s.Past("c1", at)
		must(t, err)
		if p.bank[health1h].n != tt.want {
			t.Errorf("outcome %d us before: %d in the bank's hour, expected %d", tt.before, p.bank[health1h].n, tt.want)
		}
	}
	ahead := attempt("c0", 0, at, data.Captured) // its provider's clock is ahead: counts from when it was known
	ahead.KnownAt, ahead.Seq = at-7*data.Day-1, 1
	failed := attempt("c1", 0, at, data.Failed)
	failed.Seq = 2
	s := NewState()
	must(t, Fold(s, &ahead))
	must(t, Fold(s, &failed))
	p, err := s.Past("c1", at)
	must(t, err)
	if p.history[history7d].paid != 0 {
		t.Error("a clock that is ahead puts an event into a later window")
	}
	for _, tt := range []struct {
		at   data.Micros
		want string
	}{
		{data.IST(2026, 3, 1, 23, 59), "sunday"}, {data.IST(2026, 3, 2, 0, 0), "monday"},
		{data.IST(2026, 3, 1, 0, 0), "sunday"}, {data.IST(2026, 2, 28, 23, 59), "saturday"},
	} {
		v := p.viewAt(tt.at)
		if got := weekdayLevels[weekday(v.today)]; got != tt.want {
			t.Errorf("%s: %s, expected %s in India", tt.at, got, tt.want)
		}
	}
}

// The label's window must have closed, for successes and failures alike.
func TestLeakImmature(t *testing.T) {
	at := epoch + 10*data.Day
	failed, retry := attempt("c1", 0, at, data.Failed), attempt("c1", 1, at+data.Day, data.Captured)
	end := attempt("c3", 0, at+data.Day+2*data.Day, data.Captured)
	r := rows{attempts: []data.Attempt{failed, retry, end}}
	l := r.write(t, t.TempDir())
	for _, tt := range []struct {
		asOf data.Micros
		want int
	}{{at + 3*data.Day, 1}, {at + 3*data.Day - 1, 0}, {at + 99*data.Day, 1}} {
		if rows, _ := build(t, l, tt.asOf, 1); len(rows) != tt.want {
			t.Errorf("as of %s: %d rows, expected %d", tt.asOf, len(rows), tt.want)
		}
	}
}

// A table made in one pass over the whole log holds the rows that a State, fed
// one event at a time and stopped at the row's as_of, would have served.
func TestLeakTableEqualsServing(t *testing.T) {
	l := randomRows(2, 30, 5).write(t, t.TempDir())
	all := items(t, l)
	attempts, periods := build(t, l, epoch+leakEnd, 2)
	if len(attempts) < 60 || len(periods) < 150 {
		t.Fatalf("too few rows to tell: %d, %d", len(attempts), len(periods))
	}
	serve := NewState()
	advance := func(asOf data.Cursor) {
		for len(all) > 0 && asOf.Sees(all[0].at) {
			must(t, all[0].fold(serve))
			all = all[1:]
		}
	}
	asked := make([]served, 0, len(attempts)+len(periods))
	decided := 0
	for _, r := range attempts {
		if r.num["as_of_known_at"] != r.num["decided_at"] || r.num["as_of_seq"] > 1<<62 {
			decided++
		}
		asked = append(asked, served{r, r.cursor(), data.Micros(r.num["decided_at"]), true})
	}
	if decided == 0 {
		t.Error("no row has a decision behind it")
	}
	for _, r := range periods {
		failed := failureOf(t, periods, r)
		asked = append(asked, served{r, failed.cursor(), data.Micros(failed.num["at"]), false})
	}
	slices.SortStableFunc(asked, func(a, b served) int { return a.asOf.Compare(b.asOf) })
	for _, a := range asked {
		advance(a.asOf)
		p, err := serve.Past(a.row.text["case_id"], a.at)
		must(t, err)
		schema, x := AttemptSchema(), []float64(nil)
		if a.attempt {
			x, err = p.AttemptRow(nil, data.Candidate{Action: data.Retry, At: data.Micros(a.row.num["at"])})
		} else {
			schema = CureSchema()
			x, err = p.CureRow(nil, int(a.row.num["day"]), contactsBetween(t, l, a.row, a.asOf))
		}
		must(t, err)
		sameFeatures(t, schema, a.row, x)
	}
}

// served is a row asked of a State at its as_of.
type served struct {
	row     tableRow
	asOf    data.Cursor
	at      data.Micros // decision time
	attempt bool
}

// failureOf finds day 0 of a period row's failure.
func failureOf(t testing.TB, periods []tableRow, r tableRow) tableRow {
	t.Helper()
	for _, o := range periods {
		if o.text["case_id"] == r.text["case_id"] && o.num["attempt_no"] == r.num["attempt_no"] && o.num["day"] == 0 {
			return o
		}
	}
	t.Fatalf("case %s: no day 0", r.text["case_id"])
	return r
}

// contactsBetween reads the links and nudges of a case from the log itself.
func contactsBetween(t testing.TB, l *data.Log, r tableRow, after data.Cursor) (out []Contact) {
	t.Helper()
	for batch, err := range data.Scan[data.Notice](l, r.cursor()) {
		must(t, err)
		for _, n := range batch {
			if n.CaseID == r.text["case_id"] && n.Kind.Action() != 0 && n.Status == data.NoticeSent && n.Cursor().Compare(after) > 0 {
				out = append(out, Contact{n.KnownAt, n.Kind.Action()})
			}
		}
	}
	return out
}

func sameFeatures(t *testing.T, s Schema, r tableRow, x []float64) {
	t.Helper()
	must(t, s.Check(x))
	for i, c := range s.Columns {
		if r.x[i] != x[i] {
			t.Errorf("case %s at %v: %s: table %v, served %v", r.text["case_id"], r.num["at"], c.Name, r.x[i], x[i])
		}
	}
}

// Cutting the log at as_of changes no row.
func TestLeakTruncate(t *testing.T) {
	asOf := epoch + 80*data.Day
	whole := randomRows(3, 14, 5).heardAt(asOf)
	a, p := build(t, whole.write(t, t.TempDir()), asOf, 1)
	cut := whole.knownBy(asOf)
	b, q := build(t, cut.write(t, t.TempDir()), asOf, 1)
	if d := cmp.Diff(b, a, sameRows); d != "" || len(a) == 0 {
		t.Errorf("attempts: the later part of the log matters (%d rows):\n%s", len(a), d)
	}
	if d := cmp.Diff(q, p, sameRows); d != "" || len(p) == 0 {
		t.Errorf("periods: the later part of the log matters (%d rows):\n%s", len(p), d)
	}
}

// Whatever is known only after as_of changes no row, wherever it says it happened.
func TestLeakPoison(t *testing.T) {
	dir := t.TempDir()
	asOf := epoch + 85*data.Day
	clean := randomRows(4, 14, 5).knownBy(epoch + 90*data.Day).heardAt(asOf)
	a, p := build(t, clean.write(t, dir), asOf, 1)
	b, q := build(t, clean.poison(asOf).write(t, dir), asOf, 1)
	if d := cmp.Diff(a, b, sameRows); d != "" || len(a) == 0 {
		t.Errorf("attempts: poison after as_of matters:\n%s", d)
	}
	if d := cmp.Diff(p, q, sameRows); d != "" || len(p) == 0 {
		t.Errorf("periods: poison after as_of matters:\n%s", d)
	}
}

// Order of arrival, number of files and number of workers change no byte.
func TestLeakOrderAndSplit(t *testing.T) {
	r := randomRows(5, 12, 4)
	asOf := epoch + leakEnd
	want := hashes(t, r.write(t, t.TempDir()), asOf, 1)
	for _, workers := range []int{2, 3, 7} {
		r.shuffle(uint64(workers))
		if got := hashes(t, r.write(t, t.TempDir()), asOf, workers); got != want {
			t.Errorf("%d workers on shuffled rows: %s, one worker: %s", workers, got, want)
		}
	}
}

func hashes(t testing.TB, l *data.Log, asOf data.Micros, workers int) string {
	t.Helper()
	s, err := Build(t.Context(), l, BuildOptions{AsOf: data.AsOf(asOf), Dir: t.TempDir(), Workers: workers})
	must(t, err)
	h := sha256.New()
	for _, path := range []string{s.Attempts.Path, s.Periods.Path} {
		b, err := os.ReadFile(path)
		must(t, err)
		h.Write(b)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// attempt is a row of customer "who" on card and bank HDFC.
func attempt(caseID string, no int32, at data.Micros, status data.AttemptStatus) data.Attempt {
	a := data.Attempt{Event: data.Event{EventID: fmt.Sprintf("%s.%d.%s", caseID, no, status), OccurredAt: at, KnownAt: at},
		CaseID: caseID, AttemptNo: no, AttemptID: fmt.Sprintf("%s.%d", caseID, no), CustomerID: "who", Rail: data.Card, Bank: "HDFC",
		Amount: 500_00, Status: status, Initiator: data.ByRecoup}
	if status == data.Failed {
		a.Reason = data.MustReason("insufficient_funds")
	}
	return a
}

// heardAt adds an event known at t, so that the log does not end before.
func (r *rows) heardAt(t data.Micros) *rows {
	a := attempt("heard", 0, t, data.Captured)
	a.CustomerID, a.Rail, a.Bank = "nobody", data.Wallet, ""
	r.attempts = append(r.attempts, a)
	return r
}

// knownBy keeps the rows known by a time.
func (r *rows) knownBy(t data.Micros) *rows {
	return &rows{
		attempts: kept(r.attempts, func(e *data.Attempt) bool { return e.KnownAt <= t }), cases: kept(r.cases, func(e *data.CaseEvent) bool { return e.KnownAt <= t }),
		subs: kept(r.subs, func(e *data.Subscription) bool { return e.KnownAt <= t }), mandates: kept(r.mandates, func(e *data.Mandate) bool { return e.KnownAt <= t }),
		notices: kept(r.notices, func(e *data.Notice) bool { return e.KnownAt <= t }), polls: kept(r.polls, func(e *data.Poll) bool { return e.KnownAt <= t }),
		promises: kept(r.promises, func(e *data.Promise) bool { return e.KnownAt <= t }), downtimes: kept(r.downtimes, func(e *data.Downtime) bool { return e.KnownAt <= t }),
		decisions: kept(r.decisions, func(e *data.Decision) bool { return e.KnownAt <= t }),
	}
}

func kept[T any](rows []T, keep func(*T) bool) (out []T) {
	for i := range rows {
		if keep(&rows[i]) {
			out = append(out, rows[i])
		}
	}
	return out
}

func (r *rows) shuffle(seed uint64) {
	g := rand.New(rand.NewPCG(seed, 1))
	g.Shuffle(len(r.attempts), func(i, j int) { r.attempts[i], r.attempts[j] = r.attempts[j], r.attempts[i] })
	g.Shuffle(len(r.notices), func(i, j int) { r.notices[i], r.notices[j] = r.notices[j], r.notices[i] })
	slices.Reverse(r.downtimes)
	slices.Reverse(r.mandates)
}

// poison makes rows known just after as_of about everything in the log.
func (r *rows) poison(asOf data.Micros) *rows {
	out := &rows{}
	n := 0
	late := func(e data.Event) data.Event {
		n++
		return data.Event{EventID: fmt.Sprintf("poison%05d", n), OccurredAt: e.OccurredAt + data.Micros(n%7-3)*data.Hour, KnownAt: asOf + data.Micros(1+n)}
	}
	for i, a := range r.attempts {
		a.Event = late(a.Event)
		a.Status, a.Reason = data.Captured, 0
		if i%2 == 0 {
			a.Status = data.AuthorizedLate
		}
		out.attempts = append(out.attempts, a)
		a.Event = late(a.Event)
		a.AttemptID, a.AttemptNo, a.Status = a.AttemptID+"x", a.AttemptNo+1, data.Failed
		out.attempts = append(out.attempts, a)
		out.cases = append(out.cases, data.CaseEvent{Event: late(a.Event), CaseID: a.CaseID, Kind: data.PaidElsewhere})
		out.notices = append(out.notices, data.Notice{Event: late(a.Event), CaseID: a.CaseID, Kind: data.NoticePlainLink, Status: data.NoticeSent})
	}
	for _, m := range r.mandates {
		m.Event, m.Status = late(m.Event), data.MandateRevoked
		out.mandates = append(out.mandates, m)
	}
	for _, d := range r.downtimes {
		d.Event, d.Begin, d.End = late(d.Event), d.Begin-data.Day, d.Begin+9*data.Day
		out.downtimes = append(out.downtimes, d)
	}
	return out
}
