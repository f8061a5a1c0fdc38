package data

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReasonsAreTheTable(t *testing.T) {
	if n := len(Reasons()); n != 138 {
		t.Errorf("%d reasons, expected not_reported and the 137 of the table", n)
	}
	want := map[Class]int{SwitchInstrument: 36, NudgeCustomer: 31, MerchantAlert: 28, AwaitStatus: 15, RetryScheduled: 11,
		SwitchRail: 10, Stop: 5, RetryNow: 1, 0: 1}
	got := map[Class]int{}
	for _, r := range Reasons() {
		got[r.Class()]++
		info := r.Info()
		back, err := ParseReason(r.String())
		if back != r || err != nil {
			t.Errorf("ParseReason(%q) = %d, %v", r, back, err)
		}
		if info.Cause == 0 || info.List == "" || info.Rationale == "" || info.MinWait < 0 || info.MinWait > 31*Day {
			t.Errorf("reason %q has an incomplete row: %+v", r, info)
		}
	}
	for c, n := range want {
		if got[c] != n {
			t.Errorf("class %q has %d reasons, expected %d", c, got[c], n)
		}
	}
	if NotReported.String() != "not_reported" || NotReported.Class() != 0 {
		t.Errorf("NotReported is %q of class %q", NotReported, NotReported.Class())
	}
	if MustReason("insufficient_funds").Class() != RetryScheduled {
		t.Errorf("insufficient_funds has class %q", MustReason("insufficient_funds").Class())
	}
	if _, err := ParseReason("no_such_reason"); err == nil || !strings.Contains(err.Error(), `"no_such_reason"`) {
		t.Errorf("an unknown reason gives %v", err)
	}
	if _, err := ParseReason(""); err == nil {
		t.Error("the empty reason was parsed")
	}
}

func TestReasonsFileFaults(t *testing.T) {
	head, rest, _ := strings.Cut(reasonsCSV, "\n")
	first, _, _ := strings.Cut(rest, "\n")
	for name, text := range map[string]string{
		"unknown class": strings.Replace(first, ",", ",,,,,,NO_CLASS,,,,,", 1),
		"twice":         first + "\n" + first,
		"short row":     "a,b",
	} {
		if _, err := readReasons(head + "\n" + text + "\n"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// word is the common face of the closed lists.
type word interface {
	~uint8
	String() string
}

func checkWords[E word](t *testing.T, names []string, parse func(string) (E, error)) {
	t.Helper()
	for i, name := range names {
		if E(i).String() != name {
			t.Errorf("%T(%d) is %q, expected %q", E(0), i, E(i), name)
		}
		if e, err := parse(name); i > 0 && (e != E(i) || err != nil) {
			t.Errorf("parse %q = %d, %v", name, e, err)
		}
	}
	for _, bad := range []string{"", "nothing of the kind", strings.ToUpper(names[1]) + " "} {
		if e, err := parse(bad); err == nil || e != 0 || !strings.Contains(err.Error(), names[len(names)-1]) {
			t.Errorf("%T: parse %q = %d, %v; expected an error that lists the words", E(0), bad, e, err)
		}
	}
	if s := E(255).String(); s != "invalid(255)" {
		t.Errorf("%T(255) prints %q", E(0), s)
	}
	if i := slices.Compact(slices.Sorted(slices.Values(names))); len(i) != len(names) {
		t.Errorf("%T has a word twice", E(0))
	}
}

func TestWords(t *testing.T) {
	checkWords(t, actionNames, ParseAction)
	checkWords(t, routeNames, ParseRoute)
	checkWords(t, railNames, ParseRail)
	checkWords(t, attemptStatusNames, ParseAttemptStatus)
	checkWords(t, initiatorNames, ParseInitiator)
	checkWords(t, caseEventNames, ParseCaseEventKind)
	checkWords(t, subscriptionNames, ParseSubscriptionStatus)
	checkWords(t, mandateNames, ParseMandateStatus)
	checkWords(t, noticeNames, ParseNoticeKind)
	checkWords(t, noticeStatusNames, ParseNoticeStatus)
	checkWords(t, pollNames, ParsePollStatus)
	checkWords(t, promiseNames, ParsePromiseStatus)
	checkWords(t, downtimeNames, ParseDowntimeStatus)
	checkWords(t, severityNames, ParseSeverity)
	checkWords(t, armNames, ParseArm)
	checkWords(t, classNames, ParseClass)
	if len(Actions()) != 5 || len(Classes()) != 8 || len(Rails()) != 5 || len(FailureClasses()) != 7 {
		t.Error("a list of words has the wrong length")
	}
}

func TestRoutesAndNoticesHaveActions(t *testing.T) {
	want := map[Action]int{PaymentLink: 3, Nudge: 3, Escalate: 2, Wait: 1}
	got := map[Action]int{}
	for i := range routeNames[1:] {
		got[Route(i+1).Action()]++
	}
	for a, n := range want {
		if got[a] != n {
			t.Errorf("%d routes to %s, expected %d", got[a], a, n)
		}
	}
	if Route(0).Action() != 0 || PreDebit.Action() != 0 {
		t.Error("no route, or the pre-debit notice, has an action")
	}
	for k := NoticeReMandateLink; k <= NoticeAuthenticate; k++ {
		if r, err := ParseRoute(k.String()); err != nil || r.Action() != k.Action() {
			t.Errorf("notice %s has action %s, its route %s", k, k.Action(), r.Action())
		}
	}
}

func TestPaidAndHorizon(t *testing.T) {
	for s := range AttemptStatus(len(attemptStatusNames)) {
		if s.Paid() != (s == Captured || s == AuthorizedLate) {
			t.Errorf("%q paid: %v", s, s.Paid())
		}
	}
	if EMandate.Horizon() != 5*Day || UPIAutopay.Horizon() != 2*Day || Card.Horizon() != 2*Day {
		t.Error("a rail has the wrong horizon")
	}
}

func TestPaise(t *testing.T) {
	for p, want := range map[Paise]string{0: "0.00", 5: "0.05", -1: "-0.01", 1205: "12.05", -1205: "-12.05", Rupees(15000): "15000.00",
		math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08"} {
		if p.String() != want {
			t.Errorf("%d prints %s, expected %s", int64(p), p, want)
		}
	}
}

func TestISTCalendar(t *testing.T) {
	midnight := IST(2026, time.March, 1, 0, 0)
	for _, c := range []struct {
		at   Micros
		day  int
		time Micros
	}{
		{midnight, 1, 0}, {midnight - 1, 28, Day - 1}, {midnight + 1, 1, 1},
		{IST(2026, time.March, 1, 23, 59), 1, 23*Hour + 59*Minute},
	} {
		if _, _, d := c.at.ISTDate(); d != c.day || c.at.ISTTimeOfDay() != c.time {
			t.Errorf("%s is day %d, %d µs after midnight; expected %d, %d", c.at, d, c.at.ISTTimeOfDay(), c.day, c.time)
		}
	}
	if got := midnight.String(); got != "2026-02-28T18:30:00Z" {
		t.Errorf("IST midnight prints %s", got)
	}
	for _, c := range []struct {
		at  Micros
		day int64
	}{{0, 0}, {-ISTOffset, 0}, {-ISTOffset - 1, -1}, {Day - ISTOffset - 1, 0}, {Day - ISTOffset, 1}, {-Day - ISTOffset, -1}, {-Day - ISTOffset - 1, -2}} {
		if c.at.ISTDay() != c.day || c.at.ISTTimeOfDay() < 0 || c.at.ISTTimeOfDay() >= Day {
			t.Errorf("ISTDay(%d) = %d, expected %d", c.at, c.at.ISTDay(), c.day)
		}
	}
	if MicrosOf(time.Unix(1, 1999)) != 1_000_001 || Micros(1_000_001).UTCDate() != "1970-01-01" {
		t.Error("Micros and time.Time disagree")
	}
}

func TestCursorOrder(t *testing.T) {
	in := []Cursor{{1, 5}, {1, 6}, {2, 0}, AsOf(2), {3, -1}}
	for i, a := range in {
		for j, b := range in {
			if got := a.Compare(b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%v compared with %v is %d", a, b, got)
			}
			if a.Sees(b) != (j <= i) {
				t.Errorf("%v sees %v: %v", a, b, a.Sees(b))
			}
		}
	}
	e := Event{OccurredAt: 9, KnownAt: 4, Seq: 7}
	if e.Cursor() != (Cursor{4, 7}) || e.Stamp() != 4 {
		t.Errorf("cursor %v, stamp %d", e.Cursor(), e.Stamp())
	}
}

func TestFaultsHaveAKind(t *testing.T) {
	cause := errors.New("the cause")
	err := Faultf(ErrContract, "data: x: %w", cause)
	if !errors.Is(err, ErrContract) || !errors.Is(err, cause) || errors.Is(err, ErrLocked) || err.Error() != "data: x: the cause" {
		t.Errorf("%v", err)
	}
}

func TestFrameCheckAndText(t *testing.T) {
	f := Frame{N: 2, Columns: []Column{{Name: "a", Kind: String, Codes: []uint32{1, 0}, Dict: []string{"x", "y"}, Nulls: []bool{false, true}}}}
	f.Check()
	if c := f.Column("a"); c.Text(0) != "y" || c.Null(0) || !c.Null(1) || f.Column("b") != nil {
		t.Error("a column is not what was put in")
	}
	defer func() {
		if recover() == nil {
			t.Error("columns of different lengths were accepted")
		}
	}()
	f.N = 3
	f.Check()
}
