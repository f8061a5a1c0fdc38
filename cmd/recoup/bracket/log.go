package bracket

import (
	"cmp"
	"math"
	"slices"

	"recoup/data"
)

// Span says which decisions are judged.
type Span struct {
	AsOf    data.Micros // nothing known after it counts; there is no default
	Horizon data.Micros // a payment within it after the decision counts; more than 0
	From    data.Micros // decisions of cases whose first decision was made before are left out; 0 = none are
}

// Check refuses a span that judges nothing.
func (s Span) Check() error {
	switch {
	case s.AsOf <= 0:
		return data.Faultf(data.ErrUsage, "ope: no as_of: it has no default, give the time up to which events count")
	case s.Horizon <= 0:
		return data.Faultf(data.ErrUsage, "ope: horizon %d µs: expected more than 0", s.Horizon)
	}
	return nil
}

// Counts say what became of the decisions of a log.
type Counts struct {
	Decisions  int `json:"decisions"`    // known at as_of
	Before     int `json:"before"`       // of cases begun before the span: left out
	Open       int `json:"open"`         // the window of the case's first decision is open: left out
	Fallback   int `json:"fallback"`     // another arm answered, or it was only monitored: no estimate rests on it
	Unreported int `json:"not_reported"` // no outcome says that the window is closed: left out
	Judged     int `json:"judged"`
	Cases      int `json:"cases"` // with a judged decision
	Customers  int `json:"customers"`
	FellBack   int `json:"fallback_cases"` // with a decision counted under Fallback
}

// Log holds the matured decisions, by case in the order of the first decision, and
// within a case in the order of time. It is not changed after it was made.
type Log struct {
	Span
	Decisions []Decision
	Counts    Counts
	Given     []Decision      // the first decision of every case, of those too that another arm answered: what was measured
	Last      data.Micros     // decided_at of the latest one
	Broken    map[string]bool // cases of which a decision was left out: no sequence can be made of them
}

// charge is what the original charge says of a case.
type charge struct {
	rail   data.Rail
	bank   string
	amount data.Paise
}

// Read takes the decisions of an event log that are known at the span's as_of.
func Read(l *data.Log, s Span) (*Log, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b := newBuilder(s)
	at := data.AsOf(s.AsOf)
	for _, read := range []func() error{
		func() error { return each(l, at, b.begins, "decision_id", "case_id", "decided_at") },
		func() error { return each(l, at, b.decision) },
		func() error { return each(l, at, b.outcome) },
		func() error {
			return each(l, at, b.attempt, "case_id", "attempt_no", "rail", "bank", "amount_paise")
		},
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return b.log()
}

// Of takes rows that are in memory, in the order of the log: those of a simulation
// that was never written.
func Of(s Span, decisions []data.Decision, outcomes []data.Outcome, attempts []data.Attempt) (*Log, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b := newBuilder(s)
	for _, take := range []func() error{
		func() error { return all(decisions, s.AsOf, b.begins) },
		func() error { return all(decisions, s.AsOf, b.decision) },
		func() error { return all(outcomes, s.AsOf, b.outcome) },
		func() error { return all(attempts, s.AsOf, b.attempt) },
	} {
		if err := take(); err != nil {
			return nil, err
		}
	}
	return b.log()
}

func each[T data.Row](l *data.Log, at data.Cursor, take func(*T) error, columns ...string) error {
	for rows, err := range data.Scan[T](l, at, columns...) {
		if err != nil {
			return err
		}
		for i := range rows {
			if err := take(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func all[T data.Row](rows []T, asOf data.Micros, take func(*T) error) error {
	for i := range rows {
		if knownAt(&rows[i]) > asOf {
			continue
		}
		if err := take(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func knownAt(row any) data.Micros {
	switch r := row.(type) {
	case *data.Decision:
		return r.KnownAt
	case *data.Outcome:
		return r.KnownAt
	case *data.Attempt:
		return r.KnownAt
	}
	return math.MaxInt64
}

// builder joins the tables.
type builder struct {
	Span
	counts   Counts
	first    map[string]data.Micros // decided_at of each case's first decision
	kept     []Decision
	at       map[string]int // of kept, by decision_id
	reported map[string]bool
	charges  map[string]charge
	broken   map[string]bool // cases of which a decision was left out
	fell     map[string]bool // cases of which another arm answered a decision
}

func newBuilder(s Span) *builder {
	return &builder{Span: s, first: map[string]data.Micros{}, at: map[string]int{}, reported: map[string]bool{}, charges: map[string]charge{}, broken: map[string]bool{}, fell: map[string]bool{}}
}

// begins notes when a case was first decided.
func (b *builder) begins(d *data.Decision) error {
	if t, ok := b.first[d.CaseID]; !ok || d.DecidedAt < t {
		b.first[d.CaseID] = d.DecidedAt
	}
	return nil
}

// judged says whether the cases that began at a time are within the span and their
// window has closed. The whole case is in or out: a fast success does not enter early.
func (b *builder) judged(first data.Micros) bool {
	return first >= b.From && first+b.Horizon <= b.AsOf
}

func (b *builder) decision(d *data.Decision) error {
	b.counts.Decisions++
	first := b.first[d.CaseID]
	switch {
	case first < b.From:
		b.counts.Before++
		return nil
	case !b.judged(first):
		b.counts.Open++
		return nil
	}
	assigned, fallback, monitored := loggerWords(d.Logger)
	if assigned == 0 {
		assigned = d.Arm
	}
	aside := fallback || monitored
	if aside {
		b.counts.Fallback++
		b.broken[d.CaseID], b.fell[d.CaseID] = true, true
		if d.DecidedAt != first {
			return nil
		}
	} else if err := trustworthy(d); err != nil {
		return err
	}
	if _, twice := b.at[d.DecisionID]; twice {
		return data.Faultf(data.ErrContract, "ope: decision %s: it is in the log twice", d.DecisionID)
	}
	b.at[d.DecisionID] = len(b.kept)
	b.kept = append(b.kept, Decision{ID: d.DecisionID, CaseID: d.CaseID, CustomerID: d.CustomerID, At: d.DecidedAt, AsOf: d.AsOf,
		Assigned: assigned, Share: d.ArmShare, PolicyID: d.PolicyID, Logger: d.Logger, Class: d.Class, Options: slices.Clone(d.Allowed), Chosen: int(d.Chosen), Aside: aside})
	return nil
}

func (b *builder) outcome(o *data.Outcome) error {
	i, ok := b.at[o.DecisionID]
	if !ok {
		return nil
	}
	d := &b.kept[i] // the latest row counts
	if d.AttemptID = o.AttemptID; !o.WindowClosed {
		delete(b.reported, d.ID)
		return nil
	}
	b.reported[d.ID] = true
	d.Recovered, d.Paid, d.Cost, d.Settled = o.Recovered, o.RecoveredPaise, o.CostPaise, o.SettledAt
	return nil
}

func (b *builder) attempt(a *data.Attempt) error {
	if first, ok := b.first[a.CaseID]; !ok || a.AttemptNo != 0 || !b.judged(first) {
		return nil
	}
	if _, ok := b.charges[a.CaseID]; !ok {
		b.charges[a.CaseID] = charge{a.Rail, a.Bank, a.Amount}
	}
	return nil
}

// log puts the decisions in order and numbers them within their cases.
func (b *builder) log() (*Log, error) {
	out := &Log{Span: b.Span, Counts: b.counts, Broken: b.broken}
	for i := range b.kept {
		d := &b.kept[i]
		if !b.reported[d.ID] {
			if d.Aside {
				continue // it is counted
			}
			if d.At+b.Horizon > b.AsOf { // a later decision of a case whose own window has closed
				out.Counts.Open++
			} else {
				out.Counts.Unreported++
				b.broken[d.CaseID] = true
			}
			continue
		}
		c := b.charges[d.CaseID]
		d.Rail, d.Bank, d.Amount = c.rail, c.bank, c.amount
		if d.At == b.first[d.CaseID] {
			out.Given = append(out.Given, *d)
		}
		if d.Aside {
			continue
		}
		out.Decisions = append(out.Decisions, *d)
		out.Last = max(out.Last, d.At)
	}
	order := func(x, y Decision) int {
		return cmp.Or(cmp.Compare(b.first[x.CaseID], b.first[y.CaseID]), cmp.Compare(x.CaseID, y.CaseID), cmp.Compare(x.At, y.At), cmp.Compare(x.ID, y.ID))
	}
	slices.SortFunc(out.Decisions, order)
	slices.SortFunc(out.Given, order)
	out.Given = slices.CompactFunc(out.Given, func(x, y Decision) bool { return x.CaseID == y.CaseID }) // two at one instant: the case counts once
	customers := map[string]struct{}{}
	for i := range out.Decisions {
		d := &out.Decisions[i]
		customers[d.CustomerID] = struct{}{}
		d.Anchor = d.At
		if i > 0 && out.Decisions[i-1].CaseID == d.CaseID {
			p := &out.Decisions[i-1]
			d.No, d.Retries = p.No+1, p.Retries
			if p.AttemptID != "" {
				d.Retries++
			} else {
				d.Anchor = p.Anchor
			}
			continue
		}
		if d.At != b.first[d.CaseID] { // the first one was left out: no case is judged from its middle
			d.No = 1
		}
		out.Counts.Cases++
	}
	out.Counts.Judged, out.Counts.Customers, out.Counts.FellBack = len(out.Decisions), len(customers), len(b.fell)
	return out, nil
}
