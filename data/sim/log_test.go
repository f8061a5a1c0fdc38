package sim

import (
	"testing"

	"recoup/data"
)

// TestLogIsConsistent reads a world as its log and holds it to what must be
// true of any log.
func TestLogIsConsistent(t *testing.T) {
	all, s := gather(t, config(3000), Uniform())
	end := config(1).end()
	ids := map[string]bool{}
	event := func(table string, e data.Event) {
		t.Helper()
		switch {
		case ids[e.EventID]:
			t.Fatalf("%s: event %s twice", table, e.EventID)
		case e.KnownAt > end:
			t.Fatalf("%s: event %s known at %s, after the log's end", table, e.EventID, e.KnownAt)
		case e.KnownAt < e.OccurredAt:
			t.Fatalf("%s: event %s known at %s, before it occurred", table, e.EventID, e.KnownAt)
		}
		ids[e.EventID] = true
	}
	sent := map[string]data.Notice{} // by case and debit time
	late := 0
	for _, n := range all.Notices {
		event("notices", n.Event)
		if n.Kind == data.PreDebit && n.Status == data.NoticeSent {
			sent[n.CaseID+n.DebitAt.String()] = n
		}
	}
	decided := map[string]data.Decision{}
	for _, d := range all.Decisions {
		event("decisions", d.Event)
		if d.AsOf.KnownAt > d.DecidedAt {
			t.Fatalf("%s: decided %s on what is known at %s", d.DecisionID, d.DecidedAt, d.AsOf.KnownAt)
		}
		decided[d.DecisionID] = d
	}
	death := map[string]data.Mandate{}
	for _, m := range all.Mandates {
		event("mandates", m.Event)
		if m.Status == data.MandateRevoked || m.Status == data.MandateExpired {
			death[m.MandateID] = m
		}
	}
	var retries, between, tellLate, pending int
	failures := map[string]int{}
	for _, a := range all.Attempts {
		event("attempts", a.Event)
		if a.KnownAt > a.OccurredAt+data.Hour {
			late++
		}
		if a.Status == data.Failed {
			failures[a.CaseID]++
			if a.Reason == 0 || a.ErrorCode == "" {
				t.Fatalf("%s failed without a reason", a.AttemptID)
			}
		} else if a.Reason != 0 {
			t.Fatalf("%s is %s with a reason", a.AttemptID, a.Status)
		}
		if a.Initiator == data.ByCustomer {
			continue
		}
		if a.AttemptNo > maxRetries {
			t.Fatalf("%s: attempt %d", a.AttemptID, a.AttemptNo)
		}
		if a.Status == data.Pending {
			pending++
		}
		if d, dead := death[a.MandateID]; dead && a.Status == data.Captured && a.Rail != data.EMandate && a.OccurredAt >= d.OccurredAt {
			t.Fatalf("%s captured on a mandate that died %s", a.AttemptID, d.OccurredAt)
		}
		if a.Rail == data.UPIAutopay && a.Status != data.AuthorizedLate && a.Status != data.Refunded && nextLegal(a.Rail, a.OccurredAt) != a.OccurredAt {
			t.Fatalf("%s presented outside the windows at %s", a.AttemptID, a.OccurredAt)
		}
		if a.Rail != data.EMandate && a.Status != data.AuthorizedLate && a.Status != data.Refunded || a.Status == data.Pending {
			n, ok := sent[a.CaseID+a.OccurredAt.String()]
			if !ok || n.OccurredAt > a.OccurredAt-noticeFloor(a.Rail) {
				t.Fatalf("%s presented %s on the notice of %s", a.AttemptID, a.OccurredAt, n.OccurredAt)
			}
		}
		if a.AttemptNo == 0 || a.Status == data.AuthorizedLate || a.Status == data.Refunded {
			continue
		}
		retries++
		d, ok := decided[a.DecisionID]
		if !ok || d.Allowed[d.Chosen].Action != data.Retry {
			t.Fatalf("%s: decision %q did not choose it", a.AttemptID, a.DecisionID)
		}
		if at := d.Allowed[d.Chosen].At; a.Rail != data.EMandate && a.OccurredAt != at {
			t.Fatalf("%s presented %s, decided for %s", a.AttemptID, a.OccurredAt, at)
		}
		if m, dead := death[a.MandateID]; dead && m.OccurredAt > d.DecidedAt && m.OccurredAt <= a.OccurredAt {
			between++
		}
	}
	tellLate = late
	for _, o := range all.Outcomes {
		event("outcomes", o.Event)
		d := decided[o.DecisionID]
		if !o.WindowClosed || o.KnownAt != d.DecidedAt+judged || o.SettledAt > o.KnownAt {
			t.Fatalf("%s: settled %s, known %s, decided %s", o.EventID, o.SettledAt, o.KnownAt, d.DecidedAt)
		}
		if o.Recovered != (o.RecoveredPaise > 0) || o.CostPaise < 0 {
			t.Fatalf("%s: recovered %v, %s", o.EventID, o.Recovered, o.RecoveredPaise)
		}
	}
	for _, e := range all.CaseEvents {
		event("case_events", e.Event)
	}
	for _, e := range all.Subscriptions {
		event("subscriptions", e.Event)
	}
	for _, e := range all.Polls {
		event("polls", e.Event)
	}
	for _, e := range all.Promises {
		event("promises", e.Event)
	}
	versions := map[data.DowntimeStatus]int{}
	for _, d := range all.Downtimes {
		event("downtimes", d.Event)
		versions[d.Status]++
		if (d.Status == data.DowntimeResolved) != (d.End != 0) {
			t.Fatalf("%s is %s with end %s", d.DowntimeID, d.Status, d.End)
		}
	}
	if len(failures) < s.Cases*99/100 {
		t.Errorf("%d cases in the log of %d", len(failures), s.Cases)
	}
	for name, n := range map[string]int{"retries": retries, "mandates that died between decision and debit": between,
		"events told late": tellLate, "pending answers": pending, "outcomes": len(all.Outcomes), "case events": len(all.CaseEvents),
		"polls": len(all.Polls), "promises": len(all.Promises), "subscriptions": len(all.Subscriptions),
		"started downtimes": versions[data.DowntimeStarted], "updated downtimes": versions[data.DowntimeUpdated],
		"resolved downtimes": versions[data.DowntimeResolved]} {
		if n == 0 {
			t.Errorf("the log has no %s", name)
		}
	}
	if share := float64(tellLate) / float64(len(all.Attempts)); share > .1 {
		t.Errorf("%.3f of the attempts are told an hour late or later", share)
	}
	if perCustomer := float64(s.Cases) / float64(s.Customers); perCustomer < 1.5 {
		t.Errorf("%.2f cases a customer", perCustomer)
	}
}
