package api

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

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
	if err != nil {
		t.Fatal(err)
	}
	coef, zero, one := make([]float64, len(l.Columns)), make([]float64, len(l.Columns)), make([]float64, len(l.Columns))
	for i := range coef {
		coef[i], one[i] = scale*float64(i%7-3), 1
	}
	m, err := models.NewLogistic(d, base, coef, zero, zero, one, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1}}
}

// bundle is a whole model; base makes one differ from another.
func bundle(t testing.TB, base float64) *models.Bundle {
	t.Helper()
	hash := strings.Repeat("0f", 32)
	v := .081
	metrics := models.Metrics{N: 3042, BaseRate: .2, Brier: .153, SkillTrain: &v, SkillTest: &v, LogLoss: &v, AUC: &v, AUCInterval: &models.Interval{.63, .67}, Bins: 10, Warnings: []models.Warning{}}
	judged := models.Judged{Rows: 3042, Positives: 603, Customers: 2900, Train: 11000, TrainRate: .198, L2: 1, Raw: metrics, Calibrated: metrics,
		OverBase: .0074, OverBaseInterval: &models.Interval{.0051, .0099}}
	a, c := features.AttemptSchema(), features.CureSchema()
	b := &models.Bundle{Attempt: scorer(t, a, base, 1e-4), Cure: scorer(t, c, -4, 1e-5),
		Manifest: models.Manifest{AsOf: "2026-01-01T00:00:00Z", Currency: "INR", HorizonDays: 21, AttemptWindow: "2 d", DataManifest: hash,
			AttemptSchema: a.Fingerprint(), CureSchema: c.Fingerprint(), Config: []byte(`{}`), Attempt: judged, Cure: &judged,
			Slices: []models.TimeSlice{{Name: "train", From: "2025-01-01T00:00:00Z", To: "2025-06-01T00:00:00Z", Rows: 11000}}}}
	var err error
	if b.Golden.Attempt, err = models.NewGolden(b.Attempt, [][]float64{make([]float64, len(a.Columns))}); err != nil {
		t.Fatal(err)
	}
	if b.Golden.Cure, err = models.NewGolden(b.Cure, [][]float64{make([]float64, len(c.Columns))}); err != nil {
		t.Fatal(err)
	}
	return b
}

// world is a registry with models and a server on it.
type world struct {
	*Server
	t        testing.TB
	registry *models.Registry
	log      *lines
}

// lines is a log that a test may read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serve makes a server whose champion, unless base is 0, is a model of that base.
func serve(t testing.TB, base float64, change func(*Config)) *world {
	t.Helper()
	r, err := models.OpenRegistry(filepath.Join(t.TempDir(), "models"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, registry: r, log: &lines{}}
	if base != 0 {
		w.promote(w.save(base))
	}
	cfg := Default()
	cfg.Listen, cfg.DrainDelay, cfg.Insecure = "127.0.0.1:0", 0, true
	if change != nil {
		change(&cfg)
	}
	var ids atomic.Int64
	if w.Server, err = New(t.Context(), cfg, Parts{Tenants: []Tenant{{Name: MainTenant, Policy: score.Default(), Registry: r}}, Log: slog.New(slog.NewJSONHandler(w.log, nil)), Now: time.Now,
		NewID: func() string { return "made-" + strconv.FormatInt(ids.Add(1), 10) }}); err != nil {
		t.Fatal(err)
	}
	return w
}

// again makes the server anew, told otherwise.
func (w *world) again(change func(*Config, *Parts)) *world {
	w.t.Helper()
	cfg, parts := w.cfg, w.parts
	change(&cfg, &parts)
	s, err := New(w.t.Context(), cfg, parts)
	if err != nil {
		w.t.Fatal(err)
	}
	w.Server = s
	return w
}

// keyed makes the server one that asks for keys, and returns the header of one that
// has the scopes.
func (w *world) keyed(tenant string, scopes ...Scope) (*world, string) {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), KeyFile)
	header := newKey(w.t, path, "caller", tenant, scopes...)
	keys, err := OpenKeys(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.again(func(c *Config, p *Parts) { c.Insecure, p.Keys = false, keys }), header
}

// recording makes the server one with a ledger: SQLite, in the tenant's own folder.
func (w *world) recording() *world {
	w.t.Helper()
	dir := w.t.TempDir()
	now := func() data.Micros { return data.MicrosOf(time.Now()) }
	l, err := ledger.Open(w.t.Context(), ledger.Config{URL: filepath.Join(dir, "ledger.db"), Random: rand.Reader, Now: now})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := l.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return w.again(func(_ *Config, p *Parts) {
		p.Ledger = l
		p.Tenants = slices.Clone(p.Tenants)
		p.Tenants[0].Dir, p.Tenants[0].Identity = dir, func() ([]byte, error) { return []byte("an identity key of a test"), nil }
	})
}

// newKey adds a key to a file and returns the header of a caller who has it.
func newKey(t testing.TB, path, name, tenant string, scopes ...Scope) string {
	t.Helper()
	k := Key{Name: name, Tenant: tenant, MadeAt: "2026-01-01T00:00:00Z"}
	for _, s := range scopes {
		k.Scopes = append(k.Scopes, s.String())
	}
	text, err := NewKey(path, k, hex.EncodeToString([]byte(strings.Repeat(name, 32)[:32])))
	if err != nil {
		t.Fatal(err)
	}
	return "Authorization: Bearer " + text
}

func (w *world) save(base float64) models.ID {
	w.t.Helper()
	id, err := w.registry.Save(bundle(w.t, base))
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *world) promote(id models.ID) {
	w.t.Helper()
	if err := w.registry.Promote(id, "test", "2026-01-01T00:00:00Z"); err != nil {
		w.t.Fatal(err)
	}
}

// answer is what came back.
type answer struct {
	*http.Response
	body []byte
}

func (a answer) json(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(a.body, into); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// request asks the handler; "Name: value" lines are headers.
func (w *world) request(method, path, body string, headers ...string) answer {
	w.t.Helper()
	return w.ask(w.Handler(), method, path, body, headers...)
}

// ask asks a handler.
func (w *world) ask(h http.Handler, method, path, body string, headers ...string) answer {
	w.t.Helper()
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, from)
	r.Host = "127.0.0.1"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Set(name, value)
		}
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return answer{rec.Result(), rec.Body.Bytes()}
}

// example is the request that the description shows.
func example(t testing.TB) string {
	t.Helper()
	b, err := json.Marshal(Example())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// problemOf demands a problem of that code, with its own status and the id of the header.
func problemOf(t testing.TB, a answer, code Code) Problem {
	t.Helper()
	var p Problem
	a.json(t, &p)
	if p.Code != code || p.Status != a.StatusCode || p.Status != code.info().Status || p.Type != "urn:recoup:problem:"+string(code) || p.Title == "" ||
		p.RequestID == "" || p.RequestID != a.Header.Get("X-Request-Id") || a.Header.Get("Content-Type") != ProblemType {
		t.Fatalf("expected %s, found %d %s: %.500s", code, a.StatusCode, a.Header, a.body)
	}
	return p
}
