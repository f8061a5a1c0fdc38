package live

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/score"
)

// say reports what came of a decision.
func (o *office) say(id string, a Answer, recovered bool) {
	o.t.Helper()
	x := data.Outcome{Event: o.event(id), DecisionID: a.Decision.ID, SettledAt: o.now(), Recovered: recovered}
	if recovered {
		x.RecoveredPaise = a.Decision.Amount
	}
	_, err := o.Outcome(o.t.Context(), x, false, nil)
	must(o.t, err)
}

// A case that an outcome reports as recovered is left alone, also by a new process,
// until a correction comes.
func TestReportedRecovered(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.failed("d", "insufficient_funds")
	o.at(o.now() + data.Minute)
	a, other := o.decide("c"), o.decide("d")
	c := chosen(a)
	o.at(c.NoticeBy)
	o.post(o.notice("c", data.NoticeDelivered, c.At), o.notice("d", data.NoticeDelivered, chosen(other).At))
	o.at(c.At)
	if chosen(other).At != c.At {
		t.Fatalf("the cases have other times: %s, %s", c.At, chosen(other).At)
	}
	o.due("before", "retry c:1", "retry d:1")
	o.say("no", a, false)
	o.due("not recovered", "retry c:1", "retry d:1")
	o.say("yes", a, true)
	o.due("reported", "retry d:1", "held retry "+score.RuleReported)
	for _, when := range []string{"reported", "a new process", "exported"} {
		if i := slices.Index(o.list(), "held retry "+score.RuleReported); i < 0 || slices.Contains(o.list(), "retry c:1") {
			t.Errorf("%s: due %q", when, o.list())
		}
		_, err := o.Decide(t.Context(), Question{CaseID: "c"})
		if !errors.Is(err, ErrUndecidable) || !strings.Contains(err.Error(), a.Decision.ID+" says that it recovered") {
			t.Errorf("%s: decided: %v", when, err)
		}
		if _, err := o.Score(t.Context(), "c"); !errors.Is(err, ErrUndecidable) {
			t.Errorf("%s: scored: %v", when, err)
		}
		p, err := o.Batch(t.Context(), []string{"c"})
		must(t, err)
		if len(p.Undecided) != 1 || p.Undecided[0].CaseID != "c" || len(p.Answers) != 0 {
			t.Errorf("%s: the pass: %+v", when, p.Undecided)
		}
		p, err = o.Batch(t.Context(), nil)
		must(t, err)
		for _, made := range p.Answers {
			if made.Decision.CaseID == "c" {
				t.Errorf("%s: the pass of all decides about it", when)
			}
		}
		if p.Decided == 0 || len(p.Undecided) != 0 {
			t.Errorf("%s: the pass of all: %+v", when, p)
		}
		if x, err := o.Trail(t.Context(), a.Decision.ID); err != nil || x.Status != Closed {
			t.Errorf("%s: %s %v", when, x.Status, err)
		}
		if l, err := o.Case(t.Context(), "c"); err != nil || l.Reported == "" {
			t.Errorf("%s: the case's page does not tell it: %v", when, err)
		}
		if when == "reported" {
			o.restart()
		} else if when == "a new process" {
			o.export()
			o.restart()
		}
	}
	o.say("sorry", a, false)
	if got := o.decide("c"); !got.Standing || got.Decision.ID != a.Decision.ID {
		t.Errorf("corrected: standing %t, %s", got.Standing, got.Decision.ID)
	}
	if got := strings.Join(o.list(), ", "); !strings.Contains(got, "retry c:1") || strings.Contains(got, score.RuleReported) {
		t.Errorf("corrected: due %s", got)
	}
	o.restart()
	if got := strings.Join(o.list(), ", "); !strings.Contains(got, "retry c:1") || strings.Contains(got, score.RuleReported) {
		t.Errorf("corrected, a new process: due %s", got)
	}
}
