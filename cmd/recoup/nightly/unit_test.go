package nightly

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/api/report"
	"recoup/data"
)

// The interval of a mean of customer means has the width of theory, and does
// not depend on the number of workers.
func TestDrawsIntervalWidth(t *testing.T) {
	const customers, each = 400, 5
	rng := rand.New(rand.NewPCG(7, 8))
	var rows []int
	var customer []int32
	var v []float64
	for c := range int32(customers) {
		shift := rng.NormFloat64()
		for range each {
			rows, customer, v = append(rows, len(v)), append(customer, c), append(v, shift)
		}
	}
	var e [2]report.Estimate
	for i, workers := range []int{1, 4} {
		d := &draws{customers: customers}
		d.estimate(&e[i], ratioOf(rows, customer, of(v), constant(1)))
		d.run(2000, 1, workers)
	}
	if *e[0].Lo != *e[1].Lo || *e[0].Hi != *e[1].Hi || *e[0].Value != *e[1].Value {
		t.Errorf("1 worker %v, 4 workers %v", e[0], e[1])
	}
	// Rows of a customer are equal: the width is that of 400 values, not of 2,000.
	want := 2 * 1.96 / math.Sqrt(customers)
	if got := *e[0].Hi - *e[0].Lo; math.Abs(got-want) > 0.15*want {
		t.Errorf("width %v, theory %v", got, want)
	}
}

func TestPercentilesOfUndefined(t *testing.T) {
	v := make([]float64, 100)
	for i := range 6 {
		v[i] = math.NaN()
	}
	if lo, _ := percentiles(append([]float64{}, v...)); lo-lo == 0 {
		t.Error("6 of 100 draws undefined: there should be no interval")
	}
	v[5] = 0
	if lo, hi := percentiles(v); lo != 0 || hi != 0 {
		t.Errorf("5 of 100 draws undefined: [%v, %v]", lo, hi)
	}
}

func TestDecide(t *testing.T) {
	better, worse := report.Ranged(0.01, 0.001, 0.02, 9), report.Ranged(0.01, -0.001, 0.02, 9)
	for _, c := range []struct {
		d    report.Decision
		want report.Outcome
	}{
		{report.Decision{Against: "base rate", Difference: better}, report.Promoted},
		{report.Decision{Against: "base rate", Difference: worse}, report.Kept},
		{report.Decision{Against: "champion", Difference: better}, report.Promoted},
		{report.Decision{Against: "champion", Difference: worse}, report.Kept},
		{report.Decision{Against: "champion", Difference: report.Unknown("no rows")}, report.Kept},
		{report.Decision{Against: "base rate", Difference: better, Why: "a night of the past"}, report.Kept},
	} {
		decide(&c.d)
		if c.d.Outcome != c.want || c.d.Why == "" || *c.d.Checks[0].Passed != (c.d.Difference.Lo != nil && *c.d.Difference.Lo > 0) {
			t.Errorf("%+v", c.d)
		}
	}
}

func TestLevels(t *testing.T) {
	at := data.Column{I: []int64{0, int64(data.Hour), int64(6*data.Hour - 1), int64(24 * data.Hour), int64(7 * data.Day)}}
	decided := data.Column{I: make([]int64, 5)}
	var got []string
	for i := range at.I {
		got = append(got, delay(&at, &decided)(i))
	}
	if s := strings.Join(got, "|"); s != "under 1 h|1 to 6 h|1 to 6 h|1 to 3 d|7 d or more" {
		t.Error(s)
	}
	if m := month(&data.Column{I: []int64{int64(data.IST(2026, 2, 1, 0, 0) - 1), int64(data.IST(2026, 2, 1, 0, 0))}}); m(0) != "2026-01" || m(1) != "2026-02" {
		t.Error(m(0), m(1))
	}
	for h, want := range map[data.Micros]string{data.Minute: "60 s", 5 * data.Day: "5 d", 36 * data.Hour: "36 h", 90 * data.Second: "90 s", 90 * data.Minute: "90 min"} {
		if got := length(h); got != want {
			t.Errorf("%d: %s, want %s", h, got, want)
		}
	}
	if quote("a\"b,c") != `"a""b,c"` || quote("plain") != "plain" {
		t.Error(quote("a\"b,c"))
	}
}

// Nights after the first: against the champion, back in time, and with the truth at hand.
func TestLaterNights(t *testing.T) {
	dir := home(t)
	first := night(dir)
	first.AsOf -= 20 * data.Day
	s, err := Run(context.Background(), first)
	if err != nil {
		t.Fatal(err)
	}
	champion := s.Model
	next := night(dir)
	next.Oracle = truth0
	s, err = Run(context.Background(), next)
	if err != nil {
		t.Fatal(err)
	}
	if s.Model == champion || s.Outcome == report.Kept && s.Champion != champion || s.Outcome == report.Promoted && s.Champion != s.Model {
		t.Errorf("%+v after champion %s", s, champion)
	}
	r := readReport(t, dir, "20260301T000000Z")
	if r.Decision.Against != "champion" || r.Decision.Champion != champion || r.Decision.Difference.Lo == nil {
		t.Errorf("%+v", r.Decision)
	}
	o := r.Oracle
	if o == nil || o.Attempt.Captured.Lo == nil || !(*o.Attempt.BrierTrue.Value < *o.Attempt.Brier.Value) || !(*o.Attempt.Brier.Value < *o.Attempt.BrierBase.Value) {
		t.Errorf("oracle: %+v", o)
	}
	if n := o.Attempt.BrierTrue.N; n != r.Attempt.All.Rows {
		t.Errorf("the oracle knows %d of %d test rows", n, r.Attempt.All.Rows)
	}
	before := s.Champion
	past := night(dir)
	past.AsOf -= 25 * data.Day
	if s, err = Run(context.Background(), past); err != nil || s.Outcome != report.Kept || s.Champion != before || !strings.Contains(s.Why, "night of the past") {
		t.Errorf("%+v, %v", s, err)
	}
}

func readReport(t *testing.T, dir, night string) *report.Report {
	t.Helper()
	js, err := os.ReadFile(filepath.Join(dir, "runs", night, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Decode(js)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
