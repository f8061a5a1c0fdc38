package score

import (
	"errors"
	"strings"
	"testing"

	"recoup/data"
)

func active(string) (data.MandateStatus, error) { return data.MandateActive, nil }

// Both sides of every limit; what is refused or comes after the end is not counted.
func TestBreaker(t *testing.T) {
	l := Limits{DebitAttempts: 4, DebitPaise: 100, RunAttempts: 3, RunPaise: 250, RunEscalations: 1, WarnAt: 800}
	debit := func(amount data.Paise, presented int) Act {
		return Act{CaseID: "c", Action: data.Retry, Amount: amount, Presented: presented, Mandate: data.MandateActive}
	}
	for name, c := range map[string]struct {
		acts    []Act
		look    func(string) (data.MandateStatus, error)
		last    string // of the last act: "" done, refused or tripped
		done    Tally
		warning string
	}{
		"the largest debit":      {[]Act{debit(100, 3)}, active, "", Tally{1, 100, 0}, ""},
		"too large":              {[]Act{debit(101, 0)}, active, "refused", Tally{}, ""},
		"nothing":                {[]Act{debit(0, 0)}, active, "refused", Tally{}, ""},
		"below nothing":          {[]Act{debit(-5, 0)}, active, "refused", Tally{}, ""},
		"presented too often":    {[]Act{debit(1, 4)}, active, "refused", Tally{}, ""},
		"revoked since":          {[]Act{debit(1, 0)}, func(string) (data.MandateStatus, error) { return data.MandateRevoked, nil }, "refused", Tally{}, ""},
		"unknown now":            {[]Act{debit(1, 0)}, func(string) (data.MandateStatus, error) { return 0, nil }, "refused", Tally{}, ""},
		"attempts":               {[]Act{debit(1, 0), debit(1, 0), debit(1, 0), debit(1, 0)}, active, "tripped", Tally{3, 3, 0}, "3 of at most 3 attempts"},
		"rupees":                 {[]Act{debit(100, 0), debit(100, 0), debit(51, 0)}, active, "tripped", Tally{2, 200, 0}, "200 of at most 250 paise"},
		"all rupees":             {[]Act{debit(100, 0), debit(100, 0), debit(50, 0)}, active, "", Tally{3, 250, 0}, ""},
		"escalations":            {[]Act{{Action: data.Escalate}, {Action: data.Escalate}}, active, "tripped", Tally{0, 0, 1}, "1 of at most 1 escalations"},
		"waiting":                {[]Act{{Action: data.Wait}, {Action: data.PaymentLink}, {Action: data.Nudge}}, active, "", Tally{}, ""},
		"refused is not the end": {[]Act{debit(101, 0), debit(100, 0)}, active, "", Tally{1, 100, 0}, ""},
		"the end is the end":     {[]Act{{Action: data.Escalate}, {Action: data.Escalate}, debit(1, 0)}, active, "tripped", Tally{0, 0, 1}, ""},
	} {
		b, err := NewBreaker(l, c.look)
		must(t, err)
		for _, a := range c.acts {
			err = b.Act(a)
		}
		refused, tripped := (*RefusedAct)(nil), (*Tripped)(nil)
		if errors.As(err, &refused) != (c.last == "refused") || errors.As(err, &tripped) != (c.last == "tripped") || b.Done() != c.done {
			t.Errorf("%s: %v, done %+v", name, err, b.Done())
		}
		if all := strings.Join(b.Warnings(), "; "); c.warning != "" && !strings.Contains(all, c.warning) {
			t.Errorf("%s: %s", name, all)
		}
	}
	lost := errors.New("line is down")
	b, err := NewBreaker(l, func(string) (data.MandateStatus, error) { return 0, lost })
	must(t, err)
	if err := b.Act(debit(1, 0)); !errors.Is(err, lost) || b.Done() != (Tally{}) {
		t.Errorf("no look: %v, %+v", err, b.Done())
	}
	if _, err := NewBreaker(l, nil); !errors.Is(err, data.ErrUsage) {
		t.Errorf("no look func: %v", err)
	}
}

// A warning comes at 80 % of a limit, not before, and once.
func TestBreakerWarns(t *testing.T) {
	b, err := NewBreaker(Limits{DebitAttempts: 1, DebitPaise: 1, RunAttempts: 10, RunPaise: 1000, RunEscalations: 10, WarnAt: 800}, active)
	must(t, err)
	for n := range 10 {
		must(t, b.Act(Act{Action: data.Retry, Amount: 1}))
		if (len(b.Warnings()) > 0) != (n+1 >= 8) || len(b.Warnings()) > 1 {
			t.Errorf("after %d: %v", n+1, b.Warnings())
		}
	}
}
