package api

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/data/sim"
)

var parityDecisions = flag.Int("parity", 2000, "decisions of TestParityOverHTTP, at least")

// TestParityOverHTTP: a world's events are posted as they become known, cases are
// decided on the way, the server is started anew in the middle; then the event log
// that the ledger exports gives the feature rows of every decision again, and not one
// byte differs from what was recorded when they were made.
func TestParityOverHTTP(t *testing.T) {
	rows := worldRows(t, *parityDecisions/2)
	w := serve(t, -1, nil)
	dir, url := inMemory(t), func() string { return "" }
	var open *ledger.Ledger
	start := func() (stop func()) {
		var err error
		open, err = ledger.Open(t.Context(), ledger.Config{URL: filepath.Join(dir, "ledger.db"), Random: rand.Reader, Now: func() data.Micros { return data.MicrosOf(time.Now()) }})
		if err != nil {
			t.Fatal(err)
		}
		w.again(func(_ *Config, p *Parts) {
			p.Ledger, p.Replay = open, true
			p.Tenants = slices.Clone(p.Tenants)
			p.Tenants[0].Dir = dir
		})
		s := httptest.NewServer(w.Handler())
		url = func() string { return s.URL }
		return func() {
			s.Close()
			if err := open.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	stop := start()
	defer func() { stop() }()
	made, standing := 0, 0
	var before []string
	for i, row := range rows {
		before = append(before, row.json)
		switch i {
		case len(rows) / 2:
			stop()
			stop = start()
		case len(rows) * 3 / 4: // a night
			if _, err := w.main.desk.Book().Export(t.Context(), ledger.Export{Dir: dir, Currency: "INR"}); err != nil {
				t.Fatal(err)
			}
			if err := w.main.desk.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if row.failed == "" && i < len(rows)-1 && len(before) < 500 {
			continue
		}
		events := "[" + strings.Join(before, ",") + "]"
		before = nil
		if row.failed == "" {
			send(t, url()+"/v1/events", `{"events":`+events+`}`, nil)
			continue
		}
		var d Decided
		send(t, url()+"/v1/decide", `{"as_of":"now","case_id":"`+row.failed+`","events":`+events+`}`, &d)
		if made++; *d.Standing {
			standing++
		}
	}
	if _, err := w.main.desk.Book().Export(t.Context(), ledger.Export{Dir: dir, Currency: "INR"}); err != nil {
		t.Fatal(err)
	}
	p, err := live.CheckParity(t.Context(), MainTenant, dir, w.main.desk.Book(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d events, %d answers, %d of them standing: %+v", len(rows), made, standing, p)
	if p.Different != 0 || p.Decisions != made-standing || p.Checked != p.Decisions || p.Checked < *parityDecisions || p.Waiting != 0 {
		t.Errorf("%+v", p)
	}
}

// worldRow is an event of a world as it is posted; failed is the case that it leaves owed.
type worldRow struct {
	json, failed string
	cursor       data.Cursor
}

// worldRows are the events of a simulated world in the order of knowing, as its own log
// tells them, under the merchant's own ladder.
func worldRows(t *testing.T, cases int) []worldRow {
	t.Helper()
	dir := filepath.Join(inMemory(t), "world")
	if _, err := sim.Write(t.Context(), sim.Config{Seed: 17, Cases: cases, Start: data.IST(2025, 1, 1, 0, 0), Months: 6}, sim.Ladder(), dir, ""); err != nil {
		t.Fatal(err)
	}
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []worldRow
	out = tableRows[data.Attempt](t, l, out)
	out = tableRows[data.CaseEvent](t, l, out)
	out = tableRows[data.Subscription](t, l, out)
	out = tableRows[data.Mandate](t, l, out)
	out = tableRows[data.Notice](t, l, out)
	out = tableRows[data.Poll](t, l, out)
	out = tableRows[data.Promise](t, l, out)
	out = tableRows[data.Downtime](t, l, out)
	slices.SortFunc(out, func(a, b worldRow) int { return a.cursor.Compare(b.cursor) })
	owed(out)
	return out
}

func tableRows[T data.Row](t *testing.T, l *data.Log, out []worldRow) []worldRow {
	t.Helper()
	for rows, err := range data.Scan[T](l, data.AsOf(data.IST(2090, 1, 1, 0, 0))) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			r := worldRow{json: string(data.AppendJSON(nil, &rows[i]))}
			switch x := any(&rows[i]).(type) {
			case *data.Attempt:
				r.cursor = x.Cursor()
				switch x.Status {
				case data.Failed:
					r.failed = x.CaseID
				case data.Captured, data.AuthorizedLate, data.Refunded:
					r.failed = "-" + x.CaseID
				}
			case *data.CaseEvent:
				r.cursor, r.failed = x.Cursor(), "-"+x.CaseID
			case *data.Subscription:
				r.cursor = x.Cursor()
			case *data.Mandate:
				r.cursor = x.Cursor()
			case *data.Notice:
				r.cursor = x.Cursor()
			case *data.Poll:
				r.cursor = x.Cursor()
			case *data.Promise:
				r.cursor = x.Cursor()
			case *data.Downtime:
				r.cursor = x.Cursor()
			}
			out = append(out, r)
		}
	}
	return out
}

// owed leaves failed where the failure leaves its case owed: no payment and no end of
// it came before.
func owed(rows []worldRow) {
	over := map[string]bool{}
	for i := range rows {
		if id, ended := strings.CutPrefix(rows[i].failed, "-"); ended || over[id] {
			over[id], rows[i].failed = true, ""
		}
	}
}

// send posts a body and demands an answer.
func send(t *testing.T, url, body string, into any) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != 200 {
		t.Fatalf("%s: %d %s", url, res.StatusCode, b.Bytes())
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(b.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// inMemory is a folder in memory where there is one: what is asked here is about bytes,
// and a disk makes it slow.
func inMemory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "recoup-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
