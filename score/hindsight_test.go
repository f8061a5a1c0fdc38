package score

import (
	"encoding/json"
	"strings"
	"testing"

	"recoup/data"
)

// A decision before the model's as_of is told that the model knows what came
// after it; one at that very moment, or by the rules arm, is not.
func TestHindsight(t *testing.T) {
	b := testBundle(t, nil)
	b.Manifest.AsOf = "2026-02-12T06:30:00Z"
	asOf := data.IST(2026, 2, 12, 12, 0)
	for now, want := range map[data.Micros]bool{failedAt: true, asOf - 1: true, asOf: false, asOf + 1: false} {
		d := failure(everyAction).decide(t, engine(t, b), now)
		if warns(&d, "in a look back its answer is too good") != want || !want && warns(&d, "was taught by") {
			t.Errorf("at %s: %v", now, d.Warnings)
		}
		if d.Arm != data.ArmModel || d.Allowed[0].P == nil {
			t.Errorf("at %s: the %s arm answers: the warning keeps nobody from asking", now, d.Arm)
		}
	}
	if d := failure(everyAction).decide(t, engine(t, nil), failedAt); warns(&d, "was taught by") {
		t.Errorf("no model: %v", d.Warnings)
	}
}

// TestSameIDTwice: an event sent twice is passed over, another one under its id is a fault.
func TestSameIDTwice(t *testing.T) {
	row := func(change string) map[string]any {
		return map[string]any{"table": "attempts", "event_id": "evt-1", "occurred_at": "2026-02-01T08:30:00+05:30", "case_id": "inv-1", "attempt_no": 0, "attempt_id": "pay-1",
			"customer_id": change, "rail": "card", "amount_paise": 49900, "status": "failed", "reason": "insufficient_funds"}
	}
	for second, faults := range map[string]int{"cust-1": 0, "cust-2": 1} {
		body, err := json.Marshal(map[string]any{"as_of": "2026-02-01T09:00:00+05:30", "events": []any{row("cust-1"), row(second)}})
		if err != nil {
			t.Fatal(err)
		}
		_, got := ParseRequest(body)
		if len(got) != faults || faults == 1 && (got[0].Path != "events[1].event_id" || !strings.Contains(got[0].Message, "events[0]")) {
			t.Errorf("%s: %v", second, got)
		}
	}
}
