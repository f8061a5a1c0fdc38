package pages

import (
	"context"
	"hash/fnv"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

// asking is a source whose answers come from an engine.
func asking(t testing.TB, s Source, b *models.Bundle) Source {
	t.Helper()
	e, err := score.New(score.Default(), b)
	if err != nil {
		t.Fatal(err)
	}
	s.Decide = func(_ context.Context, body []byte) (score.Decision, []data.Fault, error) {
		r, faults := score.ParseRequest(body)
		if len(faults) > 0 {
			return score.Decision{}, faults, nil
		}
		d, err := e.Answer(r)
		return d, nil, err
	}
	return s
}

// madeUp is a model of the true schemas that was fitted on nothing: each
// coefficient is small and follows from its column's name.
func madeUp(t testing.TB) *models.Bundle {
	t.Helper()
	attempt, cure := features.AttemptSchema(), features.CureSchema()
	return &models.Bundle{ID: champion, Attempt: scorer(t, attempt, -.5), Cure: scorer(t, cure, -3),
		Manifest: models.Manifest{AsOf: "2026-01-01T00:00:00Z", Currency: "INR", HorizonDays: 21, AttemptSchema: attempt.Fingerprint(), CureSchema: cure.Fingerprint()}}
}

func scorer(t testing.TB, s features.Schema, intercept float64) *models.Scorer {
	t.Helper()
	var d models.Design
	for i, c := range s.Columns {
		d.Inputs = append(d.Inputs, models.Input{Name: c.Name, Levels: c.Levels})
		d.Terms = append(d.Terms, models.Term{A: i, B: -1})
	}
	l, err := d.Layout()
	if err != nil {
		t.Fatal(err)
	}
	coef := make([]float64, len(l.Columns))
	for i, name := range l.Columns {
		h := fnv.New32a()
		h.Write([]byte(name))
		coef[i] = float64(h.Sum32()%100)/5000 - .01
	}
	zero := make([]float64, len(coef))
	m, err := models.NewLogistic(d, intercept, coef, zero, zero, slices.Repeat([]float64{1}, len(coef)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1}}
}

// TestEveryReasonIsAnswered by the engine, with a model and without: what the
// form writes is what the engine reads.
func TestEveryReasonIsAnswered(t *testing.T) {
	for name, b := range map[string]*models.Bundle{"rules": nil, "model": madeUp(t)} {
		h := handlerOf(t, asking(t, empty(), b))
		for _, r := range data.Reasons() {
			w := post(t, h, filled("reason", r.String(), "bank", "HDFC", "attempts", "2", "history", "2025-12-30 10:00 captured 499\n2025-11-30 10:00 failed 499 card_expired",
				"mandate", "active", "cap", "15000", "cycle_end", "2026-02-28T23:59", "notice", "pre_debit", "notice_status", "delivered", "notice_at", "2026-01-30T08:00"))
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<dd>"+nameOf(r.Class())+"</dd>") {
				t.Fatalf("%s: %s: %d\n%s", name, r, w.Code, w.Body)
			}
		}
	}
}

// TestEveryRailAndState too.
func TestEveryRailAndState(t *testing.T) {
	h := handlerOf(t, asking(t, empty(), madeUp(t)))
	for _, s := range newForm(now).Sections {
		for _, f := range s.Fields {
			for _, g := range f.Groups {
				for _, o := range g.Options {
					changes := []string{f.Name, o.Value}
					switch {
					case f.Name == "notice" && o.Value != "":
						changes = append(changes, "notice_status", "sent", "notice_at", "2026-02-01T08:00")
					case f.Name == "notice_status" && o.Value != "":
						changes = append(changes, "notice", "pre_debit", "notice_at", "2026-02-01T08:00")
					case f.Name == "mandate" && o.Value == "":
						changes = append(changes, "mandate_since", "", "cap", "")
					case f.Name == "unit" && o.Value == "paise":
						changes = append(changes, "amount", "49900")
					}
					if w := post(t, h, filled(changes...)); w.Code != http.StatusOK {
						t.Errorf("%v: %d %v", changes, w.Code, faultsOf(w.Body.String()))
					}
				}
			}
		}
	}
}

var policyRow = regexp.MustCompile(`(?m)^  ([A-Z_]+): +\{retry: "?(\w+)"?, payment_link: "?(\w+)"?, nudge: "?(\w+)"?, escalate: "?(\w+)"?`)

// TestGateIsThePolicys: the words about each class are those of the embedded
// policy.
func TestGateIsThePolicys(t *testing.T) {
	policy, err := os.ReadFile("../../score/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	says := map[string]string{"yes": "yes", "no": "no", "once": "once", "capacity": "if there is capacity", "after_outage": "when the downtime has ended",
		"after_failed_poll": "not until a check says failed", "after_attempts": "after attempts are spent", "merchant_alert": "alert the merchant",
		"human_review": "a person reviews it", "after_polls": "when the status checks are spent"}
	rows := policyRow.FindAllStringSubmatch(string(policy), -1)
	if len(rows) != len(data.Classes())+1 {
		t.Fatalf("%d classes in the policy", len(rows))
	}
	for _, row := range rows {
		c, err := data.ParseClass(row[1])
		if err != nil && row[1] != noClass {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, a := range gateOf(score.Default(), c).Actions {
			got[a.Action] = a.Says
		}
		for i, a := range []data.Action{data.Retry, data.PaymentLink, data.Nudge, data.Escalate} {
			want := says[row[i+2]]
			if c == data.RetryScheduled && a == data.Retry {
				want = "after the least wait" // every reason of the class has one
			}
			if want == "" || !strings.HasPrefix(got[actionWords[a]], want) {
				t.Errorf("%s %s: %q, the policy says %q", row[1], a, got[actionWords[a]], row[i+2])
			}
		}
	}
	for _, r := range data.Reasons() {
		if r.Class() == data.RetryScheduled && r.Info().MinWait == 0 {
			t.Errorf("%s has no least wait", r)
		}
	}
}

// TestGateIsTheServed: of a policy of one's own the words are its own.
func TestGateIsTheServed(t *testing.T) {
	const was = `{retry: "no", payment_link: "yes", nudge: "yes", escalate: capacity, link_kind: re_mandate_link`
	text := strings.Replace(string(score.DefaultText()), was, strings.Replace(was, `nudge: "yes"`, "nudge: once", 1), 1)
	own, err := score.ParsePolicy("own.yaml", []byte(text))
	if err != nil || own.ID() == score.Default().ID() {
		t.Fatal(err)
	}
	src := empty()
	for policy, want := range map[*score.Policy]string{score.Default(): `<div class="yes"><dt>Nudge</dt><dd>yes</dd></div>`, own: `<div class="if"><dt>Nudge</dt><dd>once</dd></div>`} {
		src.Policy = func() *score.Policy { return policy }
		h := handlerOf(t, src)
		for _, path := range []string{"/reasons/card_expired", "/reasons?class=SWITCH_INSTRUMENT"} {
			if page := get(t, h, path).Body.String(); !strings.Contains(page, want) {
				t.Errorf("%s under policy %s lacks %s", path, policy.ID(), want)
			}
		}
	}
}
