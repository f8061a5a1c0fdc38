package score

import (
	"encoding/json"
	"strings"
	"testing"
)

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
