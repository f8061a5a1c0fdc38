package pages

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium starts a headless Chromium. Without one a test is skipped, but in CI
// it fails.
func chromium(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Chromium: apt-get install chromium")
		}
		t.Skip("no Chromium on this machine: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.WSURLReadTimeout(time.Minute))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox does not run as root
	}
	alloc, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// tab is a page of the browser that notes what a careful page does not do.
type tab struct {
	ctx  context.Context
	base string
	mu   sync.Mutex
	bad  []string // console output, failed loads, requests that leave the server
}

func open(t *testing.T, browser context.Context, server *httptest.Server, width, height int64, dark, script bool) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	b := &tab{ctx: ctx, base: server.URL}
	listen := func(ev any) {
		note := ""
		switch e := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			note = fmt.Sprintf("console: %v", e.Type)
		case *runtime.EventExceptionThrown:
			note = "exception: " + e.ExceptionDetails.Text
		case *log.EventEntryAdded:
			if e.Entry.Source == log.EntrySourceNetwork && strings.Contains(e.Entry.Text, "status of 4") && !strings.Contains(e.Entry.URL, "/static/") {
				return // the page itself: its status is meant
			}
			note = "log: " + e.Entry.Text + " " + e.Entry.URL
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, server.URL) && !strings.HasPrefix(u, "data:") {
				note = "request to " + u
			}
		}
		if note != "" {
			b.mu.Lock()
			b.bad = append(b.bad, note)
			b.mu.Unlock()
		}
	}
	if err := chromedp.Listen(ctx, listen); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(t, ctx, network.Enable, network.EnableParams{})
	call(t, ctx, log.Enable, cdp.Empty{})
	call(t, ctx, runtime.Enable, cdp.Empty{})
	call(t, ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !script})
	call(t, ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	return b
}

func call[P, R any](t *testing.T, ctx context.Context, c cdp.Command[P, R], params P) R {
	t.Helper()
	r, err := chromedp.Call(ctx, c, params)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (b *tab) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// ask runs an action for what it returns.
func ask[T any](t *testing.T, b *tab, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (b *tab) visit(t *testing.T, path string) {
	t.Helper()
	b.do(t, chromedp.Navigate(b.base+path), chromedp.WaitReady(chromedp.CSS("footer")))
}

// quiet fails when the page did what it should not have done.
func (b *tab) quiet(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.bad {
		t.Error(s)
	}
	b.bad = nil
}

func serve(t *testing.T, h http.Handler) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}
