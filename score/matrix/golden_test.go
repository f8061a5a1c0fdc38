package matrix

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/score"
)

var update = flag.Bool("update", false, "rewrite the golden matrix")

const golden = "testdata/matrix.txt"

// t0 is when the failures of the matrix are known: a Tuesday, 09:30 in India.
var t0 = data.IST(2026, 2, 10, 9, 30)

// profile is what else is known of a failure, and what is asked.
type profile struct {
	name, means string
	amount      data.Paise
	now, at     data.Micros // after t0
	tell        func(*story)
}

var profiles = []profile{
	{"fresh", "two minutes after the failure, about a Monday six days later, 08:30: no notice, no status check", 499_00, 2 * minute, 6*days - hour, nil},
	{"at_once", "in the minute of the failure, about that minute", 499_00, 0, 0, nil},
	{"ready", "six days later, about that minute: a status check says failed, a notice is 37 hours old", 499_00, 6*days - hour, 6*days - hour, func(s *story) {
		s.poll(t0+minute*3, "a0", data.PollFailed)
		s.notice(t0+6*days-38*hour, data.Notice{Kind: data.PreDebit, Status: data.NoticeSent, Amount: 499_00})
	}},
	{"spent", "as ready, but every attempt and status check is spent, and the customer was nudged", 499_00, 6*days - hour, 6*days - hour, func(s *story) {
		for i := range 3 {
			s.attempt(t0-data.Micros(int64(3-i)*days), data.Attempt{CaseID: "case", AttemptNo: int32(i), AttemptID: fmt.Sprint("b", i), CustomerID: "cust", Rail: s.rail(), MandateID: "m", Amount: 499_00,
				Status: data.Failed, Reason: data.MustReason("insufficient_funds")})
			s.poll(t0+data.Micros((3+2*int64(i))*minute), "a0", data.PollFailed)
		}
		s.notice(t0+hour, data.Notice{Kind: data.NoticeWinback, Status: data.NoticeSent})
		s.notice(t0+6*days-38*hour, data.Notice{Kind: data.PreDebit, Status: data.NoticeSent, Amount: 499_00})
	}},
	{"large", "as fresh, one paisa above 15,000 rupees", 15_000_01, 2 * minute, 6*days - hour, nil},
}

// rail is that of the story's first row, an attempt.
func (s *story) rail() data.Rail { return s.rows[0].Row.(*data.Attempt).Rail }

var mandates = []struct {
	name string
	is   *data.Mandate
}{
	{"none", nil},
	{"active", &data.Mandate{Status: data.MandateActive, MaxAmount: 2_00_000_00}},
	{"paused", &data.Mandate{Status: data.MandatePaused}},
	{"revoked", &data.Mandate{Status: data.MandateRevoked}},
	{"expired", &data.Mandate{Status: data.MandateExpired}},
	{"past_its_end", &data.Mandate{Status: data.MandateActive, ValidUntil: t0}},
}

// TestGoldenMatrix holds every reason on every rail in every state of the mandate
// to the golden file, and to the printed table.
func TestGoldenMatrix(t *testing.T) {
	t.Parallel()
	p := score.Default()
	e, table := ruleEngine(t, p), printedOf(t, p)
	var out bytes.Buffer
	out.WriteString("# What the gate makes of retry, payment_link, nudge and escalate: \"ok\" and the kind, or the first rule that refuses > its route.\n" +
		"# One entry per profile and reason; a line holds for the rails and states of the mandate before the colon. Written by go test -update.\n")
	for _, pr := range profiles {
		fmt.Fprintf(&out, "\n== %s: %s\n", pr.name, pr.means)
		for _, reason := range data.Reasons() {
			fmt.Fprintf(&out, "%s %s\n", reason, reason.Class())
			var order []string
			where := map[string][]string{}
			for _, rail := range data.Rails() {
				by, outcomes := map[string][]string{}, []string{}
				for _, m := range mandates {
					o := pr.outcome(t, e, table, reason, rail, m.is)
					if by[o] == nil {
						outcomes = append(outcomes, o)
					}
					by[o] = append(by[o], m.name)
				}
				for _, o := range outcomes {
					line := strings.Join(by[o], ",") + ": " + o
					if where[line] == nil {
						order = append(order, line)
					}
					where[line] = append(where[line], rail.String())
				}
			}
			for _, line := range order {
				rails := strings.Join(where[line], ",")
				if len(where[line]) == len(data.Rails()) {
					rails = "all"
				}
				fmt.Fprintf(&out, "  %s %s\n", rails, line)
			}
		}
	}
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Bytes(); !bytes.Equal(got, want) {
		g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Fatalf("%s:%d: %q, expected %q; -update rewrites it", golden, i+1, g[i], w[i])
			}
		}
		t.Fatalf("%s: %d lines, expected %d; -update rewrites it", golden, len(g), len(w))
	}
	if len(want) > 1<<20 {
		t.Errorf("%s: %d bytes: nobody reads that", golden, len(want))
	}
}

// story is what happens under the profile.
func (pr *profile) story(reason data.Reason, rail data.Rail, m *data.Mandate) *story {
	s := &story{}
	s.attempt(t0, data.Attempt{CaseID: "case", AttemptNo: 3, AttemptID: "a0", CustomerID: "cust", Rail: rail, Bank: "HDFC", MandateID: "m", Amount: pr.amount, Status: data.Failed, Reason: reason, Initiator: data.ByProvider})
	if pr.name != "spent" {
		s.rows[0].Row.(*data.Attempt).AttemptNo = 0
	}
	if m != nil {
		is := *m
		is.Rail = rail
		s.mandate(t0-30*days, is)
	}
	if pr.tell != nil {
		pr.tell(s)
	}
	return s
}

// outcome asks gate and table about every action.
func (pr *profile) outcome(t *testing.T, e *score.Engine, table *printed, reason data.Reason, rail data.Rail, m *data.Mandate) string {
	t.Helper()
	s := pr.story(reason, rail, m)
	now, only := t0+pr.now, []data.Candidate(nil)
	for _, a := range data.Actions()[1:] {
		only = append(only, data.Candidate{Action: a, At: t0 + pr.at})
	}
	d := s.answer(t, e, now, only)
	q := asked{table, s.facts(t, now), now}
	if diff := q.differences(&d, only); len(diff) > 0 {
		t.Errorf("%s, %s, %s, %+v:\n  %s", pr.name, reason, rail, m, lines(diff))
	}
	said := verdictsOf(&d, only)
	var words []string
	for _, c := range only {
		v := said[c]
		switch {
		case v.Rule != "" && v.Route != "":
			words = append(words, v.Rule+" > "+v.Route)
		case v.Rule != "":
			words = append(words, v.Rule)
		default:
			words = append(words, strings.Join(slices.DeleteFunc([]string{"ok", kindOf(&d, c), v.conditions(c.At)}, func(s string) bool { return s == "" }), " "))
		}
	}
	return strings.Join(words, "; ")
}

func kindOf(d *score.Decision, c data.Candidate) string {
	for _, o := range d.Allowed {
		if o.Action == c.Action && o.At == c.At {
			return o.Kind.String()
		}
	}
	return ""
}

// conditions are what must happen before a retry.
func (v *verdict) conditions(at data.Micros) (out string) {
	if v.NoticeBy != 0 {
		out += fmt.Sprintf(" noticed %d min before", (at-v.NoticeBy)/minute)
	}
	if v.PollFrom != 0 {
		out += fmt.Sprintf(" polled from t0+%ds", (v.PollFrom-t0)/second)
	}
	return strings.TrimSpace(out)
}
