package ingest

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"recoup/data"
)

var update = flag.Bool("update", false, "rewrite the golden drafts")

// exports are invented files in the shapes that teams and providers export.
func exports(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/suggest/*")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".yaml") })
	if len(files) < 13 {
		t.Fatalf("%d exports", len(files))
	}
	return files
}

// TestSuggestDrafts compares whole drafts, comments included; a draft is
// accepted iff nothing in it is undecided, and then it reads every row.
func TestSuggestDrafts(t *testing.T) {
	for _, f := range exports(t) {
		s, err := Suggest(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		golden := f + ".yaml"
		if *update {
			if err := os.WriteFile(golden, []byte(s.Mapping), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), s.Mapping); diff != "" {
			t.Errorf("%s: -want +got\n%s", f, diff)
		}
		_, err = Parse("draft", []byte(s.Mapping))
		switch {
		case (err == nil) != (len(s.Undecided) == 0):
			t.Errorf("%s: %d open questions, and Parse says %v", f, len(s.Undecided), err)
		case err == nil && (s.Trial == nil || s.Trial.Read != s.Rows || s.Trial.Rejected != 0):
			t.Errorf("%s: trial %+v", f, s.Trial)
		}
		if n := strings.Count(s.Mapping, "DECIDE: "); n != len(s.Undecided) {
			t.Errorf("%s: %d DECIDE comments for %d questions", f, n, len(s.Undecided))
		}
		if again, err := Suggest(t.Context(), f); err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("%s: another draft the second time", f)
		}
	}
}

// TestSuggestAnswered answers the questions as somebody would who knows the
// file, and ingests it.
func TestSuggestAnswered(t *testing.T) {
	for _, c := range []struct {
		file    string
		answers []string // old, new
		cases   int64
	}{
		{"anonymous.csv", []string{`currency: "?"`, "currency: EUR", `zone: "?"`, "zone: UTC", "case:\n", "case: {by: [country, amount], gap: 60s}\n"}, 60},
		{"cashfree.csv", []string{`USER_DROPPED: "?"`, "USER_DROPPED: failed", `eror": "?"`, `eror": bank_technical_error`, `upi: "?"`, "upi: null"}, -1},
		{"razorpay_payments.csv", []string{`time: "?"`, `time: "%d/%m/%Y %H:%M:%S"`, "customer_id:\n", "customer_id: {case: true}\n", `upi: "?"`, "upi: upi_autopay"}, -1},
		{"us.csv", []string{`currency: "?"`, "currency: {from: ccy}", `zone: "?"`, "zone: America/New_York"}, -1},
	} {
		path := "testdata/suggest/" + c.file
		s, err := Suggest(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer(c.answers...).Replace(s.Mapping)
		m, err := Parse(c.file, []byte(text))
		if err != nil {
			t.Errorf("%s: answered, and still refused: %v\n%s", c.file, err, text)
			continue
		}
		sum, err := Run(t.Context(), Options{Files: []string{path}, Mapping: m, Dir: t.TempDir()})
		if err != nil || sum.Events == 0 || sum.Events+sum.Rejected+sum.Duplicates != sum.Read || c.cases > 0 && sum.Cases != c.cases {
			t.Errorf("%s: %+v, %v", c.file, sum, err)
		}
	}
}

// found is what a draft of a small file decided, and asked.
func found(t *testing.T, name, text string) (decided map[string]Decided, asked map[string]Undecided, s *Suggestion) {
	t.Helper()
	s, err := Suggest(t.Context(), write(t, name, text))
	if err != nil {
		t.Fatal(err)
	}
	decided, asked = map[string]Decided{}, map[string]Undecided{}
	for _, d := range s.Decided {
		decided[d.Field] = d
	}
	for _, u := range s.Undecided {
		asked[u.Field] = u
	}
	return decided, asked, s
}

func TestSuggestTimes(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string // in the draft; "?" = asked
	}{
		{[]string{"2026-03-01 10:00:00", "2026-03-02 10:00:00"}, "occurred_at: at"},
		{[]string{"2026-03-01T10:00:00Z", "2026-03-02T10:00:00+05:30"}, "occurred_at: at"},
		{[]string{"04/11/2026 13:22:05", "05/11/2026 13:22:05"}, "?"},
		{[]string{"04/11/2026 13:22:05", "13/11/2026 13:22:05"}, `time: "%d/%m/%Y %H:%M:%S"`},
		{[]string{"04/11/2026 13:22:05", "04/13/2026 13:22:05"}, `time: "%m/%d/%Y %H:%M:%S"`},
		{[]string{"04/04/2026 13:22:05", "05/05/2026 13:22:05"}, `time: "%d/%m/%Y %H:%M:%S"`}, // both ways alike
		{[]string{"4/11/26 1:22 PM", "25/11/26 11:22 AM"}, `time: "%d/%m/%y %I:%M %p"`},
		{[]string{"04.11.2026 13:22", "05.11.2026 13:22"}, `time: "%d.%m.%Y %H:%M"`},
		{[]string{"5 Nov 2026 13:22:05", "6 Nov 2026 13:22:05"}, `time: "%d %b %Y %H:%M:%S"`},
		{[]string{"20261105 132205", "20261106 132205"}, `time: "%Y%m%d %H%M%S"`},
		{[]string{"1782846317", "1782846318"}, "time: epoch_s"},
		{[]string{"1782846317000", "1782846318000"}, "time: epoch_ms"},
		{[]string{"1782846317000000", "1782846318000000"}, "time: epoch_us"},
		{[]string{"5", "6"}, "?"},
		{[]string{"2026-11-05", "2026-11-06"}, `time: "%Y-%m-%d"`},
		{[]string{"soon", "later"}, "?"},
	} {
		text := "payment_id,at,amount\n"
		for i, v := range c.values {
			text += string(rune('a'+i)) + "," + v + ",1.50\n"
		}
		decided, asked, s := found(t, "x.csv", text)
		if _, open := asked["occurred_at"]; open != (c.want == "?") || c.want != "?" && !strings.Contains(s.Mapping, c.want) {
			t.Errorf("%q: want %s, got\n%s", c.values, c.want, s.Mapping)
		}
		zoned := strings.Contains(c.values[0], "Z") || strings.Contains(c.want, "epoch")
		if _, open := asked["source.zone"]; c.want != "?" && open == zoned {
			t.Errorf("%q: zone asked: %v; %+v", c.values, open, decided["source.zone"])
		}
	}
}

func TestSuggestMoney(t *testing.T) {
	for _, c := range []struct {
		column string
		values []string
		want   string // in the draft; "?" = asked
	}{
		{"amount", []string{"499.00", "1,499.50"}, "unit: rupees"},
		{"amount", []string{"499", "501"}, "unit: rupees"},
		{"amount", []string{"49900", "149900"}, "?"},
		{"amount", []string{"49901", "149900"}, "?"},
		{"amount_paise", []string{"49900", "149900"}, "unit: paise"},
		{"amount_rs", []string{"49900", "149900"}, "unit: rupees"},
		{"amount", []string{"1.499,50", "12,5"}, `decimal: ","`},
		{"amount", []string{"1 499,50", "12,5"}, `group: " "`},
		{"amount", []string{"1'499.50", "12.5"}, `group: "'"`},
		{"amount", []string{"49900", "99900", "19900", "29900", "39900", "59900", "402.5"}, "?"}, // a slip in paise?
		{"amount", []string{"499.00", "99900"}, "unit: rupees"},
		{"amount", []string{"Rs. 499", "Rs. 501"}, "?"},
		{"amount", []string{"1,499", "2,501"}, "unit: rupees"},
	} {
		text := "payment_id;" + c.column + "\n"
		for i, v := range c.values {
			text += string(rune('a'+i)) + ";" + v + "\n"
		}
		_, asked, s := found(t, "x.csv", text)
		if _, open := asked["amount_paise"]; open != (c.want == "?") || c.want != "?" && !strings.Contains(s.Mapping, c.want) {
			t.Errorf("%s %q: want %s, got\n%s", c.column, c.values, c.want, s.Mapping)
		}
	}
}

func TestSuggestCases(t *testing.T) {
	head := "payment_id,created_at,amount,status,customer,"
	rows := func(name string, more ...string) string {
		text := head + name + "\n"
		for i, m := range more {
			text += string(rune('a'+i)) + ",2026-03-01T1" + string(rune('0'+i)) + ":00:00Z," + m + "\n"
		}
		return text
	}
	for _, c := range []struct{ name, text, want string }{
		{"an order groups attempts at one amount", rows("order_id", "5.00,failed,c,o1", "5.00,captured,c,o1", "7.00,captured,d,o2"), "case: {by: [order_id]}"},
		{"a subscription is paid every month", rows("order_id", "5.00,captured,c,s1", "5.00,captured,c,s1", "7.00,captured,d,s2"), "case: {by: [customer, amount], gap: "},
		{"an order of many amounts", rows("order_id", "5.00,failed,c,s1", "6.00,captured,c,s1", "7.00,captured,d,s2"), "case: {by: [customer, amount], gap: "},
		{"an invoice before an order", rows("order_id,invoice", "5.00,failed,c,o1,i1", "5.00,captured,c,o1,i1", "7.00,captured,d,o2,i2"), "case: {by: [invoice]}"},
	} {
		if _, _, s := found(t, "x.csv", c.text); !strings.Contains(s.Mapping, c.want) {
			t.Errorf("%s: want %s, got\n%s", c.name, c.want, s.Mapping)
		}
	}
}

func TestSuggestPersonal(t *testing.T) {
	for id, want := range map[string]string{
		"a@example.com": "e-mail address or UPI handle", "98765@okbank": "e-mail address or UPI handle", "+91 98765 43210": "telephone number",
		"9876543210": "telephone number", "919876543210": "telephone number", "c17": "", "0036932": "", "12345": "", "": "", "cus_9": "", "@": "", "1234567890": "",
	} {
		if got := Personal(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	_, asked, _ := found(t, "x.csv", "payment_id,customer\np1,a@example.com\np2,b@example.com\n")
	if len(asked["customer_id"].Choices) != 2 {
		t.Errorf("%+v", asked)
	}
}

// TestSuggestLists: no word means two things, and every target is a word.
func TestSuggestLists(t *testing.T) {
	parse := map[string]func(string) error{
		"status":    func(s string) error { _, err := data.ParseAttemptStatus(s); return err },
		"truth":     func(s string) error { _, err := data.ParseAttemptStatus(s); return err },
		"rail":      func(s string) error { _, err := data.ParseRail(s); return err },
		"initiator": func(s string) error { _, err := data.ParseInitiator(s); return err },
		"reason":    func(s string) error { _, err := data.ParseReason(s); return err },
		"network":   func(string) error { return nil },
	}
	for lists, words := range known {
		seen := map[string]string{}
		for to, from := range words {
			if err := parse[lists](to); err != nil {
				t.Error(err)
			}
			for _, w := range from {
				if w != normal(w) || seen[w] != "" {
					t.Errorf("%s: %q is not in its normal form, or is %s and %s", lists, w, seen[w], to)
				}
				seen[w] = to
			}
		}
	}
	for field, names := range namesOf {
		for i, n := range names {
			if n != normal(n) || slices.Index(names, n) != i {
				t.Errorf("%s: %q is not in its normal form, or there twice", field, n)
			}
		}
	}
	if got := nearReasons("bank technical eror"); !slices.Contains(got, "bank_technical_error") {
		t.Errorf("near: %q", got)
	}
}

// TestScalar: whatever a column is called, the draft names that very column.
func TestScalar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-a-z0-9:#,\[\]{}'"\\ &*!|>%@~?\n\t.]{0,12}`)).Draw(t, "text")
		if strings.ContainsRune(want, 0) || strings.ContainsRune(want, '\uFFFD') {
			return
		}
		d := &document{path: "x"}
		root, ok := d.root([]byte("a: {b: [" + scalarOf(want) + "]}\n"))
		if !ok {
			t.Fatalf("%q: %v", want, d.faults)
		}
		got := d.texts(d.entries(d.entries(root, "x")[0].value, "x")[0].value, "x")
		if len(d.faults) > 0 || !slices.Equal(got, []string{want}) {
			t.Fatalf("%q as %s came back as %q, %v", want, scalarOf(want), got, d.faults)
		}
	})
}
