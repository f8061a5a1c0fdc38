package pages

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
	"recoup/score"
)

// TestBody: the form's words become the columns of the event log.
func TestBody(t *testing.T) {
	got := sent(t, filled("amount", "1,499.50", "rail", "card", "bank", "O'Brien & Co", "reason", "card_expired", "attempts", "2", "gap", "48",
		"history", "2026-01-02 09:00 captured 1499.5\n\n2025-12-02 09:00 failed 99 insufficient_funds", "mandate", "paused", "mandate_since", "2025-11-01T10:00", "cap", "15000",
		"cycle_end", "2026-02-28T23:59", "notice", "pre_debit", "notice_status", "delivered", "notice_at", "2026-02-01T08:00"))
	want := map[string]any{"as_of": "2026-02-03T09:30:00+05:30", "case_id": "case-1", "events": []any{
		map[string]any{"table": "attempts", "occurred_at": "2026-01-02T09:00:00+05:30", "case_id": "earlier-1", "attempt_no": 0., "attempt_id": "earlier-attempt-1",
			"customer_id": "customer-1", "subscription_id": "subscription-1", "mandate_id": "mandate-1", "rail": "card", "bank": "O'Brien & Co", "amount_paise": 149950., "status": "captured"},
		map[string]any{"table": "attempts", "occurred_at": "2025-12-02T09:00:00+05:30", "case_id": "earlier-2", "attempt_no": 0., "attempt_id": "earlier-attempt-2",
			"customer_id": "customer-1", "subscription_id": "subscription-1", "mandate_id": "mandate-1", "rail": "card", "bank": "O'Brien & Co", "amount_paise": 9900., "status": "failed", "reason": "insufficient_funds"},
		map[string]any{"table": "subscriptions", "occurred_at": "2026-02-01T07:30:00+05:30", "subscription_id": "subscription-1", "customer_id": "customer-1", "status": "active", "cycle_end": "2026-02-28T23:59:00+05:30"},
		map[string]any{"table": "attempts", "occurred_at": "2026-02-01T07:30:00+05:30", "case_id": "case-1", "attempt_no": 0., "attempt_id": "attempt-0",
			"customer_id": "customer-1", "subscription_id": "subscription-1", "mandate_id": "mandate-1", "rail": "card", "bank": "O'Brien & Co", "amount_paise": 149950., "status": "failed", "reason": "card_expired"},
		map[string]any{"table": "attempts", "occurred_at": "2026-02-03T07:30:00+05:30", "case_id": "case-1", "attempt_no": 1., "attempt_id": "attempt-1",
			"customer_id": "customer-1", "subscription_id": "subscription-1", "mandate_id": "mandate-1", "rail": "card", "bank": "O'Brien & Co", "amount_paise": 149950., "status": "failed", "reason": "card_expired"},
		map[string]any{"table": "mandates", "occurred_at": "2025-11-01T10:00:00+05:30", "mandate_id": "mandate-1", "customer_id": "customer-1", "rail": "card", "status": "active", "created_at": "2025-11-01T10:00:00+05:30", "max_amount_paise": 1500000.},
		map[string]any{"table": "mandates", "occurred_at": "2026-02-03T07:30:00+05:30", "mandate_id": "mandate-1", "customer_id": "customer-1", "rail": "card", "status": "paused", "created_at": "2025-11-01T10:00:00+05:30", "max_amount_paise": 1500000.},
		map[string]any{"table": "notices", "occurred_at": "2026-02-01T08:00:00+05:30", "case_id": "case-1", "mandate_id": "mandate-1", "kind": "pre_debit", "status": "delivered"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

var faultAt = regexp.MustCompile(`<p class="fault" id="([a-z_]+)-fault-\d+">([^<]*)</p>`)

// faultsOf are the fields of a page that have faults.
func faultsOf(body string) map[string]string {
	out := map[string]string{}
	for _, m := range faultAt.FindAllStringSubmatch(body, -1) {
		out[m[1]] += html.UnescapeString(m[2])
	}
	return out
}

// TestFaults: each at its field, all at once, with what was entered kept.
func TestFaults(t *testing.T) {
	s := empty()
	s.Decide = func(context.Context, []byte) (score.Decision, []data.Fault, error) {
		t.Error("the engine was asked")
		return canned(), nil, nil
	}
	h := handlerOf(t, s)
	for _, c := range []struct {
		name    string
		changes []string
		want    map[string]string
	}{
		{"all at once", []string{"amount", "ten", "rail", "upi", "reason", "late", "failed_at", "", "attempts", "0", "gap", "x", "as_of", "yesterday"},
			map[string]string{"amount": "is no amount", "rail": `nknown rail "upi"`, "reason": `nknown reason "late"`, "failed_at": "is needed", "attempts": "from 1 to 20", "gap": "whole number", "as_of": "is no date"}},
		{"unit", []string{"unit", "lakh"}, map[string]string{"unit": "rupees, paise", "amount": ""}},
		{"decided before the failure", []string{"failed_at", "2026-02-03T09:31"}, map[string]string{"as_of": "before the failure"}},
		{"a mandate after the failure", []string{"mandate_since", "2026-02-03T08:00"}, map[string]string{"mandate_since": "after the failure"}},
		{"a beginning of no mandate", []string{"mandate", "", "cap", ""}, map[string]string{"mandate": "belongs to a mandate"}},
		{"a cap of no mandate", []string{"mandate", "", "mandate_since", "", "cap", "15000"}, map[string]string{"mandate": "belongs to a mandate"}},
		{"half a notice", []string{"notice", "pre_debit"}, map[string]string{"notice_status": "needs its kind", "notice_at": "needs its kind"}},
		{"a notice after the decision", []string{"notice", "pre_debit", "notice_status", "sent", "notice_at", "2026-02-03T10:00"}, map[string]string{"notice_at": "after the decision"}},
		{"a bank of two lines", []string{"bank", "A\nB"}, map[string]string{"bank": "plain text on one line"}},
		{"a long bank", []string{"bank", strings.Repeat("x", 65)}, map[string]string{"bank": "at most 64"}},
		{"history", []string{"history", "2026-01-05 09:30 captured\n2026-01-05 09:30 pending 4\n2026-01-05 09:30 failed 4\n2026-01-05 09:30 captured 4 late\n2026-01-05 09:30 failed 4 late\n2026-01-32 09:30 captured 4\n2026-01-05 09:30 captured x\n2026-02-03 07:30 captured 4"},
			map[string]string{"history": "Line 1: it has 3 words"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := filled(c.changes...)
			w := post(t, h, v)
			if w.Code != http.StatusUnprocessableEntity {
				t.Fatalf("%d: %s", w.Code, w.Body)
			}
			got := faultsOf(w.Body.String())
			for field, says := range c.want {
				if says != "" && !strings.Contains(got[field], says) {
					t.Errorf("%s says %q, want %q", field, got[field], says)
				}
				if !strings.Contains(w.Body.String(), `<a href="#`+field+`">`) && says != "" {
					t.Errorf("%s is not in the summary", field)
				}
			}
			for field, says := range got {
				if _, ok := c.want[field]; !ok {
					t.Errorf("%s says %q", field, says)
				}
			}
			for field := range v {
				if x := v.Get(field); x != "" && !strings.Contains(html.UnescapeString(w.Body.String()), x) {
					t.Errorf("%s: %q is gone", field, x)
				}
			}
		})
	}
	body := post(t, h, filled("history", "2026-01-05 09:30 captured\n2026-01-05 09:30 pending 4\n2026-01-05 09:30 failed 4\n2026-01-05 09:30 captured 4 late\n2026-01-05 09:30 failed 4 late\n2026-02-03 07:30 captured 4")).Body.String()
	for _, line := range []string{"Line 1", "Line 2", "Line 3", "Line 4", "Line 5", "Line 6"} {
		if !strings.Contains(faultsOf(body)["history"], line) {
			t.Errorf("nothing about %s of the history", line)
		}
	}
	if !strings.Contains(body, "6 things are not right") {
		t.Error("the summary does not have all faults of a field")
	}
}

// TestEngineFaults: what the engine finds wrong stands at the field that it
// came from.
func TestEngineFaults(t *testing.T) {
	faults := []data.Fault{
		{Path: "events[1].amount_paise", Value: "49900", Message: "too small"},
		{Path: "events[0].cycle_end", Message: "before the failure"},
		{Path: "as_of", Message: "in the future"},
		{Path: "events[2].max_amount_paise", Message: "no cap"},
		{Path: "events[9].rail", Message: "no such event"},
		{Path: "", Message: "several cases are open"},
	}
	s := empty()
	s.Decide = func(context.Context, []byte) (score.Decision, []data.Fault, error) {
		return score.Decision{}, faults, nil
	}
	w := post(t, handlerOf(t, s), filled("history", "", "cycle_end", "2026-02-28T23:59", "mandate", "active", "mandate_since", ""))
	want := map[string]string{"amount": "too small, found 49900.", "cycle_end": "before the failure.", "as_of": "in the future.", "cap": "no cap."}
	if diff := cmp.Diff(want, faultsOf(w.Body.String())); w.Code != 422 || diff != "" {
		t.Errorf("%d: %s", w.Code, diff)
	}
	for _, says := range []string{"6 things are not right", "events[9].rail: no such event.", "several cases are open."} {
		if !strings.Contains(w.Body.String(), says) {
			t.Errorf("does not say %q", says)
		}
	}
}

func TestEngineErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		has    string
	}{
		{data.Faultf(data.ErrContract, "score: case case-1: paid before as_of"), 422, "paid before as_of"},
		{data.Faultf(data.ErrUsage, "score: case case-1: not open"), 422, "not open"},
		{errors.New("attempt.json: a secret"), 500, "Something went wrong here"},
	} {
		s := empty()
		s.Decide = func(context.Context, []byte) (score.Decision, []data.Fault, error) {
			return score.Decision{}, nil, c.err
		}
		w := post(t, handlerOf(t, s), filled())
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.has) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %d\n%s", c.err, w.Code, w.Body)
		}
	}
	s := empty()
	s.Decide = func(context.Context, []byte) (score.Decision, []data.Fault, error) {
		d := canned()
		d.Chosen = len(d.Allowed)
		return d, nil, nil
	}
	if w := post(t, handlerOf(t, s), filled()); w.Code != 500 {
		t.Errorf("a decision that chose nothing: %d", w.Code)
	}
}

// TestForms: what is no form of this page is refused, not guessed at.
func TestForms(t *testing.T) {
	h := handlerOf(t, empty())
	for _, c := range []struct {
		name, kind, body string
		status           int
		has              string
	}{
		{"JSON", "application/json", `{}`, 415, "POST /v1/decide"},
		{"no type", "", filled().Encode(), 415, "Not a form"},
		{"escapes", "application/x-www-form-urlencoded", "amount=%zz", 400, "could not be read"},
		{"empty", "application/x-www-form-urlencoded", "", 422, "came without this field"},
		{"a field twice", "application/x-www-form-urlencoded", filled().Encode() + "&rail=card", 422, "more than once"},
		{"a field too many", "application/x-www-form-urlencoded", filled().Encode() + "&zone=UTC&admin=1", 422, "no field admin, zone"},
		{"too large", "application/x-www-form-urlencoded", filled().Encode() + "&x=" + strings.Repeat("x", mostForm), 413, "64 KiB"},
	} {
		r := httptest.NewRequest("POST", "/try", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.has) {
			t.Errorf("%s: %d\n%s", c.name, w.Code, w.Body)
		}
	}
	// A field in the address is not a field of the form.
	r := httptest.NewRequest("POST", "/try?rail=wallet", strings.NewReader(filled("rail", "card").Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `<option value="card" selected>`) {
		t.Errorf("%d", w.Code)
	}
}

// hostile tries to end texts, attributes, comments and elements.
const hostile = `'"><script>alert(1)</script><!--{{.}}`

// TestHostile: what a visitor or a file says is shown, never obeyed.
func TestHostile(t *testing.T) {
	s := full(t)
	s.Decide = func(context.Context, []byte) (score.Decision, []data.Fault, error) {
		d := canned()
		d.PolicyID, d.ModelID, d.Gate = hostile, hostile, hostile
		d.Warnings = []string{hostile}
		d.Refusals = []score.Refusal{{Rule: hostile, Action: data.Retry, Why: hostile}}
		return d, nil, nil
	}
	list, _ := s.Models()
	list[1].ID, list[1].Fault = hostile, hostile
	list[2].Manifest.AsOf, list[2].Manifest.CureNotAssessed, list[2].Aliases = hostile, hostile, []string{hostile}
	r, _, _ := s.Report()
	r.Decision.Why, r.AsOf, r.Warnings = hostile, hostile, []string{hostile}
	r.NotAssessed[0].What, r.NotAssessed[0].Why = hostile, hostile
	log, _ := s.Promotions()
	log[0].Why, log[0].AsOf, log[0].To = hostile, hostile, hostile
	h := handlerOf(t, s)
	pages := map[string]*httptest.ResponseRecorder{}
	for _, path := range []string{"/", "/reasons?q=" + url.QueryEscape(hostile), "/reasons?class=" + url.QueryEscape(hostile), "/reasons?rail=" + url.QueryEscape(hostile),
		"/reasons/" + url.PathEscape(hostile), "/" + url.PathEscape(hostile), "/try?reason=" + url.QueryEscape(hostile)} {
		pages[path] = get(t, h, path)
	}
	for field := range filled() {
		pages["POST "+field] = post(t, h, filled(field, hostile))
	}
	pages["POST all"] = post(t, h, filled("bank", hostile))
	if pages["POST all"].Code != 200 {
		t.Fatalf("no answer: %d", pages["POST all"].Code)
	}
	pages["POST more"] = post(t, h, filled(hostile, hostile))
	host := httptest.NewRequest("POST", "/try", strings.NewReader(filled().Encode()))
	host.Host = hostile
	host.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	pages["Host"] = httptest.NewRecorder()
	h.ServeHTTP(pages["Host"], host)
	for name, w := range pages {
		body := w.Body.String()
		for _, bad := range []string{"<script", `'">`, "<!--"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s: %q came through", name, bad)
			}
		}
	}
	if !strings.Contains(pages["POST all"].Body.String(), "&lt;script&gt;alert(1)") {
		t.Error("the bank's name is not shown")
	}
	if !strings.Contains(pages["Host"].Body.String(), "curl -sS http://localhost:8080/v1/decide") {
		t.Error("a host that is none stands in the command")
	}
}

// TestCommand: the shell command carries the body whatever it says.
func TestCommand(t *testing.T) {
	w := post(t, handlerOf(t, empty()), filled("bank", `JSON' "$(rm -rf /)" \ & <`))
	text := html.UnescapeString(w.Body.String())
	if !strings.Contains(text, `"bank": "JSON' \"$(rm -rf /)\" \\ & <"`) || !strings.Contains(text, "<<'JSON'\n{\n") {
		t.Error(text)
	}
	if strings.Count(text, "\nJSON\n") > 1 || strings.Contains(text, "\nJSON' ") {
		t.Error("a text ends the here-document")
	}
}

// TestAnswers: what the page says of decisions of every kind.
func TestAnswers(t *testing.T) {
	wait := score.Choice{Action: data.Wait, At: now, P: ptr(.31), Uplift: ptr(0.), EV: ptr(data.Paise(0))}
	for _, c := range []struct {
		name   string
		change func(*score.Decision)
		has    []string
		hasNot []string
	}{
		{"the model's", func(*score.Decision) {}, []string{"<strong>Retry</strong>", "over waiting", "<svg", "more</summary>", "any time", "a person reviews it"}, nil},
		{"nothing is worth its cost", func(d *score.Decision) { d.Chosen = 0 }, []string{"<strong>Wait</strong>", "Nothing that is allowed is worth its cost", "31.0"}, nil},
		{"nothing else is allowed", func(d *score.Decision) { d.Allowed, d.Chosen = []score.Choice{wait}, 0 }, []string{"Nothing else is allowed"}, []string{"<svg", "<summary>0 more"}},
		{"the rules'", func(d *score.Decision) {
			d.Arm, d.ModelID, d.Chosen = data.ArmRules, "", 1
			d.Allowed = []score.Choice{{Action: data.Wait, At: now}, {Action: data.Retry, At: now + data.Day, Cost: 50}}
		}, []string{"No model answers, so the hand-written rule of class RETRY_SCHEDULED", "<dd>none</dd>", "<td>–</td>"}, []string{"<svg"}},
		{"no class", func(d *score.Decision) {
			d.Arm, d.Class, d.Chosen = data.ArmRules, 0, 0
			d.Allowed = []score.Choice{{Action: data.Escalate, Kind: data.HumanReview, At: now}}
		}, []string{"Escalate: a person reviews it", "class NOT_REPORTED"}, nil},
		{"no refusals", func(d *score.Decision) { d.Refusals = nil }, nil, []string{"What the gate refuses"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := empty()
			s.Decide = func(context.Context, []byte) (score.Decision, []data.Fault, error) {
				d := canned()
				c.change(&d)
				return d, nil, nil
			}
			w := post(t, handlerOf(t, s), filled())
			if w.Code != 200 {
				t.Fatalf("%d: %s", w.Code, w.Body)
			}
			for _, x := range c.has {
				if !strings.Contains(w.Body.String(), x) {
					t.Errorf("does not say %q", x)
				}
			}
			rows := regexp.MustCompile(`(?s)Candidates, best first.*?<tbody>(.*?)</tr>`).FindStringSubmatch(w.Body.String())
			if c.name == "the model's" && (rows == nil || !strings.Contains(rows[1], "chosen")) {
				t.Error("the best candidate is not the first")
			}
			for _, x := range c.hasNot {
				if strings.Contains(w.Body.String(), x) {
					t.Errorf("says %q", x)
				}
			}
		})
	}
}

// TestRefusals: the slots that one rule refuses are one line.
func TestRefusals(t *testing.T) {
	var all []score.Refusal
	for i := range 5 {
		all = append(all, score.Refusal{Rule: "min_wait", Action: data.Retry, At: now + data.Micros(i)*6*data.Hour, Why: "too soon"})
	}
	all = append(all, score.Refusal{Rule: "class_table", Action: data.Nudge, Route: data.HumanReview, Why: "no"},
		score.Refusal{Rule: "horizon", Action: data.Retry, At: now + 30*data.Day, Why: "too late"})
	want := []refusal{
		{"min_wait", "Retry", "5 times, Tue 3 Feb, 09:30 to Wed 4 Feb, 09:30", "", "too soon"},
		{"class_table", "Nudge", "", "a person reviews it", "no"},
		{"horizon", "Retry", "Thu 5 Mar, 09:30", "", "too late"},
	}
	if diff := cmp.Diff(want, refusalsOf(all)); diff != "" {
		t.Error(diff)
	}
}
