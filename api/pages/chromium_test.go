package pages

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"recoup/api/live"
)

// TestBrowser opens the pages in a real Chromium: one for all of its parts,
// since a start is what takes longest.
func TestBrowser(t *testing.T) {
	browser := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("audit catches", func(t *testing.T) { auditCatches(t, browser, string(audit)) })
	t.Run("wide and light", func(t *testing.T) { audited(t, browser, string(audit), 1280, false) })
	t.Run("narrow and dark", func(t *testing.T) { audited(t, browser, string(audit), 360, true) })
	t.Run("by hand", func(t *testing.T) { byHand(t, browser, true) })
	t.Run("by hand, no scripts", func(t *testing.T) { byHand(t, browser, false) })
	t.Run("escalation, no scripts", func(t *testing.T) { answeredByHand(t, browser) })
	t.Run("keyboard", func(t *testing.T) { keyboard(t, browser) })
	t.Run("report", func(t *testing.T) { reportIsWhole(t, browser) })
}

// audited: on no page is anything logged or fetched from elsewhere, nothing
// scrolls sideways, and the audit of testdata/audit.js finds nothing.
func audited(t *testing.T, browser context.Context, audit string, width int64, dark bool) {
	server, fresh := serve(t, handlerOf(t, full(t))), serve(t, handlerOf(t, empty()))
	b, first := open(t, browser, server, width, 800, dark, true), open(t, browser, fresh, width, 800, dark, true)
	for _, path := range []string{"/", "/reasons", "/reasons?q=zzz", "/reasons?class=x", "/reasons/insufficient_funds_mandate_block", "/reasons/insuficient_funds", "/try", "/nothing"} {
		t.Run(path, func(t *testing.T) {
			b.visit(t, path)
			b.audit(t, audit, dark)
		})
	}
	for _, path := range []string{"/", "/report"} {
		t.Run("before the first night "+path, func(t *testing.T) {
			first.visit(t, path)
			first.audit(t, audit, dark)
		})
	}
	office, torn := serve(t, handlerOf(t, withOffice(full(t), nil))), serve(t, handlerOf(t, withOffice(full(t), func(p *Present) { p.Verify = broken })))
	desk, chain := open(t, browser, office, width, 800, dark, true), open(t, browser, torn, width, 800, dark, true)
	for _, path := range []string{"/queue", "/queue?decision=dec_3", "/queue?decision=dec_1", "/due", "/due?step=x", "/case", "/case?id=case-1", "/case?id=x", "/chain"} {
		t.Run(path, func(t *testing.T) {
			desk.visit(t, path)
			desk.do(t, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
			desk.audit(t, audit, dark)
		})
	}
	t.Run("a broken chain", func(t *testing.T) {
		chain.visit(t, "/chain")
		chain.audit(t, audit, dark)
	})
	t.Run("answer and faults", func(t *testing.T) {
		b.visit(t, "/try")
		b.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".decision")), chromedp.WaitReady(chromedp.CSS("body > footer"))) // a page arrives in parts
		b.audit(t, audit, dark)
		b.do(t, chromedp.SetValue(chromedp.CSS("#amount"), "ten"), chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".alert")), chromedp.WaitReady(chromedp.CSS("body > footer"))) // a page arrives in parts
		b.audit(t, audit, dark)
	})
}

// reportIsWhole: the report's own style and pictures are let through.
func reportIsWhole(t *testing.T, browser context.Context) {
	server := serve(t, handlerOf(t, full(t)))
	b := open(t, browser, server, 1280, 800, false, true)
	b.do(t, chromedp.Navigate(server.URL+"/report"))
	got := ask(t, b, chromedp.Evaluate[string](`getComputedStyle(document.querySelector(".tiles div")).borderTopWidth + " " + document.querySelectorAll("svg").length`))
	if !strings.HasPrefix(got, "1px ") || got == "1px 0" {
		t.Errorf("border and pictures: %s", got)
	}
	b.quiet(t)
}

// audit fails on everything that the page should not do.
func (b *tab) audit(t *testing.T, script string, dark bool) {
	t.Helper()
	for _, says := range ask(t, b, chromedp.Evaluate[[]string](script)) {
		t.Error(says)
	}
	ground := ask(t, b, chromedp.Evaluate[string](`getComputedStyle(document.body).backgroundColor`))
	if dark != (ground == "rgb(20, 23, 26)") {
		t.Errorf("the ground is %s, dark = %v", ground, dark)
	}
	b.quiet(t)
}

// auditCatches shows that the audit can fail.
func auditCatches(t *testing.T, browser context.Context, audit string) {
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>A</h1><h3 style="color:#aaa;background:#fff">B</h3><input><table><tr><th>x</table><p id=a><p id=a><a href="#no"></a>
<div style="width:3000px">wide</div><nav></nav><svg></svg><img src="http://other.invalid/x.png"><script>console.log(1)</script><footer></footer>`)
	}))
	b := open(t, browser, server, 800, 600, false, true)
	b.visit(t, "/")
	got := strings.Join(ask(t, b, chromedp.Evaluate[[]string](audit)), "\n")
	for _, want := range []string{"no language", "no title", "0 of main", "skip link", "level 3 after 1", "two elements of id a", "no label", "no text", "no name", "without a caption", "without a scope", "contrast 2.", "scrolls sideways", "a nav without a name", "which is not there"} {
		if !strings.Contains(got, want) {
			t.Errorf("nothing says %q in\n%s", want, got)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, want := range []string{"request to http://other.invalid/x.png", "console: log"} {
		if !strings.Contains(strings.Join(b.bad, "\n"), want) {
			t.Errorf("nothing says %q in %q", want, b.bad)
		}
	}
}

// byHand fills the form and reads the answer, with scripts and without.
func byHand(t *testing.T, browser context.Context, script bool) {
	server := serve(t, handlerOf(t, full(t)))
	b := open(t, browser, server, 1280, 900, false, script)
	b.visit(t, "/reasons")
	b.do(t, chromedp.SendKeys(chromedp.CSS("#q"), "salary\r"), chromedp.WaitReady(chromedp.CSS("#insufficient_funds")))
	b.do(t, chromedp.Click(chromedp.CSS("#insufficient_funds a")), chromedp.WaitReady(chromedp.CSS(".button")))
	b.do(t, chromedp.Click(chromedp.CSS(".button")), chromedp.WaitReady(chromedp.CSS("#amount")))
	b.do(t, chromedp.Clear(chromedp.CSS("#amount")), chromedp.SendKeys(chromedp.CSS("#amount"), "1,23"), chromedp.SendKeys(chromedp.CSS("#bank"), `<b>"HDFC"</b>`))
	b.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".alert")), chromedp.WaitReady(chromedp.CSS("body > footer")))
	if got := ask(t, b, chromedp.Text(chromedp.CSS("#amount-fault-0"))); !strings.Contains(got, "is no amount") {
		t.Errorf("the fault says %q", got)
	}
	if got := ask(t, b, chromedp.Value(chromedp.CSS("#bank"))); got != `<b>"HDFC"</b>` {
		t.Errorf("the bank was not kept: %q", got)
	}
	b.do(t, chromedp.Clear(chromedp.CSS("#amount")), chromedp.SendKeys(chromedp.CSS("#amount"), "1,499.00\r"), chromedp.WaitReady(chromedp.CSS(".decision")), chromedp.WaitReady(chromedp.CSS("body > footer")))
	if got := ask(t, b, chromedp.Text(chromedp.CSS(".does"))); got != "Retry Mon 9 Feb 2026, 03:30 IST" {
		t.Errorf("the answer says %q", got)
	}
	b.do(t, chromedp.Click(chromedp.CSS("[aria-labelledby=repeat] summary")), chromedp.WaitVisible(chromedp.CSS("#body")))
	if got := ask(t, b, chromedp.Text(chromedp.CSS("#body"))); !strings.Contains(got, `"amount_paise": 149900`) || !strings.Contains(got, `"bank": "<b>\"HDFC\"</b>"`) {
		t.Errorf("the body is %s", got)
	}
	b.quiet(t)
}

// answeredByHand takes an escalation from the queue and answers it, without scripts.
func answeredByHand(t *testing.T, browser context.Context) {
	said := make(chan live.Change, 1)
	server := serve(t, handlerOf(t, withOffice(full(t), func(p *Present) {
		p.Resolve = func(_ context.Context, _ string, c live.Change) error { said <- c; return nil }
	})))
	b := open(t, browser, server, 1280, 900, false, false)
	b.visit(t, "/queue")
	b.do(t, chromedp.Click(chromedp.CSS(`a[href="/queue?decision=dec_3"]`)), chromedp.WaitReady(chromedp.CSS("#owner")))
	b.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".alert")), chromedp.WaitReady(chromedp.CSS("body > footer")))
	b.do(t, chromedp.SendKeys(chromedp.CSS("#owner"), "meera"), chromedp.SetValue(chromedp.CSS("#result"), "unreached"), chromedp.Click(chromedp.CSS("form.case button")))
	select {
	case got := <-said:
		if got != (live.Change{Owner: "meera", Result: live.Unreached}) {
			t.Errorf("recorded: %+v", got)
		}
	case <-time.After(time.Minute):
		t.Error("nothing was recorded")
	}
	b.quiet(t)
}

// keyboard: the first stop is the way past the menu.
func keyboard(t *testing.T, browser context.Context) {
	b := open(t, browser, serve(t, handlerOf(t, full(t))), 1280, 800, false, true)
	b.visit(t, "/try")
	b.do(t, chromedp.KeyEvent("\t"))
	if got := ask(t, b, chromedp.Evaluate[string](`document.activeElement.textContent + " " + (document.activeElement.getBoundingClientRect().left >= 0)`)); got != "Skip to the content true" {
		t.Errorf("the first stop is %q", got)
	}
	b.do(t, chromedp.KeyEvent("\r"), chromedp.KeyEvent("\t"))
	if got := ask(t, b, chromedp.Evaluate[string](`document.activeElement.id`)); got != "amount" {
		t.Errorf("past the menu comes %q", got)
	}
}
