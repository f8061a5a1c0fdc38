package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
)

func TestRequestID(t *testing.T) {
	w := serve(t, 0, nil)
	for sent, kept := range map[string]bool{"": false, "a": true, "A-b_c.9": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false,
		"two words": false, `quo"te`: false, "né": false, "new\nline": false} {
		a := w.request("GET", "/livez", "", "X-Request-Id: "+sent)
		if got := a.Header.Get("X-Request-Id"); (got == sent) != kept || got == "" || !kept && !strings.HasPrefix(got, "made-") {
			t.Errorf("%q: %q", sent, got)
		}
		if !strings.Contains(w.log.String(), `"request_id":"`+a.Header.Get("X-Request-Id")+`"`) {
			t.Errorf("%q is not in the log", a.Header.Get("X-Request-Id"))
		}
	}
}

func TestForwardedForIsBelievedFromNamedProxiesAlone(t *testing.T) {
	for _, c := range []struct {
		proxies []string
		client  string
	}{{nil, "192.0.2.1"}, {[]string{"10.0.0.0/8"}, "192.0.2.1"}, {[]string{"192.0.2.0/24"}, "203.0.113.9"}} {
		w := serve(t, 0, func(cfg *Config) { cfg.Proxies = c.proxies })
		w.request("GET", "/livez", "", "X-Forwarded-For: 203.0.113.9", "X-Real-Ip: 203.0.113.9", "Forwarded: for=203.0.113.9")
		if !strings.Contains(w.log.String(), `"client":"`+c.client+`"`) { // httptest calls from 192.0.2.1
			t.Errorf("proxies %v: %s", c.proxies, w.log)
		}
	}
}

func TestHosts(t *testing.T) {
	local := serve(t, 0, func(c *Config) { c.Hosts = []string{"pay.example"} })
	open, key := serve(t, 0, nil).keyed("main", ScoreScope)
	open.again(func(c *Config, _ *Parts) { c.Listen = "0.0.0.0:0" })
	for host, ok := range map[string]bool{"127.0.0.1:8080": true, "[::1]:8080": true, "localhost": true, "LOCALHOST:9": true, "pay.example": true, "Pay.Example:443": true,
		"evil.example": false, "evil.example:8080": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false} {
		a := local.request("GET", "/v1/reasons", "", "Host: "+host)
		if ok != (a.StatusCode == 200) {
			t.Errorf("%s: %d", host, a.StatusCode)
		}
		if !ok {
			problemOf(t, a, WrongHost)
		}
		a = open.request("GET", "/v1/reasons", "", "Host: "+host, key)
		if a.StatusCode != 200 {
			t.Errorf("beyond loopback, %s: %d", host, a.StatusCode)
		}
		if strings.Contains(string(a.body)+fmt.Sprint(a.Header), "evil") { // huma's $schema links would
			t.Errorf("the Host header comes back: %s %s", a.Header, a.body)
		}
	}
}

func TestHeaders(t *testing.T) {
	w := serve(t, 0, nil)
	for _, path := range []string{"/livez", "/v1/reasons", "/nowhere", "/metrics", "/openapi.json"} {
		h := w.request("GET", path, "").Header
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cross-Origin-Resource-Policy": "same-origin"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s: %q", path, name, h.Get(name))
			}
		}
		if h.Get("Server")+h.Get("Link") != "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

// TestLogIsSilent: what may be a secret or personal is in no log line.
func TestLogIsSilent(t *testing.T) {
	w := serve(t, 0, nil)
	w.request("GET", "/v1/reasons?q=secret-in-query", "")
	w.request("GET", "/secret-in-path", "")
	w.request("POST", "/v1/score", `{"secret-in-body":1}`, "Authorization: Bearer secret-in-header")
	w.request("SECRET-METHOD", "/", "")
	if log := w.log.String(); strings.Contains(strings.ToLower(log), "secret") || strings.Count(log, `"msg":"request"`) != 4 {
		t.Error(log)
	}
	if m := string(w.request("GET", "/metrics", "").body); strings.Contains(strings.ToLower(m), "secret") {
		t.Error(m)
	}
}

// extended is a server with routes that go wrong.
func extended(t *testing.T) *world {
	w := serve(t, 0, nil)
	g := w.Handler().(*gin.Engine)
	g.GET("/panics", func(*gin.Context) { panic("postgres://user:pass@db/recoup") })
	g.GET("/panics-late", func(c *gin.Context) { c.String(200, "half"); panic("late") })
	api := humagin.New(g, huma.Config{OpenAPI: &huma.OpenAPI{}, Formats: w.formats(), DefaultFormat: "application/json", Transformers: []huma.Transformer{w.transform}})
	huma.Register(api, operation("GET", "/fails", "fails", "", ""), func(context.Context, *struct{}) (*struct{ Body alive }, error) {
		return nil, errors.New("postgres://user:pass@db/recoup: refused")
	})
	huma.Register(api, operation("GET", "/unwritable", "unwritable", "", ""), func(context.Context, *struct{}) (*struct{ Body any }, error) {
		return &struct{ Body any }{func() {}}, nil
	})
	return w
}

func TestInternalErrorsSayNothing(t *testing.T) {
	w := extended(t)
	for _, path := range []string{"/panics", "/fails"} {
		p := problemOf(t, w.request("GET", path, ""), Internal)
		if p.Detail != "" || p.Errors != nil {
			t.Errorf("%s: %+v", path, p)
		}
		if log := w.log.String(); !strings.Contains(log, `"cause":"postgres://`) && !strings.Contains(log, `"cause":["postgres://`) || !strings.Contains(log, `"status":500`) {
			t.Errorf("%s: the log does not have the cause: %s", path, log)
		}
	}
	problemOf(t, w.request("GET", "/unwritable", ""), Internal)
	if w.request("GET", "/livez", "").StatusCode != 200 {
		t.Error("it does not answer any more")
	}
}

func TestLatePanicBreaksTheConnection(t *testing.T) {
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("recovered %v", v)
		}
	}()
	extended(t).request("GET", "/panics-late", "")
}

func TestInFlight(t *testing.T) {
	w := serve(t, 0, func(c *Config) { c.InFlight = 1 })
	entered, leave := make(chan struct{}), make(chan struct{})
	w.Handler().(*gin.Engine).GET("/slow", func(c *gin.Context) { close(entered); <-leave; c.Status(204) })
	done := make(chan answer)
	go func() { done <- w.request("GET", "/slow", "") }()
	<-entered
	a := w.request("GET", "/v1/reasons", "")
	problemOf(t, a, Busy)
	if a.Header.Get("Retry-After") != "1" {
		t.Error("no Retry-After")
	}
	for _, path := range []string{"/livez", "/readyz", "/metrics"} {
		if a := w.request("GET", path, ""); a.StatusCode != 200 {
			t.Errorf("%s: %d while full", path, a.StatusCode)
		}
	}
	close(leave)
	if a := <-done; a.StatusCode != 204 {
		t.Error(a.StatusCode)
	}
	if a := w.request("GET", "/v1/reasons", ""); a.StatusCode != 200 {
		t.Error("the place is not free again")
	}
	if m := string(w.request("GET", "/metrics", "").body); !strings.Contains(m, "recoup_http_busy_total 1\n") || !strings.Contains(m, "recoup_http_in_flight 1\n") {
		t.Error(m)
	}
}

func TestDeadline(t *testing.T) {
	w := serve(t, 0, func(c *Config) { c.Deadline = time.Nanosecond })
	problemOf(t, w.request("POST", "/v1/decide", example(t)), DeadlineExceeds)
}
