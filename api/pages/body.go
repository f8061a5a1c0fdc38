package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"recoup/data"
)

// The rows of a body, in the columns and words of the event log. The ids are
// of this request alone: nobody is named.
type (
	attemptRow struct {
		Table      string     `json:"table"`
		OccurredAt string     `json:"occurred_at"`
		CaseID     string     `json:"case_id"`
		AttemptNo  int        `json:"attempt_no"`
		AttemptID  string     `json:"attempt_id"`
		CustomerID string     `json:"customer_id"`
		Subscribed string     `json:"subscription_id,omitempty"`
		MandateID  string     `json:"mandate_id,omitempty"`
		Rail       string     `json:"rail"`
		Bank       string     `json:"bank,omitempty"`
		Amount     data.Paise `json:"amount_paise"`
		Status     string     `json:"status"`
		Reason     string     `json:"reason,omitempty"`
	}
	subscriptionRow struct {
		Table          string `json:"table"`
		OccurredAt     string `json:"occurred_at"`
		SubscriptionID string `json:"subscription_id"`
		CustomerID     string `json:"customer_id"`
		Status         string `json:"status"`
		CycleEnd       string `json:"cycle_end"`
	}
	mandateRow struct {
		Table      string     `json:"table"`
		OccurredAt string     `json:"occurred_at"`
		MandateID  string     `json:"mandate_id"`
		CustomerID string     `json:"customer_id"`
		Rail       string     `json:"rail"`
		Status     string     `json:"status"`
		CreatedAt  string     `json:"created_at,omitempty"`
		MaxAmount  data.Paise `json:"max_amount_paise,omitempty"`
	}
	noticeRow struct {
		Table      string `json:"table"`
		OccurredAt string `json:"occurred_at"`
		CaseID     string `json:"case_id"`
		MandateID  string `json:"mandate_id,omitempty"`
		Kind       string `json:"kind"`
		Status     string `json:"status"`
	}
	body struct {
		AsOf   string `json:"as_of"`
		CaseID string `json:"case_id"`
		Events []any  `json:"events"`
	}
)

const (
	theCase         = "case-1"
	theCustomer     = "customer-1"
	theMandate      = "mandate-1"
	theSubscription = "subscription-1"
)

// written is a body with the way back from its parts to the form's fields.
type written struct {
	JSON   []byte
	fields []map[string]string // by event: column to field; "" = the event as a whole
}

// write makes the body of POST /v1/decide. Its events are put in order by who
// reads them.
func (c *failedCharge) write() (written, error) {
	var w written
	b := body{AsOf: stamp(c.asOf), CaseID: theCase}
	add := func(row any, fields map[string]string) {
		b.Events = append(b.Events, row)
		w.fields = append(w.fields, fields)
	}
	first := c.failedAt - data.Micros(c.attempts-1)*c.gap
	own := attemptRow{Table: "attempts", CaseID: theCase, CustomerID: theCustomer, Rail: c.rail.String(), Bank: c.bank}
	if c.mandate != 0 {
		own.MandateID = theMandate
	}
	if c.cycleEnd != 0 {
		own.Subscribed = theSubscription
	}
	for i, h := range c.history {
		a := own
		a.CaseID, a.AttemptID = fmt.Sprintf("earlier-%d", i+1), fmt.Sprintf("earlier-attempt-%d", i+1)
		a.OccurredAt, a.Amount, a.Status, a.Reason = stamp(h.at), h.amount, h.status.String(), h.reason.String()
		add(a, map[string]string{"": "history", "rail": "rail", "bank": "bank"})
	}
	if c.cycleEnd != 0 {
		add(subscriptionRow{"subscriptions", stamp(first), theSubscription, theCustomer, data.SubActive.String(), stamp(c.cycleEnd)},
			map[string]string{"": "cycle_end"})
	}
	for i := range c.attempts {
		a := own
		a.AttemptNo, a.AttemptID = i, fmt.Sprintf("attempt-%d", i)
		a.OccurredAt, a.Amount = stamp(first+data.Micros(i)*c.gap), c.amount
		a.Status, a.Reason = data.Failed.String(), c.reason.String()
		add(a, map[string]string{"": "failed_at", "amount_paise": "amount", "rail": "rail", "bank": "bank", "reason": "reason",
			"attempt_no": "attempts", "mandate_id": "mandate", "subscription_id": "cycle_end"})
	}
	if c.mandate != 0 {
		c.addMandate(add)
	}
	if c.notice != 0 {
		add(noticeRow{"notices", stamp(c.noticeAt), theCase, own.MandateID, c.notice.String(), c.became.String()},
			map[string]string{"": "notice", "occurred_at": "notice_at", "known_at": "notice_at", "status": "notice_status"})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(b); err != nil {
		return w, fmt.Errorf("pages: the body of a case: %w", err)
	}
	w.JSON = bytes.TrimSpace(out.Bytes())
	return w, nil
}

// addMandate adds the mandate as it began, where that is stated, and as it was
// when the charge failed, where that is another state.
func (c *failedCharge) addMandate(add func(row any, fields map[string]string)) {
	m := mandateRow{Table: "mandates", OccurredAt: stamp(c.failedAt), MandateID: theMandate, CustomerID: theCustomer,
		Rail: c.rail.String(), Status: c.mandate.String(), MaxAmount: c.limit}
	if c.since != 0 {
		m.CreatedAt = stamp(c.since)
		began := m
		began.OccurredAt, began.Status = m.CreatedAt, data.MandateActive.String()
		add(began, map[string]string{"": "mandate_since", "max_amount_paise": "cap", "rail": "rail"})
	}
	if c.since == 0 || c.mandate != data.MandateActive {
		add(m, map[string]string{"": "mandate", "created_at": "mandate_since", "max_amount_paise": "cap", "rail": "rail"})
	}
}

// stamp is an instant on India's clock with its offset.
func stamp(t data.Micros) string { return t.Time().In(india).Format(time.RFC3339) }

// fieldOf finds the field behind a fault's path, "" = none.
func (w *written) fieldOf(path string) string {
	if path == "as_of" {
		return "as_of"
	}
	var i int
	if n, _ := fmt.Sscanf(path, "events[%d]", &i); n != 1 || i < 0 || i >= len(w.fields) {
		return ""
	}
	_, column, _ := strings.Cut(path, ".")
	if f, ok := w.fields[i][column]; ok {
		return f
	}
	return w.fields[i][""]
}
