package chaos

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// life is what happens to one case, told by one client.
type life struct {
	*client
	name string
	n    int
}

// decision is what a life looks at in an answer to /v1/decide.
type decision struct {
	DecisionID string `json:"decision_id"`
	Standing   bool
	Entry      struct{ Seq int64 }
}

// live runs a life from the failure to its end, each step in turn: what is told
// of later was answered before. Every other request has no key, and relies on its ids.
func (l *life) live() {
	var last decision
	failed := l.attempt(0, "pay", "failed")
	if l.n%2 == 0 { // the failure comes with the question
		last = l.decide(failed)
	} else {
		l.tell(l.keyed("/v1/events", events(failed), "failure"))
		last = l.decide("")
	}
	if l.n%3 == 0 {
		l.tell(l.keyed("/v1/promises", fmt.Sprintf(`{"event_id":"%s promise","case_id":"%s","occurred_at":%q,"promised_for":%q,"status":"made"}`,
			l.name, l.name, now(), time.Now().Add(72*time.Hour).Format(time.RFC3339)), "promise"))
		last = l.decide("")
	}
	if again := l.decide(""); again.DecisionID != last.DecisionID || !again.Standing {
		l.t.Errorf("%s: decision %s stands, and %+v was given", l.name, last.DecisionID, again)
	}
	winner := l.present()
	switch l.n % 4 {
	case 0: // nobody knows what came of it, then a status check tells
		l.outcome(last.DecisionID, winner, `"recovered":false,"recovered_paise":0,"window_closed":false,"unknown":true`)
		l.tell(l.keyed("/v1/events", events(fmt.Sprintf(`{"table":"polls","event_id":"%s poll","occurred_at":%q,"attempt_id":%q,"status":"failed"}`, l.name, now(), winner)), "poll"))
		fallthrough
	case 1, 2: // it failed: another decision
		l.tell(l.keyed("/v1/events", events(l.attempt(1, winner, "failed")), "retried"))
		if next := l.decide(""); next.DecisionID == last.DecisionID {
			l.t.Errorf("%s: decision %s stands after another failure", l.name, last.DecisionID)
		}
	default: // it was paid: nothing is to be decided any more
		l.tell(l.keyed("/v1/events", events(l.attempt(1, winner, "captured")), "retried"))
		l.outcome(last.DecisionID, winner, `"recovered":true,"recovered_paise":49900,"window_closed":true`)
		l.give(request{path: "/v1/decide", body: l.question(""), want: 422})
	}
}

// present says before the debit that it is to be made; two do so at once with
// different attempts, and one of them may. It is the customer who asks for it: what was
// decided has its time on another day.
func (l *life) present() (winner string) {
	var wait sync.WaitGroup
	answers := [2]answer{}
	asked := [2]request{}
	for i := range asked {
		id := fmt.Sprintf("%s retry %d", l.name, i)
		asked[i] = l.keyed("/v1/events", events(l.attempt(1, id, "pending")), "intent"+fmt.Sprint(i))
		asked[i].want = anyStatus
		c := l.client
		if i == 1 {
			c = l.site.client(l.server + 1)
		}
		wait.Go(func() { answers[i] = c.give(asked[i]) })
	}
	wait.Wait()
	for i, a := range answers {
		if a.status == 200 {
			l.told = append(l.told, told{asked[i], a})
			winner = fmt.Sprintf("%s retry %d", l.name, i)
		}
	}
	if min(answers[0].status, answers[1].status) != 200 || max(answers[0].status, answers[1].status) != 409 {
		l.t.Errorf("%s: two attempts of one number: %d and %d", l.name, answers[0].status, answers[1].status)
	}
	return winner
}

func (l *life) decide(row string) (d decision) {
	a := l.tell(l.keyed("/v1/decide", l.question(row), fmt.Sprint("decide", len(l.told))))
	if err := json.Unmarshal(a.body, &d); err != nil || d.DecisionID == "" {
		l.t.Errorf("%s: %v: %s", l.name, err, a.body)
	}
	return d
}

func (l *life) question(row string) string {
	if row != "" {
		return fmt.Sprintf(`{"as_of":"now","case_id":%q,"events":[%s]}`, l.name, row)
	}
	return fmt.Sprintf(`{"as_of":"now","case_id":%q}`, l.name)
}

func (l *life) outcome(decisionID, attemptID, rest string) {
	l.tell(l.keyed("/v1/outcomes", fmt.Sprintf(`{"event_id":"%s outcome","decision_id":%q,"attempt_id":%q,"occurred_at":%q,"cost_paise":150,"settled_at":%[4]q,%[5]s}`,
		l.name, decisionID, attemptID, now(), rest), "outcome"))
}

// keyed is a request whose key is a name of its own, where this life uses keys.
func (l *life) keyed(path, body, step string) request {
	r := request{path: path, body: body}
	if l.n/4%2 == 0 {
		r.key = strings.ReplaceAll(l.name, " ", "-") + "-" + step
	}
	return r
}

// attempt is a row; id "pay" is the original charge.
func (l *life) attempt(no int, id, status string) string {
	if id == "pay" {
		id = l.name + " pay"
	}
	reason := ""
	if status == "failed" {
		reason = `,"reason":"insufficient_funds"`
	}
	return fmt.Sprintf(`{"table":"attempts","event_id":"%s %s","occurred_at":%q,"case_id":%q,"attempt_no":%d,"attempt_id":%q,"initiator":"customer","customer_id":"of %s","rail":"card","network":"visa","amount_paise":49900,"status":%q%s}`,
		id, status, now(), l.name, no, id, l.name, status, reason)
}

func events(rows ...string) string { return `{"events":[` + strings.Join(rows, ",") + `]}` }

func now() string { return time.Now().Format(time.RFC3339Nano) }
