package api

import (
	"database/sql"
	"encoding/base64"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // to do what nobody should

	"recoup/models"
	"recoup/score"
)

// basic is what a browser sends of a key.
func basic(header string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("anybody:"+strings.TrimPrefix(header, "Authorization: Bearer ")))
}

// TestPagesOfTheLedger: the pages of what is recorded are for keys, each tenant's for its
// own; an escalation is answered by who may; a row that was edited is shown.
func TestPagesOfTheLedger(t *testing.T) {
	w := serve(t, -1, nil).recording()
	r, err := models.OpenRegistry(filepath.Join(t.TempDir(), "models"))
	if err != nil {
		t.Fatal(err)
	}
	w.again(func(_ *Config, p *Parts) {
		p.Tenants = append(p.Tenants, Tenant{Name: "other", Dir: t.TempDir(), Policy: score.Default(), Registry: r})
	})
	w, teller := w.keyed("main", ScoreScope, OutcomesScope)
	path := w.parts.Keys.path
	reader, other := basic(newKey(t, path, "reader", "main", ScoreScope)), basic(newKey(t, path, "other", "other", ScoreScope))
	if err := w.parts.Keys.look(); err != nil {
		t.Fatal(err)
	}
	post := func(path, body string) string {
		t.Helper()
		a := w.request("POST", path, body, teller)
		if a.StatusCode/100 != 2 {
			t.Fatalf("%s: %d %s", path, a.StatusCode, a.body)
		}
		return string(a.body)
	}
	decided := post("/v1/decide", `{"as_of":"now","case_id":"case-1","events":[{"table":"attempts","occurred_at":"2026-02-03T09:00:00+05:30","case_id":"case-1","attempt_no":0,"attempt_id":"pay_1","customer_id":"cust-1",`+
		`"rail":"card","bank":"<script>","amount_paise":49900,"status":"failed","reason":"bank_not_enabled"}]}`)
	id := regexp.MustCompile(`"decision_id":"([^"]+)"`).FindStringSubmatch(decided)[1]
	page := func(key, path string, status int, has ...string) {
		t.Helper()
		a := w.request("GET", path, "", key)
		if a.StatusCode != status {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
		for _, s := range has {
			if !strings.Contains(string(a.body), s) {
				t.Errorf("%s has no %q", path, s)
			}
		}
		if strings.Contains(string(a.body), "<script") {
			t.Errorf("%s: an element came through", path)
		}
	}
	for _, path := range []string{"/queue", "/due", "/case", "/chain"} {
		if a := w.request("GET", path, ""); a.StatusCode != 401 || strings.Contains(string(a.body), "case-1") {
			t.Errorf("%s without a key: %d", path, a.StatusCode)
		}
	}
	page(reader, "/queue", 200, "1 escalation, 1 without an owner", "case-1")
	page(reader, "/due", 200, "0</strong> to do")
	page(reader, "/case?id=case-1", 200, "still owed", "&lt;script&gt;", "alert the merchant", "It stands")
	page(reader, "/case?id="+id, 200, "Case <code>case-1")
	page(reader, "/chain", 200, "The chain is intact", "tamper-evident")
	page(other, "/queue", 200, "Nobody waits")
	page(other, "/case?id=case-1", 404, "No such case")
	page(other, "/queue?decision="+id, 404)

	answer := func(key string) int {
		form := url.Values{"owner": {"asha"}, "deadline": {""}, "result": {"handed_back"}, "note": {""}, "seen": {"0"}}
		return w.request("POST", "/queue?decision="+id, form.Encode(), key, "Content-Type: application/x-www-form-urlencoded").StatusCode
	}
	if got := answer(reader); got != 403 {
		t.Errorf("who may only read answers: %d", got)
	}
	if got := answer(basic(teller)); got != 303 {
		t.Errorf("who may answer: %d", got)
	}
	page(reader, "/queue", 200, "Nobody waits")
	page(reader, "/queue?decision="+id, 200, "handed back to recoup", "asha")

	db, err := sql.Open("sqlite", filepath.Join(w.main.dir, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tamper(t, db)
	page(reader, "/chain", 200, "The chain is broken", "Row 1 (event", "is the first that is not what was written", "pay_666", "0</dd>")
}

// tamper edits the body of the main tenant's first entry, past what guards it.
func tamper(t *testing.T, db *sql.DB) {
	for _, q := range []string{`DROP TRIGGER entries_append_only`, `UPDATE entries SET body = CAST(replace(CAST(body AS TEXT), 'pay_1', 'pay_666') AS BLOB)
		WHERE seq = 1 AND book = (SELECT book FROM books WHERE tenant = 'main')`} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
}
