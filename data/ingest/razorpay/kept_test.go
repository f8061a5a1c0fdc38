package razorpay

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestKept: events without a table are counted, and can be found again.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	odd := eventOf("moon.risen", `"moon":{"entity":{"id":"moon_00000000000001","name":"Meera Nair"}},"payment":{"entity":{"id":"pay_00000000000001"}},"x":{"entity":{"id":"9820012345"}}`)
	lines := []string{
		delivered("evt00000000000002", 1767300002, odd),
		delivered("evt00000000000001", 1767300001, eventOf("payout.pending", `"payout":{"entity":{"id":"pout_00000000000001"}}`)),
		delivered("meera@invented.example", 1767300003, odd),
		delivered("evt00000000000002", 1767300009, odd),
		delivered("evt00000000000003", 1767300003, paymentOf(1, "payment.captured", "captured", "1767225500")),
	}
	s, _ := ingest(t, dir, archive(t, t.TempDir(), "a.jsonl", lines[:2]...))
	if s.Kept != 2 || s.Unknown["moon.risen"] != 1 || len(s.Unknown) != 1 || s.Types["payout.pending"] != 1 || s.Events != 0 {
		t.Errorf("%+v", s)
	}
	if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); err == nil {
		t.Error("a log without rows was written")
	}
	ingest(t, dir, archive(t, t.TempDir(), "a.jsonl", lines...))
	b, err := os.ReadFile(filepath.Join(dir, KeptName))
	if err != nil {
		t.Fatal(err)
	}
	var got []Kept
	for l := range strings.Lines(string(b)) {
		var k Kept
		if err := json.Unmarshal([]byte(l), &k); err != nil {
			t.Fatal(err)
		}
		got = append(got, k)
	}
	if len(got) != 3 || got[0].EventID != "evt00000000000001" || got[0].IDs[0] != "pout_00000000000001" || !got[0].Known ||
		got[1].Known || !slices.Equal(got[1].IDs, []string{"pay_00000000000001", "moon_00000000000001"}) || got[1].Type != "moon.risen" ||
		got[1].ReceivedAt != 1767300002*1e6 || !strings.HasPrefix(got[2].EventID, "sha256:") || got[1].SHA256 != got[2].SHA256 {
		t.Errorf("%s", b)
	}
	once := t.TempDir()
	ingest(t, once, archive(t, t.TempDir(), "a.jsonl", lines...))
	again, err := os.ReadFile(filepath.Join(once, KeptName))
	if err != nil || string(again) != string(b) {
		t.Errorf("in one run:\n%s\nin two:\n%s", again, b)
	}
}

// TestKeptInAnyRuns: however events are spread over runs, new ones before, between
// and after those that the file has, and some delivered again, the file is the same.
func TestKeptInAnyRuns(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 6))
	var lines []string
	for i := range 40 {
		lines = append(lines, delivered(fmt.Sprintf("evt%014d", (i*17)%40), 1767300000+int64(i/2),
			eventOf("payout.pending", fmt.Sprintf(`"payout":{"entity":{"id":"pout_%014d"}}`, i))))
	}
	want := ""
	for runs := 1; runs <= 4; runs++ {
		dir := t.TempDir()
		parts := make([][]string, runs)
		for _, i := range g.Perm(len(lines)) {
			k := g.IntN(runs)
			parts[k] = append(parts[k], lines[i])
			parts[runs-1] = append(parts[runs-1], lines[(i+1)%len(lines)])
		}
		for _, p := range parts {
			if len(p) > 0 {
				ingest(t, dir, archive(t, t.TempDir(), "a.jsonl", p...))
			}
		}
		b, err := os.ReadFile(filepath.Join(dir, KeptName))
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(b)
		}
		if string(b) != want || strings.Count(want, "\n") != len(lines) {
			t.Errorf("in %d runs:\n%s\nin one:\n%s", runs, b, want)
		}
	}
}
