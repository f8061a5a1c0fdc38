package pages

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
)

var (
	shots    = flag.String("shots", "", "folder that TestShots writes the README's pictures to")
	shotsOf  = flag.String("shots-of", "", "directory D of a night job with a champion, whose models and report are shown")
	allShots = flag.String("all-shots", "", "folder for every page, narrow and wide, light and dark, whole length")
)

// TestShots takes the README's pictures of a real night (make shots). It is
// skipped without -shots.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots folder")
	}
	server := serve(t, handlerOf(t, ofNight(t, *shotsOf)))
	browser := chromium(t)
	c := camera{*shots, open(t, browser, server, 1100, 900, false, true)}
	c.tab.visit(t, "/")
	c.take(t, "overview", false)
	c.tab.visit(t, "/try")
	c.tab.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".decision")))
	c.take(t, "decision", false)
	c.tab.visit(t, "/reasons?q=funds&rail=upi_autopay")
	c.take(t, "reasons", false)
}

// TestAllShots takes pictures to look at while working on the pages.
func TestAllShots(t *testing.T) {
	if *allShots == "" {
		t.Skip("no -all-shots folder")
	}
	s := full(t)
	if *shotsOf != "" {
		s = ofNight(t, *shotsOf)
	}
	server, fresh := serve(t, handlerOf(t, s)), serve(t, handlerOf(t, empty()))
	office := serve(t, handlerOf(t, withOffice(full(t), func(p *Present) { p.Verify = broken })))
	browser := chromium(t)
	for _, width := range []int64{1280, 390} {
		for _, dark := range []bool{false, true} {
			end := fmt.Sprintf("-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark])
			b := open(t, browser, fresh, width, 900, dark, true)
			b.visit(t, "/")
			camera{*allShots, b}.take(t, "empty"+end, true)
			desk := camera{*allShots, open(t, browser, office, width, 900, dark, true)}
			for name, path := range map[string]string{"queue": "/queue", "escalation": "/queue?decision=dec_3", "due": "/due", "case": "/case?id=case-1", "broken": "/chain"} {
				desk.tab.visit(t, path)
				desk.take(t, name+end, true)
			}
			c := camera{*allShots, open(t, browser, server, width, 900, dark, true)}
			for name, path := range map[string]string{"home": "/", "reasons": "/reasons?q=insufficient", "all": "/reasons", "reason": "/reasons/insufficient_funds", "missing": "/reasons/insuficient_funds"} {
				c.tab.visit(t, path)
				c.take(t, name+end, true)
			}
			c.tab.visit(t, "/try")
			c.take(t, "try"+end, true)
			c.tab.do(t, chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".decision, .alert")))
			c.take(t, "answer"+end, true)
			c.tab.do(t, chromedp.SetValue(chromedp.CSS("#amount"), "1,23"), chromedp.SetValue(chromedp.CSS("#mandate"), ""), chromedp.Click(chromedp.CSS("form.case button")), chromedp.WaitReady(chromedp.CSS(".alert")))
			c.take(t, "faults"+end, true)
		}
	}
}

type camera struct {
	dir string
	tab *tab
}

func (c camera) take(t *testing.T, name string, whole bool) {
	t.Helper()
	picture := ask(t, c.tab, chromedp.CaptureScreenshot())
	if whole {
		picture = ask(t, c.tab, chromedp.FullScreenshot(100))
	}
	err := os.MkdirAll(c.dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, name+".png"), picture, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ofNight is a source of a directory after a night: its registry, its report
// and its champion.
func ofNight(t *testing.T, dir string) Source {
	t.Helper()
	registry, err := models.OpenRegistry(filepath.Join(dir, "models"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := registry.Load(models.Champion)
	if err != nil {
		t.Fatal(err)
	}
	nights, err := filepath.Glob(filepath.Join(dir, "runs", "*", "report.json"))
	if err != nil || len(nights) == 0 {
		t.Fatalf("no report in %s: %v", dir, err)
	}
	js, err := os.ReadFile(nights[len(nights)-1])
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Decode(js)
	if err != nil {
		t.Fatal(err)
	}
	html, err := report.HTML(js)
	if err != nil {
		t.Fatal(err)
	}
	s := asking(t, empty(), b)
	s.Models, s.Aliases, s.Promotions = registry.List, registry.Aliases, registry.Promotions
	s.InUse = func() models.ID { return b.ID }
	s.Report = func() (*report.Report, []byte, error) { return r, html, nil }
	s.Now = func() data.Micros { return data.IST(2026, 3, 3, 9, 30) } // the demo's night is of 1 March
	return s
}
