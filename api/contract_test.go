package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"recoup/api/report"
	"recoup/score"
)

// change is the example with some text replaced.
func change(t *testing.T, from, to string) string {
	t.Helper()
	e := example(t)
	if !strings.Contains(e, from) {
		t.Fatalf("no %s in %s", from, e)
	}
	return strings.Replace(e, from, to, 1)
}

// TestEveryDocumentedProblem reproduces each code of the description.
func TestEveryDocumentedProblem(t *testing.T) {
	w := serve(t, -1, nil)
	post := func(body string, headers ...string) answer { return w.request("POST", "/v1/decide", body, headers...) }
	small := serve(t, -1, func(c *Config) { c.MaxBody = 1 << 10 })
	short := serve(t, -1, func(c *Config) { c.Deadline = time.Nanosecond })
	slow := serve(t, -1, func(c *Config) { c.Read = 50 * time.Millisecond })
	full := serve(t, -1, nil)
	for range cap(full.slots) {
		full.slots <- struct{}{}
	}
	locked, key := serve(t, -1, nil).keyed("main", OutcomesScope)
	crowd, _ := serve(t, -1, nil).keyed("main", ScoreScope)
	crowd.strangers.used, crowd.strangers.at = strangerBurst, time.Now().Add(time.Hour)
	reading := serve(t, -1, nil).again(func(_ *Config, p *Parts) { p.ReadOnly = true })
	signed := serve(t, -1, nil)
	signed.main.secrets.held.Store(&[]string{"a webhook's secret"})
	provoked := map[Code]func() answer{
		NotJSON:      func() answer { return post("{") },
		DuplicateKey: func() answer { return post(change(t, `{"as_of"`, `{"case_id":"inv-102","case_id":"inv-102","as_of"`)) },
		BadOnceKey:   func() answer { return post(example(t), "Idempotency-Key: two words") },
		NoKey:        func() answer { return locked.request("GET", "/v1/reasons", "") },
		NoScope:      func() answer { return locked.request("GET", "/v1/reasons", "", key) },
		TooMany:      func() answer { return crowd.request("GET", "/v1/reasons", "") },
		BadSignature: func() answer {
			return signed.request("POST", "/v1/webhooks/razorpay", "{}", "X-Razorpay-Signature: 00")
		},
		NoLedger: func() answer {
			return signed.request("POST", "/v1/webhooks/razorpay", "{}", sign("{}", "a webhook's secret"))
		},
		ReadOnly:        func() answer { return reading.ask(reading.Admin(), "POST", "/admin/models/rollback", `{"why":"x"}`) },
		Impossible:      func() answer { return w.ask(w.Admin(), "POST", "/admin/models/rollback", `{"why":"x"}`) },
		NotFound:        func() answer { return w.request("GET", "/v1/other", "") },
		WrongMethod:     func() answer { return w.request("GET", "/v1/decide", "") },
		TooLarge:        func() answer { return small.request("POST", "/v1/decide", example(t)+strings.Repeat(" ", 1<<10)) },
		WrongType:       func() answer { return post(example(t), "Content-Type: text/plain") },
		WrongHost:       func() answer { return post(example(t), "Host: elsewhere.example") },
		BadQuery:        func() answer { return w.request("POST", "/v1/decide?x=1", example(t)) },
		Invalid:         func() answer { return post("{}") },
		Internal:        func() answer { return extended(t).request("GET", "/panics", "") },
		Busy:            func() answer { return full.request("POST", "/v1/decide", example(t)) },
		DeadlineExceeds: func() answer { return short.request("POST", "/v1/decide", example(t)) },
		BodyTimeout: func() answer {
			addr, _ := slow.run()
			_, r := dial(t, addr, head+"Content-Length: 100\r\n\r\n{")
			res, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for buf := make([]byte, 512); ; {
				n, err := res.Body.Read(buf)
				b.Write(buf[:n])
				if err != nil {
					return answer{res, []byte(b.String())}
				}
			}
		},
	}
	elsewhere := []Code{Undecidable, Conflict, Reused, StaleWebhook, LedgerAway, Unknown} // have tests of their own
	for _, info := range Codes() {
		provoke := provoked[info.Code]
		if (provoke == nil) != slices.Contains(elsewhere, info.Code) {
			t.Errorf("%s has no test, or two", info.Code)
		} else if provoke != nil {
			t.Run(string(info.Code), func(t *testing.T) { problemOf(t, provoke(), info.Code) })
		}
	}
}

// TestBodies: what a strict reader of money takes and what it does not.
func TestBodies(t *testing.T) {
	w := serve(t, -1, nil)
	amount := `"amount_paise":49900,"attempt_id":"pay-102"`
	for name, c := range map[string]struct {
		body string
		code Code // "" = taken
		at   string
	}{
		"as it is":             {example(t), "", ""},
		"white space":          {" \n" + example(t) + "\n\t ", "", ""},
		"empty":                {"", NotJSON, ""},
		"a second object":      {example(t) + "{}", NotJSON, ""},
		"trailing garbage":     {example(t) + "x", NotJSON, ""},
		"a list":               {"[" + example(t) + "]", Invalid, ""},
		"null":                 {"null", Invalid, ""},
		"not UTF-8":            {change(t, "pay-102", "pay-\xff"), NotJSON, ""},
		"a lone surrogate":     {change(t, "pay-102", `pay-\ud800`), Invalid, "events[1].attempt_id"},
		"NaN":                  {change(t, amount, `"amount_paise":NaN,"attempt_id":"pay-102"`), NotJSON, ""},
		"unknown field":        {change(t, `{"as_of"`, `{"dry_run":true,"as_of"`), Invalid, "dry_run"},
		"unknown column":       {change(t, `"bank"`, `"banc"`), Invalid, "events[0].banc"},
		"another case":         {change(t, `"amount_paise"`, `"AMOUNT_PAISE"`), Invalid, "events[0].AMOUNT_PAISE"},
		"duplicate in a row":   {change(t, amount, amount+`,"attempt_id":"pay-102"`), DuplicateKey, "events[1].attempt_id"},
		"0 amount":             {change(t, amount, `"amount_paise":0,"attempt_id":"pay-102"`), "", ""}, // zero is a value, not an absence
		"negative amount":      {change(t, amount, `"amount_paise":-1,"attempt_id":"pay-102"`), Invalid, "events[1].amount_paise"},
		"half a paisa":         {change(t, amount, `"amount_paise":0.5,"attempt_id":"pay-102"`), Invalid, "events[1].amount_paise"},
		"huge integer":         {change(t, amount, `"amount_paise":99999999999999999999999,"attempt_id":"pay-102"`), Invalid, "events[1].amount_paise"},
		"exponent":             {change(t, amount, `"amount_paise":4e400,"attempt_id":"pay-102"`), Invalid, "events[1].amount_paise"},
		"amount in quotes":     {change(t, amount, `"amount_paise":"49900","attempt_id":"pay-102"`), Invalid, "events[1].amount_paise"},
		"unknown reason":       {change(t, "insufficient_funds", "insufficient_moons"), Invalid, "events[1].reason"},
		"unknown rail":         {change(t, `"rail":"upi_autopay","reason"`, `"rail":"upi","reason"`), Invalid, "events[1].rail"},
		"unknown table":        {change(t, `"table":"attempts"`, `"table":"attempt"`), Invalid, "events[0].table"},
		"no as_of":             {change(t, `"as_of":"2026-02-01T09:00:00+05:30",`, ""), Invalid, "as_of"},
		"as_of without offset": {change(t, "2026-02-01T09:00:00+05:30", "2026-02-01T09:00:00"), Invalid, "as_of"},
		"no such case":         {change(t, `{"as_of"`, `{"case_id":"inv-103","as_of"`), Invalid, "case_id"},
		"a paid case":          {change(t, `"status":"failed","table"`, `"status":"captured","table"`), Invalid, "case_id"},
		"no events":            {`{"as_of":"2026-02-01T09:00:00+05:30","events":[]}`, Invalid, "case_id"},
		"deep":                 {strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000), NotJSON, ""},
	} {
		for _, path := range []string{"/v1/score", "/v1/decide"} {
			a := w.request("POST", path, c.body)
			if c.code == "" {
				if a.StatusCode != 200 {
					t.Errorf("%s %s: %d %s", path, name, a.StatusCode, a.body)
				}
				continue
			}
			p := problemOf(t, a, c.code)
			if c.at != "" && (len(p.Errors) == 0 || !strings.Contains(fmt.Sprint(p.Errors), c.at)) {
				t.Errorf("%s %s: %s is not named: %s", path, name, c.at, a.body)
			}
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	w := serve(t, -1, nil)
	body := `{"as_of":"yesterday","extra":1,"events":[{"table":"attempts","rail":"upi","amount_paise":-1},{"table":"nope"},{"table":"polls","attempt_id":"a","status":"?","occurred_at":1}]}`
	p := problemOf(t, w.request("POST", "/v1/score", body), Invalid)
	found := map[string]bool{}
	for _, e := range p.Errors {
		found[e.Location] = true
		if e.Message == "" {
			t.Errorf("%+v", e)
		}
	}
	for _, at := range []string{"as_of", "extra", "events[0].rail", "events[0].amount_paise", "events[0].case_id", "events[0].status", "events[1].table", "events[2].status", "events[2].occurred_at"} {
		if !found[at] {
			t.Errorf("%s is not told: %+v", at, p.Errors)
		}
	}
}

func TestContentTypes(t *testing.T) {
	w := serve(t, -1, nil)
	for kind, ok := range map[string]bool{"application/json": true, "application/json; charset=utf-8": true, "Application/JSON;charset=UTF-8": true,
		"": false, "application/x-www-form-urlencoded": false, "text/plain": false, "application/json; charset=latin1": false, "application/cbor": false, "multipart/form-data; boundary=x": false, "x/y;": false, "a+b;c+": false} {
		a := w.request("POST", "/v1/score", example(t), "Content-Type: "+kind)
		if ok && a.StatusCode != 200 {
			t.Errorf("%q: %d %s", kind, a.StatusCode, a.body)
		} else if !ok {
			problemOf(t, a, WrongType)
		}
	}
	problemOf(t, w.request("POST", "/v1/score", example(t), "Content-Encoding: gzip"), WrongType)
	for _, accept := range []string{"", "*/*", "application/json", "text/html", "application/cbor;q=0.1, text/*", "nonsense;;q=x"} {
		if a := w.request("POST", "/v1/score", example(t), "Accept: "+accept); a.StatusCode != 200 || a.Header.Get("Content-Type") != "application/json" {
			t.Errorf("Accept: %q: %d %s", accept, a.StatusCode, a.Header)
		}
	}
}

func TestMethods(t *testing.T) {
	w := serve(t, -1, nil)
	for path, allow := range map[string]string{"/v1/score": "POST", "/v1/decide": "POST", "/v1/models": "GET", "/v1/reasons": "GET", "/livez": "GET, HEAD", "/readyz": "GET, HEAD", "/metrics": "GET", "/openapi.json": "GET"} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "BREW"} {
			if slices.Contains(strings.Split(allow, ", "), method) {
				continue
			}
			a := w.request(method, path, "")
			problemOf(t, a, WrongMethod)
			if a.Header.Get("Allow") != allow {
				t.Errorf("%s %s: Allow: %s", method, path, a.Header.Get("Allow"))
			}
		}
		first, _, _ := strings.Cut(allow, ",")
		problemOf(t, w.request(first, path+"/", ""), NotFound) // no redirect
	}
	problemOf(t, w.request("GET", "//v1//models", ""), NotFound)
}

// TestAnswer: the example, by a model and by the rules.
func TestAnswer(t *testing.T) {
	for _, base := range []float64{0, -1} {
		w := serve(t, base, nil)
		a := w.request("POST", "/v1/decide", example(t))
		var d Decided
		a.json(t, &d)
		id := w.main.champion.modelID()
		if a.StatusCode != 200 || d.RequestID != a.Header.Get("X-Request-Id") || d.CaseID != "inv-102" || d.CustomerID != "cust-7" || d.Amount != 49900 || d.Gate != "policy" ||
			d.Reason != "insufficient_funds" || *d.Class != "RETRY_SCHEDULED" || d.PolicyID != w.Engine().Policy().ID() || d.Horizon != 21 || len(d.Schema) != 64 || d.AsOf.KnownAt != "2026-02-01T03:30:00Z" || d.AsOf.Seq != nil {
			t.Fatalf("%s", a.body)
		}
		if (d.Arm == "model") != (base != 0) || (d.ModelID != nil) != (base != 0) || base != 0 && *d.ModelID != string(id) {
			t.Errorf("arm %s, model %v", d.Arm, d.ModelID)
		}
		if n := len(d.Candidates); n < 40 || d.Chosen >= n || fmt.Sprint(d.Choice) == "" || d.Choice.Action != d.Candidates[d.Chosen].Action || d.Choice.At != d.Candidates[d.Chosen].At || len(d.Refusals) == 0 {
			t.Errorf("%s", a.body)
		}
		for _, c := range d.Candidates {
			if (c.P != nil) != (base != 0 && c.Action != "escalate") || (c.P == nil) != (c.EV == nil) || c.P != nil && (*c.P < 0 || *c.P > 1) || c.At < "2026-02-01T03:30:00Z" {
				t.Errorf("%+v", c)
			}
			if c.EV != nil && *c.EV > *d.Choice.EV {
				t.Errorf("%+v is worth more than the choice %+v", c, d.Choice)
			}
		}
		// The answer is the decision's own JSON and the request's id.
		r, _ := score.ParseRequest([]byte(example(t)))
		own, err := w.Engine().Answer(r)
		if err != nil {
			t.Fatal(err)
		}
		js, err := json.Marshal(own)
		if err != nil {
			t.Fatal(err)
		}
		var mine, its map[string]any
		a.json(t, &mine)
		answer{body: js}.json(t, &its)
		delete(mine, "request_id")
		if !reflect.DeepEqual(mine, its) {
			t.Errorf("the command line and the service say it differently:\n%.400s\n%.400s", a.body, js)
		}
		// /v1/score says the same and chooses nothing.
		b := w.request("POST", "/v1/score", example(t))
		var s map[string]any
		b.json(t, &s)
		if s["chosen"] != nil || s["choice"] != nil || s["refusals"] != nil || len(s["candidates"].([]any)) != len(d.Candidates) {
			t.Errorf("%s", b.body)
		}
		m := string(w.request("GET", "/metrics", "").body)
		arm := map[bool]string{true: "rules", false: "model"}[base == 0]
		for _, want := range []string{`recoup_decisions_total{action="` + string(d.Choice.Action) + `",arm="` + arm + `",operation="decide"} 1`, `operation="score"} 1`,
			`recoup_gate_refusals_total{action="` + string(d.Refusals[0].Action) + `",rule="` + d.Refusals[0].Rule + `"}`, `recoup_http_request_duration_seconds_count{method="POST",route="/v1/decide",status="200"} 1`} {
			if !strings.Contains(m, want) {
				t.Errorf("no %s in %s", want, m)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	w := serve(t, -1, nil)
	// One in NPCI's hours, and one in the peak, which the gate refuses: it has no score.
	a := w.request("POST", "/v1/score", change(t, `{"as_of"`, `{"candidates":[{"action":"retry","at":"2026-02-09T13:00:00+05:30"},{"action":"retry","at":"2026-02-09T12:59:59+05:30"}],"as_of"`))
	var s Scored
	a.json(t, &s)
	if len(s.Candidates) != 2 || s.Candidates[0].Action != "wait" || s.Candidates[1].Action != "retry" || s.Candidates[1].At != "2026-02-09T07:30:00Z" {
		t.Errorf("%s", a.body)
	}
}

// TestExamplesOfTheDescription: what the description shows can be sent.
func TestExamplesOfTheDescription(t *testing.T) {
	w := serve(t, -1, nil).recording()
	must200 := func(a answer) answer {
		t.Helper()
		if a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		return a
	}
	events, _ := json.Marshal(map[string]any{"events": exampleEvents()})
	must200(w.request("POST", "/v1/events", string(events)))
	var made Decided
	must200(w.request("POST", "/v1/decide", `{"as_of":"now","case_id":"inv-102"}`)).json(t, &made)
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Examples map[string]struct{ Value json.RawMessage }
				}
			}
		}
	}
	if err := json.Unmarshal(w.OpenAPI(), &doc); err != nil {
		t.Fatal(err)
	}
	n := 0
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(doc.Paths)), func(path string) bool { return path == "/v1/outcomes" })
	for _, path := range append(paths, "/v1/outcomes") { // last: nothing is decided about what recovered
		methods := doc.Paths[path]
		for _, e := range methods["post"].RequestBody.Content["application/json"].Examples {
			n++
			body, want := strings.ReplaceAll(string(e.Value), "dec_0123456789abcdef01234567", made.DecisionID), 200
			if strings.HasPrefix(path, "/v1/queue/") { // the decision asks nobody
				path, want = "/v1/queue/"+made.DecisionID, 404
			}
			if a := w.request("POST", path, body); a.StatusCode != want {
				t.Errorf("%s: %s", path, a.body)
			}
		}
	}
	if n != 9 {
		t.Errorf("%d examples", n)
	}
}

// braced finds gin's parameters.
var braced = regexp.MustCompile(`/:(\w+)`)

// TestNoRouteIsForgotten: what gin serves is described, or is for people.
func TestNoRouteIsForgotten(t *testing.T) {
	w := serve(t, 0, nil)
	people := []string{"/metrics", "/openapi.json", "/", "/report", "/ope.html", "/reasons", "/reasons/*name", "/try", "/queue", "/due", "/case", "/chain", "/static/*file"}
	for _, r := range w.Handler().(*gin.Engine).Routes() {
		if path := braced.ReplaceAllString(r.Path, "/{$1}"); !strings.Contains(string(w.OpenAPI()), `"`+path+`": {`) && !slices.Contains(people, r.Path) {
			t.Errorf("%s %s is not described", r.Method, r.Path)
		}
	}
}

// TestPages: people get pages, programs get problems.
func TestPages(t *testing.T) {
	w := serve(t, -1, nil)
	for _, path := range []string{"/", "/reasons", "/reasons/card_expired", "/try"} {
		a := w.request("GET", path, "", "Accept: text/html")
		if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") || !strings.Contains(a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") || a.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: %d %v", path, a.StatusCode, a.Header)
		}
	}
	if a := w.request("GET", "/nowhere", "", "Accept: text/html,*/*;q=0.8"); a.StatusCode != 404 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	problemOf(t, w.request("GET", "/nowhere", ""), NotFound)
	problemOf(t, w.request("GET", "/v1/nowhere", "", "Accept: text/html"), NotFound)
	problemOf(t, w.request("PUT", "/try", ""), WrongMethod)
}

// TestLastNight: the newest run that has come to a report.
func TestLastNight(t *testing.T) {
	dir := t.TempDir()
	n := &nights{dir: filepath.Join(dir, "runs")}
	if r, html, err := n.last(); r != nil || html != nil || err != nil {
		t.Error(r, html, err)
	}
	if page, err := n.valued(); page != nil || err != nil {
		t.Errorf("%q %v", page, err)
	}
	write := func(night, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(n.dir, night), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(n.dir, night, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, night := range []string{"20260101T000000Z", "20260201T000000Z"} {
		js, err := report.Encode(&report.Report{AsOf: night})
		if err != nil {
			t.Fatal(err)
		}
		write(night, "report.json", string(js))
		write(night, "report.html", "page of "+night)
	}
	write("20260301T000000Z", "log.json", "{}") // has no report yet
	for range 2 {
		if r, html, err := n.last(); err != nil || r.AsOf != "20260201T000000Z" || string(html) != "page of 20260201T000000Z" {
			t.Error(r, string(html), err)
		}
	}
	if page, err := n.valued(); page != nil || err != nil {
		t.Errorf("a night that valued nothing: %q %v", page, err)
	}
	write("20260201T000000Z", "ope.html", "worth of "+"20260201T000000Z")
	if page, err := n.valued(); string(page) != "worth of 20260201T000000Z" || err != nil {
		t.Errorf("%q %v", page, err)
	}
	write("20260401T000000Z", "report.json", "{}")
	if _, err := n.valued(); err == nil {
		t.Error("a night without a report has a page on policies")
	}
	if _, _, err := n.last(); err == nil || !strings.Contains(err.Error(), "20260401T000000Z") {
		t.Error(err)
	}
}
