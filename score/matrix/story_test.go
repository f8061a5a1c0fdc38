package matrix

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
	"recoup/score"
)

// story is what is known of one case, "case", of one customer, "cust".
type story struct{ rows []told }

// told is a row and how it is written.
type told struct {
	data.AnyRow
	json func([]byte) []byte
}

// add tells a row that happened at a time and was known at once.
func add[T data.Row](s *story, at data.Micros, row *T, e *data.Event) {
	*e = data.Event{EventID: fmt.Sprintf("e%04d", len(s.rows)), OccurredAt: at, KnownAt: at}
	s.rows = append(s.rows, told{data.AnyRow{Row: row, Event: e}, func(b []byte) []byte { return data.AppendJSON(b, row) }})
}

func (s *story) attempt(at data.Micros, a data.Attempt) *data.Attempt {
	add(s, at, &a, &a.Event)
	return &a
}

func (s *story) mandate(at data.Micros, m data.Mandate) {
	m.MandateID, m.CustomerID = "m", "cust"
	add(s, at, &m, &m.Event)
}

func (s *story) subscription(at, start, end data.Micros) {
	x := data.Subscription{SubscriptionID: "s", CustomerID: "cust", Status: data.SubActive, CycleStart: start, CycleEnd: end}
	add(s, at, &x, &x.Event)
}

func (s *story) notice(at data.Micros, n data.Notice) {
	n.CaseID = cmp.Or(n.CaseID, "case")
	add(s, at, &n, &n.Event)
}

func (s *story) poll(at data.Micros, attempt string, status data.PollStatus) {
	p := data.Poll{AttemptID: attempt, Status: status}
	add(s, at, &p, &p.Event)
}

func (s *story) promise(at data.Micros, of string, due data.Micros, status data.PromiseStatus) {
	p := data.Promise{CaseID: of, PromisedFor: due, Status: status}
	add(s, at, &p, &p.Event)
}

func (s *story) outage(at data.Micros, d data.Downtime) {
	add(s, at, &d, &d.Event)
}

func (s *story) ends(at data.Micros, kind data.CaseEventKind) {
	c := data.CaseEvent{CaseID: "case", Kind: kind}
	add(s, at, &c, &c.Event)
}

// order sorts the rows by when they were known, as a log does, and numbers them.
func (s *story) order() {
	slices.SortFunc(s.rows, func(a, b told) int {
		return cmp.Or(cmp.Compare(a.KnownAt, b.KnownAt), cmp.Compare(a.EventID, b.EventID))
	})
	for i := range s.rows {
		s.rows[i].Seq = int64(i + 1)
	}
}

// state folds what is known at a time.
func (s *story) state(t testing.TB, now data.Micros) *features.State {
	t.Helper()
	s.order()
	st := features.NewState()
	for i := range s.rows {
		if s.rows[i].KnownAt > now {
			break
		}
		if err := features.FoldAny(st, s.rows[i].AnyRow); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Until(data.AsOf(now)); err != nil {
		t.Fatal(err)
	}
	return st
}

// body writes the request of a decision about some candidates; nil = the policy's slots.
func (s *story) body(now data.Micros, only []data.Candidate) []byte {
	s.order()
	b := fmt.Appendf(nil, `{"as_of":%d,"case_id":"case","events":[`, int64(now))
	for i := range s.rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.rows[i].json(b)
	}
	b = append(b, ']')
	for i, c := range only {
		b = append(b, map[bool]string{true: `,"candidates":[`, false: ","}[i == 0]...)
		b = fmt.Appendf(b, `{"action":%q,"at":%d}`, c.Action.String(), int64(c.At))
	}
	if len(only) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}

// answer asks the engine by the road of a request.
func (s *story) answer(t testing.TB, e *score.Engine, now data.Micros, only []data.Candidate) score.Decision {
	t.Helper()
	body := s.body(now, only)
	r, faults := score.ParseRequest(body)
	if faults != nil {
		t.Fatalf("%v\n%s", faults, body)
	}
	d, err := e.Answer(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// facts of the case; nil where it was over long ago and is forgotten: nobody decides about it.
func (s *story) facts(t testing.TB, now data.Micros) *features.Facts {
	t.Helper()
	f, err := s.state(t, now).Facts("case", now)
	if errors.Is(err, data.ErrContract) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &f
}

func ruleEngine(t testing.TB, p *score.Policy) *score.Engine {
	t.Helper()
	e, err := score.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// told by the gate: the verdicts of a decision by candidate, but for waiting.
func verdictsOf(d *score.Decision, only []data.Candidate) map[data.Candidate]verdict {
	out := map[data.Candidate]verdict{}
	for _, r := range d.Refusals {
		v := verdict{Rule: r.Rule, Route: r.Route.String(), Whole: r.At == 0}
		if r.At != 0 {
			out[data.Candidate{Action: r.Action, At: r.At}] = v
			continue
		}
		for _, c := range only {
			if c.Action == r.Action {
				out[c] = v
			}
		}
	}
	for _, c := range d.Allowed {
		if c.Action != data.Wait {
			out[data.Candidate{Action: c.Action, At: c.At}] = verdict{NoticeBy: c.NoticeBy, PollFrom: c.PollFrom}
		}
	}
	return out
}

// differences are the candidates about which gate and evaluator disagree.
func (q *asked) differences(d *score.Decision, only []data.Candidate) (out []string) {
	said := verdictsOf(d, only)
	for _, c := range only {
		if _, ok := said[c]; !ok {
			out = append(out, fmt.Sprintf("%s: neither allowed nor refused", c))
		}
	}
	for c, got := range said {
		if want := q.judge(c.Action, c.At); got != want {
			out = append(out, fmt.Sprintf("%s: gate %+v, by the table %+v", c, got, want))
		}
	}
	slices.Sort(out)
	return out
}

func lines(all []string) string { return strings.Join(all, "\n  ") }
