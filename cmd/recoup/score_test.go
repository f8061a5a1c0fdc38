package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/api"
	"recoup/score"
)

// What score CASE.json --json prints is the answer of /v1/decide, but for the
// request's id: no key more, none less.
func TestScorePrintsTheAnswerOfDecide(t *testing.T) {
	r, faults := score.ParseRequest([]byte(`{"as_of":{"known_at":"2026-02-11T00:00:00Z","seq":9},"events":[{"table":"attempts","seq":1,
		"occurred_at":"2026-02-10T09:30:00+05:30","case_id":"c1","attempt_no":0,"attempt_id":"a1","customer_id":"u1","rail":"upi_autopay",
		"amount_paise":49900,"status":"failed","reason":"insufficient_funds"}]}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	engine, err := score.New(score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := engine.Answer(r)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var answer api.Decided
	dec := json.NewDecoder(bytes.NewReader(ours))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	theirs, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var a, b map[string]any
	for text, into := range map[string]*map[string]any{string(ours): &a, string(theirs): &b} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	delete(b, "request_id")
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}
