package pages

import (
	"context"
	"errors"
	"net/http"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/score"
)

// stranger is what a stranger may put into an id, a note or a bank's name.
const stranger = `<script>alert("1")</script>&'`

var (
	errUnknown  = errors.New("unknown")
	errConflict = errors.New("conflict")
	errAway     = errors.New("the ledger is away at /var/secret")
)

func statusOf(err error) int {
	switch {
	case errors.Is(err, errUnknown):
		return http.StatusNotFound
	case errors.Is(err, errConflict):
		return http.StatusConflict
	case errors.Is(err, errAway):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

func escalation(id, caseID string, change func(*live.Escalation)) live.Escalation {
	e := live.Escalation{DecisionID: id, CaseID: caseID, CustomerID: "cust-1", Route: data.MerchantAlertRoute, Amount: data.Rupees(1499), Reason: data.MustReason("bank_not_enabled"),
		Since: now - data.Day, Deadline: now + 2*data.Hour}
	if change != nil {
		change(&e)
	}
	return e
}

// office is a present with one of everything.
func office() *Present {
	asks := escalation("dec_3", "case-1", nil)
	taken := escalation("dec_3", "case-1", func(e *live.Escalation) { e.Owner, e.Changes, e.Note = "asha", 1, stranger })
	ended := escalation("dec_9", "case-2", func(e *live.Escalation) {
		e.Owner, e.Changes, e.Result = "asha", 2, live.HandedBack
	})
	trails := map[string]live.Trail{
		"dec_1": {Decision: recordedDecision("dec_1"), Status: live.Superseded, Why: "by decision dec_3"},
		"dec_3": {Decision: escalated("dec_3"), Status: live.Standing, Why: "nothing superseded it, and the gate lets it", Results: []live.Escalation{asks, taken}},
		"dec_9": {Decision: escalated("dec_9"), Status: live.Done, Why: "a person answered: handed_back", Results: []live.Escalation{escalation("dec_9", "case-2", nil), ended}},
	}
	step := live.Step{Kind: live.StepRetry, CaseID: stranger, CustomerID: "cust-1", DecisionID: "dec_5", AttemptKey: stranger + ":1", AttemptNo: 1, Amount: data.Rupees(499), Rail: data.UPIAutopay,
		At: now - data.Hour, Until: now + 5*data.Hour}
	return &Present{
		Queue: func(context.Context) ([]live.Escalation, error) {
			return []live.Escalation{escalation("dec_4", "case-4", func(e *live.Escalation) { e.Deadline = now - 1 }), taken,
				escalation("dec & 5", stranger, func(e *live.Escalation) { e.Route, e.Owner = data.HumanReview, stranger })}, nil
		},
		Due: func(context.Context, data.Micros) (live.List, error) {
			link := step
			link.Kind, link.Route, link.CaseID, link.AttemptKey, link.Until = live.StepLink, data.PlainLink, "case-6", "case-6:0", 0
			notice := step
			notice.Kind, notice.DebitAt, notice.CaseID, notice.AttemptKey = live.StepNotice, now+30*data.Hour, "case-7", "case-7:2"
			return live.List{At: now, Steps: []live.Step{step, link, notice}, Held: []live.Held{{Step: step, Rule: "rail_down", Why: "the rail is down: " + stranger}}}, nil
		},
		Case: func(_ context.Context, id string) (live.Timeline, error) {
			if id != "case-1" {
				return live.Timeline{}, errUnknown
			}
			return theTimeline(taken), nil
		},
		Trail: func(_ context.Context, id string) (live.Trail, error) {
			if x, ok := trails[id]; ok {
				return x, nil
			}
			return live.Trail{}, errUnknown
		},
		Resolve: func(context.Context, string, live.Change) error { return nil },
		Verify: func(context.Context) (Chain, error) {
			return Chain{Strength: "keyed", Entries: 1204, Erased: 3, KeyedFrom: 1, Secrets: []string{"a1b2"}, Checkpoints: 2, Signed: 1200, Root: "cm9vdA==", Hash: "00ff", Warnings: []string{"4 rows came after the latest checkpoint"}}, nil
		},
		Status: statusOf,
	}
}

// broken is a chain with an edited row.
func broken(context.Context) (Chain, error) {
	row := func(seq int64, body string) ChainRow {
		return ChainRow{Seq: seq, Kind: "event", Key: "evt_" + stranger, CaseID: "case-1", KnownAt: now, Body: body}
	}
	return Chain{Strength: "tamper-evident", Entries: 41, Unchecked: 2, Root: "cm9vdA==", Hash: "00ff",
		Broken: &Break{Seq: 42, Kind: "outcome", Key: stranger, What: "its body is not what was written", Around: []ChainRow{row(41, "{}"), row(42, stranger), row(43, "")}}}, nil
}

func recordedDecision(id string) score.Decision {
	d := canned()
	d.ID, d.CaseID, d.DecidedAt, d.ArmShare = id, "case-1", now-3*data.Day, .7
	d.Allowed[d.Chosen].Propensity = .95
	return d
}

func escalated(id string) score.Decision {
	d := recordedDecision(id)
	d.Allowed = append(d.Allowed, score.Choice{Action: data.Escalate, Kind: data.MerchantAlertRoute, At: now - data.Day, Propensity: 1, Mix: 1})
	d.Chosen, d.Arm, d.ModelID = len(d.Allowed)-1, data.ArmRules, ""
	return d
}

// theTimeline is a case with an entry of every kind.
func theTimeline(asks live.Escalation) live.Timeline {
	line := live.Timeline{CaseID: "case-1", Facts: &features.Facts{CaseID: "case-1", CustomerID: "cust-1", Owed: true, Amount: data.Rupees(1499), Rail: data.Card,
		Reason: data.MustReason("insufficient_funds"), Class: data.RetryScheduled, FirstFailure: now - 9*data.Day, Failures: 2, Pending: 1}}
	at := now - 9*data.Day
	add := func(kind ledger.Kind, key string, fill func(*live.Moment)) {
		at += data.Hour
		m := live.Moment{Entry: ledger.Entry{Seq: int64(100 + len(line.Entries)), KnownAt: at, Kind: kind, Key: key, CaseID: "case-1", Body: []byte("{}")}}
		fill(&m)
		line.Entries = append(line.Entries, m)
	}
	row := func(r any) {
		add(ledger.Event, "evt", func(m *live.Moment) {
			m.Row = &data.AnyRow{Row: r, Event: &data.Event{OccurredAt: at - data.Minute, KnownAt: at}}
		})
	}
	row(&data.Attempt{CaseID: "case-1", AttemptID: "pay_1", Amount: data.Rupees(1499), Rail: data.Card, Bank: stranger, Status: data.Failed, Reason: data.MustReason("insufficient_funds"), ErrorCode: "BAD_REQUEST_ERROR", ResponseCode: "51"})
	row(&data.Subscription{SubscriptionID: "sub_1", Status: data.SubActive, CycleEnd: now})
	row(&data.Mandate{MandateID: "man_1", Rail: data.Card, Status: data.MandateActive, MaxAmount: data.Rupees(15000)})
	add(ledger.Decision, "dec_1", func(m *live.Moment) { d := recordedDecision("dec_1"); m.Decision = &d })
	row(&data.Notice{CaseID: "case-1", Kind: data.PreDebit, Status: data.NoticeSent, Amount: data.Rupees(1499), DebitAt: now})
	row(&data.Attempt{CaseID: "case-1", AttemptNo: 1, AttemptID: "pay_2", Amount: data.Rupees(1499), Rail: data.Card, Status: data.Pending, Initiator: data.ByRecoup, DecisionID: "dec_1"})
	row(&data.Poll{AttemptID: "pay_2", Status: data.PollUnknown})
	row(&data.Promise{CaseID: "case-1", PromisedFor: now, Status: data.PromiseMade})
	add(ledger.Outcome, "out_1", func(m *live.Moment) {
		m.Row = &data.AnyRow{Row: &data.Outcome{DecisionID: "dec_1", AttemptID: "pay_2", CostPaise: 50, SettledAt: at}, Event: &data.Event{OccurredAt: at, KnownAt: at}}
	})
	add(ledger.Decision, "dec_3", func(m *live.Moment) { d := escalated("dec_3"); m.Decision = &d })
	add(ledger.Result, "res_1", func(m *live.Moment) { m.Result = &asks })
	row(&data.CaseEvent{CaseID: "case-1", Kind: data.Disputed})
	add(ledger.Event, "evt_2", func(m *live.Moment) { m.Entry.Body = nil })
	return line
}

// withOffice is the source of a server that keeps a ledger.
func withOffice(s Source, change func(*Present)) Source {
	s.Present = office()
	if change != nil {
		change(s.Present)
	}
	return s
}
