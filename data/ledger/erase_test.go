package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestErase(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		s := secret(t)
		b := keptBook(t, url, s, 6) // cust0 has the even ones
		put(t, b,
			Draft{Kind: Decision, Key: "d1", CaseID: "case1", CustomerID: "cust1", Body: []byte(`{"decision":1}`)},
			Draft{Kind: Outcome, Key: "o1", CaseID: "case1", Body: []byte(`{"of":"` + strings.Repeat("SECRET-WORD", 2000) + `"}`)}, // of several pages
			Draft{Kind: Event, Key: "p1", CaseID: "case2", Body: []byte(`{"of":"the other"}`)},
			Draft{Kind: Event, Key: "x1", Body: []byte(`{"of":"nobody"}`)})
		for _, key := range []string{"one", "two"} {
			answer := fmt.Sprintf(`{"case_id":"case%d"}`, len(key)%2+map[string]int{"one": 0, "two": 1}[key])
			_, err := b.Append(ctx, Job{Drafts: []Draft{event("of"+key, `{}`)}, Once: &Once{Key: key, Answer: func([]Receipt) (int, []byte) { return 200, []byte(answer) }}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := b.mark(ctx, 4); err != nil {
			t.Fatal(err)
		}
		keys := Verification{Keys: Keys{s}}
		before := mustVerify(t, b, keys)
		if got, err := b.Erase(ctx, "nobody-of-ours", ""); err != nil || got.Seq != 0 || got.Entries != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		got, err := b.Erase(ctx, "cust1", "he asked for it")
		want := Erased{Tenant: "main", Entries: 5, Answers: 1, Seq: 13, Exported: 2}
		if err != nil || got != want {
			t.Fatalf("%+v, %v\nexpected %+v", got, err, want)
		}
		after := mustVerify(t, b, keys)
		if after.Erased != 5 || after.Entries != before.Entries+1 || after.Strength != Keyed {
			t.Errorf("%+v", after)
		}
		for i, e := range all(t, b) {
			gone := e.Seq == 1 || e.Seq == 3 || e.Seq == 5 || e.Seq == 7 || e.Seq == 8
			if gone != (e.Body == nil) || gone && (e.CaseID != "" || e.CustomerID != "") || e.Seq != int64(i+1) {
				t.Errorf("%+v", e)
			}
		}
		if again, err := b.Erase(ctx, "cust1", ""); err != nil || again.Entries != 0 {
			t.Errorf("%+v, %v", again, err)
		}
		if !b.ledger.postgres { // nothing is left in the file
			found, err := filepath.Glob(url + "*")
			if err != nil || len(found) == 0 {
				t.Fatal(found, err)
			}
			for _, path := range found {
				content, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(content, []byte("SECRET-WORD")) {
					t.Errorf("%s still has it", path)
				}
			}
		}
	})
}

// A death between the entry that says so and the blanking is finished by another erasure.
func TestEraseBrokenOff(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		b := keptBook(t, url, Secret{}, 6)
		put(t, b, Draft{Kind: Erasure, Key: "x", KnownAt: atOnce, Body: []byte(`{"erased":[[2,2],[4,4],[6,6]]}`)})
		if got := mustVerify(t, b, Verification{}); got.Erased != 0 {
			t.Errorf("%+v", got)
		}
		if got, err := b.Erase(ctx, "cust0", ""); err != nil || got.Entries != 3 {
			t.Errorf("%+v, %v", got, err)
		}
		if got := mustVerify(t, b, Verification{}); got.Erased != 3 {
			t.Errorf("%+v", got)
		}
		put(t, b, Draft{Kind: Erasure, Key: "y", Body: []byte(`{"erased":[[9,9]]}`)})
		broken(t, b, Verification{}, 9, "it says that entries 9 to 9 were erased")
	})
}

// Runs of seqs against a plain set.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, of spans
		in := map[int64]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "runs") {
			a := rapid.Int64Range(1, 30).Draw(t, "a")
			z := a + rapid.Int64Range(0, 5).Draw(t, "more")
			s = append(s, span{a, z})
			for i := a; i <= z; i++ {
				in[i] = true
			}
		}
		s = s.join()
		var want int64
		for i := int64(1); i <= 40; i++ {
			if !rapid.Bool().Draw(t, "asked") {
				continue
			}
			of.add(i)
			if !in[i] && want == 0 {
				want = i
			}
		}
		if got, ok := s.lacks(of); ok != (want != 0) || ok && got != want {
			t.Fatalf("%v lacks %v of %v, expected %d", s, got, of, want)
		}
		if s.count() != int64(len(in)) {
			t.Fatalf("%v: %d, expected %d", s, s.count(), len(in))
		}
	})
}
