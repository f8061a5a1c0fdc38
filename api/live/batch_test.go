package live

import (
	"fmt"
	"regexp"
	"testing"

	"recoup/data"
	"recoup/score"
)

// The day's pass decides what is open, once a day, and answers the same when it is
// asked again.
func TestBatch(t *testing.T) {
	o := begin(t, false)
	for i := range 70 {
		o.failed(fmt.Sprintf("c%02d", i), "insufficient_funds")
	}
	o.post(o.attempt("c03", 1, data.Captured))
	o.at(o.now() + data.Minute)
	by := o.decide("c05")
	p, err := o.Batch(t.Context(), nil)
	must(t, err)
	if len(p.Answers) != 68 || p.Decided != 1 || p.Left != 0 || p.Stopped != nil || len(p.Undecided) != 0 {
		t.Errorf("%d answers, %d decided, %d left, %+v", len(p.Answers), p.Decided, p.Left, p.Undecided)
	}
	again, err := o.Batch(t.Context(), nil)
	if must(t, err); len(again.Answers) != 0 || again.Decided != 69 {
		t.Errorf("again: %d answers, %d decided", len(again.Answers), again.Decided)
	}
	named, err := o.Batch(t.Context(), []string{"c05", "c04", "c04", "c03", "nobody"})
	must(t, err)
	if len(named.Answers) != 2 || !named.Answers[0].Standing || named.Answers[1].Decision.ID != by.Decision.ID || len(named.Undecided) != 2 {
		t.Errorf("named: %+v", named)
	}
	if done := o.days.of(o.now()).done; done.Attempts != 68 || done.Paise != 68*49900 {
		t.Errorf("the day: %+v", done)
	}
	o.at(o.now() + data.Day)
	next, err := o.Batch(t.Context(), nil)
	if must(t, err); len(next.Answers) != 69 || next.Decided != 0 {
		t.Errorf("the next day: %d answers, %d decided", len(next.Answers), next.Decided)
	}
}

// The people of a day are shared by its passes, whatever the process.
func TestBatchPeople(t *testing.T) {
	o := begin(t, false)
	const cases, people = 30, 25
	text := regexp.MustCompile(`per_day: \d+`).ReplaceAll(score.DefaultText(), fmt.Appendf(nil, "per_day: %d", people))
	var err error
	o.policy, err = score.ParsePolicy("policy.yaml", text)
	must(t, err)
	o.model(bundle(t, "model-1", -1))
	for i := range cases {
		o.failed(fmt.Sprintf("c%02d", i), "bank_not_enabled")
	}
	o.at(o.now() + data.Minute)
	names := func(from, to int) (out []string) {
		for i := from; i < to; i++ {
			out = append(out, fmt.Sprintf("c%02d", i))
		}
		return out
	}
	first, err := o.Batch(t.Context(), names(0, 10))
	must(t, err)
	o.restart()
	second, err := o.Batch(t.Context(), names(10, cases))
	must(t, err)
	if all := first.Escalated + second.Escalated; first.Escalated != 10 || all+second.Unattended != cases || all != min(cases, people) {
		t.Errorf("%d and %d escalated, %d unattended", first.Escalated, second.Escalated, second.Unattended)
	}
}
