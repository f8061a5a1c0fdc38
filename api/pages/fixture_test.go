package pages

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// now is the clock of the tests: Tuesday 3 February 2026, 09:30 in India.
var now = data.IST(2026, 2, 3, 9, 30)

const (
	champion    = models.ID("5b1f0c2e9a77d401")
	predecessor = models.ID("90ac31d4e0f2aa10")
)

func ptr[T any](v T) *T { return &v }

// empty is a source before the first night.
func empty() Source {
	return Source{
		Models:  func() ([]models.Entry, error) { return nil, nil },
		Aliases: func() (models.Aliases, error) { return models.Aliases{}, nil },
		InUse:   func() models.ID { return "" },
		Report:  func() (*report.Report, []byte, error) { return nil, nil, nil },
		Decide: func(context.Context, []byte) (score.Decision, []data.Fault, error) {
			return canned(), nil, nil
		},
		Policy: score.Default,
		Now:    func() data.Micros { return now },
	}
}

// full is a source after a good night: the report of the report's own tests.
func full(t testing.TB) Source {
	s := empty()
	js, err := os.ReadFile("../report/testdata/strong.json")
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Decode(js)
	if err != nil {
		t.Fatal(err)
	}
	r.Decision.Challenger = string(champion)
	if js, err = report.Encode(r); err != nil {
		t.Fatal(err)
	}
	html, err := report.HTML(js)
	if err != nil {
		t.Fatal(err)
	}
	manifest := models.Manifest{AsOf: "2026-11-01T00:00:00Z", HorizonDays: 21, Attempt: models.Judged{
		Rows: 9120, Positives: 1500, Customers: 4100, Train: 20000, TrainRate: .16, OverBase: .0123, OverBaseInterval: &models.Interval{.01, .0146},
		Calibrated: models.Metrics{N: 9120, BaseRate: .1645, Brier: .1251, ECEMass: .0081, NoiseFloor: .0078},
		Intervals:  map[string]models.Interval{"brier": {.122, .1282}}}}
	older := manifest
	older.AsOf = "2026-10-01T00:00:00Z"
	s.Models = func() ([]models.Entry, error) {
		return []models.Entry{
			{ID: predecessor, Kind: models.KindLogistic, Aliases: []string{models.Previous}, Manifest: &older},
			{ID: "00ffab3321c4de55", Fault: "attempt.json: the content gives another name"},
			{ID: champion, Kind: models.KindLightGBM, Aliases: []string{models.Champion, models.Challenger}, Manifest: &manifest},
		}, nil
	}
	s.Aliases = func() (models.Aliases, error) {
		return models.Aliases{Champion: champion, Challenger: champion, Previous: predecessor}, nil
	}
	s.InUse = func() models.ID { return champion }
	s.Report = func() (*report.Report, []byte, error) { return r, html, nil }
	s.Valued = func() ([]byte, error) { return []byte("<!doctype html><title>worth</title>"), nil }
	s.Promotions = func() ([]models.Promotion, error) {
		return []models.Promotion{
			{AsOf: "2026-10-01T00:00:00Z", ID: predecessor, From: "challenger", To: "champion", Why: "better than the base rate"},
			{AsOf: "2026-11-01T00:00:00Z", ID: champion, From: "challenger", To: "champion", Replaced: predecessor, Why: "better held-out Brier score than the champion"},
		}, nil
	}
	return s
}

// canned is a decision with everything that a page can show.
func canned() score.Decision {
	d := score.Decision{CaseID: theCase, CustomerID: theCustomer, AsOf: data.AsOf(now), Amount: data.Rupees(499), Rail: data.UPIAutopay,
		Reason: data.MustReason("insufficient_funds"), Class: data.RetryScheduled, Gate: score.GateName, Arm: data.ArmModel,
		PolicyID: "0123456789abcdef", ModelID: string(champion), ModelKind: string(models.KindLightGBM), Horizon: 21 * data.Day,
		Warnings: []string{"not checked: the one debit of a cycle, and its last day: no cycle of this charge is known"},
		Refusals: []score.Refusal{
			{Rule: "min_wait", Action: data.Retry, At: now + data.Hour, Why: "the least wait of 72 h is not over"},
			{Rule: "class_table", Action: data.Escalate, Route: data.HumanReview, Why: "<b>no capacity</b>"},
		}}
	add := func(a data.Action, kind data.Route, at data.Micros, p float64, cost data.Paise) {
		ev := data.Paise((p-.31)*49900) - cost
		d.Allowed = append(d.Allowed, score.Choice{Action: a, Kind: kind, At: at, P: ptr(p), Uplift: ptr(p - .31), Cost: cost, EV: &ev})
	}
	add(data.Wait, 0, now, .31, 0)
	for i := range 40 {
		day := float64(i) / 4
		add(data.Retry, 0, now+3*data.Day+data.Micros(i)*6*data.Hour, .38+.2/(1+(day-3)*(day-3))+.01*float64(i%4), 50)
	}
	add(data.PaymentLink, data.PlainLink, now, .36, 150)
	add(data.PaymentLink, data.PlainLink, now+data.Day, .355, 150)
	add(data.Nudge, data.Authenticate, now, .315, 400)
	for i, c := range d.Allowed {
		if *c.EV > *d.Allowed[d.Chosen].EV {
			d.Chosen = i
		}
	}
	return d
}

func handlerOf(t testing.TB, s Source) http.Handler {
	t.Helper()
	h, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(t testing.TB, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

// filled is the form's example as a browser would send it, with changes.
func filled(changes ...string) url.Values {
	v := url.Values{}
	for _, s := range newForm(now).Sections {
		for _, f := range s.Fields {
			v.Set(f.Name, f.Value)
		}
	}
	for i := 0; i < len(changes); i += 2 {
		v.Set(changes[i], changes[i+1])
	}
	return v
}

func post(t testing.TB, h http.Handler, v url.Values) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("POST", "/try", strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// sent posts a form and returns the body that was asked of the engine.
func sent(t testing.TB, v url.Values) map[string]any {
	t.Helper()
	var body []byte
	s := empty()
	s.Decide = func(_ context.Context, b []byte) (score.Decision, []data.Fault, error) {
		body = b
		return canned(), nil, nil
	}
	if w := post(t, handlerOf(t, s), v); w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out
}
