package compare

import (
	"fmt"

	"recoup/data"
	"recoup/ope/bandit"
)

// salt keys the draws of the bandits. It is no secret: nobody in a simulated world
// could gain by guessing.
var salt = []byte("everybody may know the salt of a simulated world")

// trialID names an attempt of a case.
func trialID(caseID string, attemptNo int) string { return fmt.Sprintf("%s/%d", caseID, attemptNo) }

// judged is how long after its first failure a case may be paid to count, as in all
// figures of simulated worlds.
const judged = 21 * data.Day

// tracker follows what a learner has chosen until the case's 21 days are over. A trial
// succeeds when its case is paid by then, by the attempt, by one that follows it or by
// the customer himself: what waiting costs and brings is part of a slot's worth.
type tracker struct {
	book  bandit.Book
	alone bool // attempts that follow are not counted
}

// plan opens a trial, in place of what was planned for the same attempt before.
func (k *tracker) plan(t bandit.Trial) error {
	k.book.Void(t.ID)
	return k.book.Open(t)
}

// seen notes a payment.
func (k *tracker) seen(row any) {
	switch r := row.(type) {
	case *data.Attempt:
		switch {
		case r.Status != data.Captured && r.Status != data.AuthorizedLate:
		case k.alone && r.Initiator == data.ByRecoup:
			k.book.Succeed(trialID(r.CaseID, int(r.AttemptNo)), r.OccurredAt)
		default:
			k.paid(r.CaseID, r.OccurredAt)
		}
	case *data.CaseEvent:
		if r.Kind == data.PaidElsewhere {
			k.paid(r.CaseID, r.OccurredAt)
		}
	}
}

func (k *tracker) paid(caseID string, at data.Micros) {
	for no := 1; no <= 3; no++ {
		k.book.Succeed(trialID(caseID, no), at)
	}
}

// beta is a Beta-Bernoulli bandit: its posterior is that of the last midnight.
type beta struct {
	tracker
	name  string
	post  *bandit.Posterior
	arms  func(*scene) ([]int, error) // index into s.retries by arm; -1 = illegal
	cell  func(s *scene, slots []int) bandit.Cell
	floor float64
	night data.Micros
	arm   int // of the last pick
	in    bandit.Cell
}

func (b *beta) hand() hand {
	return hand{name: b.name, pick: b.pick, seen: b.seen, dawn: b.dawn, plan: func(s *scene) error {
		return b.plan(bandit.Trial{ID: trialID(s.turn.CaseID, s.turn.AttemptNo), Cell: b.in, Arm: b.arm, Closes: s.turn.FirstFailedAt + judged})
	}}
}

func (b *beta) dawn(midnight data.Micros) error {
	b.night = midnight
	return b.post.Learn(b.book.Close(midnight))
}

// pick draws an arm with the exact probability that a log would hold.
func (b *beta) pick(s *scene) (int, error) {
	arms, err := b.arms(s)
	if err != nil {
		return 0, err
	}
	legal, n := make([]bool, len(arms)), 0
	for k, i := range arms {
		if legal[k] = i >= 0; legal[k] {
			n++
		}
	}
	b.in = b.cell(s, arms)
	sel, err := b.post.Select(b.in, b.night, legal, min(b.floor, 1/float64(n)))
	if err != nil {
		return 0, err
	}
	b.arm = bandit.Draw(salt, b.name+"/"+s.turn.DecisionID, sel.Probs)
	return arms[b.arm], nil
}

// flatBandit is the one that loses: a cell for every combination, and nothing known.
func flatBandit() (*beta, error) {
	p, err := bandit.New(bandit.Config{Arms: delayNames(), Prior: bandit.Arm{Alpha: 1, Beta: 1}, Keep: 1})
	return &beta{name: Flat, post: p, arms: byDelay, cell: fineCell}, err
}

// sharing are the settings of bandits whose cells share strength: half of what was seen
// is gone after 69 days, a cell borrows 25 trials of its parent.
func sharing(arms []string) bandit.Config {
	return bandit.Config{Arms: arms, Prior: bandit.Arm{Alpha: 1, Beta: 1}, Keep: .99, Strength: 25}
}

const betaFloor = .005 // of each arm

// restored begins with what is known, or with nothing (nil).
func restored(arms []string, known []byte) (*bandit.Posterior, error) {
	if known == nil {
		return bandit.New(sharing(arms))
	}
	p, _, err := bandit.DecodeState(known)
	return p, err
}

// calendarBandit has an arm for each part of the month.
func calendarBandit(known []byte) (*beta, error) {
	p, err := restored(monthNames(), known)
	return &beta{name: Calendar, post: p, arms: byMonth, cell: coarseCell, floor: betaFloor}, err
}

// adviceBandit has an arm for each timing of the hand rules: few arms, and good ones.
func adviceBandit(name string, a *adviser, known []byte) (*beta, error) {
	p, err := restored(adviceNames(), known)
	return &beta{name: name, post: p, arms: a.both, cell: adviceCell, floor: betaFloor}, err
}
