package pages

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/score"
)

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		text, unit string
		want       data.Paise
		fault      string
	}{
		{"499.00", "rupees", 49900, ""},
		{"499", "rupees", 49900, ""},
		{"499.5", "rupees", 49950, ""},
		{"0.01", "rupees", 1, ""},
		{"₹1,499.00", "rupees", 149900, ""},
		{"1,00,000", "rupees", 10000000, ""},
		{"100,000", "rupees", 10000000, ""},
		{"12,34,567.89", "rupees", 123456789, ""},
		{"49900", "paise", 49900, ""},
		{"49,900", "paise", 49900, ""},
		{"92233720368.54", "rupees", 9223372036854, ""},
		{"92233720368.55", "rupees", 0, "too much"},
		{"9223372036854", "paise", 9223372036854, ""},
		{"9223372036855", "paise", 0, "too much"},
		{"99999999999999999999999", "paise", 0, "too much"},
		{"0", "rupees", 0, "above zero"},
		{"0.00", "rupees", 0, "above zero"},
		{"-1", "rupees", 0, "is no amount"},
		{"1e3", "rupees", 0, "is no amount"},
		{"1,23", "rupees", 0, "is no amount"}, // a decimal comma?
		{"1,2345", "rupees", 0, "is no amount"},
		{"499.", "rupees", 0, "is no amount"},
		{".50", "rupees", 0, "is no amount"},
		{"٤٩٩", "rupees", 0, "is no amount"},
		{"1.005", "rupees", 0, "more than two decimals"},
		{"1.50", "paise", 0, "paise are whole"},
		{"", "rupees", 0, "is no amount"},
	} {
		got, err := readMoney(c.text, c.unit)
		switch {
		case c.fault == "" && (err != nil || got != c.want):
			t.Errorf("%s %s: %d, %v, want %d", c.text, c.unit, got, err, c.want)
		case c.fault != "" && (err == nil || got != 0 || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s %s: %d, %v, want a fault about %q", c.text, c.unit, got, err, c.fault)
		}
	}
}

// TestMoneyReturns: what is printed reads back as the same amount.
func TestMoneyReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := data.Paise(rapid.Int64Range(1, mostPaise).Draw(t, "paise"))
		for _, text := range []string{rupees(p), p.String()} {
			if got, err := readMoney(text, "rupees"); err != nil || got != p {
				t.Fatalf("%s: %d, %v, want %d", text, got, err, p)
			}
		}
	})
}

func TestRupees(t *testing.T) {
	for p, want := range map[data.Paise]string{0: "₹0.00", 5: "₹0.05", 99999: "₹999.99", 100000: "₹1,000.00", 10000000: "₹1,00,000.00",
		1234567890: "₹1,23,45,678.90", -40: "−₹0.40", math.MinInt64: "−₹92,23,37,20,36,85,47,758.08"} {
		if got := rupees(p); got != want {
			t.Errorf("%d: %s, want %s", int64(p), got, want)
		}
	}
}

func TestClock(t *testing.T) {
	if got, want := ist(now), "Tue 3 Feb 2026, 09:30"; got != want {
		t.Errorf("ist: %s, want %s", got, want)
	}
	if got, want := day(now), "Tue 3 Feb, 09:30"; got != want {
		t.Errorf("day: %s, want %s", got, want)
	}
	if got, want := ist(now+data.Second), "Tue 3 Feb 2026, 09:30:01"; got != want {
		t.Errorf("ist: %s, want %s", got, want)
	}
	for _, text := range []string{clock(now), "2026-02-03 09:30", "2026-02-03T09:30:00"} {
		if got, err := readClock(text); err != nil || got != now {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	if got, err := readClock(clock(now + data.Second)); err != nil || got != now+data.Second {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"2026-02-30T09:30", "3.2.2026", "1999-12-31T23:59", "2101-01-01T00:00", "2026-02-03T09:30Z", "T"} {
		if _, err := readClock(text); err == nil {
			t.Errorf("%s went through", text)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[data.Micros]string{40 * data.Minute: "40 min", data.Hour: "1 h", 90 * data.Minute: "1 h 30 min", 24 * data.Hour: "24 h",
		47 * data.Hour: "47 h", 2 * data.Day: "2 days", 51 * data.Hour: "2 days 3 h", 21 * data.Day: "21 days"} {
		if got := span(d); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}

func TestPoints(t *testing.T) {
	for v, want := range map[float64]string{.112: "+11.2", -.112: "−11.2", 0: "0.0", -.0001: "0.0", .0004: "0.0"} {
		if got := points(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

// TestEveryWordIsSaid: a word of the vocabulary that was added has words here
// too.
func TestEveryWordIsSaid(t *testing.T) {
	for _, a := range data.Actions() {
		if actionWords[a] == "" {
			t.Errorf("no words for action %s", a)
		}
	}
	for r := data.ReMandateLink; r <= data.StatusPoll; r++ {
		if routeWords[r] == "" {
			t.Errorf("no words for route %s", r)
		}
	}
	for _, r := range data.Rails() {
		if railWords[r] == "" {
			t.Errorf("no words for rail %s", r)
		}
	}
	for _, c := range append(data.Classes(), 0) {
		if g := gateOf(score.Default(), c); g.Means == "" || g.Rules == "" || len(g.Actions) != 5 {
			t.Errorf("no words for class %s", g.Name)
		}
	}
	for _, r := range data.Reasons() {
		in := r.Info()
		if lists[in.List] == "" || recurring[in.Recurring] == "" {
			t.Errorf("%s: no words for list %q or recurring %q", in.Name, in.List, in.Recurring)
		}
	}
}
