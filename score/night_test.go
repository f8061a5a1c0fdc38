package score

import (
	"testing"

	"recoup/data"
)

// TestRulesArmAtNight: a link that may not go out now goes out in the morning.
func TestRulesArmAtNight(t *testing.T) {
	body := []byte(`{"as_of": "2026-02-03T23:10:00+05:30", "events": [{"table": "attempts", "occurred_at": "2026-02-03T23:00:00+05:30", "case_id": "inv-1",
		"attempt_no": 0, "attempt_id": "pay-1", "customer_id": "cust-1", "rail": "card", "amount_paise": 49900, "status": "failed", "reason": "card_declined"}]}`)
	r, faults := ParseRequest(body)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	d, err := engine(t, nil).Answer(r)
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Allowed[d.Chosen]; c.Action != data.PaymentLink || c.At != data.IST(2026, 2, 4, 8, 0) {
		t.Errorf("%v at %s, expected a link at 08:00", c.Action, c.At)
	}
}
