package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
)

// world is a simulated log, made once.
func world(t *testing.T, policy string, cases, months int) string {
	t.Helper()
	dir := t.TempDir()
	for _, b := range sim.Behaviours() {
		if b.ID == policy {
			if _, err := sim.Write(t.Context(), sim.Config{Seed: 3, Cases: cases, Start: data.IST(2025, 1, 1, 0, 0), Months: months}, b, dir, ""); err != nil {
				t.Fatal(err)
			}
			return dir
		}
	}
	t.Fatalf("no policy %s", policy)
	return ""
}

// TestCountsAreThoseOfANight: the rows that doctor counts are the rows that
// features builds, whole and slice by slice.
func TestCountsAreThoseOfANight(t *testing.T) {
	for _, c := range []struct {
		policy string
		asOf   data.Micros
	}{{"uniform", 0}, {"ladder", 0}, {"rules", data.IST(2025, 5, 17, 11, 0)}} {
		dir := world(t, c.policy, 700, 6)
		r, err := Run(t.Context(), Config{Dir: dir, AsOf: c.asOf})
		if err != nil {
			t.Fatal(err)
		}
		asOf := c.asOf
		if asOf == 0 {
			asOf = data.IST(2025, 7, 1, 5, 30)
			if r.Suggested != "2025-07-01" || r.AsOf != asOf.String() {
				t.Fatalf("suggests %s, took %s", r.Suggested, r.AsOf)
			}
		}
		l, err := data.OpenLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := features.Build(t.Context(), l, features.BuildOptions{AsOf: data.AsOf(asOf), Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []struct {
			got  Sliced
			want features.TableSummary
		}{{r.Attempts, sum.Attempts}, {r.Periods, sum.Periods}} {
			if p.got.Rows != p.want.Rows || p.got.Positives != p.want.Positives || p.got.Rows == 0 {
				t.Errorf("%s: %d rows, %d positive; features builds %d, %d", c.policy, p.got.Rows, p.got.Positives, p.want.Rows, p.want.Positives)
			}
			want := *p.got.Slices
			for i := range want.Slices {
				want.Slices[i].Rows, want.Slices[i].Positives = 0, 0
			}
			want.Outside = 0
			f, err := data.OpenFrames(p.want.Path)
			if err != nil {
				t.Fatal(err)
			}
			for frame, err := range f.Frames("at", "y") {
				if err != nil {
					t.Fatal(err)
				}
				for i := range frame.N {
					want.Count(data.Micros(frame.Column("at").I[i]), frame.Column("y").I[i])
				}
			}
			f.Close()
			if !reflect.DeepEqual(want, *p.got.Slices) {
				t.Errorf("%s: slices\n%+v\nwant\n%+v", c.policy, *p.got.Slices, want)
			}
		}
	}
}

// TestCountsOfAMess: late rows, pending ones, payments by hand and by another
// road, retries of what is paid, and nothing in order.
func TestCountsOfAMess(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		dir := t.TempDir()
		w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		event := func(at data.Micros) data.Event {
			n++
			return data.Event{EventID: fmt.Sprint("e", n), OccurredAt: at, KnownAt: at + data.Micros(r.Int64N(int64(1<<r.IntN(38))))}
		}
		for c := range 150 {
			at := t0 + data.Micros(r.Int64N(int64(60*data.Day)))
			a := data.Attempt{CaseID: fmt.Sprint("case", c), CustomerID: fmt.Sprint("c", c/3), Rail: data.Rails()[r.IntN(3)], Amount: 49900}
			for no := range r.IntN(5) + 1 {
				a.AttemptNo, a.AttemptID, a.Initiator = int32(no), fmt.Sprint("a", c, "-", no), []data.Initiator{0, data.ByProvider, data.ByCustomer}[r.IntN(3)]
				if r.IntN(4) == 0 {
					a.Event, a.Status, a.Reason = event(at), data.Pending, 0
					a.KnownAt = a.OccurredAt
					err = errors.Join(err, data.Add(w, a))
					at += data.Micros(r.Int64N(int64(data.Day)))
				}
				a.Event, a.Status, a.Reason = event(at), data.Failed, data.MustReason("payment_failed")
				if r.IntN(4) == 0 {
					a.Status, a.Reason = data.Captured, 0
				}
				err = errors.Join(err, data.Add(w, a))
				if r.IntN(6) == 0 {
					e := data.CaseEvent{Event: event(at + data.Micros(r.Int64N(int64(9*data.Day)))), CaseID: a.CaseID, Kind: []data.CaseEventKind{data.PaidElsewhere, data.Disputed}[r.IntN(2)]}
					err = errors.Join(err, data.Add(w, e))
				}
				at += data.Micros(r.Int64N(int64(6 * data.Day)))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := Run(t.Context(), Config{Dir: dir, AsOf: t0 + 50*data.Day})
		if err != nil {
			t.Fatal(err)
		}
		l, err := data.OpenLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		want, err := features.Build(t.Context(), l, features.BuildOptions{AsOf: data.AsOf(t0 + 50*data.Day), Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if got.Attempts.Rows != want.Attempts.Rows || got.Attempts.Positives != want.Attempts.Positives {
			t.Errorf("seed %d: %d rows, %d positive; features builds %d, %d", seed, got.Attempts.Rows, got.Attempts.Positives, want.Attempts.Rows, want.Attempts.Positives)
		}
		if got.Periods.Rows != want.Periods.Rows || got.Periods.Positives != want.Periods.Positives {
			t.Errorf("seed %d: %d days, %d positive; features builds %d, %d", seed, got.Periods.Rows, got.Periods.Positives, want.Periods.Rows, want.Periods.Positives)
		}
	}
}

// verdict is one of a report's.
func verdict(r *Report, of string) Verdict {
	for _, v := range r.Verdicts {
		if v.Of == of {
			return v
		}
	}
	return Verdict{}
}

func TestVerdictsOfWorlds(t *testing.T) {
	r, err := Run(t.Context(), Config{Dir: world(t, "uniform", 700, 6)})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdict(r, "off-policy evaluation"); !v.Yes {
		t.Errorf("%+v", v)
	}
	if v := verdict(r, "replay of the gate"); !v.Yes || strings.Contains(v.Because, "see nothing") {
		t.Errorf("%+v", v)
	}
	// 700 cases are too few for the slices of a night, and the verdict says which.
	if v := verdict(r, "training"); v.Yes || !strings.Contains(v.Because, "slice") {
		t.Errorf("%+v", v)
	}
	for i, f := range r.Findings[1:] {
		if level(f) < level(r.Findings[i]) {
			t.Errorf("%s comes after %s", f.Level, r.Findings[i].Level)
		}
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "training: no, because") {
		t.Errorf("%v\n%s", err, b.String())
	}
	text, err := json.Marshal(r)
	again, err2 := Run(t.Context(), Config{Dir: r.Dir})
	text2, err3 := json.Marshal(again)
	if err := errors.Join(err, err2, err3); err != nil || string(text) != string(text2) {
		t.Errorf("another report the second time: %v", err)
	}
	ladder, err := Run(t.Context(), Config{Dir: world(t, "ladder", 300, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdict(ladder, "off-policy evaluation"); v.Yes {
		t.Errorf("a ladder draws nothing: %+v", v)
	}
}

func level(f Finding) int {
	for i, l := range levels {
		if l == f.Level {
			return i
		}
	}
	return -1
}

func TestErrors(t *testing.T) {
	if _, err := Run(t.Context(), Config{Dir: t.TempDir()}); !errors.Is(err, data.ErrUsage) {
		t.Errorf("no log: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Config{Dir: world(t, "ladder", 50, 3)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	dir := world(t, "ladder", 50, 3)
	r, err := Run(t.Context(), Config{Dir: dir, AsOf: data.IST(2000, 1, 1, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Yes {
			t.Errorf("before the log begins: %+v", v)
		}
	}
}

var t0 = data.IST(2026, 1, 1, 10, 0)

// written is the report on a log of some rows.
func written(t *testing.T, o data.WriteOptions, add func(w *data.Writer) error) *Report {
	t.Helper()
	dir := t.TempDir()
	if o.Currency == "" {
		o.Currency = "INR"
	}
	w, err := data.NewWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := add(w); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// charges writes n charges, each failing and then captured by a retry a day
// later; change makes one of them special.
func charges(n int, change func(i int, a *data.Attempt)) func(w *data.Writer) error {
	return func(w *data.Writer) error {
		for i := range n {
			for no := range 2 {
				at := t0 + data.Micros(i)*6*data.Hour + data.Micros(no)*data.Day
				a := data.Attempt{Event: data.Event{EventID: fmt.Sprint("e", i, "-", no), OccurredAt: at, KnownAt: at + data.Second},
					CaseID: fmt.Sprint("case", i), AttemptNo: int32(no), AttemptID: fmt.Sprint("a", i, "-", no), Initiator: data.ByProvider, CustomerID: fmt.Sprint("c", i/2),
					MandateID: "m", Rail: data.Card, Bank: "sbi", Network: "visa", Amount: 49900, Status: data.Failed, Reason: data.MustReason("insufficient_funds")}
				if no == 1 {
					a.Status, a.Reason = data.Captured, 0
				}
				if change != nil {
					change(i, &a)
				}
				if err := data.Add(w, a); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// TestChecks: each check on both sides of its edge.
func TestChecks(t *testing.T) {
	sick := func(one func(a *data.Attempt)) func(int, *data.Attempt) {
		return func(i int, a *data.Attempt) {
			if i%3 == 0 {
				one(a)
			}
		}
	}
	for _, c := range []struct {
		check string
		want  Level // of the sick log; the sound one has ok, or no such finding
		in    string
		o     data.WriteOptions
		sick  func(i int, a *data.Attempt)
	}{
		{"known_at", Warn, "occurred_at", data.WriteOptions{KnownAtAssumed: true}, nil},
		{"coverage of attempts", Warn, "2026-02", data.WriteOptions{}, func(i int, a *data.Attempt) {
			if i >= 40 {
				a.OccurredAt, a.KnownAt = a.OccurredAt+60*data.Day, a.KnownAt+60*data.Day
			}
		}},
		{"coverage of attempts", Warn, "8 days", data.WriteOptions{}, func(i int, a *data.Attempt) {
			if i >= 40 {
				a.OccurredAt, a.KnownAt = a.OccurredAt+9*data.Day, a.KnownAt+9*data.Day
			}
		}},
		{"clocks of attempts", Warn, "30 minutes at most", data.WriteOptions{}, sick(func(a *data.Attempt) { a.KnownAt = a.OccurredAt - 30*data.Minute })},
		{"late rows", Warn, "later than a day", data.WriteOptions{}, sick(func(a *data.Attempt) { a.KnownAt += 2 * data.Day })},
		{"status", Stop, "no attempt was captured", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.Status, a.Reason = data.Failed, data.MustReason("payment_failed") }},
		{"status", Stop, "no attempt failed", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.Status, a.Reason = data.Captured, 0 }},
		{"pending", Note, "no later status", data.WriteOptions{}, sick(func(a *data.Attempt) {
			if a.AttemptNo == 1 {
				a.Status = data.Pending
			}
		})},
		{"reasons", Warn, "100 % of the failures", data.WriteOptions{}, func(_ int, a *data.Attempt) {
			if a.Status == data.Failed {
				a.Reason = data.NotReported
			}
		}},
		{"attempts per case", Warn, "1: 100 %", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.CaseID, a.AttemptNo = a.AttemptID, 0 }},
		{"attempts per case", Warn, "more: ", data.WriteOptions{}, sick(func(a *data.Attempt) { a.AttemptNo *= 9 })},
		{"initiator", Note, "do not say", data.WriteOptions{}, sick(func(a *data.Attempt) { a.Initiator = 0 })},
		{"column bank", Note, "33.3 %", data.WriteOptions{}, sick(func(a *data.Attempt) { a.Bank = "" })},
		{"amounts", Warn, "of 0", data.WriteOptions{}, sick(func(a *data.Attempt) { a.Amount = 0 })},
		{"amounts", Warn, "a thousand times", data.WriteOptions{}, func(i int, a *data.Attempt) {
			if i == 7 {
				a.Amount *= 10_000
			}
		}},
		{"unit", Warn, "INR", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.Amount = 199 }},
		{"personal details", Warn, "customer_id looks like an e-mail", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.CustomerID += "@example.com" }},
		{"personal details", Warn, "instrument_id looks like an e-mail address or UPI handle", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.InstrumentID = a.CustomerID + "@okbank" }},
		{"customers", Warn, "a customer of its own", data.WriteOptions{}, func(_ int, a *data.Attempt) { a.CustomerID = a.CaseID }},
		{"person-time", Warn, "sooner", data.WriteOptions{}, func(_ int, a *data.Attempt) {
			if a.AttemptNo == 1 {
				a.OccurredAt, a.KnownAt = a.OccurredAt-data.Day+data.Second, a.KnownAt-data.Day+2*data.Second
			}
		}},
	} {
		sound := finding(written(t, data.WriteOptions{}, charges(120, nil)), c.check)
		if sound.Level != OK && sound.Level != "" && c.check != "person-time" {
			t.Errorf("%s: a sound log has %+v", c.check, sound)
		}
		if c.sick == nil {
			c.sick = func(int, *data.Attempt) {}
		}
		got := finding(written(t, c.o, charges(120, c.sick)), c.check)
		if got.Level != c.want || !strings.Contains(got.What, c.in) || got.Why == "" {
			t.Errorf("%s: %+v, want %s with %q", c.check, got, c.want, c.in)
		}
	}
}

func finding(r *Report, check string) Finding {
	for _, f := range r.Findings {
		if f.Check == check {
			return f
		}
	}
	return Finding{}
}

// TestPropensities: a decision whose record cannot be trusted stops OPE.
func TestPropensities(t *testing.T) {
	decide := func(change func(d *data.Decision)) *Report {
		return written(t, data.WriteOptions{}, func(w *data.Writer) error {
			for i := range 10 {
				at := t0 + data.Micros(i)*data.Hour
				e := data.Event{EventID: fmt.Sprint("d", i), OccurredAt: at, KnownAt: at}
				d := data.Decision{Event: e, DecisionID: fmt.Sprint("d", i), CaseID: "c", CustomerID: "c", DecidedAt: at, AsOf: data.AsOf(at), Arm: data.ArmExplorer,
					ArmShare: 1, Logger: "l", PolicyID: "p", Schema: "s", RowHash: "h", Allowed: []data.Option{
						{Action: data.Wait, At: at, Propensity: 0.25, Mix: 0.25}, {Action: data.Retry, At: at + data.Hour, Propensity: 0.75, Mix: 0.75}}}
				if change != nil {
					change(&d)
				}
				o := data.Outcome{Event: data.Event{EventID: fmt.Sprint("o", i), OccurredAt: at + 30*data.Day, KnownAt: at + 30*data.Day},
					DecisionID: d.DecisionID, SettledAt: at + 30*data.Day, WindowClosed: true}
				if err := errors.Join(data.Add(w, d), data.Add(w, o)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if v := verdict(decide(nil), "off-policy evaluation"); !v.Yes {
		t.Errorf("%+v", v)
	}
	for what, change := range map[string]func(d *data.Decision){
		"certain": func(d *data.Decision) {
			d.Allowed[0].Propensity, d.Allowed[0].Mix, d.Allowed[1].Propensity, d.Allowed[1].Mix = 1, 1, 0, 0
		},
	} {
		if v := verdict(decide(change), "off-policy evaluation"); v.Yes || v.Because == "" {
			t.Errorf("%s: %+v", what, v)
		}
	}
	// What the log's writer refuses by itself is counted all the same.
	e := &exam{}
	e.decision(&data.Decision{ArmShare: 1, Allowed: []data.Option{{Propensity: 0.5}, {Propensity: 0.4}}})
	e.decision(&data.Decision{ArmShare: 1, Allowed: []data.Option{{Propensity: 0}, {Propensity: 1}}})
	e.decision(&data.Decision{ArmShare: 2, Allowed: []data.Option{{Propensity: math.NaN()}}})
	e.decision(&data.Decision{ArmShare: 1, Chosen: 1})
	if c := e.decisions; c.sumWrong != 2 || c.chosenZero != 2 || c.shareWrong != 1 || c.noOptions != 1 || c.drawn != 1 {
		t.Errorf("%+v", c)
	}
	if n := len(e.checkDecisions(nil)); n != 6 {
		t.Errorf("%d findings", n)
	}
}

func TestMonthsAreWhole(t *testing.T) {
	e := &exam{months: map[string]*Month{"2025-11": {Month: "2025-11", Rows: 1}, "2026-02": {Month: "2026-02", Rows: 2}}}
	var got []string
	for _, m := range e.byMonth() {
		got = append(got, m.Month)
	}
	if want := []string{"2025-11", "2025-12", "2026-01", "2026-02"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if got := monthsWithout([]int64{0, 70}); !reflect.DeepEqual(got, []string{"1970-02"}) {
		t.Errorf("%q", got)
	}
}
