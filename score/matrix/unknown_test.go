package matrix

import (
	"fmt"
	"strings"
	"testing"

	"recoup/data"
	"recoup/score"
)

// What nobody has heard of is refused by its name at every entry: the body of a
// request, the policy file, the switch that leaves a rule out, and each word alone.
func TestUnknownIsRefused(t *testing.T) {
	s := &story{}
	s.attempt(t0, data.Attempt{CaseID: "case", AttemptID: "a0", CustomerID: "cust", Rail: data.Card, Amount: 499_00, Status: data.Failed, Initiator: data.ByProvider, MandateID: "m", Reason: data.MustReason("insufficient_funds")})
	s.mandate(t0, data.Mandate{Rail: data.Card, Status: data.MandateActive})
	s.notice(t0, data.Notice{Kind: data.PreDebit, Status: data.NoticeSent, Amount: 499_00})
	s.poll(t0+1, "a0", data.PollFailed)
	s.promise(t0+1, "case", t0+2*days, data.PromiseMade)
	s.outage(t0+1, data.Downtime{DowntimeID: "d", Rail: data.Card, Severity: data.SeverityHigh, Status: data.DowntimeStarted, Begin: t0})
	body := string(s.body(t0+2, []data.Candidate{{Action: data.Retry, At: t0 + days}}))
	request := func(text string) string {
		r, faults := score.ParseRequest([]byte(text))
		if r != nil {
			return ""
		}
		return fmt.Sprint(faults)
	}
	policy := func(text string) string {
		_, err := score.ParsePolicy("p.yaml", []byte(text))
		return fmt.Sprint(err)
	}
	yaml := string(score.DefaultText())
	if said := request(body); said != "" {
		t.Fatal(said)
	}
	if _, err := score.ParsePolicy("p.yaml", []byte(yaml)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		entry          func(string) string
		text, was, new string // new: with the unknown word
		word           string
	}{
		{request, body, `"reason":"insufficient_funds"`, `"reason":"insufficient_fundz"`, "insufficient_fundz"},
		{request, body, `"reason":"insufficient_funds"`, `"reason":"INSUFFICIENT_FUNDS"`, "INSUFFICIENT_FUNDS"},
		{request, body, `"rail":"card"`, `"rail":"carrier_pigeon"`, "carrier_pigeon"},
		{request, body, `"action":"retry"`, `"action":"pray"`, "pray"},
		{request, body, `"status":"failed"`, `"status":"fainted"`, "fainted"},
		{request, body, `"initiator":"provider"`, `"initiator":"oracle"`, "oracle"},
		{request, body, `"status":"active"`, `"status":"dormant"`, "dormant"},
		{request, body, `"kind":"pre_debit"`, `"kind":"post_debit"`, "post_debit"},
		{request, body, `"status":"made"`, `"status":"sworn"`, "sworn"},
		{request, body, `"severity":"high"`, `"severity":"dire"`, "dire"},
		{request, body, `"table":"attempts"`, `"table":"attemptz"`, "attemptz"},
		{request, body, `"attempt_id":`, `"attempt_idea":`, "attempt_idea"},
		{request, body, `"case_id":"case","events"`, `"case_idea":"case","events"`, "case_idea"},
		{policy, yaml, "  RETRY_NOW: ", "  RETRY_SOON:", "RETRY_SOON"},
		{policy, yaml, `{retry: "yes", payment_link: after_attempts`, `{retry: "maybe", payment_link: after_attempts`, "maybe"},
		{policy, yaml, "link_kind: plain_link", "link_kind: plane_link", "plane_link"},
		{policy, yaml, "arm: {action: retry", "arm: {action: rerun", "rerun"},
		{policy, yaml, "id: mandate_state", "id: mandate_mood", "mandate_mood"},
		{policy, yaml, "{id: budget, rail: upi_autopay", "{id: budget, rail: upi", `"upi"`},
		{policy, yaml, "{id: budget, value: 4", "{id: budgie, value: 4", "budgie"},
		{policy, yaml, "network: rupay", "network: rupee", "rupee"},
		{policy, yaml, "category: fastag", "category: slowtag", "slowtag"},
		{policy, yaml, "reason: payment_mandate_not_active", "reason: payment_mandate_asleep", "payment_mandate_asleep"},
		{policy, yaml, "costs: #", "coasts: #", "coasts"},
		{policy, yaml, "what: retry", "what: rerun", "rerun"},
		{policy, yaml, "mode: \"on\"", "mode: \"maybe\"", "maybe"},
		{func(s string) string { _, err := score.Default().Without(s); return fmt.Sprint(err) }, "mandate_mood", "", "", "mandate_mood"},
		{func(s string) string { _, err := data.ParseReason(s); return fmt.Sprint(err) }, "insufficient_fundz", "", "", "insufficient_fundz"},
		{func(s string) string { _, err := data.ParseRail(s); return fmt.Sprint(err) }, "pigeon", "", "", "pigeon"},
		{func(s string) string { _, err := data.ParseAction(s); return fmt.Sprint(err) }, "pray", "", "", "pray"},
		{func(s string) string { _, err := data.ParseClass(s); return fmt.Sprint(err) }, "RETRY_SOON", "", "", "RETRY_SOON"},
		{func(s string) string { _, err := data.ParseRoute(s); return fmt.Sprint(err) }, "plane_link", "", "", "plane_link"},
	} {
		if !strings.Contains(c.text, c.was) {
			t.Errorf("%s is not in the text", c.was)
			continue
		}
		text := c.text
		if c.was != "" {
			text = strings.Replace(text, c.was, c.new, 1)
		}
		if said := c.entry(text); !strings.Contains(said, c.word) || said == "<nil>" {
			t.Errorf("%s: %q does not name it", c.word, said)
		}
	}
}
