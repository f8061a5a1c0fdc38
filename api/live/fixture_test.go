package live

import (
	"crypto/rand"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/data/sim"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// scorer is a model of a schema whose coefficients come from a number.
func scorer(t testing.TB, s features.Schema, base, scale float64) *models.Scorer {
	t.Helper()
	d := models.Design{Inputs: make([]models.Input, len(s.Columns))}
	for i, c := range s.Columns {
		d.Inputs[i] = models.Input{Name: c.Name, Levels: c.Levels}
		d.Terms = append(d.Terms, models.Term{Name: c.Group, A: i, B: -1})
	}
	for _, b := range s.Blocks {
		d.Terms = append(d.Terms, models.Term{Name: b.Name, A: s.Index(b.A), B: s.Index(b.B)})
	}
	l, err := d.Layout()
	must(t, err)
	coef, zero, one := make([]float64, len(l.Columns)), make([]float64, len(l.Columns)), make([]float64, len(l.Columns))
	for i := range coef {
		coef[i], one[i] = scale*float64(i%7-3), 1
	}
	m, err := models.NewLogistic(d, base, coef, zero, zero, one, nil)
	must(t, err)
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1}}
}

// bundle is a model with a name.
func bundle(t testing.TB, id models.ID, base float64) *models.Bundle {
	t.Helper()
	h, a, c := strings.Repeat("0f", 32), features.AttemptSchema(), features.CureSchema()
	return &models.Bundle{ID: id, Attempt: scorer(t, a, base, 1e-4), Cure: scorer(t, c, -4, 1e-5), Manifest: models.Manifest{AsOf: "2024-01-01T00:00:00Z",
		Currency: "INR", HorizonDays: 21, DataManifest: h, AttemptSchema: a.Fingerprint(), CureSchema: c.Fingerprint()}}
}

// office is a desk with what it works with, in a folder.
type office struct {
	*Desk
	t      testing.TB
	dir    string
	ledger *ledger.Ledger
	engine atomic.Pointer[score.Engine]
	clock  atomic.Int64
	tick   int64 // how far the clock moves whenever it is looked at
	replay bool
	policy *score.Policy // nil = the one that is built in
}

// begin opens a desk in a new folder. The clock stands where it is put.
func begin(t testing.TB, replay bool) *office {
	o := &office{t: t, dir: t.TempDir(), replay: replay}
	o.model(bundle(t, "model-1", -1))
	o.clock.Store(int64(data.IST(2026, 3, 2, 10, 0)))
	o.open()
	t.Cleanup(func() { o.ledger.Close() })
	return o
}

func (o *office) model(b *models.Bundle) {
	if o.policy == nil {
		o.policy = score.Default()
	}
	e, err := score.New(o.policy, b)
	must(o.t, err)
	o.engine.Store(e)
}

func (o *office) explore() {
	e, err := o.engine.Load().Explore(score.Explorer{Salt: []byte("a salt for tests 0123456789"), Only: data.ArmExplorer})
	must(o.t, err)
	o.engine.Store(e)
}

func (o *office) at(t data.Micros) { o.clock.Store(int64(t)) }

func (o *office) open() {
	var err error
	now := func() data.Micros { return data.Micros(o.clock.Add(o.tick)) }
	o.ledger, err = ledger.Open(o.t.Context(), ledger.Config{URL: filepath.Join(o.dir, "ledger.db"), Random: rand.Reader, Now: now})
	must(o.t, err)
	o.Desk, err = Open(o.t.Context(), Config{Tenant: "main", Dir: o.dir, Ledger: o.ledger, Engine: o.engine.Load, Now: now, Replay: o.replay})
	must(o.t, err)
}

// restart is what a new process finds.
func (o *office) restart() {
	must(o.t, o.ledger.Close())
	o.open()
}

func (o *office) export() {
	_, err := o.book.Export(o.t.Context(), ledger.Export{Dir: o.dir, Currency: "INR"})
	must(o.t, err)
}

// post records rows that happened now.
func (o *office) post(rows ...data.AnyRow) []ledger.Receipt {
	o.t.Helper()
	done, err := o.Record(o.t.Context(), rows, nil)
	must(o.t, err)
	return done.Receipts
}

func (o *office) decide(caseID string) Answer {
	o.t.Helper()
	a, err := o.Decide(o.t.Context(), Question{CaseID: caseID})
	must(o.t, err)
	return a
}

// posted is a row as it is posted.
func posted[T data.Row](row T) data.AnyRow {
	r := &row
	return data.AnyRow{Table: tableOf(r), Row: r, Event: data.EventOf(r)}
}

func tableOf(row any) string {
	switch row.(type) {
	case *data.Attempt:
		return "attempts"
	case *data.CaseEvent:
		return "case_events"
	case *data.Subscription:
		return "subscriptions"
	case *data.Mandate:
		return "mandates"
	case *data.Notice:
		return "notices"
	case *data.Poll:
		return "polls"
	case *data.Promise:
		return "promises"
	case *data.Downtime:
		return "downtimes"
	}
	return ""
}

// stream is a world's events in the order of knowing, as they would be posted.
func stream(t testing.TB, seed uint64, cases int) []data.AnyRow {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "world")
	_, err := sim.Write(t.Context(), sim.Config{Seed: seed, Cases: cases, Start: data.IST(2025, 1, 1, 0, 0), Months: 6}, sim.Ladder(), dir, "")
	must(t, err)
	l, err := data.OpenLog(dir)
	must(t, err)
	var out []data.AnyRow
	for row, err := range rowsAfter(l, data.Cursor{}) {
		must(t, err)
		out = append(out, row)
	}
	if !slices.IsSortedFunc(out, func(a, b data.AnyRow) int { return a.Cursor().Compare(b.Cursor()) }) {
		t.Fatal("the rows of the log do not come in the order of their cursors")
	}
	return out
}

// openCases are the cases that are owed now.
func (o *office) openCases() []string {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.state.OpenCases()
}

// exportWithoutMark is an export that dies before it marks how far it came.
func (o *office) exportWithoutMark() {
	var rows []data.AnyRow
	for e, err := range o.book.Scan(o.t.Context(), 0) {
		must(o.t, err)
		row, ok, err := e.Row()
		must(o.t, err)
		if ok {
			rows = append(rows, row)
		}
	}
	o.elsewhere(rows...)
}

// elsewhere adds rows to the log by another road than the book.
func (o *office) elsewhere(rows ...data.AnyRow) {
	w, err := data.NewWriter(o.dir, data.WriteOptions{Currency: "INR"})
	must(o.t, err)
	for _, r := range rows {
		switch r := r.Row.(type) {
		case *data.Attempt:
			must(o.t, data.Add(w, *r))
		case *data.CaseEvent:
			must(o.t, data.Add(w, *r))
		case *data.Subscription:
			must(o.t, data.Add(w, *r))
		case *data.Mandate:
			must(o.t, data.Add(w, *r))
		case *data.Notice:
			must(o.t, data.Add(w, *r))
		case *data.Poll:
			must(o.t, data.Add(w, *r))
		case *data.Promise:
			must(o.t, data.Add(w, *r))
		case *data.Downtime:
			must(o.t, data.Add(w, *r))
		}
	}
	_, err = w.Commit(o.t.Context())
	must(o.t, err)
}
