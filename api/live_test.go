package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// post posts a body and demands a status.
func (w *world) post(path, body string, status int, headers ...string) answer {
	w.t.Helper()
	a := w.request("POST", path, body, headers...)
	if a.StatusCode != status {
		w.t.Fatalf("%s %s: %d %s", path, body, a.StatusCode, a.body)
	}
	return a
}

// failure0 are rows of a first charge that failed an hour ago.
func failure0(caseID, reason string) string {
	at := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	return fmt.Sprintf(`{"table":"mandates","occurred_at":%q,"mandate_id":"m-%s","customer_id":"u-%s","rail":"upi_autopay","status":"active"},
		{"table":"attempts","occurred_at":%q,"case_id":%q,"attempt_no":0,"attempt_id":"a-%s-0","customer_id":"u-%s","mandate_id":"m-%s","rail":"upi_autopay","bank":"HDFC","amount_paise":49900,"status":"failed","reason":%q}`,
		at, caseID, caseID, at, caseID, caseID, caseID, caseID, reason)
}

// The way of a case over the API: what happened, what to do, what is due, what came of
// it, and why.
func TestTheLoop(t *testing.T) {
	w := serve(t, -1, nil).recording().again(func(_ *Config, p *Parts) { p.Replay = true })
	var taken EventsTaken
	w.post("/v1/events", `{"events":[`+failure0("c", "insufficient_funds")+`]}`, 200).json(t, &taken)
	if taken.Recorded != 2 || taken.Duplicates != 0 || len(taken.Events) != 2 || taken.Events[1].Seq != 2 || taken.Events[1].EventID == "" {
		t.Errorf("%+v", taken)
	}
	var scored Scored
	w.post("/v1/score", `{"as_of":"now","case_id":"c"}`, 200).json(t, &scored)
	var first, again Decided
	w.post("/v1/decide", `{"as_of":"now","case_id":"c"}`, 200).json(t, &first)
	w.post("/v1/decide", `{"as_of":"now","case_id":"c"}`, 200).json(t, &again)
	if *first.Standing || !*again.Standing || again.DecisionID != first.DecisionID || again.Entry.Seq != 3 || len(first.Candidates) != len(scored.Candidates) {
		t.Errorf("%+v %+v", first.Entry, again.Entry)
	}
	var due Due
	w.request("GET", "/v1/due?at="+first.Choice.At, "").json(t, &due)
	if len(due.Steps)+len(due.Held) == 0 {
		t.Errorf("%+v", due)
	}
	begun := fmt.Sprintf(`{"table":"attempts","occurred_at":%q,"case_id":"c","attempt_no":1,"attempt_id":"a-c-1","initiator":"recoup","decision_id":%q,"customer_id":"u-c","rail":"upi_autopay","amount_paise":49900,"status":"pending"}`,
		first.Choice.At, first.DecisionID)
	early := strings.Replace(begun, first.Choice.At, time.Now().UTC().Format(time.RFC3339), 1)
	if p := problemOf(t, w.request("POST", "/v1/events", `{"events":[`+early+`]}`), Conflict); !strings.Contains(p.Detail, "c:1 (a-c-1) must not be made: the gate refuses it now") {
		t.Error(p.Detail)
	}
	w.post("/v1/events", fmt.Sprintf(`{"events":[{"table":"notices","occurred_at":%q,"case_id":"c","mandate_id":"m-c","kind":"pre_debit","status":"delivered","amount_paise":49900,"debit_at":%q}]}`,
		*first.Choice.NoticeBy, first.Choice.At), 200)
	w.post("/v1/events", `{"events":[`+begun+`]}`, 200)
	w.post("/v1/events", `{"events":[`+begun+`]}`, 200).json(t, &taken)
	if taken.Recorded != 0 || taken.Duplicates != 1 {
		t.Errorf("%+v", taken)
	}
	problemOf(t, w.request("POST", "/v1/events", `{"events":[`+strings.Replace(begun, "a-c-1", "a-other", 1)+`]}`), Conflict)
	outcome := fmt.Sprintf(`{"decision_id":%q,"attempt_id":"a-c-1","occurred_at":"2026-12-01T00:00:00Z","recovered":true,"recovered_paise":49900,"cost_paise":150,"settled_at":"2026-12-01T00:00:00Z","window_closed":true}`, first.DecisionID)
	var row RowTaken
	w.post("/v1/outcomes", outcome, 200).json(t, &row)
	if row.Duplicate || row.Seq != 6 {
		t.Errorf("%+v", row)
	}
	w.post("/v1/outcomes", outcome, 200).json(t, &row)
	if !row.Duplicate || row.Seq != 6 {
		t.Errorf("again: %+v", row)
	}
	var tr Trail
	w.request("GET", "/v1/decisions/"+first.DecisionID+"?contributions=3", "").json(t, &tr)
	if len(tr.Shares) != 3 || tr.Shares[0].LogOdds == 0 {
		t.Errorf("%+v", tr.Shares)
	}
	if *tr.Status != "done" || len(tr.Outcomes) != 1 || len(tr.Attempts) != 1 || tr.Attempts[0].State != "intended" || len(tr.Row) == 0 || tr.Row[0].Column == nil || tr.DecisionID != first.DecisionID ||
		len(tr.Candidates) != len(first.Candidates) {
		tr.Candidates, tr.Row = nil, nil
		t.Errorf("%+v", tr)
	}
	w.post("/v1/promises", `{"case_id":"c","occurred_at":"2026-11-30T10:00:00Z","promised_for":"2026-12-05T10:00:00Z","status":"made"}`, 200).json(t, &row)
	problemOf(t, w.request("GET", "/v1/decisions/dec_nobody", ""), Unknown)
	problemOf(t, w.request("POST", "/v1/decide", `{"as_of":"now","case_id":"nobody"}`), Unknown)
	w.post("/v1/events", `{"events":[`+strings.Replace(strings.Replace(begun, `"pending"`, `"captured"`, 1), `"decision_id":"`+first.DecisionID+`",`, "", 1)+`]}`, 200)
	problemOf(t, w.request("POST", "/v1/decide", `{"as_of":"now","case_id":"c"}`), Undecidable)
}

// A person's way over the queue.
func TestQueueOverHTTP(t *testing.T) {
	w := serve(t, -1, nil).recording()
	w.post("/v1/events", `{"events":[`+failure0("c", "bank_not_enabled")+`]}`, 200)
	var p Passed
	w.post("/v1/decisions:batch", `{"as_of":"now"}`, 200).json(t, &p)
	if len(p.Decisions) != 1 || p.Decisions[0].Action != "escalate" || p.Escalated != 1 {
		t.Fatalf("%+v", p)
	}
	problemOf(t, w.request("POST", "/v1/decisionsX", `{"as_of":"now"}`), NotFound)
	var q Queue
	w.request("GET", "/v1/queue", "").json(t, &q)
	if len(q.Escalations) != 1 || q.Escalations[0].Owner != nil || *q.Escalations[0].Kind != "merchant_alert" || q.Escalations[0].Late {
		t.Fatalf("%+v", q)
	}
	path := "/v1/queue/" + q.Escalations[0].DecisionID
	var e EscalationTaken
	w.post(path, `{"owner":"asha","deadline":"2027-02-03T18:00:00+05:30"}`, 200, "Idempotency-Key: k1").json(t, &e)
	a := w.post(path, `{"owner":"asha","deadline":"2027-02-03T18:00:00+05:30"}`, 200, "Idempotency-Key: k1")
	if e.Changes != 1 || *e.Owner != "asha" || e.Deadline != "2027-02-03T12:30:00Z" || a.Header.Get(replayedHeader) != "true" {
		t.Errorf("%+v %v", e, a.Header)
	}
	w.post(path, `{"result":"resolved","note":"the bank is on now"}`, 200).json(t, &e)
	w.request("GET", "/v1/queue", "").json(t, &q)
	if *e.Result != "resolved" || len(q.Escalations) != 0 {
		t.Errorf("%+v %+v", e, q)
	}
	for body, at := range map[string]string{"{}": "", `{"owner":""}`: "owner", `{"result":"gone"}`: "result", `{"who":"x"}`: "who", `{"deadline":"soon"}`: "deadline"} {
		if p := problemOf(t, w.request("POST", path, body), Invalid); p.Errors[0].Location != at {
			t.Errorf("%s: %+v", body, p.Errors)
		}
	}
	problemOf(t, w.request("POST", "/v1/queue/dec_nobody", `{"owner":"x"}`), Unknown)
}

// One key, one answer: byte by byte, and nothing twice.
func TestOnceOverHTTP(t *testing.T) {
	w := serve(t, -1, nil).recording()
	for path, body := range map[string]string{"/v1/events": `{"events":[` + failure0("a", "insufficient_funds") + `]}`,
		"/v1/decide": `{"as_of":"now","events":[` + failure0("b", "insufficient_funds") + `]}`} {
		key := "Idempotency-Key: key of " + path
		key = strings.ReplaceAll(strings.Replace(key, ": ", ":=", 1), " ", "-")
		key = strings.Replace(key, ":=", ": ", 1)
		first := w.post(path, body, 200, key)
		again := w.post(path, body, 200, key)
		if string(again.body) != string(first.body) || again.Header.Get(replayedHeader) != "true" || first.Header.Get(replayedHeader) != "" {
			t.Errorf("%s: again\n%s\nwas\n%s", path, again.body, first.body)
		}
		problemOf(t, w.request("POST", path, strings.Replace(body, "49900", "49901", 1), key), Reused)
	}
	first := w.post("/v1/decide", example(t), 200, "Idempotency-Key: apart")
	again := w.post("/v1/decide", example(t), 200, "Idempotency-Key: apart")
	var d Decided
	first.json(t, &d)
	if string(again.body) != string(first.body) || d.Warnings[len(d.Warnings)-1] != apart || d.Standing != nil {
		t.Errorf("%s", again.body)
	}
	w.post("/v1/decide", example(t), 200) // the same question without a key is recorded once
	var tr Trail
	w.request("GET", "/v1/decisions/"+d.DecisionID, "").json(t, &tr)
	if tr.Status != nil || tr.DecisionID != d.DecisionID {
		t.Errorf("%+v", tr.Status)
	}
}

// What a body about the present may not say, all at once and each with its place.
func TestFaultsAboutNow(t *testing.T) {
	w := serve(t, -1, nil).recording()
	row := `{"table":"polls","occurred_at":"2026-11-01T00:00:00Z","attempt_id":"a","status":"failed"`
	for _, c := range []struct{ path, body, at string }{
		{"/v1/events", `{"events":[` + row + `,"known_at":"2026-11-01T00:00:00Z"}]}`, "events[0].known_at"},
		{"/v1/events", `{"events":[` + row + `},` + row + `,"seq":3}]}`, "events[1].seq"},
		{"/v1/events", `{"events":[]}`, "events"},
		{"/v1/events", `{}`, "events"},
		{"/v1/events", `{"events":[{"table":"outcomes","occurred_at":"2026-11-01T00:00:00Z","decision_id":"d","recovered":false,"recovered_paise":0,"cost_paise":0,"settled_at":"2026-11-01T00:00:00Z","window_closed":true}]}`, "events[0].table"},
		{"/v1/events", `{"events":[` + row + `,"what":1}]}`, "events[0].what"},
		{"/v1/decide", `{"as_of":"now"}`, "case_id"},
		{"/v1/decide", `{"as_of":"now","case_id":""}`, "case_id"},
		{"/v1/decide", `{"as_of":"now","case_id":"c","candidates":[]}`, "candidates"},
		{"/v1/score", `{"as_of":"now","case_id":"c","events":[` + row + `}]}`, "events"},
		{"/v1/promises", `{"case_id":"c","occurred_at":"2026-11-01T00:00:00Z","promised_for":"2026-11-02T00:00:00Z","status":"meant"}`, "status"},
		{"/v1/promises", `{"table":"promises"}`, "table"},
		{"/v1/promises", `[]`, ""},
		{"/v1/promises", `{"known_at":1}`, "known_at"},
		{"/v1/outcomes", `{"decision_id":"d","occurred_at":"2026-11-01T00:00:00Z","recovered":true,"recovered_paise":0,"cost_paise":0,"settled_at":"2026-11-01T00:00:00Z","window_closed":true}`, "recovered_paise"},
		{"/v1/outcomes", `{"decision_id":"d","occurred_at":"2026-11-01T00:00:00Z","recovered":false,"recovered_paise":0,"cost_paise":-1,"settled_at":"2026-11-01T00:00:00Z","window_closed":true}`, "cost_paise"},
		{"/v1/outcomes", `{"decision_id":"d","occurred_at":"2026-11-01T00:00:00Z","recovered":false,"recovered_paise":0,"cost_paise":0,"settled_at":"2026-11-01T00:00:00Z","window_closed":false,"unknown":true}`, "attempt_id"},
		{"/v1/outcomes", `{"unknown":1}`, "unknown"},
		{"/v1/decisions:batch", `{"as_of":"2026-11-01T00:00:00Z"}`, "as_of"},
		{"/v1/decisions:batch", `{"as_of":"now","cases":[]}`, "cases"},
		{"/v1/decisions:batch", `{"as_of":"now","cases":[1]}`, "cases[0]"},
	} {
		p := problemOf(t, w.request("POST", c.path, c.body), Invalid)
		if p.Errors[0].Location != c.at {
			t.Errorf("%s %s: %+v", c.path, c.body, p.Errors)
		}
	}
	for _, body := range []string{"", "{", `{"events":[]}{}`} {
		problemOf(t, w.request("POST", "/v1/events", body), NotJSON)
	}
	problemOf(t, w.request("POST", "/v1/outcomes", `{"unknown":true,"unknown":true}`), DuplicateKey)
	problemOf(t, w.request("GET", "/v1/due?at=yesterday", ""), BadQuery)
	problemOf(t, w.request("GET", "/v1/due?at=2020-01-01T00:00:00Z", ""), BadQuery)
	problemOf(t, w.request("GET", "/v1/due?step=dance", ""), BadQuery)
	if n := len(w.entries()); n != 0 {
		t.Errorf("%d entries of refused requests", n)
	}
}

// Without a ledger nothing is recorded, and everything that would be says so.
func TestNothingIsRecordedWithoutALedger(t *testing.T) {
	w := serve(t, -1, nil)
	for path, body := range map[string]string{"/v1/events": `{}`, "/v1/outcomes": `{}`, "/v1/promises": `{}`, "/v1/decisions:batch": `{}`, "/v1/queue/d": `{}`,
		"/v1/decide": `{"as_of":"now"}`, "/v1/score": `{"as_of":"now"}`} {
		problemOf(t, w.request("POST", path, body), NoLedger)
	}
	for _, path := range []string{"/v1/due", "/v1/queue", "/v1/decisions/d"} {
		problemOf(t, w.request("GET", path, ""), NoLedger)
	}
	reading := serve(t, -1, nil).recording().again(func(_ *Config, p *Parts) { p.ReadOnly = true })
	for path, body := range map[string]string{"/v1/events": `{}`, "/v1/outcomes": `{}`, "/v1/promises": `{}`, "/v1/decisions:batch": `{}`, "/v1/queue/d": `{}`, "/v1/decide": `{"as_of":"now"}`} {
		problemOf(t, reading.request("POST", path, body), ReadOnly)
	}
	reading.post("/v1/decide", example(t), 200)
	if n := len(reading.entries()); n != 0 {
		t.Errorf("%d entries", n)
	}
	if a := reading.request("GET", "/v1/due", ""); a.StatusCode != 200 {
		t.Errorf("%s", a.body)
	}
}

// entries are the kinds of what the ledger has.
func (w *world) entries() (out []string) {
	w.t.Helper()
	for e, err := range w.main.desk.Book().Scan(w.t.Context(), 0) {
		if err != nil {
			w.t.Fatal(err)
		}
		if !json.Valid(e.Body) {
			w.t.Errorf("entry %d: %s", e.Seq, e.Body)
		}
		out = append(out, e.Kind.String())
	}
	return out
}
