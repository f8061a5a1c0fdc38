package pages

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"recoup/api/live"
	"recoup/data"
	"recoup/features"
)

// TestPresent: what the pages of a ledger show.
func TestPresent(t *testing.T) {
	at := withOffice(full(t), nil)
	nobody := withOffice(full(t), func(p *Present) {
		p.Queue = func(context.Context) ([]live.Escalation, error) { return nil, nil }
		p.Due = func(context.Context, data.Micros) (live.List, error) { return live.List{At: now}, nil }
		p.Resolve = nil
	})
	torn := withOffice(full(t), func(p *Present) { p.Verify = broken })
	for _, c := range []struct {
		name   string
		source Source
		path   string
		status int
		has    []string
		hasNot []string
	}{
		{"the menu", at, "/", 200, []string{`<a href="/queue">Queue</a>`, `<a href="/chain">Chain</a>`, "kept but answers to escalations"}, nil},
		{"the menu without a ledger", full(t), "/", 200, nil, []string{`href="/queue"`, "answers to escalations"}},
		{"no ledger", full(t), "/queue", 404, []string{"keeps no ledger"}, nil},
		{"queue", at, "/queue", 200, []string{"3 escalations, 1 without an owner, 1 late", `aria-current="page">Queue`, "alert the merchant", "a person reviews it", "nobody yet", "asha",
			"Tue 3 Feb 2026, 11:30", `href="/queue?decision=dec&#43;%26&#43;5"`}, nil},
		{"empty queue", nobody, "/queue", 200, []string{"Nobody waits"}, []string{"<table"}},
		{"an escalation", at, "/queue?decision=dec_3", 200, []string{"asha", "open", `method="post" action="/queue?decision=dec_3"`, `name="seen" value="1"`, "Asked: owner nobody", "Change 1: owner asha"}, nil},
		{"an escalation that has its result", at, "/queue?decision=dec_9", 200, []string{"handed back to recoup"}, []string{"<form class=\"case\""}},
		{"an escalation where nothing is recorded", nobody, "/queue?decision=dec_3", 200, []string{"asha"}, []string{"<form class=\"case\""}},
		{"a decision that asks nobody", at, "/queue?decision=dec_1", 404, []string{"asks no person", `href="/case?id=case-1"`}, nil},
		{"no such escalation", at, "/queue?decision=dec_77", 404, []string{"Neither the ledger nor the event log"}, nil},
		{"due", at, "/due", 200, []string{"<strong>3</strong> to do, <strong>1</strong> held", "Retry", "Payment link: plain payment link", "Send the notice for the debit of Wed 4 Feb, 15:30", "no end", "rail_<wbr>down"}, nil},
		{"due of one kind", at, "/due?step=poll", 200, []string{"<strong>0</strong> to do", `<option value="poll" selected>`}, []string{"<table"}},
		{"due of no kind", at, "/due?step=dance", 400, []string{"There is no step dance."}, []string{"<table"}},
		{"a case", at, "/case?id=case-1", 200, []string{"still owed, and a debit is under way", "The charge itself, ₹1,499.00: failed", "Rail</dt><dd>Card", "No. 1, ₹1,499.00: pending", "Not recovered", "Status check", "Promise", "Disputed",
			"Superseded", "by decision dec_3", "What the gate refused", "the least wait of 72 h is not over", "95.0 %", "Erased: what it said is gone", "A person&#39;s word", `href="/queue?decision=dec_3"`, `id="e112"`}, nil},
		{"by its decision", at, "/case?id=dec_1", 200, []string{"Case <code>case-1"}, nil},
		{"no such case", at, "/case?id=case-77", 404, []string{"tells of case-77"}, nil},
		{"which case", at, "/case", 200, []string{"Case or decision"}, nil},
		{"intact", at, "/chain", 200, []string{"The chain is intact", "1204, of them 3 erased", "keyed from row 1 on", "4 rows came after"}, []string{"broken"}},
		{"broken", torn, "/chain", 200, []string{"Row 42 (outcome", "is the first that is not what was written", "its body is not what was written", "<title>Broken", "tamper-evident: whoever", "2 rows, for want of their secret", "erased"}, []string{"intact"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, handlerOf(t, c.source), c.path)
			if w.Code != c.status {
				t.Errorf("status %d, want %d", w.Code, c.status)
			}
			for _, s := range c.has {
				if !strings.Contains(w.Body.String(), s) {
					t.Errorf("does not have %q", s)
				}
			}
			for _, s := range append(c.hasNot, "<script", "alert(\"1\")") {
				if strings.Contains(w.Body.String(), s) {
					t.Errorf("has %q", s)
				}
			}
			if c.path != "/" && w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("may be kept: %s", w.Header().Get("Cache-Control"))
			}
		})
	}
	h := handlerOf(t, at)
	first, second := get(t, h, "/case?id=case-1").Body.String(), get(t, h, "/case?id=case-1").Body.String()
	if first != second {
		t.Error("the same case, other bytes")
	}
}

// What a case's page says first: owed, on its way, reported or over.
func TestStanding(t *testing.T) {
	for _, c := range []struct {
		line live.Timeline
		want string
	}{
		{live.Timeline{}, "no failed charge of it is known"},
		{live.Timeline{Facts: &features.Facts{Owed: true}}, "still owed"},
		{live.Timeline{Facts: &features.Facts{Owed: true, Disputed: true}}, "still owed, disputed"},
		{live.Timeline{Facts: &features.Facts{Owed: true, Pending: 1}}, "still owed, and a debit is under way: what comes of it is not known yet"},
		{live.Timeline{Facts: &features.Facts{Owed: true}, Reported: "an outcome says so"}, "still owed, as the events tell it, but held: an outcome says so"},
		{live.Timeline{Facts: &features.Facts{Paid: true, Pending: 1}, Reported: "an outcome says so"}, "paid"},
		{live.Timeline{Facts: &features.Facts{Ended: true, Pending: 1}}, "ended"},
	} {
		if got := standing(&c.line)[0].Value; got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

// reply posts an answer to an escalation.
func reply(t *testing.T, h http.Handler, id string, header []string, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	v := url.Values{"owner": {""}, "deadline": {""}, "result": {""}, "note": {""}, "seen": {"1"}}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest("POST", "/queue?decision="+url.QueryEscape(id), strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestReply: what a person says is recorded as he said it, once he has seen what is
// there.
func TestReply(t *testing.T) {
	var got []live.Change
	var fails error
	h := handlerOf(t, withOffice(full(t), func(p *Present) {
		p.Resolve = func(_ context.Context, id string, c live.Change) error {
			if id != "dec_3" {
				t.Errorf("of %s", id)
			}
			got = append(got, c)
			return fails
		}
	}))
	w := reply(t, h, "dec_3", nil, "owner", "meera", "deadline", "2026-02-04T18:00", "result", "promised", "note", "on Friday")
	want := live.Change{Owner: "meera", Deadline: data.IST(2026, 2, 4, 18, 0), Result: live.Promised, Note: "on Friday"}
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/queue?decision=dec_3" || len(got) != 1 || got[0] != want {
		t.Errorf("%d %v %+v", w.Code, w.Header(), got)
	}
	for name, c := range map[string]struct {
		pairs  []string
		status int
		says   string
	}{
		"nothing":   {nil, 422, "Nothing to record"},
		"too long":  {[]string{"owner", strings.Repeat("a", mostOwner+1)}, 422, "at most 100 bytes"},
		"no result": {[]string{"result", "won"}, 422, "unknown"},
		"no time":   {[]string{"deadline", "tomorrow"}, 422, "is no date and time"},
		"unseen":    {[]string{"owner", "meera", "seen", "0"}, 422, "Somebody else changed it after you opened this page"},
		"unknown":   {[]string{"owner", "meera", "extra", "1"}, 422, "has no field extra"},
	} {
		if w := reply(t, h, "dec_3", nil, c.pairs...); w.Code != c.status || !strings.Contains(w.Body.String(), c.says) || !strings.Contains(w.Body.String(), "<title>Error: ") {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
	}
	if w := reply(t, h, "dec_3", []string{"Sec-Fetch-Site", "cross-site"}, "owner", "meera"); w.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", w.Code)
	}
	if w := reply(t, h, "dec_77", nil, "owner", "meera"); w.Code != http.StatusNotFound {
		t.Errorf("of none: %d", w.Code)
	}
	if len(got) != 1 {
		t.Errorf("recorded: %+v", got)
	}
	for err, status := range map[error]int{errConflict: 409, errAway: 503} {
		fails = err
		if w := reply(t, h, "dec_3", nil, "owner", "meera"); w.Code != status || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %d", err, w.Code)
		}
	}
	h = handlerOf(t, withOffice(full(t), func(p *Present) { p.Resolve = nil }))
	if w := reply(t, h, "dec_3", nil, "owner", "meera"); w.Code != http.StatusForbidden {
		t.Errorf("where nothing is recorded: %d", w.Code)
	}
	if w := reply(t, handlerOf(t, full(t)), "dec_3", nil, "owner", "meera"); w.Code != http.StatusNotFound {
		t.Errorf("without a ledger: %d", w.Code)
	}
}

// TestAway: a ledger out of reach is a page of its own; another fault tells nobody why.
func TestAway(t *testing.T) {
	for status, err := range map[int]error{503: errAway, 500: errors.New("open /var/secret")} {
		h := handlerOf(t, withOffice(full(t), func(p *Present) {
			p.Queue = func(context.Context) ([]live.Escalation, error) { return nil, err }
			p.Due = func(context.Context, data.Micros) (live.List, error) { return live.List{}, err }
			p.Case = func(context.Context, string) (live.Timeline, error) { return live.Timeline{}, err }
			p.Verify = func(context.Context) (Chain, error) { return Chain{}, err }
			p.Trail = func(context.Context, string) (live.Trail, error) { return live.Trail{}, err }
		}))
		for _, path := range []string{"/queue", "/queue?decision=d", "/due", "/case?id=c", "/chain"} {
			if w := get(t, h, path); w.Code != status || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s: %d\n%s", path, w.Code, w.Body)
			}
		}
	}
}

// TestWalks: one walk at a time, whoever asks; who does not wait finds its end later;
// a panic of one ends nobody's process.
func TestWalks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began atomic.Int32
		end := make(chan struct{})
		h := handlerOf(t, withOffice(empty(), func(p *Present) {
			p.Verify = func(context.Context) (Chain, error) {
				if began.Add(1) == 3 {
					panic("broken")
				}
				<-end
				return Chain{Entries: 7}, nil
			}
		}))
		for range 3 {
			go func() {
				if body := get(t, h, "/chain").Body.String(); !strings.Contains(body, "is being checked") {
					t.Error(body)
				}
			}()
		}
		synctest.Wait()
		if body := get(t, h, "/chain").Body.String(); !strings.Contains(body, "is being checked") || began.Load() != 1 {
			t.Errorf("%d walks\n%s", began.Load(), body)
		}
		close(end)
		synctest.Wait()
		if body := get(t, h, "/chain").Body.String(); !strings.Contains(body, "<dd>7</dd>") || began.Load() != 1 {
			t.Errorf("%d walks\n%s", began.Load(), body)
		}
		if get(t, h, "/chain"); began.Load() != 2 {
			t.Errorf("%d walks", began.Load())
		}
		if w := get(t, h, "/chain"); w.Code != 500 {
			t.Errorf("a panic: %d", w.Code)
		}
	})
}

func TestNewRefusesHalfAPresent(t *testing.T) {
	if _, err := New(withOffice(empty(), func(p *Present) { p.Verify = nil })); err == nil {
		t.Error("a present without a check went through")
	}
}
