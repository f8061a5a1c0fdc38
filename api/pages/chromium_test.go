package pages

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestChromium opens the pages in a real browser, narrow and wide, light and
// dark: nothing is logged or fetched from elsewhere, nothing scrolls sideways,
// and the audit of testdata/audit.js finds nothing.
func TestChromium(t *testing.T) {
	browser := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	server, fresh := serve(t, handlerOf(t, full(t))), serve(t, handlerOf(t, empty()))
	for _, c := range []struct {
		width int64
		dark  bool
	}{{1280, false}, {360, true}} {
		for _, path := range []string{"/", "/reasons", "/reasons?q=zzz", "/reasons?class=x", "/reasons/insufficient_funds_mandate_block", "/reasons/insuficient_funds", "/try", "/nothing", "fresh /", "fresh /report"} {
			t.Run(fmt.Sprintf("%d %s", c.width, path), func(t *testing.T) {
				b := open(t, browser, server, c.width, 800, c.dark, true)
				if rest, ok := strings.CutPrefix(path, "fresh "); ok {
					b, path = open(t, browser, fresh, c.width, 800, c.dark, true), rest
				}
				b.visit(t, path)
				b.audit(t, string(audit), c.dark)
			})
		}
		t.Run(fmt.Sprintf("%d answer and faults", c.width), func(t *testing.T) {
			b := open(t, browser, server, c.width, 800, c.dark, true)
			b.visit(t, "/try")
			b.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".decision")))
			b.audit(t, string(audit), c.dark)
			b.do(t, chromedp.SetValue(chromedp.CSS("#amount"), "ten"), chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".alert")))
			b.audit(t, string(audit), c.dark)
		})
	}
	t.Run("the report", func(t *testing.T) {
		b := open(t, browser, server, 1280, 800, false, true)
		b.do(t, chromedp.Navigate(server.URL+"/report"))
		if got := ask(t, b, chromedp.Evaluate[string](`getComputedStyle(document.querySelector(".tiles div")).borderTopWidth + " " + document.querySelectorAll("svg").length`)); !strings.HasPrefix(got, "1px ") || got == "1px 0" {
			t.Errorf("the report's style or pictures are not let through: %s", got)
		}
		b.quiet(t)
	})
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

// TestAuditCatches shows that the audit can fail.
func TestAuditCatches(t *testing.T) {
	browser := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>A</h1><h3 style="color:#aaa;background:#fff">B</h3><input><table><tr><th>x</table><p id=a><p id=a><a href="#no"></a>
<div style="width:3000px">wide</div><nav></nav><svg></svg><img src="http://other.invalid/x.png"><script>console.log(1)</script><footer></footer>`)
	}))
	b := open(t, browser, server, 800, 600, false, true)
	b.visit(t, "/")
	got := strings.Join(ask(t, b, chromedp.Evaluate[[]string](string(audit))), "\n")
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

// TestByHand fills the form in a browser, with scripts and without, and reads
// the answer.
func TestByHand(t *testing.T) {
	browser := chromium(t)
	server := serve(t, handlerOf(t, full(t)))
	for _, script := range []bool{true, false} {
		t.Run(fmt.Sprintf("script %v", script), func(t *testing.T) {
			b := open(t, browser, server, 1280, 900, false, script)
			b.visit(t, "/reasons")
			b.do(t, chromedp.SendKeys(chromedp.CSS("#q"), "salary\r"), chromedp.WaitReady(chromedp.CSS("#insufficient_funds")))
			b.do(t, chromedp.Click(chromedp.CSS("#insufficient_funds a")), chromedp.WaitReady(chromedp.CSS(".button")))
			b.do(t, chromedp.Click(chromedp.CSS(".button")), chromedp.WaitReady(chromedp.CSS("#amount")))
			b.do(t, chromedp.Clear(chromedp.CSS("#amount")), chromedp.SendKeys(chromedp.CSS("#amount"), "1,23"), chromedp.SendKeys(chromedp.CSS("#bank"), `<b>"HDFC"</b>`))
			b.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".alert")))
			if got := ask(t, b, chromedp.Text(chromedp.CSS("#amount-fault-0"))); !strings.Contains(got, "is no amount") {
				t.Errorf("the fault says %q", got)
			}
			if got := ask(t, b, chromedp.Value(chromedp.CSS("#bank"))); got != `<b>"HDFC"</b>` {
				t.Errorf("the bank was not kept: %q", got)
			}
			b.do(t, chromedp.Clear(chromedp.CSS("#amount")), chromedp.SendKeys(chromedp.CSS("#amount"), "1,499.00\r"), chromedp.WaitReady(chromedp.CSS(".decision")))
			if got := ask(t, b, chromedp.Text(chromedp.CSS(".does"))); got != "Retry Mon 9 Feb 2026, 03:30 IST" {
				t.Errorf("the answer says %q", got)
			}
			b.do(t, chromedp.Click(chromedp.CSS("[aria-labelledby=repeat] summary")), chromedp.WaitVisible(chromedp.CSS("#body")))
			if got := ask(t, b, chromedp.Text(chromedp.CSS("#body"))); !strings.Contains(got, `"amount_paise": 149900`) || !strings.Contains(got, `"bank": "<b>\"HDFC\"</b>"`) {
				t.Errorf("the body is %s", got)
			}
			b.quiet(t)
		})
	}
}

// TestKeyboard: the first stop is the way past the menu.
func TestKeyboard(t *testing.T) {
	browser := chromium(t)
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
