package pages

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	shots    = flag.String("shots", "", "folder that TestShots writes pictures of the pages to")
	allShots = flag.Bool("all-shots", false, "every page, narrow and wide, light and dark, whole length")
)

// TestShots takes the README's pictures (make shots). It is skipped without
// -shots.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots folder")
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	browser := chromium(t)
	server := serve(t, handlerOf(t, full(t)))
	take := func(name, path string, width, height int64, dark, send, whole bool) {
		b := open(t, browser, server, width, height, dark, true)
		b.visit(t, path)
		if send {
			b.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".decision, .alert")))
		}
		picture := ask(t, b, chromedp.CaptureScreenshot())
		if whole {
			picture = ask(t, b, chromedp.FullScreenshot(100))
		}
		if err := os.WriteFile(filepath.Join(*shots, name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !*allShots {
		return
	}
	for _, width := range []int64{1280, 390} {
		for _, dark := range []bool{false, true} {
			end := fmt.Sprintf("-%d-%v", width, map[bool]string{false: "light", true: "dark"}[dark])
			for name, path := range map[string]string{"home": "/", "reasons": "/reasons?q=insufficient", "reason": "/reasons/insufficient_funds", "try": "/try", "missing": "/reasons/insuficient_funds"} {
				take(name+end, path, width, 900, dark, false, true)
			}
			take("answer"+end, "/try", width, 900, dark, true, true)
		}
	}
}
