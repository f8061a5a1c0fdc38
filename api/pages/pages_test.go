package pages

import (
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
	"recoup/score"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var hashed = regexp.MustCompile(`-[0-9a-f]{16}\.(css|svg)`)

// TestGolden: the pages of each state, whole.
func TestGolden(t *testing.T) {
	at := full(t)
	for name, w := range map[string]*httptest.ResponseRecorder{
		"home_empty": get(t, handlerOf(t, empty()), "/"),
		"home_full":  get(t, handlerOf(t, at), "/"),
		"no_report":  get(t, handlerOf(t, empty()), "/report"),
		"reasons":    get(t, handlerOf(t, at), "/reasons?q=insufficient+funds"),
		"no_reasons": get(t, handlerOf(t, at), "/reasons?q=insuficient+funds&class=STOP"),
		"reason":     get(t, handlerOf(t, at), "/reasons/insufficient_funds"),
		"no_reason":  get(t, handlerOf(t, at), "/reasons/insufficent_funds"),
		"try":        get(t, handlerOf(t, at), "/try"),
		"answer":     post(t, handlerOf(t, at), filled()),
		"faults":     post(t, handlerOf(t, at), filled("amount", "1,23", "failed_at", "", "as_of", "2026-02-30T09:30", "mandate", "", "cap", "15000")),
		"queue":      get(t, handlerOf(t, withOffice(at, nil)), "/queue"),
		"escalation": get(t, handlerOf(t, withOffice(at, nil)), "/queue?decision=dec_3"),
		"due":        get(t, handlerOf(t, withOffice(at, nil)), "/due"),
		"case":       get(t, handlerOf(t, withOffice(at, nil)), "/case?id=case-1"),
		"chain":      get(t, handlerOf(t, withOffice(at, nil)), "/chain"),
		"broken":     get(t, handlerOf(t, withOffice(at, func(p *Present) { p.Verify = broken })), "/chain"),
	} {
		t.Run(name, func(t *testing.T) {
			got := hashed.ReplaceAllString(w.Body.String(), "-HASH.$1")
			path := filepath.Join("testdata", name+".html")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got), rewrite with go test ./api/pages -update:\n%s", path, diff)
			}
		})
	}
}

// TestStates: what each state of the source shows and does not show.
func TestStates(t *testing.T) {
	change := func(f func(s *Source)) Source {
		s := full(t)
		f(&s)
		return s
	}
	kept := func(s *Source) {
		r, html, _ := s.Report()
		other := *r
		other.Decision.Outcome, other.Decision.Challenger = report.Kept, "77aa00bb11cc22dd"
		s.Report = func() (*report.Report, []byte, error) { return &other, html, nil }
	}
	text, err := os.ReadFile("../../score/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	own, err := score.ParsePolicy("policy.yaml", append(text, "# ours\n"...))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		source Source
		path   string
		status int
		has    []string
		hasNot []string
	}{
		{"before the first night", empty(), "/", 200, []string{"No model answers yet", "recoup nightly --dir D --as-of", "No report yet", "None yet."}, []string{"Base rate", "models promote"}},
		{"a model that nobody promoted", change(func(s *Source) { s.InUse = func() models.ID { return "" } }), "/", 200,
			[]string{"none has the part of champion", "recoup models promote MODEL --dir D", "does not answer here yet", "which does not answer."}, []string{`chip on`}},
		{"a good night", full(t), "/", 200,
			[]string{"It judged the model that answers now", "24.0", "n = 9,120", "Captured share", "67.8", "a perfect forecast would show", "Refused:", "the content gives another name", "What is not assessed (3)", `in place of <code>90ac31d4e0f2aa10</code>`}, []string{"No report yet", "No model answers"}},
		{"a challenger that was kept out", change(kept), "/", 200,
			[]string{"It judged model 77aa00bb11cc22dd, not the one that answers now", "Measured when it was fitted", "From the report as of"}, nil},
		{"an older model than the champion answers", change(func(s *Source) { s.InUse = func() models.ID { return predecessor } }), "/", 200,
			[]string{"champion is <code>5b1f0c2e9a77d401</code>, which does not answer here yet", "Measured when it was fitted, as of 1 Oct 2026"}, nil},
		{"the model that answers is gone", change(func(s *Source) { s.InUse = func() models.ID { return "cafe" } }), "/", 200, []string{"The registry does not list it"}, nil},
		{"no promotions to show", change(func(s *Source) { s.Promotions = nil }), "/", 200, nil, []string{"Last promotions"}},
		{"no report", empty(), "/report", 404, []string{"No report yet", "recoup nightly"}, nil},
		{"the report as it is", full(t), "/report", 200, []string{"Recovery model report", "<svg"}, []string{`class="top"`}},
		{"all reasons", full(t), "/reasons", 200, []string{"<strong>138</strong> of 138", "not_reported", "NOT_REPORTED", "Where no model answers"}, []string{"show all"}},
		{"search by words of any case", full(t), "/reasons?q=SALARY+Cycle", 200, []string{"<strong>1</strong> of 138", `id="insufficient_funds"`}, nil},
		{"search by a name", full(t), "/reasons?q=insufficient_funds_mandate-block", 200, []string{"<strong>1</strong> of 138"}, nil},
		{"search by class", full(t), "/reasons?class=STOP", 200, []string{"<strong>5</strong> of 138", `<option value="STOP" selected>`}, []string{`id="insufficient_funds"`}},
		{"search by rail", full(t), "/reasons?rail=wallet", 200, []string{"<strong>34</strong> of 138"}, []string{`id="incorrect_cvv"`}},
		{"search by rail of another name", full(t), "/reasons?rail=upi_autopay", 200, []string{"<strong>101</strong> of 138"}, nil},
		{"search by class and rail", full(t), "/reasons?class=RETRY_NOW&rail=card", 200, []string{"<strong>0</strong> of 138", "No reason has this class on this rail"}, nil},
		{"without a class", full(t), "/reasons?class=NOT_REPORTED", 200, []string{"<strong>1</strong> of 138", `id="not_reported"`}, nil},
		{"nothing found", full(t), "/reasons?q=insuficient_fund", 200, []string{"<strong>0</strong> of 138", "/reasons/insufficient_fund"}, nil},
		{"nothing alike", full(t), "/reasons?q=zzzzzzzzzzzzzzzzzzzzzzzz", 200, []string{"<strong>0</strong> of 138"}, []string{"Nearest names"}},
		{"an unknown class", full(t), "/reasons?class=RETRY", 400, []string{"There is no class RETRY."}, []string{"<h2"}},
		{"an unknown rail", full(t), "/reasons?rail=upi", 400, []string{"There is no rail upi."}, nil},
		{"a policy of one's own", change(func(s *Source) { s.Policy = func() *score.Policy { return own } }), "/reasons", 200, []string{"decides by a policy of its own"}, nil},
		{"its reason", change(func(s *Source) { s.Policy = func() *score.Policy { return own } }), "/reasons/card_expired", 200, []string{"decides by a policy of its own"}, nil},
		{"the built-in policy", full(t), "/reasons", 200, []string{"rules, in order", `id="rule-min_wait"`}, []string{"policy of its own"}},
		{"one reason", full(t), "/reasons/payment_timed_out", 200, []string{"AWAIT_STATUS", "not until a check says failed", "/try?reason=payment_timed_out"}, nil},
		{"no such reason", full(t), "/reasons/payment_timeout", 404, []string{"None of the reasons is called payment_timeout", "/reasons/payment_timed_out"}, nil},
		{"the form", full(t), "/try", 200, []string{`value="499.00"`, `<optgroup label="AWAIT_STATUS">`, `value="2026-02-03T09:30"`}, []string{"<script", "class=\"fault\""}},
		{"the form with a reason", full(t), "/try?reason=card_expired", 200, []string{`<option value="card_expired" selected>`}, []string{`<option value="insufficient_funds" selected>`}},
		{"the form with a wrong reason", full(t), "/try?reason=late", 400, []string{"None of the reasons is called late"}, nil},
		{"no such page", full(t), "/nothing", 404, []string{"There is nothing at /nothing."}, nil},
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
			for _, s := range c.hasNot {
				if strings.Contains(w.Body.String(), s) {
					t.Errorf("has %q", s)
				}
			}
		})
	}
}

// TestNewestFirst: promotions and models.
func TestNewestFirst(t *testing.T) {
	body := get(t, handlerOf(t, full(t)), "/").Body.String()
	for _, after := range []string{"Registered models", "Last promotions"} {
		_, rest, _ := strings.Cut(body, after)
		if a, b := strings.Index(rest, string(champion)), strings.Index(rest, `<span class="soft">1 Oct 2026`); after == "Last promotions" && a > b {
			t.Errorf("%s: the newest is not first", after)
		}
		if a, b := strings.Index(rest, "<code>"+string(champion)), strings.Index(rest, `<th scope="row" class="w"><code>`+string(predecessor)); after == "Registered models" && a > b {
			t.Errorf("%s: the newest is not first", after)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestEveryReason has a page that is linked to and says its class.
func TestEveryReason(t *testing.T) {
	h := handlerOf(t, empty())
	all := get(t, h, "/reasons").Body.String()
	for _, r := range data.Reasons() {
		if !strings.Contains(all, `href="/reasons/`+r.String()+`"`) {
			t.Errorf("%s is not linked", r)
		}
		w := get(t, h, "/reasons/"+r.String())
		if w.Code != 200 || !strings.Contains(w.Body.String(), nameOf(r.Class())) {
			t.Errorf("%s: %d without its class", r, w.Code)
		}
	}
}

// TestBroken: the visitor learns nothing of the cause, the operator all of it.
func TestBroken(t *testing.T) {
	cause := errors.New("open /var/secret: permission denied")
	for name, breakIt := range map[string]func(*Source){
		"/":       func(s *Source) { s.Models = func() ([]models.Entry, error) { return nil, cause } },
		"/?":      func(s *Source) { s.Aliases = func() (models.Aliases, error) { return models.Aliases{}, cause } },
		"/?a":     func(s *Source) { s.Promotions = func() ([]models.Promotion, error) { return nil, cause } },
		"/?b":     func(s *Source) { s.Report = func() (*report.Report, []byte, error) { return nil, nil, cause } },
		"/report": func(s *Source) { s.Report = func() (*report.Report, []byte, error) { return nil, nil, cause } },
	} {
		s := full(t)
		breakIt(&s)
		var told error
		s.Failed = func(_ *http.Request, err error) { told = err }
		w := get(t, handlerOf(t, s), name)
		if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || !strings.Contains(w.Body.String(), "Something went wrong here") {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
		if !errors.Is(told, cause) {
			t.Errorf("%s: told %v", name, told)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	s := empty()
	s.Now = nil
	if _, err := New(s); err == nil {
		t.Error("a source without a clock went through")
	}
}

// TestSameBytes: the same state gives the same page.
func TestSameBytes(t *testing.T) {
	s := full(t)
	for _, path := range []string{"/", "/reasons", "/reasons?q=bank&rail=card", "/reasons/card_expired", "/try"} {
		a, b := get(t, handlerOf(t, s), path).Body.String(), get(t, handlerOf(t, s), path).Body.String()
		if a != b {
			t.Errorf("%s: %s", path, cmp.Diff(a, b))
		}
	}
	a, b := post(t, handlerOf(t, s), filled()).Body.String(), post(t, handlerOf(t, s), filled()).Body.String()
	if a != b {
		t.Error(cmp.Diff(a, b))
	}
}
