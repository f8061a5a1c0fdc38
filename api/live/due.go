package live

import (
	"context"
	"fmt"
	"slices"

	"recoup/data"
	"recoup/features"
	"recoup/score"
)

// StepKind is what is to be done.
type StepKind uint8

// The kinds of steps.
const (
	StepRetry StepKind = iota + 1
	StepPoll
	StepNotice
	StepLink
	StepNudge
)

var stepNames = [...]string{StepRetry: "retry", StepPoll: "poll", StepNotice: "notice", StepLink: "payment_link", StepNudge: "nudge"}

// String is the kind's word; "" for 0.
func (k StepKind) String() string {
	if int(k) >= len(stepNames) {
		return ""
	}
	return stepNames[k]
}

// ParseStepKind reads a kind's word.
func ParseStepKind(s string) (StepKind, error) {
	for k := StepRetry; int(k) < len(stepNames); k++ {
		if stepNames[k] == s {
			return k, nil
		}
	}
	return 0, data.Faultf(data.ErrContract, "live: step %q is unknown: expected one of %v", s, stepNames[1:])
}

// Step is something to do now.
type Step struct {
	Kind       StepKind
	CaseID     string
	CustomerID string
	DecisionID string     // "" = no decision asks for it: a poll of an attempt whose outcome nobody knows
	AttemptKey string     // case:n of the attempt to present; of a notice, of the one it announces; of a poll, of the one it is about
	AttemptNo  int32      // n
	AttemptID  string     // of a poll, where one is known; "" = the latest attempt of the case
	Route      data.Route // of a link or nudge
	Amount     data.Paise
	Rail       data.Rail
	At         data.Micros // it may be done from then on
	Until      data.Micros // and makes no sense after; 0 = no end
	DebitAt    data.Micros // of a notice: the debit that it announces
}

// Held is a step whose time has come and that may not be done now.
type Held struct {
	Step
	Rule, Why string
}

// List is what to do at a moment.
type List struct {
	At    data.Micros
	Steps []Step // by time, then case
	Held  []Held
}

// Due lists what to do at t, 0 = now, not before now: the decisions that stand and
// whose time has come, each asked of the gate again; notices and status checks that
// they need first; and status checks of attempts whose outcome is open.
func (d *Desk) Due(ctx context.Context, t data.Micros) (List, error) {
	if err := d.ready(ctx); err != nil {
		return List{}, err
	}
	engine := d.engine()
	d.mu.RLock()
	defer d.mu.RUnlock()
	now := d.now()
	if t == 0 {
		t = now
	}
	if t < now {
		return List{}, data.Faultf(data.ErrUsage, "live: due: %s is past, it is %s: the list is of now or later", t, now)
	}
	l := List{At: t, Steps: []Step{}, Held: []Held{}}
	for id, n := range d.cases {
		if n.made == nil {
			continue
		}
		if err := d.steps(engine, id, n.made, &l); err != nil {
			return List{}, err
		}
	}
	d.polls(&l)
	slices.SortFunc(l.Steps, func(a, b Step) int { return byTime(&a, &b) })
	slices.SortFunc(l.Held, func(a, b Held) int { return byTime(&a.Step, &b.Step) })
	return l, nil
}

// steps adds what is to be done about a decision.
func (d *Desk) steps(e *score.Engine, id string, m *made, l *List) error {
	c := &m.choice
	if c.Action == data.Escalate {
		return nil
	}
	if c.At > l.At && c.NoticeBy == 0 && c.PollFrom == 0 { // nothing before its time
		return nil
	}
	why, refusal, err := d.stands(m, e, l.At, false)
	if err != nil || why != "" && refusal == nil {
		return err
	}
	f, err := d.state.Facts(id, l.At)
	if err != nil {
		return err
	}
	s := Step{CaseID: id, CustomerID: m.customerID, DecisionID: m.id, Amount: f.Amount, Rail: f.Rail, Route: c.Kind, At: c.At, Until: m.lapses()}
	s.number(int32(f.LastNo + 1))
	if c.Action == data.Wait {
		if c.Kind == data.StatusPoll {
			d.poll(&f, s, l)
		}
		return nil
	}
	s.Kind = map[data.Action]StepKind{data.Retry: StepRetry, data.PaymentLink: StepLink, data.Nudge: StepNudge}[c.Action]
	if refusal != nil {
		if refusal.Route == data.StatusPoll {
			d.poll(&f, s, l)
		}
		if c.At <= l.At {
			l.Held = append(l.Held, Held{s, refusal.Rule, refusal.Why})
		}
		return nil
	}
	needs, _, err := e.Recheck(d.state, id, data.Candidate{Action: c.Action, At: max(l.At, c.At)}, l.At)
	if err != nil {
		return err
	}
	if from := max(m.decidedAt, needs.NoticeFrom); needs.NoticeBy != 0 && from <= l.At {
		notice := s
		notice.Kind, notice.At, notice.Until, notice.DebitAt, notice.Route = StepNotice, from, needs.NoticeBy, c.At, 0
		l.Steps = append(l.Steps, notice)
	}
	if needs.PollFrom != 0 && needs.PollFrom <= l.At {
		poll := s
		poll.Kind, poll.At, poll.Until, poll.Route = StepPoll, needs.PollFrom, c.At, 0
		poll.number(int32(f.LastNo))
		l.Steps = append(l.Steps, poll)
	}
	switch {
	case c.At > l.At:
	case c.Action != data.Nudge && d.unknownOf(id):
		l.Held = append(l.Held, Held{s, "unknown_outcome", "Nobody knows what came of an attempt: a status check must say it first"})
	case needs.NoticeBy != 0:
		l.Held = append(l.Held, Held{s, "notice", "The notice before the debit is not out"})
	case needs.PollFrom != 0:
		l.Held = append(l.Held, Held{s, "late_capture", "A status check must say failed first"})
	default:
		if s.Until, err = d.allowedUntil(e, id, c.Action, l.At, s.Until); err != nil {
			return err
		}
		l.Steps = append(l.Steps, s)
	}
	return nil
}

func (s *Step) number(n int32) { s.AttemptNo, s.AttemptKey = n, fmt.Sprintf("%s:%d", s.CaseID, n) }

// poll adds the status check that a decision waits for: that of the latest failure.
func (d *Desk) poll(f *features.Facts, s Step, l *List) {
	if f.LastPoll == data.PollFailed || f.LastPoll == data.PollCaptured {
		return
	}
	s.Kind, s.At, s.Until, s.Route = StepPoll, f.LastFailure, 0, 0
	if f.LastPollAt != 0 {
		s.At = f.LastPollAt + pollEvery
	}
	if s.At <= l.At {
		s.number(int32(f.LastNo))
		l.Steps = append(l.Steps, s)
	}
}
