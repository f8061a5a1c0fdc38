package matrix

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"recoup/data"
	"recoup/features"
	"recoup/score"
)

// under puts a prefix before the names of what belongs to a story.
func (s *story) under(prefix string) {
	name := func(ids ...*string) {
		for _, id := range ids {
			if *id != "" {
				*id = prefix + *id
			}
		}
	}
	for _, r := range s.rows {
		name(&r.EventID)
		switch x := r.Row.(type) {
		case *data.Attempt:
			name(&x.CaseID, &x.AttemptID, &x.CustomerID, &x.MandateID, &x.SubscriptionID)
		case *data.CaseEvent:
			name(&x.CaseID)
		case *data.Mandate:
			name(&x.MandateID, &x.CustomerID)
		case *data.Subscription:
			name(&x.SubscriptionID, &x.CustomerID)
		case *data.Notice:
			name(&x.CaseID, &x.MandateID)
		case *data.Poll:
			name(&x.AttemptID)
		case *data.Promise:
			name(&x.CaseID)
		case *data.Downtime:
			name(&x.DowntimeID)
		}
	}
}

// asOf is when the batch is run: a Friday evening, before a bank holiday.
var asOf = data.IST(2026, 8, 14, 19, 45)

// logOf is a log of many stories, and what is known of them at asOf.
func logOf(t *testing.T, stories int) (*data.Log, *features.State) {
	t.Helper()
	var all story
	for i := range stories {
		d := rollAt(4, uint64(i), asOf)
		d.under(fmt.Sprintf("s%d-", i))
		all.rows = append(all.rows, d.rows...)
	}
	var unreported story
	unreported.attempt(asOf-days, data.Attempt{CaseID: "unreported", AttemptID: "u0", CustomerID: "u", Rail: data.Card, Amount: 499_00, Status: data.Failed, Reason: data.NotReported})
	all.rows = append(all.rows, unreported.rows...)
	st := all.state(t, asOf)
	dir := t.TempDir()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all.rows {
		if err := put(w, r.Row); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l, st
}

func put(w *data.Writer, row any) error {
	switch x := row.(type) {
	case *data.Attempt:
		return data.Add(w, *x)
	case *data.CaseEvent:
		return data.Add(w, *x)
	case *data.Mandate:
		return data.Add(w, *x)
	case *data.Subscription:
		return data.Add(w, *x)
	case *data.Notice:
		return data.Add(w, *x)
	case *data.Poll:
		return data.Add(w, *x)
	case *data.Promise:
		return data.Add(w, *x)
	case *data.Downtime:
		return data.Add(w, *x)
	}
	return fmt.Errorf("%T", row)
}

// The batch writes no candidate that the table refuses, and sends what has no
// reason to a person.
func TestBatch(t *testing.T) {
	l, st := logOf(t, 80)
	table := printedOf(t, score.Default())
	out := filepath.Join(t.TempDir(), "scores")
	e, err := score.New(score.Default(), madeUp(t))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Batch(t.Context(), l, score.BatchOptions{AsOf: asOf, Out: out, Candidates: true, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	all, chosen := sheetOf(t, out+"-candidates.csv"), sheetOf(t, out+".csv")
	if len(chosen) != sum.Cases || sum.Cases < 40 {
		t.Errorf("%d rows of %d cases", len(chosen), sum.Cases)
	}
	debits := 0
	for _, row := range slices.Concat(all, chosen) {
		f, err := st.Facts(row["case_id"], asOf)
		if err != nil {
			t.Fatal(err)
		}
		a, err := data.ParseAction(row["action"])
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339Nano, row["at"])
		if err != nil {
			t.Fatal(err)
		}
		q := asked{table, &f, asOf}
		if v := q.judge(a, data.MicrosOf(at)); v.Rule != "" {
			t.Errorf("%s: %s at %s, which %s refuses", row["case_id"], a, at, v.Rule)
		}
		if a == data.Retry {
			debits++
		}
	}
	if debits < 100 {
		t.Errorf("%d retries: too few to tell", debits)
	}
	i := slices.IndexFunc(chosen, func(r map[string]string) bool { return r["case_id"] == "unreported" })
	if i < 0 || chosen[i]["action"] != "escalate" || chosen[i]["kind"] != "human_review" {
		t.Errorf("without a reason: %v", chosen[max(i, 0)])
	}
}

// sheetOf reads a file of columns by name.
func sheetOf(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = values[i]
		}
		rows = append(rows, row)
	}
	return rows
}
