package score

import (
	"encoding/json"
	"slices"
	"testing"

	"recoup/data"
	"recoup/features"
)

// A decision comes out of its row and its evidence as it went in, by the model, by the
// rules, by dice that are only monitored.
func TestEvidenceGivesTheDecisionAgain(t *testing.T) {
	plain := engine(t, testBundle(t, nil))
	dice, err := plain.Explore(Explorer{Salt: []byte("0123456789abcdef"), Only: data.ArmExplorer})
	must(t, err)
	for name, e := range map[string]*Engine{"model": plain, "no model": engine(t, nil), "no cure": engine(t, noCure(testBundle(t, nil))), "dice": dice} {
		for _, reason := range []string{"insufficient_funds", "payment_timed_out", "card_expired", "bank_not_enabled", "server_error"} {
			d, past := decided(t, e, reason)
			v, err := d.Evidence()
			must(t, err)
			body, err := json.Marshal(v)
			must(t, err)
			var back Evidence
			must(t, json.Unmarshal(body, &back))
			row := d.Row()
			again, err := back.Decision(&row)
			must(t, err)
			want, _ := json.Marshal(d)
			got, _ := json.Marshal(again)
			if string(got) != string(want) {
				t.Errorf("%s, %s: again\n%s\nwas\n%s", name, reason, got, want)
			}
			if (v.RowsSHA256 == "") != (d.ModelID == "") || v.RowsSHA256 != "" && len(v.Row) == 0 {
				t.Errorf("%s, %s: row of %d bytes, rows %q", name, reason, len(v.Row), v.RowsSHA256)
			}
			if past == nil || v.RowsSHA256 == "" {
				continue
			}
			all := make([]data.Candidate, len(d.Allowed))
			for i, c := range d.Allowed {
				all[i] = data.Candidate{Action: c.Action, At: c.At}
			}
			rebuilt, sum, err := Rows(past, d.situation.LastFailure, all, d.Decided)
			if must(t, err); string(rebuilt) != string(v.Row) || sum != v.RowsSHA256 {
				t.Errorf("%s, %s: the rows of another past are others", name, reason)
			}
			if _, other, err := Rows(past, d.situation.LastFailure, all[:len(all)-1], 0); len(all) > 1 && (err != nil || other == sum) {
				t.Errorf("%s, %s: a row less, and the same sum (%v)", name, reason, err)
			}
		}
	}
}

func TestEvidenceOfOtherCandidates(t *testing.T) {
	d, _ := decided(t, engine(t, testBundle(t, nil)), "insufficient_funds")
	v, err := d.Evidence()
	must(t, err)
	row := d.Row()
	v.Costs = v.Costs[1:]
	if _, err := v.Decision(&row); err == nil {
		t.Error("costs of other candidates")
	}
	if v, err = d.Evidence(); err != nil {
		t.Fatal(err)
	}
	v.Answered = len(row.Allowed)
	if _, err := v.Decision(&row); err == nil {
		t.Error("an answer that is none of the candidates")
	}
	if v, err = d.Evidence(); err != nil {
		t.Fatal(err)
	}
	v.Rail = "road"
	if _, err := v.Decision(&row); err == nil {
		t.Error("an unknown rail")
	}
}

// The rows that were kept while the models were asked are those that are made again,
// whichever candidates are left.
func TestEvidenceOfKeptRows(t *testing.T) {
	b := testBundle(t, nil)
	for name, e := range map[string]*Engine{"model": engine(t, b), "no model": engine(t, nil), "no cure": engine(t, noCure(b))} {
		for _, reason := range []string{"insufficient_funds", "payment_timed_out", "card_expired"} {
			for _, after := range []data.Micros{data.Hour, 3*data.Day + data.Hour, 13*data.Day - 1} {
				st, at := failedFor(t, reason)
				made, err := e.Decide(st, "c", at+after)
				must(t, err)
				recorded, err := e.DecideAs(Ask{Record: true}, st, "c", at+after)
				must(t, err)
				if recorded.kept.of(data.Candidate{At: at + after}, cureDay(at, at+after)) == nil && name == "model" || made.kept != nil {
					t.Errorf("%s, %s: the row of waiting was not kept, or was for nobody", name, reason)
				}
				for len(made.Allowed) > 0 {
					want, err := made.Evidence()
					must(t, err)
					got, err := recorded.Evidence()
					must(t, err)
					if string(got.Row) != string(want.Row) || got.RowsSHA256 != want.RowsSHA256 {
						t.Fatalf("%s, %s after %d: of %d candidates the rows are others", name, reason, after, len(made.Allowed))
					}
					for i := range recorded.Allowed {
						if c := &recorded.Allowed[i]; c.Action == data.Retry && name != "no model" && recorded.kept.of(data.Candidate{Action: c.Action, At: c.At}, 0) == nil {
							t.Errorf("%s, %s: the row of the retry at %s was not kept", name, reason, c.At)
						}
					}
					for _, d := range []*Decision{&made, &recorded} { // without some in the middle
						n := len(d.Allowed)
						d.Allowed = slices.Delete(d.Allowed, n/2, n/2+1+n/4)
						d.Decided = len(d.Allowed) / 3
					}
				}
			}
		}
	}
}

// decided is a decision on a first failure with a reason, an hour after it.
func decided(t *testing.T, e *Engine, reason string) (Decision, *features.Past) {
	t.Helper()
	st, at := failedFor(t, reason)
	d, err := e.Decide(st, "c", at+data.Hour)
	must(t, err)
	past, err := st.Past("c", at+data.Hour)
	must(t, err)
	return d, past
}

// failedFor is a state with a mandate and a first failure.
func failedFor(t *testing.T, reason string) (*features.State, data.Micros) {
	t.Helper()
	at := data.IST(2026, 11, 10, 9, 30)
	st := features.NewState()
	m := data.Mandate{Event: data.Event{EventID: "m", OccurredAt: at - data.Hour, KnownAt: at - data.Hour, Seq: 1}, MandateID: "m", CustomerID: "u", Rail: data.UPIAutopay,
		Status: data.MandateActive, CreatedAt: at - 400*data.Day, MaxAmount: 500000}
	a := data.Attempt{Event: data.Event{EventID: "a", OccurredAt: at, KnownAt: at, Seq: 2}, CaseID: "c", AttemptID: "a", CustomerID: "u", MandateID: "m", Rail: data.UPIAutopay,
		Bank: "HDFC", Amount: 49900, Status: data.Failed, Reason: data.MustReason(reason)}
	must(t, features.Fold(st, &m))
	must(t, features.Fold(st, &a))
	return st, at
}
