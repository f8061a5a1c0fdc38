package score

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// testBundle is a model of the true schemas with made-up coefficients: a little
// for every column, by the hash of its name, and some that are set.
func testBundle(t testing.TB, set map[string]float64) *models.Bundle {
	t.Helper()
	h := strings.Repeat("0f", 32)
	attempt, cure := features.AttemptSchema(), features.CureSchema()
	b := &models.Bundle{ID: "0123456789abcdef", Attempt: testScorer(t, attempt, -0.5, set), Cure: testScorer(t, cure, -3, set),
		Manifest: models.Manifest{AsOf: "2026-11-01T00:00:00Z", Currency: "INR", HorizonDays: 21, DataManifest: h,
			AttemptSchema: attempt.Fingerprint(), CureSchema: cure.Fingerprint()}}
	return b
}

// noCure takes the cure model out of a bundle.
func noCure(b *models.Bundle) *models.Bundle {
	b.Cure, b.Manifest.CureNotAssessed = nil, "no person-time"
	return b
}

func testScorer(t testing.TB, s features.Schema, base float64, set map[string]float64) *models.Scorer {
	t.Helper()
	var d models.Design
	for i, c := range s.Columns {
		d.Inputs = append(d.Inputs, models.Input{Name: c.Name, Levels: c.Levels})
		d.Terms = append(d.Terms, models.Term{A: i, B: -1})
	}
	for _, b := range s.Blocks {
		d.Terms = append(d.Terms, models.Term{Name: b.Name, A: s.Index(b.A), B: s.Index(b.B)})
	}
	l, err := d.Layout()
	if err != nil {
		t.Fatal(err)
	}
	n := len(l.Columns)
	coef, sd := make([]float64, n), slices.Repeat([]float64{1}, n)
	for i, name := range l.Columns {
		f := fnv.New32a()
		f.Write([]byte(name))
		coef[i] = (float64(f.Sum32()%1000)/1000 - 0.5) / 50
		if v, ok := set[name]; ok {
			coef[i] = v
		}
	}
	m, err := models.NewLogistic(d, base, coef, make([]float64, n), make([]float64, n), sd, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1, B: 0.1}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func engine(t testing.TB, b *models.Bundle) *Engine {
	t.Helper()
	e, err := New(Default(), b)
	must(t, err)
	return e
}

// A case to decide about: one customer, one charge that failed on rail UPI.
type caseLog struct {
	rows []data.AnyRow
	seq  int64
}

var failedAt = data.IST(2026, 2, 10, 9, 30) // a Tuesday

// add puts a row into the log, known when it happened.
func add[T data.Row](l *caseLog, at data.Micros, row *T, event *data.Event) {
	l.seq++
	*event = data.Event{EventID: "e", OccurredAt: at, KnownAt: at, Seq: l.seq}
	l.rows = append(l.rows, data.AnyRow{Row: row, Event: event})
}

func (l *caseLog) attempt(at data.Micros, no int32, status data.AttemptStatus, reason data.Reason) {
	a := &data.Attempt{CaseID: "case", AttemptNo: no, AttemptID: string(rune('a' + no)), CustomerID: "cust", Rail: data.UPIAutopay, Bank: "HDFC",
		MandateID: "m", Amount: 499_00, Status: status, Reason: reason, Initiator: data.ByProvider}
	add(l, at, a, &a.Event)
}

func (l *caseLog) mandate(at data.Micros, m data.Mandate) {
	m.MandateID, m.CustomerID, m.Rail = "m", "cust", data.UPIAutopay
	add(l, at, &m, &m.Event)
}

func (l *caseLog) poll(at data.Micros, no int32, s data.PollStatus) {
	p := &data.Poll{AttemptID: string(rune('a' + no)), Status: s}
	add(l, at, p, &p.Event)
}

func (l *caseLog) notice(at data.Micros, kind data.NoticeKind, s data.NoticeStatus) {
	n := &data.Notice{CaseID: "case", Kind: kind, Status: s}
	add(l, at, n, &n.Event)
}

// notified is a notice of a debit of the case's amount, sent at a time.
func (l *caseLog) notified(at data.Micros) *data.Notice {
	n := &data.Notice{CaseID: "case", MandateID: "m", Kind: data.PreDebit, Status: data.NoticeSent, Amount: 499_00}
	add(l, at, n, &n.Event)
	return n
}

func (l *caseLog) ended(at data.Micros, kind data.CaseEventKind) {
	c := &data.CaseEvent{CaseID: "case", Kind: kind}
	add(l, at, c, &c.Event)
}

func (l *caseLog) downtime(at data.Micros, s data.DowntimeStatus, begin, end data.Micros) {
	d := &data.Downtime{DowntimeID: "d", Rail: data.UPIAutopay, Severity: data.SeverityHigh, Status: s, Begin: begin, End: end}
	add(l, at, d, &d.Event)
}

// failure is a log whose original charge failed at failedAt.
func failure(reason data.Reason) *caseLog {
	l := &caseLog{}
	l.attempt(failedAt, 0, data.Failed, reason)
	return l
}

// state folds the rows.
func (l *caseLog) state(t testing.TB) *features.State {
	t.Helper()
	s := features.NewState()
	slices.SortStableFunc(l.rows, func(a, b data.AnyRow) int { return cmp.Compare(a.KnownAt, b.KnownAt) })
	for i, r := range l.rows {
		r.Seq = int64(i + 1)
		must(t, features.FoldAny(s, r))
	}
	return s
}

func (l *caseLog) decide(t testing.TB, e *Engine, at data.Micros) Decision {
	t.Helper()
	d, err := e.Decide(l.state(t), "case", at)
	must(t, err)
	check(t, &d)
	return d
}

// check holds a decision to what every decision keeps.
func check(t testing.TB, d *Decision) {
	t.Helper()
	if d.Chosen < 0 || d.Chosen >= len(d.Allowed) || d.Allowed[0].Action != data.Wait {
		t.Fatalf("chosen %d of %+v", d.Chosen, d.Allowed)
	}
	for i, c := range d.Allowed {
		if i > 0 {
			b := d.Allowed[i-1]
			if c.Action < b.Action || c.Action == b.Action && c.At <= b.At {
				t.Errorf("%d: %s at %s after %s at %s", i, c.Action, c.At, b.Action, b.At)
			}
		}
		if c.Kind != 0 && c.Kind.Action() != c.Action {
			t.Errorf("%d: %s of kind %s", i, c.Action, c.Kind)
		}
		if (c.P == nil) != (c.EV == nil) || (c.P == nil) != (c.Uplift == nil) {
			t.Errorf("%d: P %v, EV %v", i, c.P, c.EV)
		}
		if c.P != nil && !(*c.P >= 0 && *c.P <= 1) {
			t.Errorf("%d: P %v", i, *c.P)
		}
		for _, r := range d.Refusals {
			if r.Action == c.Action && (r.At == 0 || r.At == c.At) {
				t.Errorf("%s at %s both allowed and refused: %+v", c.Action, c.At, r)
			}
		}
	}
}
