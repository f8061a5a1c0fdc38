package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"recoup/data"
)

func stage(t *testing.T, cases int) *Stage {
	t.Helper()
	s, err := NewStage(context.Background(), config(cases))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everything plays a decider and keeps all rows.
func everything(t *testing.T, s *Stage, d Decider) (*Batch, Summary, []CaseResult) {
	t.Helper()
	all := &Batch{}
	sum, results, err := s.Play(context.Background(), d, func(b *Batch) error {
		all.Attempts = append(all.Attempts, b.Attempts...)
		all.CaseEvents = append(all.CaseEvents, b.CaseEvents...)
		all.Subscriptions = append(all.Subscriptions, b.Subscriptions...)
		all.Mandates = append(all.Mandates, b.Mandates...)
		all.Notices = append(all.Notices, b.Notices...)
		all.Polls = append(all.Polls, b.Polls...)
		all.Promises = append(all.Promises, b.Promises...)
		all.Downtimes = append(all.Downtimes, b.Downtimes...)
		all.Decisions = append(all.Decisions, b.Decisions...)
		all.Outcomes = append(all.Outcomes, b.Outcomes...)
		all.Candidates = append(all.Candidates, b.Candidates...)
		all.Cures = append(all.Cures, b.Cures...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, sum, results
}

// TestPlayIsTheSameWorld: the ladder, decided event by event, makes the attempts
// of the ladder that runs case by case, but for debits between a payment and the
// news of it, after notices that failed, and above the caps.
func TestPlayIsTheSameWorld(t *testing.T) {
	batch, old := gather(t, config(1500), Ladder())
	s := stage(t, 1500)
	live, sum, _ := everything(t, s, s.Ladder())
	rows := func(b *Batch) map[string]data.Attempt {
		out := map[string]data.Attempt{}
		for _, a := range b.Attempts {
			a.DecisionID = ""
			if _, twice := out[a.EventID]; twice {
				t.Fatalf("event %s twice", a.EventID)
			}
			out[a.EventID] = a
		}
		return out
	}
	was, is := rows(batch), rows(live)
	other := map[string]bool{} // cases
	for id := range was {
		if a, ok := is[id]; !ok || a != was[id] {
			other[was[id].CaseID] = true
		}
	}
	for id := range is {
		if _, ok := was[id]; !ok {
			other[is[id].CaseID] = true
		}
	}
	if len(other) > 60 {
		t.Errorf("%d of 1500 cases went another way, among them %v", len(other), slices.Sorted(maps.Keys(other))[:5])
	}
	if len(other) == 0 {
		t.Error("no debit between a payment and the news of it: the test shows nothing")
	}
	if sum.Cases != old.Cases || sum.Customers != old.Customers {
		t.Errorf("%d cases of %d customers, want %d of %d", sum.Cases, sum.Customers, old.Cases, old.Customers)
	}
	for _, b := range []*Batch{batch, live} {
		n := map[string]int{}
		for _, c := range b.CaseEvents {
			n[c.Kind.String()]++
		}
		for _, p := range b.Promises {
			n[p.Status.String()]++
		}
		t.Log(n, len(b.Decisions), len(b.Outcomes), len(b.Polls), len(b.Notices))
	}
}

// recorder is a decider that draws among the merchant's candidates by the name of
// the decision, and remembers what it was told.
func recorder(into *[]data.AnyRow) Decider {
	return Decider{ID: "recorder", Attentive: true, Truth: true,
		Fold: func(r data.AnyRow) error { *into = append(*into, r); return nil },
		Decide: func(t *Turn) (*data.Decision, error) {
			if n := len(*into); n == 0 || (*into)[n-1].KnownAt > t.Now {
				return nil, fmt.Errorf("told of the future")
			}
			d := t.row("recorder", data.ArmExplorer)
			d.Allowed = append(d.Allowed, t.Candidates...)
			d.Allowed = append(d.Allowed, data.Option{Action: data.PaymentLink, Kind: data.PlainLink, At: t.Now},
				data.Option{Action: data.Nudge, Kind: data.Authenticate, At: t.Now + data.Hour}, data.Option{Action: data.Escalate, Kind: data.HumanReview, At: t.Now})
			for i := range d.Allowed {
				d.Allowed[i].Propensity = 1 / float64(len(d.Allowed))
				d.Allowed[i].Mix = d.Allowed[i].Propensity
			}
			d.Chosen = int32(key(len(t.DecisionID)).sub(uint64(t.Now)).modulo(uint64(len(d.Allowed))))
			return d, nil
		}}
}

// TestToldInOrder: a decider is told exactly the rows of the log, in the order of
// the log, and never sees what becomes known after it decides.
func TestToldInOrder(t *testing.T) {
	var told []data.AnyRow
	s := stage(t, 400)
	all, _, results := everything(t, s, recorder(&told))
	for i := 1; i < len(told); i++ {
		if told[i-1].KnownAt > told[i].KnownAt || told[i-1].KnownAt == told[i].KnownAt && told[i-1].EventID >= told[i].EventID {
			t.Fatalf("%s (%s) was told before %s (%s)", told[i-1].EventID, told[i-1].KnownAt, told[i].EventID, told[i].KnownAt)
		}
	}
	rows := all.appendKnown(nil, &marks{})
	ids := map[string]bool{}
	for _, r := range rows {
		if ids[r.id] {
			t.Errorf("event %s twice", r.id)
		}
		ids[r.id] = true
	}
	if len(told) != len(rows) {
		t.Errorf("told of %d rows, the log has %d", len(told), len(rows))
	}
	for _, r := range told {
		delete(ids, r.EventID)
	}
	if len(ids) > 0 {
		t.Errorf("not told of %d rows, among them %v", len(ids), slices.Sorted(maps.Keys(ids))[0])
	}
	var n CaseResult
	for _, r := range results {
		n.Retries, n.Contacts, n.Escalations, n.Doubles, n.Failed = n.Retries+r.Retries, n.Contacts+r.Contacts, n.Escalations+r.Escalations, n.Doubles+r.Doubles, n.Failed+r.Failed
	}
	if n.Retries == 0 || n.Contacts == 0 || n.Escalations == 0 || n.Failed == 0 {
		t.Errorf("something never happened: %+v", n)
	}
	if len(all.Candidates) == 0 || len(all.Cures) == 0 {
		t.Error("no truth was written")
	}
}

// TestPlayTwice: a Stage is not used up, and a play makes the same rows again.
func TestPlayTwice(t *testing.T) {
	s := stage(t, 300)
	play := func() string {
		var told []data.AnyRow
		all, sum, results := everything(t, s, recorder(&told))
		b, err := json.Marshal([]any{all, sum, results})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one := play()
	everything(t, s, s.Ladder())
	if play() != one {
		t.Error("the second play went another way")
	}
}

// TestWhatIsRefused: a decider that chooses nothing, the past or no distribution stops the play.
func TestWhatIsRefused(t *testing.T) {
	s := stage(t, 30)
	for name, spoil := range map[string]func(*data.Decision){
		"nothing":     func(d *data.Decision) { d.Chosen = 99 },
		"past":        func(d *data.Decision) { d.Allowed[0].At-- },
		"probability": func(d *data.Decision) { d.Allowed[0].Propensity = .5 },
	} {
		d := s.Ladder()
		good := d.Decide
		d.Decide = func(t *Turn) (*data.Decision, error) {
			out, err := good(t)
			spoil(out)
			return out, err
		}
		if _, _, err := s.Play(context.Background(), d, nil); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
