package api

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http/httptest"
	"testing"

	"recoup/data"
)

// FuzzBodies sends bodies through the whole server: whatever they are, the
// answer is JSON of the right kind and never the server's fault.
func FuzzBodies(f *testing.F) {
	whole := example(f)
	for _, s := range []string{whole, whole[:len(whole)-1], whole + "{}", "", "{}", "[]", "null", `"x"`, "1e999", "{\"as_of\":1,\"events\":[{}]}",
		`{"as_of":{"known_at":1769900000000000,"seq":1},"events":[{"table":"polls"}],"candidates":[{"action":"retry","at":1}]}`, "\xff\xfe{}", "[[[[[[[[", `{"a":1,"a":2}`} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	model, rules := serve(f, -1, nil), serve(f, 0, nil)
	f.Fuzz(func(t *testing.T, body []byte, asked bool) {
		w, path := rules, "/v1/score"
		if asked {
			w, path = model, "/v1/decide"
		}
		check(t, w, path, body)
	})
}

func check(t *testing.T, w *world, path string, body []byte) int {
	t.Helper()
	r := httptest.NewRequest("POST", path, bytes.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.Handler().ServeHTTP(rec, r)
	kind := ProblemType
	if rec.Code == 200 {
		kind = "application/json"
	}
	if rec.Code >= 500 || !json.Valid(rec.Body.Bytes()) || rec.Header().Get("Content-Type") != kind {
		t.Fatalf("%d %s for %q", rec.Code, rec.Body, body)
	}
	return rec.Code
}

// TestMutatedBodies is what the fuzzer finds slowly: sound requests with a few
// values exchanged for others of their kind. Many are answered.
func TestMutatedBodies(t *testing.T) {
	w := serve(t, -1, nil)
	dice := rand.New(rand.NewPCG(1, 2))
	answered := 0
	const n = 600
	for range n {
		request := Example()
		events := request["events"].([]any)
		for range dice.IntN(3) {
			table := rowTables()[dice.IntN(len(rowTables()))]
			row := object(append(eventColumns(), table.columns...))
			row["table"] = table.name
			delete(row, "seq")
			for _, c := range table.columns {
				if c.words != nil {
					row[c.name] = c.words[dice.IntN(len(c.words))]
				}
				if !c.required && dice.IntN(2) == 0 {
					delete(row, c.name)
				}
			}
			for _, id := range []string{"case_id", "customer_id", "mandate_id", "attempt_id"} {
				if _, has := row[id]; has {
					row[id] = []string{"inv-102", "cust-7", "mandate-7", "pay-102", "inv-101", "x"}[dice.IntN(6)]
				}
			}
			events = append(events, row)
		}
		failed := events[1].(map[string]any)
		failed["reason"], failed["rail"] = reasonNames()[dice.IntN(138)], words(data.ParseRail)[dice.IntN(5)]
		failed["amount_paise"] = []int64{0, 1, 100, 1 << 40, 1 << 52}[dice.IntN(5)]
		request["events"], request["case_id"] = events, "inv-102"
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		if check(t, w, "/v1/decide", body) == 200 {
			answered++
		}
	}
	if answered < n/4 {
		t.Errorf("only %d of %d were answered: the test asks for little", answered, n)
	}
}
